"""Read judged questions: one JSON object a line with its judgments inside, or beside it in a qrels table."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question and the grade (above 0: relevant) of each corpus id that somebody judged."""

    id: str
    text: str
    grades: Mapping[str, float]


def load_judged(questions: Path, qrels: Path | None = None) -> tuple[JudgedQuestion, ...]:
    """Questions with at least one relevant id. Rows hold ``id, text`` and, without ``qrels``, ``relevant``.

    ``qrels`` is a table of ``query-id, corpus-id, score`` separated by tabs, with a heading. Raises ``ValueError``
    with file and line for a row that is neither.
    """
    judged = _read_qrels(qrels) if qrels else {}
    rows = list(_rows(questions))
    found = (JudgedQuestion(row["id"], row["text"], judged.get(row["id"], row.get("relevant", {}))) for row in rows)
    return tuple(question for question in found if any(grade > 0 for grade in question.grades.values()))


def _rows(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            row = json.loads(line)
            if not {"id", "text"} <= row.keys():
                raise ValueError(f"{path}:{number}: a question needs the keys id and text")
            rows.append(row)
    return rows


def _read_qrels(path: Path) -> dict[str, dict[str, float]]:
    judged: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(path.read_text("utf-8").splitlines()[1:], 2):
        parts = line.split("\t")
        if len(parts) != 3:  # noqa: PLR2004 - query, document, grade
            raise ValueError(f"{path}:{number}: a judgment is query-id, corpus-id and score, separated by tabs")
        judged[parts[0]][parts[1]] = float(parts[2])
    return judged
