"""A sound source over a made-up protocol of lines, and sources made from it that are wrong in one way each.

``caught_by`` names every check that must fail and no other may; ``shown_by`` the exemplar that brings it to light.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import urlsplit

from pydantic import field_validator

from connectors.contract import Health, Hit, HitPage, SourceDirectory, immediately
from connectors.errors import BadReply, Unavailable
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from translators.query import Category, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Call
    from translators.translator import NativeQuery

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class LineSettings(SourceSettings):
    @field_validator("base_url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        return url


class SoundLines:
    """Keeps the contract: a greeting, a sign-in, a question, a farewell."""

    manifest = Manifest(
        name="lines",
        title="Lines",
        category=Category.WIKI,
        dialect="lines",
        kinds=(Kind.PAGE,),
        default_url="liness://lines.example",
        limits=Limits(rate=10, period=1.0, page=50),
        auth=Auth(help="ask the administrator"),
    )
    settings_type = LineSettings
    caught_by: ClassVar[frozenset[str]] = frozenset()
    waited_for: ClassVar[Mapping[str, float]] = {}  # how long its end is, where it does not come
    shown_by: ClassVar[str] = "exemplary/search"

    def __init__(self, name: str, settings: LineSettings) -> None:
        self.name = name
        self.address = settings.base_url
        self.streams: Streams | None = None

    async def prepare(self) -> None:
        """There is nothing to import."""

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        await call.turn()
        try:
            await self.open(self.address)
            await self.say(f"AUTH {call.credential.secret if call.credential else ''}")
            replies = await self.say(self.question(native, call))
        except BaseException:
            self.hang_up()
            raise
        hits = (self.hit(line.split(" ", 2), rank) for rank, line in enumerate(replies, 1))
        return HitPage(tuple(hits))

    def question(self, native: NativeQuery, call: Call) -> str:
        return f"FIND {call.limit} {native.text}"

    def hit(self, words: list[str], rank: int) -> Hit:
        if len(words) != 3:
            raise BadReply("Lines answered something other than an item")
        return Hit(self.name, words[1], Kind.PAGE, title=words[2], rank=rank)

    async def directory(self, call: Call) -> SourceDirectory:
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        return Health(ok=True)

    async def aclose(self) -> None:
        if self.streams is not None:
            with suppress(Unavailable, TimeoutError):
                async with asyncio.timeout(0.1):
                    await self.say("BYE")
        self.hang_up()

    async def open(self, address: str) -> None:
        parts = urlsplit(address)
        self.streams = await asyncio.open_connection(parts.hostname, parts.port)
        await self.lines()

    async def say(self, line: str) -> list[str]:
        assert self.streams is not None
        self.streams[1].write(f"{line}\r\n".encode())
        return await self.lines()

    async def lines(self) -> list[str]:
        assert self.streams is not None
        found: list[str] = []
        while (line := (await self.streams[0].readline()).decode().strip()) != ".":
            if not line:
                raise Unavailable("Lines broke off the connection")
            if line.startswith("MOVED"):
                return await self.moved(line)
            found.append(line)
        return found

    async def moved(self, line: str) -> list[str]:
        raise BadReply("Lines is elsewhere, which is not followed; is base_url right?")

    def hang_up(self) -> None:
        streams, self.streams = self.streams, None
        if streams is not None:
            streams[1].transport.abort()


class SaysAnotherLine(SoundLines):
    caught_by = frozenset({"check_requests", "check_outcome"})

    def question(self, native: NativeQuery, call: Call) -> str:
        return f"FIND {native.text}"


class SplitsALine(SoundLines):
    caught_by = frozenset({"check_requests", "check_outcome"})

    def question(self, native: NativeQuery, call: Call) -> str:
        return super().question(native, call).replace(" plan", "\r\nplan")


class SignsInTooLate(SoundLines):
    caught_by = frozenset({"check_requests", "check_outcome"})

    async def open(self, address: str) -> None:
        await super().open(address)
        await self.say("HELP")


class LeavesWithoutAWord(SoundLines):
    caught_by = frozenset({"check_requests"})

    async def aclose(self) -> None:
        self.hang_up()


class FollowsWhereItIsSent(SoundLines):
    caught_by = frozenset({"check_requests", "check_outcome", "check_errors_are_ours"})
    shown_by = "supplemental/moved"

    async def moved(self, line: str) -> list[str]:
        self.hang_up()
        async with asyncio.timeout(0.2):
            await self.open(line.split()[1])
        return []


class LogsWhatItSays(SoundLines):
    caught_by = frozenset({"check_no_secret"})

    async def say(self, line: str) -> list[str]:
        logging.getLogger("lines").debug("saying %s", line)
        return await super().say(line)


class SpeaksOutOfTurn(SoundLines):
    caught_by = frozenset({"check_turns"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        return await super().search(native, replace(call, turn=immediately))


class StaysConnected(SoundLines):
    caught_by = frozenset({"check_nothing_left"})
    waited_for: ClassVar[Mapping[str, float]] = {"hanging": 0.2}
    kept: ClassVar[list[Streams]] = []

    def hang_up(self) -> None:
        if self.streams is not None:
            self.kept.append(self.streams)
        self.streams = None


class SwallowsCancellation(SoundLines):
    caught_by = frozenset({"check_cancellation"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except asyncio.CancelledError:
            return HitPage()


BROKEN: tuple[type[SoundLines], ...] = tuple(SoundLines.__subclasses__())
