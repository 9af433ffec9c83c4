"""The bot's memory in the database of the local index: it outlives a process, and several bots share it.

Events and threads stand there as digests of their names only, so that the tables tell nobody who asked where; of a question
the words are kept, for a day, since the next one in its thread may go on from it, and digests of the results it led to.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import secrets
from typing import TYPE_CHECKING, Any, TypeVar

from connectors.errors import SourceError
from orchestrator.dialogue import turn_from, turn_text
from orchestrator.surfaces.bot.memory import OWED, THREAD_SECONDS, ProcessMemory
from orchestrator.surfaces.bot.memory import SECONDS as HEARD_SECONDS
from orchestrator.surfaces.bot.platform import ChatLocation, Posted
from storage.logs import log_of
from storage.migrations import Migrations

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from orchestrator.model import DialogueTurn
    from storage.database import Database

ResultT = TypeVar("ResultT")

MEMORY = Migrations("bot", "orchestrator.surfaces.bot")
PATIENCE = 2.0  # seconds for one answer of the store
RETREAT = 5.0  # seconds before a store that failed is tried again
MOST = 200_000  # events, and as many threads, whatever their age
SWEEP = 600.0  # seconds between two sweeps
# Whoever is first writes a claim of their own. Asked again where the reply was lost, it is theirs still.
CLAIM = """
    INSERT INTO bot_heard AS old (id, claim, until) VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (id) DO UPDATE SET
        claim = CASE WHEN old.until > now() THEN old.claim ELSE excluded.claim END,
        until = CASE WHEN old.until > now() THEN old.until ELSE excluded.until END
    RETURNING claim = $2
"""
SUBJECT = "SELECT subject FROM bot_threads WHERE id = $1 AND until > now()"
REMEMBER = """
    INSERT INTO bot_threads (id, subject, until) VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, until = excluded.until
"""
OWE = """
    INSERT INTO bot_owed VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) ON CONFLICT DO NOTHING
"""
SETTLE = "DELETE FROM bot_owed WHERE team = $1 AND place = $2 AND id = $3"
BROKEN_OFF = "DELETE FROM bot_owed WHERE team = $1 AND until <= now() RETURNING place, id, language"
TOO_OLD = "DELETE FROM {table} WHERE until <= now()"
TOO_MANY = "DELETE FROM {table} WHERE until < (SELECT until FROM {table} ORDER BY until DESC OFFSET $1 LIMIT 1)"

log = log_of(__name__)


class DatabaseMemory:
    """Implements :class:`orchestrator.surfaces.bot.memory.Memory`. What this process has heard itself it knows anyway,
    so that while the database is away it still answers nothing twice.
    """

    def __init__(self, database: Database, clock: Callable[[], float], *, owed: float = OWED) -> None:
        database.register(MEMORY)
        self._database = database
        self._here = ProcessMemory(clock)
        self._clock = clock
        self._owed = owed
        self._sweep_at = 0.0
        self._away_until = math.inf  # until it is opened
        self.trouble = ""

    async def open(self) -> None:
        """Reach the database, which may have to be started, so that no question waits for that."""
        try:
            await self._database.run(lambda each: each.fetchval("SELECT 1"))
            self._away_until = 0.0
        except SourceError as failure:
            self._lost(failure)

    async def aclose(self) -> None:
        """Give the connections back."""
        await self._database.aclose()

    async def is_new(self, identity: str) -> bool:
        if not await self._here.is_new(identity):
            return False
        if not identity:
            return True
        claim = secrets.token_bytes(8)
        mine = await self._ask(lambda each: each.fetchval(CLAIM, _digest(identity), claim, HEARD_SECONDS))
        await self._sweep()
        return mine is not False

    async def turn(self, place: ChatLocation) -> DialogueTurn | None:
        kept = await self._ask(lambda each: each.fetchval(SUBJECT, _place(place)))
        return turn_from(kept or "") or await self._here.turn(place)

    async def remember(self, place: ChatLocation, turn: DialogueTurn | None) -> None:
        await self._here.remember(place, turn)
        if turn:
            told = turn_text(turn).replace("\0", " ")
            await self._ask(lambda each: each.execute(REMEMBER, _place(place), told, THREAD_SECONDS))

    async def owe(self, posted: Posted, language: str) -> None:
        if posted.id:  # what was shown to one person alone cannot be edited later
            names = posted.place.team, posted.place.id, posted.id
            await self._ask(lambda each: each.execute(OWE, *names, language, self._owed))

    async def settle(self, posted: Posted) -> None:
        names = posted.place.team, posted.place.id, posted.id
        await self._ask(lambda each: each.execute(SETTLE, *names))

    async def broken_off(self, team: str) -> Sequence[tuple[Posted, str]]:
        rows = await self._ask(lambda each: each.fetch(BROKEN_OFF, team)) or ()
        return [(Posted(ChatLocation(team, row["place"]), row["id"]), row["language"]) for row in rows]

    async def _sweep(self) -> None:
        if self._clock() < self._sweep_at:
            return
        self._sweep_at = self._clock() + SWEEP
        await self._ask(_trim)

    async def _ask(self, work: Callable[[Any], Awaitable[ResultT]]) -> ResultT | None:
        """What the database says; ``None`` while it has failed just before, or fails now."""
        if self._clock() < self._away_until:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                told = await self._database.run(work)
        except (SourceError, TimeoutError) as failure:
            self._lost(failure)
            return None
        if self.trouble:
            log.warning("the bot's memory is back")
            self.trouble = ""
        return told

    def _lost(self, failure: Exception) -> None:
        self._away_until = self._clock() + RETREAT
        if not self.trouble:
            log.warning("the bot's memory is lost", error=type(failure).__name__)
        self.trouble = "the database does not answer, so this process goes by what it has heard itself"


async def _trim(connection: Any) -> None:
    for table in ("bot_heard", "bot_threads"):
        await connection.execute(TOO_OLD.format(table=table))
        await connection.execute(TOO_MANY.format(table=table), MOST - 1)


def _digest(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:16]


def _place(place: ChatLocation) -> bytes:
    return _digest(f"{place.team}\n{place.id}\n{place.thread}")
