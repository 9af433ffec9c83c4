"""What the sources answered to judged questions, kept in a file so that ranking is tuned without asking them again."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from datetime import datetime
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

    ``origins``: the id in the corpus behind each hit that has one, by source and by the hit's id.
    """

    question: JudgedQuestion
    now: datetime
    plan: Plan
    outcomes: tuple[Outcome, ...]
    origins: Mapping[str, Mapping[str, str]]

    @classmethod
    def of(
        cls, question: JudgedQuestion, now: datetime, answer: Answer, origins: Mapping[str, Mapping[str, str]]
    ) -> Recorded:
        """``origins``: the id in the corpus behind each native id and address, by source."""
        known = {
            outcome.source: {
                hit.id: found
                for hit in outcome.hits
                if (found := origins[outcome.source].get(hit.id) or origins[outcome.source].get(hit.url))
            }
            for outcome in answer.outcomes
        }
        return cls(question, now, answer.plan, answer.outcomes, known)

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
    """Raises ``ValueError`` with the line for a file that :func:`write_recording` did not write."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield _recorded(json.loads(line))
            except (KeyError, TypeError, ValueError) as failure:
                raise ValueError(f"{path}:{number}: no recorded question: {failure}") from failure


def _row(each: Recorded) -> dict[str, Any]:
    question = each.question
    return {
        "id": question.id,
        "text": question.text,
        "grades": dict(question.grades),
        "now": each.now.isoformat(),
        "plan": encode(each.plan),
        "outcomes": encode(each.outcomes),
        "origins": {source: dict(known) for source, known in each.origins.items()},
    }


def _recorded(row: dict[str, Any]) -> Recorded:
    return Recorded(
        JudgedQuestion(row["id"], row["text"], row["grades"]),
        datetime.fromisoformat(row["now"]),
        decode(row["plan"]),
        decode(row["outcomes"]),
        row["origins"],
    )
