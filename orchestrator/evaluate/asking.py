"""Ask judged questions of an engine, one after the other, and keep all that ranking reads."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from orchestrator.evaluate.recording import Recorded
from orchestrator.model import Answer, Ask, NoSources

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
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
