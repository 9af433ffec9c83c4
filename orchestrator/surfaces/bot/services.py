"""What the bot stands on, whatever platform it is on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Ask
    from orchestrator.surfaces.bot.memory import Memory
    from orchestrator.surfaces.bot.rights import Right


@record
class BotServices:
    """What the bot stands on. ``rights``: by source, who may see what it finds; ``closed``: titles of sources that are
    not asked; ``sources``: of those that are; ``accounts``: the page where people connect accounts of their own, "" for none. ``clock``: aware, in a zone (``None``: this machine's); ``judged``: keeps what somebody thought of an
    answer, raises ``OSError``. ``every``: seconds between edits; ``people``: most members whose own rights are asked for;
    ``at_once``: questions that are worked on at once; ``answered``: told of every question that was.
    """

    engine: Engine
    rights: Mapping[str, Right]
    clock: Callable[[str], datetime]
    judged: Callable[[str, str, str], Awaitable[None]]
    answered: Callable[[Ask, Answer], Awaitable[None]]
    memory: Memory
    closed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    accounts: str = ""
    budget: float = 3.0
    limit: int = 10
    every: float = 1.0
    people: int = 10
    at_once: int = 50
