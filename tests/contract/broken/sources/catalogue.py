"""A sound source over a made-up API, and sources made from it that are wrong in one way each.

``caught_by`` names every check that must fail and no other may; ``shown_by`` the exemplar that brings it to light.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

import aiohttp

from connectors.contract import Call, Health, Hit, HitPage, immediately
from connectors.errors import BadReply, Rejected, SourceError, Throttled
from connectors.http import HttpRequest, HttpSource, Page, Reply, error_for
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from connectors.transport import AiohttpTransport
from connectors.wire import IsoInstant, Line, Text, Url, Wire, read, read_each
from translators.query import Category, Kind

if TYPE_CHECKING:
    from translators.translator import NativeQuery


class Item(Wire):
    id: Line
    name: Line = ""
    text: Text = ""
    url: Url = ""
    at: IsoInstant


class Items(Wire):
    items: tuple[object, ...]
    next: str | None = None


class Sound(HttpSource):
    """Keeps the contract."""

    manifest = Manifest(
        name="sound",
        title="Sound",
        category=Category.WIKI,
        dialect="sound",
        kinds=(Kind.PAGE,),
        default_url="https://sound.example/v1",
        limits=Limits(rate=10, period=1.0, page=50),
        auth=Auth(help="ask the administrator"),
    )
    settings_type = SourceSettings
    caught_by: ClassVar[frozenset[str]] = frozenset()
    shown_by: ClassVar[str] = "exemplary/search"
    waited_for: ClassVar[Mapping[str, float]] = {}  # how long its end is, where it does not come

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        cursor = {"from": page.cursor} if page.cursor else {}
        return HttpRequest("GET", "search", {"q": native.text, "n": str(page.limit), **cursor})

    def parse(self, reply: Reply) -> HitPage:
        found = read(Items, reply.data, "Sound")
        hits, notes = read_each(Item, found.items, self.hit, "items")
        return HitPage(hits, found.next, None, notes)

    def hit(self, item: Item) -> Hit:
        return Hit("", item.id, Kind.PAGE, item.name, item.url, item.text, complete=True, created=item.at)

    async def probe(self, call: Call) -> Health:
        await self.send(HttpRequest("GET", "me"), call)
        return Health(ok=True)


class SendsAnotherMethod(Sound):
    caught_by = frozenset({"check_requests", "check_outcome"})

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        return replace(super().request(native, page), method="POST")


class ForgetsAParameter(Sound):
    caught_by = frozenset({"check_requests", "check_outcome"})

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        return replace(super().request(native, page), params={"q": native.text})


class ForgetsToSign(Sound):
    caught_by = frozenset({"check_requests", "check_outcome"})

    def authorization(self, secret: str) -> Mapping[str, str]:
        return {}


class AsksTooLittle(Sound):
    caught_by = frozenset({"check_requests"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        page = self.parse(
            Reply(200, {"items": [{"id": "1", "name": "Plan", "text": "x", "at": "2026-11-21T00:00:00Z"}]})
        )
        return replace(page, hits=tuple(replace(hit, source=self.name, rank=1) for hit in page.hits))

    shown_by = "supplemental/made_up"


class FollowsRedirects(Sound):
    caught_by = frozenset({"check_requests", "check_outcome", "check_errors_are_ours", "check_turns"})
    shown_by = "supplemental/redirect"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        async with (
            aiohttp.ClientSession() as session,
            session.get(
                f"{self.base_url}/search",
                params={"q": native.text, "n": str(call.limit)},
                headers=self.authorization(call.credential.secret if call.credential else ""),
            ) as response,
        ):
            raise LookupError(await response.text())


class DropsTheLastHit(Sound):
    caught_by = frozenset({"check_outcome"})

    def parse(self, reply: Reply) -> HitPage:
        page = super().parse(reply)
        return replace(page, hits=page.hits[:-1])


class ForgetsTheCursor(Sound):
    caught_by = frozenset({"check_outcome"})

    def parse(self, reply: Reply) -> HitPage:
        return replace(super().parse(reply), cursor=None)


class HidesWhatIsMissing(Sound):
    caught_by = frozenset({"check_outcome", "check_nothing_found_is_true"})
    shown_by = "supplemental/hostile_text"

    def parse(self, reply: Reply) -> HitPage:
        return replace(super().parse(reply), notes=())


class PassesOverWhatItCannotRead(Sound):
    caught_by = frozenset({"check_nothing_found_is_true"})
    shown_by = "supplemental/last_page"

    def parse(self, reply: Reply) -> HitPage:
        return replace(super().parse(reply), notes=())


class MistakesFailureForNothing(Sound):
    caught_by = frozenset({"check_outcome", "check_nothing_found_is_true"})
    shown_by = "supplemental/server_error"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except SourceError:
            return HitPage()


class ForgetsHowLongToWait(Sound):
    caught_by = frozenset({"check_outcome"})
    shown_by = "supplemental/throttled"

    def error(self, reply: Reply) -> SourceError | None:
        return error_for(replace(reply, headers={}), "Sound answered HTTP 429")


class KeepsARefusalToItself(Sound):
    caught_by = frozenset({"check_outcome", "check_throttling_is_heard"})
    shown_by = "supplemental/throttled"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except Throttled:
            return HitPage(notes=("it wants quiet",))


class RaisesWhateverComes(Sound):
    caught_by = frozenset({"check_outcome", "check_errors_are_ours"})
    shown_by = "supplemental/wrong_type"

    def parse(self, reply: Reply) -> HitPage:
        data: Any = reply.data
        return HitPage(tuple(Hit("", item["id"], Kind.PAGE) for item in data["items"]))


class SaysNothing(Sound):
    caught_by = frozenset({"check_outcome", "check_errors_are_ours"})
    shown_by = "supplemental/forbidden"

    def error(self, reply: Reply) -> SourceError | None:
        return error_for(reply, "")


class RepeatsIds(Sound):
    caught_by = frozenset({"check_ids", "check_outcome"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        page = await super().search(native, call)
        return replace(page, hits=tuple(replace(hit, id="same") for hit in page.hits))


class HasRelativeUrls(Sound):
    caught_by = frozenset({"check_urls", "check_outcome"})

    def hit(self, item: Item) -> Hit:
        return replace(super().hit(item), url=f"/pages/{item.id}")


class KeepsScriptUrls(Sound):
    caught_by = frozenset({"check_urls", "check_outcome"})
    shown_by = "supplemental/hostile_text"

    def hit(self, item: Item) -> Hit:
        return replace(super().hit(item), url="javascript:alert(1)")


class ForgetsTheZone(Sound):
    caught_by = frozenset({"check_dates", "check_outcome"})

    def hit(self, item: Item) -> Hit:
        return replace(super().hit(item), created=datetime(2026, 11, 21))  # noqa: DTZ001 — that is what is wrong


class RanksFromZero(Sound):
    caught_by = frozenset({"check_ranks"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        page = await super().search(native, call)
        return replace(page, hits=tuple(replace(hit, rank=hit.rank - 1) for hit in page.hits))


class ForgetsItsName(Sound):
    caught_by = frozenset({"check_ranks"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        page = await super().search(native, call)
        return replace(page, hits=tuple(replace(hit, source="sound") for hit in page.hits))


class ReturnsMoreThanAsked(Sound):
    caught_by = frozenset({"check_ranks", "check_outcome", "check_nothing_found_is_true"})
    shown_by = "supplemental/too_many"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        reply = await self.send(self.request(native, Page(call.limit, call.cursor)), call)
        hits = (replace(hit, source=self.name, rank=rank) for rank, hit in enumerate(self.parse(reply).hits, 1))
        return HitPage(tuple(hits))


class PassesTextOn(Sound):
    caught_by = frozenset({"check_plain_text", "check_outcome"})
    shown_by = "supplemental/hostile_text"

    def parse(self, reply: Reply) -> HitPage:
        page, data = super().parse(reply), reply.data
        assert isinstance(data, Mapping)
        return replace(page, hits=tuple(replace(hit, snippet=data["items"][0]["text"]) for hit in page.hits))


class LogsTheToken(Sound):
    caught_by = frozenset({"check_no_secret"})

    def authorization(self, secret: str) -> Mapping[str, str]:
        logging.getLogger("sound").debug("signing with %s", secret)
        return super().authorization(secret)


class KeepsTheTokenInSight(Sound):
    caught_by = frozenset({"check_no_secret"})

    def authorization(self, secret: str) -> Mapping[str, str]:
        self.last_secret = secret
        return super().authorization(secret)


class TellsTheToken(Sound):
    caught_by = frozenset({"check_no_secret"})
    shown_by = "supplemental/wrong_type"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except BadReply as problem:
            raise BadReply(f"{problem} (asked as {call.credential.secret if call.credential else ''})") from None


class TellsTheTokenAsSent(Sound):
    caught_by = frozenset({"check_no_secret", "check_outcome"})
    shown_by = "supplemental/wrong_type"

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except BadReply as problem:
            raise Rejected(problem.message, call.credential.secret if call.credential else "") from None


class PutsTheTokenInTheAddress(Sound):
    caught_by = frozenset({"check_requests", "check_no_secret", "check_outcome"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        token = call.credential.secret if call.credential else ""
        await self.send(HttpRequest("GET", "search", {"q": native.text, "access_token": token}), call)
        return HitPage()


class ChangesTheQuery(Sound):
    caught_by = frozenset({"check_inputs_unchanged"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        args: Any = native.args
        args["seen"] = True
        return await super().search(native, call)


class CountsItsRequests(Sound):
    caught_by = frozenset({"check_inputs_unchanged", "check_requests", "check_outcome"})
    numbers = count()

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        plain = super().request(native, page)
        return replace(plain, params={**plain.params, "nonce": str(next(self.numbers))})


class IgnoresItsTurn(Sound):
    caught_by = frozenset({"check_turns"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        return await super().search(native, replace(call, turn=immediately))


class TellsTheTokenInANote(Sound):
    caught_by = frozenset({"check_no_secret", "check_outcome"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        page = await super().search(native, call)
        return replace(page, notes=(f"asked as {call.credential.secret if call.credential else 'nobody'}",))


class NeverCloses(Sound):
    caught_by = frozenset({"check_nothing_left"})
    waited_for: ClassVar[Mapping[str, float]] = {"hanging": 0.2}
    kept: ClassVar[list[aiohttp.ClientSession]] = []

    async def aclose(self) -> None:
        if isinstance(self._transport, AiohttpTransport) and self._transport._session is not None:
            self.kept.append(self._transport._session)


class LeavesAThread(Sound):
    caught_by = frozenset({"check_nothing_left"})
    waited_for: ClassVar[Mapping[str, float]] = {"hanging": 0.2}
    stop = threading.Event()

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        threading.Thread(target=self.stop.wait, name="forgotten", daemon=True).start()
        return await super().search(native, call)


class LeavesATask(Sound):
    caught_by = frozenset({"check_nothing_left"})
    waited_for: ClassVar[Mapping[str, float]] = {"hanging": 0.2}

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        self.forgotten = asyncio.create_task(asyncio.sleep(60), name="forgotten")
        return await super().search(native, call)


class SwallowsCancellation(Sound):
    caught_by = frozenset({"check_cancellation"})

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except asyncio.CancelledError:
            return HitPage()


class GoesOnWhenCancelled(Sound):
    caught_by = frozenset({"check_cancellation"})
    waited_for: ClassVar[Mapping[str, float]] = {"turns": 10}

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        asking = asyncio.ensure_future(super().search(native, call))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            await asyncio.sleep(1.3)
            asking.cancel()
            raise


class StopsTheLoop(Sound):
    caught_by = frozenset({"check_cancellation"})
    waited_for: ClassVar[Mapping[str, float]] = {"turns": 10}

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        try:
            return await super().search(native, call)
        except asyncio.CancelledError:
            time.sleep(1.1)  # noqa: ASYNC251 — that is what is wrong
            raise


BROKEN: tuple[type[Sound], ...] = tuple(Sound.__subclasses__())
