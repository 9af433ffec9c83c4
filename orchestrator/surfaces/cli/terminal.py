"""Somebody at a terminal who is asked one thing after another; what is secret is not shown."""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from typing import TYPE_CHECKING

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import BadInput
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

INDENT = "  "


class Terminal:
    """Standard input and output of a person. Raises ``EOFError`` where they close it. :class:`BadInput` where it is none."""

    def __init__(self) -> None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise BadInput(
                Said(
                    "`fedsearch init` asks questions and needs a terminal; docs/how-to/connect-your-sources.md says what programs set"
                )
            )

    def say(self, text: str = "", style: str = "") -> None:
        """A paragraph, which is wrapped where it is wide."""
        from orchestrator.surfaces.cli.screen import indented, show, styled

        show([indented(styled(text, style)) if text else ""])

    def address(self, url: str) -> None:
        """An address on one line, however long it is, so that it can be copied."""
        sys.stdout.write(f"{INDENT}{one_line(url)}\n")

    def rows(self, rows: Sequence[tuple[str, str, str]]) -> None:
        """A numbered list: what each is called, what it is, how it stands."""
        from orchestrator.surfaces.cli.screen import GOOD, QUIET, STRONG, columns, indented, show, styled

        show(
            [
                indented(
                    columns(
                        (styled(f"{number}", QUIET), styled(name, STRONG), styled(about, QUIET), styled(state, GOOD))
                        for number, (name, about, state) in enumerate(rows, 1)
                    )
                )
            ]
        )

    def ask(self, label: str, default: str = "") -> str:
        """A line; ``default`` for an empty one."""
        shown = f" [{one_line(default)}]" if default else ""
        sys.stdout.write(f"{INDENT}{label}{shown}: ")
        sys.stdout.flush()
        # Not by `input`: of Ctrl-C that comes between what that shows and what it reads it hears with the next key.
        if not (line := sys.stdin.readline()):
            raise EOFError
        return line.strip() or default

    def ask_hidden(self, label: str) -> str:
        """A line that nobody sees."""
        return getpass.getpass(f"{INDENT}{label}: ").strip()

    async def next_line(self) -> str:
        """A line, while something else goes on."""
        loop = asyncio.get_running_loop()
        line: asyncio.Future[str] = loop.create_future()

        def typed() -> None:
            if not line.done():
                line.set_result(sys.stdin.readline())

        loop.add_reader(sys.stdin.fileno(), typed)
        try:
            told = await line
        finally:
            loop.remove_reader(sys.stdin.fileno())
        if not told:
            raise EOFError
        return told


def open_in_browser(url: str) -> None:
    """Where there is a desktop; a browser in the terminal would take it over."""
    if sys.platform in {"darwin", "win32"} or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        webbrowser.open(url)
