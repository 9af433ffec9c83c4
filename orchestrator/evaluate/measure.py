"""Ask every judged question and average what came back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.evaluate.metrics import ndcg, recall, reciprocal_rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from orchestrator.engine import Engine
    from orchestrator.evaluate.judged import JudgedQuestion
    from orchestrator.model import Answer, Ask


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over ``questions`` (0 to 1). ``seconds``: mean time of a question."""

    questions: int
    ndcg_10: float
    mrr_10: float
    recall_100: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"nDCG@10 {self.ndcg_10:.3f}  MRR@10 {self.mrr_10:.3f}  recall@100 {self.recall_100:.3f}  "
            f"({self.questions} questions, {self.seconds * 1000:.0f} ms each)"
        )


async def measure(
    engine: Engine, questions: Iterable[JudgedQuestion], ask: Ask, corpus_ids: Callable[[Answer], list[str]]
) -> Figures:
    """One question at a time, each like ``ask`` but for its text.

    ``corpus_ids`` gives for an answer the ids that its results stand for, best first; a result that holds the same
    thing from several sources stands for all of them.
    """
    rows: list[tuple[float, float, float, float]] = []
    for question in questions:
        answer = await engine.search(replace(ask, text=question.text))
        ids = corpus_ids(answer)
        grades = question.grades
        rows.append((ndcg(ids, grades), reciprocal_rank(ids, grades), recall(ids, grades), answer.took))
    if not rows:
        return Figures(0, 0.0, 0.0, 0.0, 0.0)
    return Figures(len(rows), *map(fmean, zip(*rows, strict=True)))
