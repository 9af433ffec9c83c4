"""Consoles and the few building blocks of every view: safe text, hanging lines, a measure that can be read."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.measure import Measurement
from rich.padding import Padding
from rich.style import Style
from rich.table import Table
from rich.text import Text

from orchestrator.documents.plain import one_line, plain, safe_link
from orchestrator.surfaces.cli.failures import said_here

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from datetime import tzinfo

    from rich.console import ConsoleOptions, RenderableType, RenderResult

LISTED = 10_000  # cells; longer than any path
MEASURE = 100  # cells; longer lines are hard to read however wide the terminal is
GOOD, BAD, WARN, QUIET, STRONG, ACCENT = "green", "red", "yellow", "dim", "bold", "cyan"


def output() -> Console:
    """Standard output. Markup and emoji codes stay text; numbers are not coloured."""
    return _console(Console(highlight=False, markup=False, emoji=False))


def errors() -> Console:
    """Standard error, for progress and warnings."""
    return _console(Console(stderr=True, highlight=False, markup=False, emoji=False))


def _console(console: Console) -> Console:
    console.width = min(console.width, MEASURE)
    return console


def show(renderables: Iterable[RenderableType], *, listed: bool = False) -> None:
    """Print to standard output, one under the other; into a pipe or file without blanks at the ends of lines.

    ``listed``: what is a line each stays one in a pipe, however long it is, so that programs that read lines can read it.
    """
    console = output()
    if console.is_terminal:
        console.print(Group(*renderables))
        return
    if listed:
        console.width = LISTED
    with console.capture() as captured:
        console.print(Group(*renderables))
    sys.stdout.write("".join(f"{each.rstrip()}\n" for each in captured.get().splitlines()))


def warn(messages: Iterable[str]) -> None:
    """Each message as a line on standard error."""
    console = errors()
    for message in messages:
        console.print(line(("! ", WARN), one_line(message)), soft_wrap=True)


def styled(text: str, style: str = "", link: str = "") -> Text:
    """Foreign text on one line, safe to print; clickable if ``link`` may be."""
    address = safe_link(link) if link else None
    look = Style.parse(style)
    # A span, not the whole Text's style: that would run on through the padding of a table cell, link and all.
    return Text.assemble((one_line(text), look + Style(link=address) if address else look))


def line(*parts: str | tuple[str, str] | Text) -> Text:
    """One logical line of safe parts: text, ``(text, style)``, or a finished ``Text``."""
    joined = Text()
    for part in parts:
        if isinstance(part, Text):
            joined.append_text(part)
        elif isinstance(part, tuple):
            joined.append(plain(part[0]), part[1])
        else:
            joined.append(plain(part))
    return joined


def joined(parts: Iterable[Text], separator: str = " · ") -> Text:
    """The parts that are not empty, with a quiet separator between them."""
    whole = Text()
    for part in parts:
        if part:
            whole.append(separator if whole else "", QUIET).append_text(part)
    return whole


def indented(renderable: RenderableType) -> Padding:
    """Moved to the right by two cells, continuation lines too."""
    return Padding(renderable, (0, 0, 0, 2))


def hanging(rows: Iterable[tuple[Text, RenderableType]], gap: int = 2) -> Table:
    """Labels beside their texts; texts wrap under themselves. Column widths are counted in cells, so Hangul lines up."""
    grid = Table.grid(padding=(0, gap, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    for label, text in rows:
        grid.add_row(label, text)
    return grid


def columns(rows: Iterable[Sequence[RenderableType]], unbroken: Container[int] = ()) -> Table:
    """Rows side by side; what is too long for a narrow terminal folds and is never cut, but in the ``unbroken`` columns."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for row in rows:
        while len(grid.columns) < len(row):
            grid.add_column(overflow="fold", no_wrap=len(grid.columns) in unbroken)
        grid.add_row(*row)
    return grid


def headed(rows: Sequence[Mapping[str, str | datetime | None]], zone: tzinfo | None) -> Table:
    """Rows under the names of what they tell; moments to the minute in ``zone`` (``None``: this machine's own), on one line."""
    moments = {at for row in rows for at, told in enumerate(row.values()) if not isinstance(told, str | None)}
    from orchestrator.surfaces.cli.words import heading

    heads = [styled(heading(name), QUIET) for name in (rows[0] if rows else ())]
    return columns([heads, *([_cell(told, zone) for told in row.values()] for row in rows)], moments)


def _cell(told: str | datetime | None, zone: tzinfo | None) -> Text:
    return styled(f"{told.astimezone(zone):%Y-%m-%d %H:%M}" if isinstance(told, datetime) else said_here(told or ""))


def rule(title: str) -> Table:
    """A quiet heading with a line to the right edge."""
    from rich.rule import Rule

    grid = Table.grid(padding=(0, 1, 0, 0), expand=True)
    grid.add_column(no_wrap=True)
    grid.add_column(ratio=1)
    grid.add_row(Text(one_line(title), style=STRONG), Rule(style=QUIET))
    return grid


def is_interactive() -> bool:
    """Whether somebody watches standard error."""
    return sys.stderr.isatty()


class Clipped:
    """Text that is wrapped but ends after ``lines`` lines, with an ellipsis where there was more."""

    def __init__(self, text: Text, lines: int) -> None:
        self._text = text
        self._lines = lines

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wrapped = self._text.wrap(console, options.max_width)
        kept = wrapped[: self._lines]
        if len(wrapped) > self._lines:
            kept[-1].rstrip()
            kept[-1].truncate(options.max_width - 1, overflow="crop")
            kept[-1].append("…")
        yield from kept

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, self._text)
