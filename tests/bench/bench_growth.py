"""How the CPU of a question grows: with sources, hits, questions in flight and the length of the question, as plots in ``docs/images``.

CPU time in place of seconds, since the sources' time is theirs and a busy machine would show itself. Sources and questions in flight go
over real sockets to sources that answer at once, beside the floor of ``bench_scale``; hits and length are the pure path of
``bench_path``. What grows tenfold from one line of the plot to the next costs ten times as much.
"""

from __future__ import annotations

import asyncio
import math
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import bench_path
from bench_scale import NOW, QUESTIONS, Cost, both, floor, sources
from canned_sources import plain_bodies

from orchestrator.model import Ask

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SOURCES = 1, 2, 4, 8, 16, 32, 64
HITS = 10, 100, 1_000, 10_000
AT_ONCE = 20  # hits of one source, where there are more than one has
IN_FLIGHT = 1, 8, 64, 512
LENGTHS = 40, 100, 500, 1_000, 2_000
ROUNDS, FEW = 15, 3
TEXT = QUESTIONS["en"]
MORE = " about the gateway that payments go through in Busan and what Minji said of it on Monday in the weekly meeting"
Line = "Mapping[int, float]"


async def by_sources() -> dict[str, Line]:
    """Milliseconds of the median question."""
    lines: dict[str, dict[int, float]] = {"fedsearch": {}, "floor": {}}
    for count in SOURCES:
        with sources(count, 0.0) as urls:
            async with both(urls, "json_api", TEXT) as (engine, session):
                ours, least = Cost(), Cost()
                for number in range(ROUNDS):
                    await least.of(floor(session, urls, TEXT, "json_api"))
                    await ours.of(engine.search(Ask(TEXT.format(number), NOW, budget=30.0)))
        lines["fedsearch"][count], lines["floor"][count] = ours.milliseconds, least.milliseconds
    return lines


async def by_questions_in_flight() -> dict[str, Line]:
    """Milliseconds a question, of as many at once, over eight sources."""
    lines: dict[str, dict[int, float]] = {"fedsearch": {}, "floor": {}}
    with sources(8, 0.0) as urls:
        async with both(urls, "json_api", TEXT) as (engine, session):
            for many in IN_FLIGHT:
                gate = asyncio.Semaphore(many)

                async def ours(number: int, gate: asyncio.Semaphore = gate) -> None:
                    async with gate:
                        await engine.search(Ask(TEXT.format(number), NOW, budget=300.0))

                async def theirs(_: int, gate: asyncio.Semaphore = gate) -> None:
                    async with gate:
                        await floor(session, urls, TEXT, "json_api")

                for name, one in (("floor", theirs), ("fedsearch", ours)):
                    count, busy = max(64, many), time.process_time()
                    await asyncio.gather(*map(one, range(count)))
                    lines[name][many] = (time.process_time() - busy) / count * 1000
    return lines


def by_hits() -> dict[str, Line]:
    """Milliseconds of reading, ranking and answering, of twenty hits a source."""
    return {"fedsearch": {many: _pure(max(1, many // AT_ONCE), min(many, AT_ONCE), TEXT) for many in HITS}}


def by_length() -> dict[str, Line]:
    """Milliseconds of a question of so many characters to eight sources."""
    asked = TEXT + MORE * math.ceil(max(LENGTHS) / len(MORE))
    return {"fedsearch": {length: _pure(8, AT_ONCE, asked[:length]) for length in LENGTHS}}


def _pure(count: int, hits: int, text: str) -> float:
    path = bench_path.CannedPath(count)
    path._bodies = plain_bodies(count, hits)
    path.text = text
    taken = []
    for number in range(FEW + 1):
        busy = time.process_time()
        path.question(number, bench_path.unmeasured)
        taken.append(time.process_time() - busy)
    return statistics.median(taken[1:]) * 1000


# ---- as a plot

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 320, 64, 44, 40
COLOURS = "#1f5fbf", "#767676"


def plot(title: str, across: str, lines: Mapping[str, Line]) -> str:
    """An SVG with both axes by powers: a straight line with slope 1 is a cost in proportion."""
    xs = sorted({x for line in lines.values() for x in line})
    ys = [y for line in lines.values() for y in line.values()]
    low, high = (
        math.floor(math.log10(min(ys))),
        max(math.ceil(math.log10(max(ys))), math.floor(math.log10(min(ys))) + 1),
    )
    first, last = math.log10(xs[0]), math.log10(xs[-1])

    def at(x: float, y: float) -> tuple[float, float]:
        right = LEFT + (math.log10(x) - first) / (last - first) * (WIDTH - LEFT - 110)
        return right, HEIGHT - BOTTOM - (math.log10(y) - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{LEFT}" y="20" font-size="14">{title}</text>',
    ]
    for power in range(low, high + 1):
        _, y = at(xs[0], 10.0**power)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - 110}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} ms</text>')
    parts += [f'<text x="{at(x, 1)[0]:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:,}</text>' for x in xs]
    parts.append(f'<text x="{(LEFT + WIDTH - 110) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{across}</text>')
    for (name, line), colour in zip(lines.items(), COLOURS, strict=False):
        points = [at(x, y) for x, y in sorted(line.items())]
        parts.append(
            f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        x, y = points[-1]
        value = list(dict(sorted(line.items())).values())[-1]
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{name} {value:,.0f}</text>')
    return "\n".join((*parts, "</svg>")) + "\n"


PLOTS: Mapping[str, tuple[str, str, Callable[[], dict[str, Line]]]] = {
    "sources": ("CPU of a question by sources, 20 hits each", "sources", lambda: asyncio.run(by_sources())),
    "hits": ("CPU of a question by hits, read, ranked and answered", "hits", by_hits),
    "in-flight": (
        "CPU of a question by questions in flight, 8 sources",
        "questions in flight",
        lambda: asyncio.run(by_questions_in_flight()),
    ),
    "length": ("CPU of a question by its length, 8 sources", "characters of the question", by_length),
}


def main(wanted: Sequence[str]) -> None:
    """All plots, or those named; they are written anew only with ``keep``."""
    for name, (title, across, measured) in PLOTS.items():
        if set(wanted) - {"keep"} and name not in wanted:
            continue
        lines = measured()
        for line, values in lines.items():
            print(f"{name:10} {line:10}", "  ".join(f"{x:,}: {y:.2f}" for x, y in values.items()), "ms", flush=True)
        if "keep" in wanted:
            (IMAGES / f"growth-{name}.svg").write_text(plot(title, across, lines), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
