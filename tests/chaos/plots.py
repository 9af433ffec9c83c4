"""Plots as SVG, drawn by hand: lines and bars over the seconds of a run, with its faults behind them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 960, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 30, 34
COLOURS = ("#0b6e99", "#c2410c", "#15803d", "#7c3aed", "#b45309", "#be185d", "#475569", "#0f766e", "#9f1239")
Points = "Sequence[tuple[float, float]]"


@dataclass(frozen=True)
class Plot:
    """``bands``: from when to when something was wrong, and what. ``stacked``: bars on top of each other, ``step`` seconds wide."""

    title: str
    unit: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    bands: Sequence[tuple[float, float, str]]
    stacked: bool = False
    dotted: bool = False
    step: float = 5.0
    mark: float | None = None


def drawn(plot: Plot) -> str:
    """The whole file."""
    points = [point for series in plot.series.values() for point in series]
    last = max([at for at, _ in points] + [end for _, end, _ in plot.bands] + [1.0])
    top = _tallest(plot) * 1.08 or 1.0
    across = (WIDTH - LEFT - RIGHT) / last
    up = (HEIGHT - TOP - BOTTOM) / top

    def x(at: float) -> float:
        return round(LEFT + at * across, 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - value * up, 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold">{escape(plot.title)}</text>',
    ]
    for begun, ended, what in plot.bands:
        width = max(1.0, x(ended) - x(begun))
        parts.append(
            f'<rect x="{x(begun)}" y="{TOP}" width="{width:.1f}" height="{HEIGHT - TOP - BOTTOM}" fill="#fde2e2"><title>{escape(what)}</title></rect>'
        )
    parts += _axes(x, y, last, top, plot.unit)
    if plot.mark is not None:
        parts.append(f'<path d="M{LEFT} {y(plot.mark)}H{WIDTH - RIGHT}" stroke="#64748b" stroke-dasharray="4 3"/>')
    parts += _stacked(plot, x, y) if plot.stacked else _lines(plot, x, y)
    for place, name in enumerate(plot.series):
        at = TOP + 12 + place * 16
        colour = COLOURS[place % len(COLOURS)]
        parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{at - 8}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 27}" y="{at + 1}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _tallest(plot: Plot) -> float:
    if not plot.stacked:
        return max([value for series in plot.series.values() for _, value in series] + [plot.mark or 0.0])
    heights: dict[float, float] = {}
    for series in plot.series.values():
        for at, value in series:
            heights[at] = heights.get(at, 0.0) + value
    return max(heights.values(), default=0.0)


def _axes(x, y, last: float, top: float, unit: str) -> list[str]:
    parts = [f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#334155"/>']
    step = _round(last / 8)
    for number in range(int(last / step) + 1):
        at = number * step
        parts.append(f'<text x="{x(at)}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{at:g} s</text>')
    step = _round(top / 4)
    for number in range(int(top / step) + 1):
        value = number * step
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4}" text-anchor="end">{value:g}</text>')
    parts.append(f'<text x="8" y="{TOP - 6}" fill="#475569">{escape(unit)}</text>')
    return parts


def _round(wished: float) -> float:
    """1, 2 or 5 times a power of ten."""
    power = 1.0
    while power * 10 <= wished:
        power *= 10
    while power > wished:
        power /= 10
    return next((power * each for each in (1, 2, 5) if power * each >= wished), power * 10)


def _lines(plot: Plot, x, y) -> list[str]:
    parts = []
    for place, series in enumerate(plot.series.values()):
        colour = COLOURS[place % len(COLOURS)]
        if plot.dotted:
            parts += [f'<circle cx="{x(at)}" cy="{y(value)}" r="1.7" fill="{colour}"/>' for at, value in series]
        else:
            line = " ".join(f"{x(at)},{y(value)}" for at, value in series)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
    return parts


def _stacked(plot: Plot, x, y) -> list[str]:
    parts, below = [], {}
    for place, series in enumerate(plot.series.values()):
        colour = COLOURS[place % len(COLOURS)]
        for at, value in series:
            base = below.get(at, 0.0)
            below[at] = base + value
            if value:
                width = max(1.0, x(at + plot.step) - x(at) - 0.6)
                parts.append(
                    f'<rect x="{x(at)}" y="{y(base + value)}" width="{width:.1f}" height="{y(base) - y(base + value):.1f}" fill="{colour}"/>'
                )
    return parts
