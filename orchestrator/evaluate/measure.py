"""Ask judged questions of an engine, one after the other, keep all that ranking reads, and average what came back."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING

from orchestrator.evaluate.metrics import ndcg, recall, reciprocal_rank
from orchestrator.evaluate.recording import Recorded
from orchestrator.model import Answer, Ask, NoSources
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from orchestrator.engine import Engine
    from orchestrator.evaluate.judged import JudgedQuestion

BUDGET = 30.0  # seconds: figures are of what is found, not of how busy the machine is


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


@record
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
