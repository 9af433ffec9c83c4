"""Read judged questions: one JSON object a line with its judgments inside, or beside it in a qrels table."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COLUMNS = 3  # of a qrels table: question, thing, grade


@record
class JudgedQuestion:
    """A question, the grade (above 0: relevant) of each corpus id that somebody judged, and its type, if the file says it."""

    id: str
    text: str
    grades: Mapping[str, float]
    type: str = ""


@record
class Judgments:
    """Questions with at least one relevant id, and what was left out.

    ``without``: how many questions have nothing relevant; ``strangers``: ids that are judged for and no question has.
    """

    questions: tuple[JudgedQuestion, ...]
    without: int = 0
    strangers: tuple[str, ...] = ()


def read_judgments(questions: Path, qrels: Path | None = None) -> Judgments:
    """Rows of ``questions`` hold ``id, text``, perhaps ``type`` (or ``herb_type``) and, without ``qrels``, ``relevant``.

    ``qrels`` is a table of ``query-id, corpus-id, score`` separated by tabs, with or without a heading. Raises
    ``ValueError`` with file and line for a row that is neither, and for a file that cannot be read.
    """
    judged = _read_qrels(qrels) if qrels else None
    rows = list(_rows(questions))
    found = [_question(where, row, judged) for where, row in rows]
    known = {each.id for each in found}
    kept = tuple(each for each in found if any(grade > 0 for grade in each.grades.values()))
    return Judgments(kept, len(found) - len(kept), tuple(sorted((judged or {}).keys() - known)))


def _question(where: str, row: Mapping[str, Any], judged: Mapping[str, Mapping[str, float]] | None) -> JudgedQuestion:
    grades = row.get("relevant", {}) if judged is None else judged.get(row["id"], {})
    if not isinstance(grades, dict) or not all(_is_grade(grade) for grade in grades.values()):
        raise ValueError(f"{where}: relevant must be an object of corpus ids, each with its grade as a number")
    said = row.get("type") or row.get("herb_type") or ""
    return JudgedQuestion(row["id"], row["text"], grades, said if isinstance(said, str) else "")


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    seen: set[str] = set()
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as failure:
            raise ValueError(f"{where}: not JSON: {failure}") from None
        texts = (row.get("id"), row.get("text")) if isinstance(row, dict) else ()
        if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
            raise ValueError(f"{where}: a question needs the keys id and text, with a text each")
        if row["id"] in seen:
            raise ValueError(f"{where}: the id {row['id']!r} occurs twice")
        seen.add(row["id"])
        yield where, row


def _read_qrels(path: Path) -> dict[str, dict[str, float]]:
    judged: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(_lines(path), 1):
        parts = line.split("\t")
        grade = _grade(parts[-1])
        if not line.strip() or (number == 1 and grade is None):
            continue
        if len(parts) != COLUMNS or grade is None:
            raise ValueError(f"{path}:{number}: a judgment is query-id, corpus-id and score, separated by tabs")
        judged[parts[0]][parts[1]] = grade
    return dict(judged)


def _lines(path: Path) -> list[str]:
    try:
        # Not splitlines: an id or a text may hold other separators than line feeds.
        return [line.removesuffix("\r") for line in path.read_text("utf-8-sig").split("\n")]
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except OSError as failure:
        raise ValueError(f"{path}: cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise ValueError(f"{path}: is not UTF-8: {failure.reason} at byte {failure.start}") from None


def _grade(text: str) -> float | None:
    try:
        grade = float(text)
    except ValueError:
        return None
    return grade if math.isfinite(grade) else None


def _is_grade(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
