"""Which of the ranked results a person is shown, and the numbers that citations get there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result


def show(
    ordered: Sequence[tuple[int, Result]], quotes: Sequence[Quote], limit: int
) -> tuple[tuple[Result, ...], tuple[Quote, ...]]:
    """The first ``limit`` results and those further down that are quoted; quotes numbered by place among them.

    ``ordered``: each with its place in the ranking, by which quotes know it. How many results a person wants to see must not change what the
    answer is.
    """
    quoted = {quote.number for quote in quotes}
    shown = [(place, result) for at, (place, result) in enumerate(ordered, 1) if at <= limit or place in quoted]
    numbers = {place: number for number, (place, _) in enumerate(shown, 1)}
    return tuple(result for _, result in shown), tuple(replace(each, number=numbers[each.number]) for each in quotes)
