"""What the sources answered to judged questions, kept in a file so that ranking is tuned without asking them again."""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from orchestrator.codec import decode, encode
from orchestrator.evaluate.judged import JudgedQuestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from orchestrator.model import Answer, Outcome, Plan


@dataclass(frozen=True, slots=True)
class Recorded:
    """One question, what was planned for it at ``now``, and what came back.

    ``origins``: the id in the corpus behind each hit that has one, by source and by the hit's id. ``homes``: the source
    that holds each judged id, as far as one does. ``took``: seconds, as measured when it was asked.
    """

    question: JudgedQuestion
    now: datetime
    plan: Plan
    outcomes: tuple[Outcome, ...]
    origins: Mapping[str, Mapping[str, str]]
    homes: Mapping[str, str] = field(default_factory=dict)
    took: float = 0.0

    @classmethod
    def of(
        cls,
        question: JudgedQuestion,
        now: datetime,
        answer: Answer,
        origins: Mapping[str, Mapping[str, str]],
        homes: Mapping[str, str] = MappingProxyType({}),
    ) -> Recorded:
        """``origins``: the id in the corpus behind each native id and address, by source; ``homes``: the source of each id."""
        known = {
            outcome.source: {
                hit.id: found
                for hit in outcome.hits
                if (found := origins[outcome.source].get(hit.id) or origins[outcome.source].get(hit.url))
            }
            for outcome in answer.outcomes
        }
        judged = {name: homes[name] for name in question.grades if name in homes}
        return cls(question, now, answer.plan, answer.outcomes, known, judged, answer.took)

    @property
    def type(self) -> str:
        """What kind of question it is: as the judged questions say, else as it was understood."""
        return self.question.type or str(self.plan.query.type)

    def corpus_id(self, source: str, hit_id: str) -> str:
        """The corpus's id of a hit; a name of its own, which nothing judges, for a hit that the corpus does not know."""
        return self.origins.get(source, {}).get(hit_id) or f"?{source}:{hit_id}"


def write_recording(path: Path, recorded: Iterable[Recorded]) -> int:
    """One question a line, packed; how many were written. Corpora may be bound by licences: the file holds parts of them."""
    count = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=3) as file:
        for each in recorded:
            file.write(json.dumps(_row(each), ensure_ascii=False) + "\n")
            count += 1
    return count


def read_recording(path: Path) -> Iterator[Recorded]:
    """Raises ``ValueError``, with the line where there is one, for a file that :func:`write_recording` did not write."""
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):  # noqa: B007 - the failure names it
                yield _recorded(json.loads(line))
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (OSError, EOFError, zlib.error) as failure:
        raise ValueError(f"{path}: no recording that can be read: {failure}") from failure
    except (AttributeError, KeyError, TypeError, ValueError) as failure:
        raise ValueError(f"{path}:{number}: no recorded question: {failure}") from failure


def _row(each: Recorded) -> dict[str, Any]:
    question = each.question
    return {
        "id": question.id,
        "text": question.text,
        "type": question.type,
        "grades": dict(question.grades),
        "now": each.now.isoformat(),
        "plan": encode(each.plan),
        "outcomes": encode(each.outcomes),
        "origins": {source: dict(known) for source, known in each.origins.items()},
        "homes": dict(each.homes),
        "took": each.took,
    }


def _recorded(row: dict[str, Any]) -> Recorded:
    return Recorded(
        JudgedQuestion(row["id"], row["text"], row["grades"], row.get("type", "")),
        datetime.fromisoformat(row["now"]),
        decode(row["plan"]),
        decode(row["outcomes"]),
        row["origins"],
        row.get("homes", {}),
        row.get("took", 0.0),
    )
