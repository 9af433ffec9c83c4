"""A message as the bot means it: plain text in parts. Whoever shows it escapes it for the platform."""

from __future__ import annotations

from translators.records import record


@record
class TextRun:
    """A stretch of plain text in one style; ``url`` makes it a link and has been checked already."""

    text: str
    bold: bool = False
    italic: bool = False
    url: str = ""


Line = tuple[TextRun, ...]


@record
class Lines:
    """Lines of text under each other; ``bullets`` before each."""

    lines: tuple[Line, ...]
    bullets: bool = False


@record
class Note:
    """A line in small print."""

    text: str


@record
class Button:
    """Something to press. ``value`` comes back with the press."""

    action: str
    label: str
    value: str


@record
class Buttons:
    """Buttons beside each other."""

    buttons: tuple[Button, ...]


@record
class Message:
    """``summary`` stands for the whole where only a line is shown (a notification)."""

    summary: str
    parts: tuple[Lines | Note | Buttons, ...]


def said(text: str) -> Line:
    """A line in one style."""
    return (TextRun(text),)
