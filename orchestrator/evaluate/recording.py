"""Judged questions asked one after the other, and what the sources answered, kept in a file, so that ranking is tuned without asking them again."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from dataclasses import field, replace
from datetime import datetime
from statistics import fmean
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from orchestrator.codec import decode, encode
from orchestrator.evaluate.judged import JudgedQuestion
from orchestrator.evaluate.metrics import interval, ndcg, recall, reciprocal_rank
from orchestrator.model import Answer, Ask, NoSources
from orchestrator.rank import STAGES, RankContext, rank
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from orchestrator.engine import Engine
    from orchestrator.model import Outcome, Plan, Result
    from orchestrator.rank import RankingConfig, Stage

DEPTH = 100  # results asked for, since recall is read that deep
BUDGET = 30.0  # seconds: figures are of what is found, not of how busy the machine is


@record
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


@record
class Scored:
    """One question's figures, 0 to 1."""

    id: str
    ndcg_10: float
    mrr_10: float
    recall_100: float


@record
class Report:
    """Figures of several questions."""

    rows: tuple[Scored, ...]

    def mean(self, name: str) -> float:
        """Of one figure; 0 over no questions."""
        return fmean(getattr(row, name) for row in self.rows) if self.rows else 0.0

    def interval(self, name: str) -> tuple[float, float]:
        """Where the mean of one figure lies, 95 of 100 times."""
        return interval([getattr(row, name) for row in self.rows])

    def gain(self, name: str, other: Report) -> tuple[float, float]:
        """Where the mean difference to another ranking of the same questions lies, 95 of 100 times."""
        pairs = zip(self.rows, other.rows, strict=True)
        return interval([getattr(one, name) - getattr(two, name) for one, two in pairs])

    def half(self, which: int) -> Report:
        """The questions of one of two halves, the same on every machine: who tunes on 0 may believe 1."""
        return Report(tuple(row for row in self.rows if half_of(row.id) == which))

    def __str__(self) -> str:
        low, high = self.interval("ndcg_10")
        return (
            f"nDCG@10 {self.mean('ndcg_10'):.3f} [{low:.3f}, {high:.3f}]  MRR@10 {self.mean('mrr_10'):.3f}  "
            f"recall@100 {self.mean('recall_100'):.3f}  ({len(self.rows)} questions)"
        )


def half_of(question_id: str) -> int:
    """0 or 1, by a digest of the id."""
    return hashlib.sha256(question_id.encode()).digest()[-1] & 1


def replay(recorded: Iterable[Recorded], config: RankingConfig, stages: tuple[Stage, ...] = STAGES) -> Report:
    """Each question ranked by ``stages`` and scored."""
    return Report(tuple(scored(each, ranked(each, config, stages)) for each in recorded))


def ranked(each: Recorded, config: RankingConfig, stages: tuple[Stage, ...] = STAGES) -> tuple[Result, ...]:
    """The results of one question, as many as recall is read from."""
    query = replace(each.plan.query, limit=DEPTH)
    return tuple(rank(each.outcomes, RankContext(query, each.now, each.plan, config), stages).results)


def scored(each: Recorded, results: Sequence[Result]) -> Scored:
    """A result that holds the same thing several times stands for all of them."""
    return score(each.question.id, [name for _, name in found(each, results)], each.question.grades)


def found(each: Recorded, results: Sequence[Result]) -> list[tuple[str, str]]:
    """Source and corpus id of all that the results stand for, best first."""
    hits = (hit for result in results for hit in (result.hit, *result.also))
    return [(hit.source, each.corpus_id(hit.source, hit.id)) for hit in hits]


def best_possible(recorded: Iterable[Recorded]) -> Report:
    """What the best order of the hits that came back would score: the limit of ranking, set by gathering."""
    return Report(tuple(score(each.question.id, _by_grade(each), each.question.grades) for each in recorded))


def _by_grade(each: Recorded) -> list[str]:
    ids = {each.corpus_id(hit.source, hit.id) for outcome in each.outcomes for hit in outcome.hits}
    return sorted(ids, key=lambda name: (-each.question.grades.get(name, 0.0), name))


def score(name: str, ids: Sequence[str], grades: Mapping[str, float]) -> Scored:
    """The figures of one ranked list under a name."""
    return Scored(name, ndcg(ids, grades), reciprocal_rank(ids, grades), recall(ids, grades))


# ---- questions asked, and what came back


async def ask_all(
    engine: Engine, questions: Iterable[JudgedQuestion], now: datetime, origins: Mapping[str, Mapping[str, str]]
) -> AsyncIterator[Recorded]:
    """``origins``: the id in the corpus behind each native id and address, by the name under which a source is asked.

    What can be asked of no source has found nothing.
    """
    known, homes = tidied(origins), homes_of(origins)
    for question in questions:
        ask = Ask(question.text, now, budget=BUDGET)
        try:
            answer = await engine.search(ask)
        except NoSources:
            answer = Answer(await engine.explain(ask), (), ())
        yield Recorded.of(question, now, answer, known, homes)


def homes_of(origins: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The source that holds each id of the corpus."""
    return {known: source for source, natives in origins.items() for known in natives.values()}


def tidied(origins: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """Also by native ids as connectors tidy them: without blanks that follow each other."""
    return {
        source: {**natives, **{" ".join(native.split()): known for native, known in natives.items()}}
        for source, natives in origins.items()
    }


def sample(questions: Sequence[JudgedQuestion], most: int) -> tuple[JudgedQuestion, ...]:
    """At most so many, from all over and the same on every machine; 0 takes all."""
    chosen = sorted(questions, key=lambda each: hashlib.sha256(each.id.encode()).hexdigest())
    return tuple(chosen[:most]) if most else tuple(questions)
