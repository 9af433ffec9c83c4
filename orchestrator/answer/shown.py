"""Which of the ranked results a person is shown, and the numbers that citations get there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result


def show(
    results: Sequence[Result], quotes: Sequence[Quote], limit: int
) -> tuple[tuple[Result, ...], tuple[Quote, ...]]:
    """The first ``limit`` results and those further down that are quoted; quotes numbered by place among them.

    How many results a person wants to see must not change what the answer is.
    """
    quoted = {quote.number for quote in quotes}
    places = [place for place in range(1, len(results) + 1) if place <= limit or place in quoted]
    numbers = {place: number for number, place in enumerate(places, 1)}
    shown = tuple(results[place - 1] for place in places)
    return shown, tuple(replace(quote, number=numbers[quote.number]) for quote in quotes)
