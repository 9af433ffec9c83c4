"""What the bot says of itself in the place that platforms have for that: how to ask, what is asked, who sees what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.bot.message import Lines, Message, Note, TextRun, said
from orchestrator.surfaces.bot.words import words

if TYPE_CHECKING:
    from orchestrator.surfaces.bot.message import Line
    from orchestrator.surfaces.bot.services import BotServices


def home(desk: BotServices, language: str) -> Message:
    """For one person, in their language. Nothing of it depends on their rights."""
    told = words(language)
    ways = (said(told["home ask"]), said(told["home filters"]), said(told["home sees"]))
    lines: list[Line] = [(TextRun(told["home"], bold=True),), *ways]
    if desk.sources:
        lines.append(said(told["home asked"].format(sources=", ".join(map(one_line, desk.sources)))))
    if desk.accounts:
        lines.append((TextRun(told["home accounts"], url=desk.accounts),))
    notes = [Note(told["home kept"])]
    if desk.closed:
        notes.append(Note(told["closed"].format(sources=", ".join(map(one_line, desk.closed)))))
    return Message(told["home"], (Lines(tuple(lines)), *notes))
