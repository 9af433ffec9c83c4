"""Columns that people look at rather than read: drawn without a style or a script, and told as a table as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HEIGHT, WIDTH, GAP = 48, 12, 2  # of a drawing, of a column with what is left free beside it; nobody's pixels


@record
class PlotPart:
    """A rectangle. ``tone``: what colours it."""

    tone: str
    x: int
    y: float
    width: int
    height: float


@record
class Plot:
    """``rows``: the same in numbers, in the order of ``heads``; ``empty``: nothing is to be seen."""

    width: int
    height: int
    parts: tuple[PlotPart, ...]
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    most: int
    first: str
    last: str

    @property
    def empty(self) -> bool:
        """Whether every column is."""
        return not self.most


def columns(heads: Mapping[str, str], told: Sequence[tuple[str, Mapping[str, int]]]) -> Plot:
    """A column for each entry of ``told``: what it is called, and its parts by tone, the lowest first. ``heads``: what each tone is called."""
    most = max((sum(parts.values()) for _, parts in told), default=0)
    rows = tuple((name, *(f"{parts.get(tone, 0):,}" for tone in heads)) for name, parts in told)
    drawn = tuple(part for place, (_, parts) in enumerate(told) for part in _column(place, parts, most))
    first, last = (told[0][0], told[-1][0]) if told else ("", "")
    return Plot(len(told) * WIDTH, HEIGHT, drawn, tuple(heads.values()), rows, most, first, last)


def _column(place: int, parts: Mapping[str, int], most: int) -> Iterator[PlotPart]:
    floor = float(HEIGHT)
    for tone, count in parts.items():
        if count:
            height = round(count * HEIGHT / most, 2)
            floor -= height
            yield PlotPart(tone, place * WIDTH, round(floor, 2), WIDTH - GAP, height)
