"""Figures of quality, their floors, and the table that holds both."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tests.quality.reliability import Reliability

AT_MOST = "at_most"  # the table, inside a part's, of figures that may not rise
HEAD = """\
# What `make quality` may not fall below (and, in the tables called at_most, not rise above), by part.
# `make quality RAISE=1` moves each to what was measured less the noise of that part, never back.
"""
DIGITS = 3
COMPANY = "company_"  # how the parts begin that ask one
FAILING = frozenset({"below", "gone"})


@dataclass(frozen=True, slots=True)
class Figure:
    """One number over ``of`` questions: a count of them (``int``) or a mean from 0 to 1 (``float``).

    ``fewer``: the less the better. ``noise``: how far it may differ between two runs of the same code.
    """

    name: str
    value: float
    of: int
    fewer: bool = False
    noise: float = 0.0

    def holds(self, floor: float) -> bool:
        """Whether the floor (or the ceiling) is kept."""
        slack = 0.5 * 10**-DIGITS if isinstance(self.value, float) else 0.0
        return self.value <= floor + slack if self.fewer else self.value >= floor - slack

    def raised(self, floor: float | None) -> float:
        """The floor that this value earns; never a worse one than there was."""
        earned = self.value + self.noise if self.fewer else self.value - self.noise
        if isinstance(self.value, int):
            earned = math.ceil(earned) if self.fewer else math.floor(earned)
        else:
            scale = 10**DIGITS
            earned = (math.ceil if self.fewer else math.floor)(round(earned * scale, 3)) / scale
        earned = min(max(earned, 0), self.of if isinstance(self.value, int) else 1.0)
        if floor is None:
            return earned
        return min(floor, earned) if self.fewer else max(floor, earned)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a part gave: its figures, or why it was skipped. ``reliability``: how many were right by confidence, where it tells that."""

    part: str
    figures: tuple[Figure, ...] = ()
    skipped: str = ""
    seconds: float = 0.0
    reliability: tuple[Reliability, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table. ``state``: ``ok``, ``below``, ``new`` (no floor yet), ``gone`` (a floor without figure) or ``skipped``.

    ``at_most``: the floor is a ceiling. ``why``: of a part that was skipped.
    """

    part: str
    state: str
    figure: str = ""
    value: float | None = None
    of: int | None = None
    floor: float | None = None
    at_most: bool = False
    why: str = ""

    def cells(self) -> tuple[str, str, str, str]:
        """Figure, value, of how many, and floor, as a table has them."""
        sign = "≤ " if self.at_most else "≥ "
        return (
            self.figure,
            "" if self.value is None else spelled(self.value),
            "" if self.of is None else str(self.of),
            "" if self.floor is None else sign + spelled(self.floor),
        )


def spelled(value: float) -> str:
    """A count as it is, a share with three digits."""
    return str(value) if isinstance(value, int) else f"{value:.{DIGITS}f}"


class Floors:
    """Floors and ceilings by part and figure."""

    def __init__(self, parts: dict[str, dict[str, float]], ceilings: dict[str, dict[str, float]]) -> None:
        self.parts, self.ceilings = parts, ceilings

    @classmethod
    def read(cls, path: Path) -> Floors:
        """None at all where there is no such file."""
        tables = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
        ceilings = {part: table.pop(AT_MOST, {}) for part, table in tables.items()}
        return cls(tables, ceilings)

    def of(self, part: str, figure: Figure) -> float | None:
        """The floor of a figure, if it has one."""
        return (self.ceilings if figure.fewer else self.parts).get(part, {}).get(figure.name)

    def raise_to(self, measured: Iterable[Measured]) -> None:
        """Move each floor to what was earned."""
        for each in measured:
            for figure in each.figures:
                tables = self.ceilings if figure.fewer else self.parts
                tables.setdefault(each.part, {})[figure.name] = figure.raised(self.of(each.part, figure))

    def write(self, path: Path) -> None:
        """By part, in the alphabet's order."""
        lines = [HEAD]
        for part in sorted(self.parts.keys() | self.ceilings.keys()):
            for name, table in ((part, self.parts.get(part)), (f"{part}.{AT_MOST}", self.ceilings.get(part))):
                if table:
                    lines += [f"[{name}]", *(f"{key} = {spelled(value)}" for key, value in sorted(table.items())), ""]
        path.write_text("\n".join(lines), "utf-8")


def judged(measured: Iterable[Measured], floors: Floors) -> list[Row]:
    """Each figure beside its floor."""
    return [row for each in measured for row in _rows(each, floors)]


def _rows(each: Measured, floors: Floors) -> Iterator[Row]:
    if each.skipped:
        yield Row(each.part, "skipped", why=each.skipped)
        return
    for figure in each.figures:
        floor = floors.of(each.part, figure)
        state = "new" if floor is None else "ok" if figure.holds(floor) else "below"
        yield Row(each.part, state, figure.name, figure.value, figure.of, floor, figure.fewer)
    there = {(figure.name, figure.fewer) for figure in each.figures}
    for fewer, tables in ((False, floors.parts), (True, floors.ceilings)):
        for name, floor in tables.get(each.part, {}).items():
            if (name, fewer) not in there:
                yield Row(each.part, "gone", name, floor=floor, at_most=fewer)


def together(measured: Iterable[Measured]) -> list[Figure]:
    """What is counted of each company, of all of them in one."""
    sums: dict[str, Figure] = {}
    for figure in (figure for each in measured if each.part.startswith(COMPANY) for figure in each.figures):
        known = sums.get(figure.name, Figure(figure.name, 0, 0, figure.fewer))
        sums[figure.name] = replace(known, value=known.value + figure.value, of=known.of + figure.of)
    return list(sums.values())


def failing(rows: Iterable[Row]) -> list[Row]:
    """What may not be."""
    return [row for row in rows if row.state in FAILING]


def table(rows: Sequence[Row]) -> str:
    """For people."""
    lines = [("part", "figure", "value", "of", "floor", "")]
    lines += [(row.part, *row.cells(), row.state) for row in rows if row.state != "skipped"]
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    widths[0] = max(widths[0], *(len(row.part) for row in rows), 0)
    text = [_aligned(line, widths) for line in lines]
    text += [f"{row.part:{widths[0]}}  skipped: {row.why}" for row in rows if row.state == "skipped"]
    return "\n".join(text)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    part, figure, *numbers, state = line
    shown = "  ".join(f"{cell:>{width}}" for cell, width in zip(numbers, widths[2:-1], strict=True))
    mark = f"<-- {state}" if state in FAILING else state
    return f"{part:{widths[0]}}  {figure:{widths[1]}}  {shown}  {mark}".rstrip()
