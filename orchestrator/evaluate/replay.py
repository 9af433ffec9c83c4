"""Rank recorded outcomes again: what a configuration or another tuple of stages would have made of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.evaluate.intervals import interval
from orchestrator.evaluate.metrics import ndcg, recall, reciprocal_rank
from orchestrator.rank import STAGES, RankContext, rank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from orchestrator.evaluate.recording import Recorded
    from orchestrator.model import Result
    from orchestrator.rank import RankingConfig, Stage

DEPTH = 100  # results asked for, since recall is read that deep


@dataclass(frozen=True, slots=True)
class Scored:
    """One question's figures, 0 to 1."""

    id: str
    ndcg_10: float
    mrr_10: float
    recall_100: float


@dataclass(frozen=True, slots=True)
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
    return rank(each.outcomes, RankContext(query, each.now, each.plan, config), stages).results


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
