"""The page of figures, docs/reference/quality.md: written by a command, with the commit it was measured on."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tests.quality.figures import Floors, Measured, judged, together
from tests.quality.reliability import ALL, by_part, plot, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "quality.md"
WITHOUT_EFFECT = (".", ":!docs", ":!tests/quality/floors.toml")  # on what is measured
HEAD = """\
# Measured quality

Written by `{command}`, which asks everything anew through sockets, on commit `{commit}`{dirty}, {day}. Do not edit; how to read it, and what each part is,
stands in [measure quality](../how-to/measure-quality.md#watch-every-change).
"""


def write_page(measured: Sequence[Measured], floors: Floors, command: str) -> None:
    """Anew."""
    dirty = ", with changes that were not committed" if git("status", "--porcelain", "--", *WITHOUT_EFFECT) else ""
    head = HEAD.format(
        command=command, commit=git("rev-parse", "--short=10", "HEAD"), dirty=dirty, day=datetime.now(UTC).date()
    )
    PAGE.write_text(
        "\n".join([head, *lines(measured, floors), *together_lines(measured), *reliability_lines(measured), ""]),
        "utf-8",
    )


def lines(measured: Iterable[Measured], floors: Floors) -> Iterator[str]:
    """The table."""
    yield "| part | figure | measured | of | floor |"
    yield "|---|---|---|---|---|"
    for row in judged(measured, floors):
        if row.state == "skipped":
            yield f"| {row.part} | skipped: {row.why} | | | |"
        else:
            yield f"| {row.part} | {' | '.join(row.cells())} |"


def together_lines(measured: Iterable[Measured]) -> Iterator[str]:
    """The companies in one, where any was asked."""
    told = together(measured)
    if told:
        yield from ("", "## All companies together", "", "| figure | measured | of |", "|---|---|---|")
        yield from (f"| {each.name} | {each.value} | {each.of} |" for each in told)


def reliability_lines(measured: Iterable[Measured]) -> Iterator[str]:
    """The reliability diagram of the companies, where any was asked."""
    told = by_part(measured)
    if not told:
        return
    yield from ("", "## Can the confidence be trusted?", "")
    yield (
        "Answers of the companies by the confidence they were given with, and how many of them were right (a question that nobody can"
    )
    yield "answer is right at no confidence, so it belongs among the low ones)."
    yield from ("", *table(told), "", "```text", *plot(told[ALL]), "```")


def git(*arguments: str) -> str:
    """What git says of this checkout."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
