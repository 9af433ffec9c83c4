"""The web, by whichever search answers: Gemini through an MCP server, the Gemini CLI, or a provider asked directly."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from connectors.contract import Health, HitPage, SourceDirectory
from connectors.errors import SILENT, Misconfigured, Rejected, SourceError, Throttled, Unavailable
from connectors.gemini_cli.pages import pages
from connectors.manifest import load_manifest
from connectors.mcp_client import McpSource
from connectors.mcp_client.reading import texts
from connectors.registry import load_source
from connectors.text import absolute_url
from connectors.web.settings import KINDS, NAMES, WebSettings
from connectors.web_search import NO_WORDS, page_hit
from translators.query import Kind
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from mcp.types import CallToolResult

    from connectors.contract import Call, Connector, Hit
    from connectors.web.settings import Link
    from translators.translator import NativeQuery

T = TypeVar("T")
SHORTEST = 0.05  # seconds: with less, nobody is asked any more


class WebSource:
    """Asks one link after another until one answers, and says who did and why the others did not."""

    manifest = load_manifest("connectors.web")
    settings_type = WebSettings

    def __init__(self, name: str, settings: WebSettings) -> None:
        self.name = name
        self.settings = settings
        self.manifest = settings.described(type(self).manifest)
        self._links: Mapping[Link, Connector] = open_links(settings)

    async def prepare(self) -> None:
        """Whatever its links import."""
        await asyncio.gather(*(link.prepare() for link in self._links.values()))

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """The answer of the first link that has one; a further page comes from whoever gave the one before."""
        if not native.text.strip():
            return HitPage(notes=(NO_WORDS,))
        asked, cursor = self._asked(call.cursor)
        deadline = asyncio.get_running_loop().time() + call.timeout
        failures: dict[str, SourceError] = {}
        for place, name in enumerate(asked):
            left = deadline - asyncio.get_running_loop().time()
            if left < SHORTEST:
                failures[NAMES[name]] = Unavailable(Said("no time was left to ask it"))
                continue
            within = left if place == len(asked) - 1 else left * self.settings.share
            try:
                found = await self._page(name, native, replace(call, cursor=cursor, timeout=within))
            except SourceError as failure:
                failures[NAMES[name]] = failure
                if isinstance(failure, Throttled):
                    await call.throttled(failure)
            else:
                return self._answered(name, found, failures)
        raise (
            all_failed(failures)
            if failures
            else Misconfigured(Said("source {name}: {help}").filled(name=self.name, help=self.manifest.auth.help))
        )

    async def directory(self, call: Call) -> SourceDirectory:  # noqa: ARG002 — the web lists nobody
        """Nobody is known by name."""
        return SourceDirectory()

    async def probe(self, call: Call) -> Health:
        """Every link at once: one that works is enough, and each is told."""
        states = await asyncio.gather(*(self._state(name, call) for name in self._links))
        told = [f"{NAMES[name]}: {state.detail or 'works'}" for name, state in zip(self._links, states, strict=True)]
        if self.settings.absent:
            told.append(f"not set up: {', '.join(self.settings.absent)}")
        return Health(any(state.ok for state in states), "; ".join(told), remarks=tuple(told))

    async def aclose(self) -> None:
        """Close every link."""
        await asyncio.gather(*(link.aclose() for link in self._links.values()))

    # ---- one link

    async def _page(self, name: Link, native: NativeQuery, call: Call) -> HitPage:
        """What one link answers. No hits with a note is no answer: the note says why. Raises :class:`SourceError`."""
        found = await self._within(call.timeout, self._links[name].search(native, self._apart(name, call)), name)
        missing = (*found.notes, *(each.said for each in found.left_out))
        if not found.hits and missing:
            raise Unavailable(joined("; ", missing))
        return found

    async def _state(self, name: Link, call: Call) -> Health:
        try:
            return await self._within(call.timeout, self._links[name].probe(self._apart(name, call)), name)
        except SourceError as failure:
            return Health(ok=False, detail=failure.message)

    async def _within(self, seconds: float, asking: Awaitable[T], name: Link) -> T:
        """Whatever goes wrong in a link costs that link only. Raises :class:`SourceError`."""
        try:
            async with asyncio.timeout(seconds):
                return await asking
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=seconds)) from None
        except Throttled as failure:
            failure.bucket = name
            raise
        except SourceError:
            raise
        except Exception as failure:  # noqa: BLE001 — a bug in one must not keep the next from being asked
            raise Unavailable(
                Said("it failed ({failure}); this is a bug in fedsearch").filled(failure=type(failure).__name__)
            ) from None

    def _apart(self, name: Link, call: Call) -> Call:
        """Each link has its own rate, and its own credential: one that an asker brings could belong to any of them."""

        async def turn(bucket: str = "", /) -> None:  # noqa: ARG001 — no link of ours has several
            await call.turn(name)

        async def heed(throttled: Throttled, /) -> None:
            throttled.bucket = name
            await call.throttled(throttled)

        return replace(call, credential=None, turn=turn, throttled=heed)

    def _answered(self, name: Link, found: HitPage, failures: Mapping[str, SourceError]) -> HitPage:
        """A remark says who answered where that was not the first: without one, a reply may be remembered."""
        pages = [page for hit in found.hits if (page := as_page(hit))]
        hits = tuple(
            replace(hit, facts=MappingProxyType({**hit.facts, "found_by": NAMES[name]})).placed(self.name, rank)
            for rank, hit in enumerate(pages, 1)
        )
        passed = tuple(
            Said("{earlier} did not answer: {why}").filled(earlier=earlier, why=failure.message)
            for earlier, failure in failures.items()
        )
        by = (Said("{what} answered").filled(what=NAMES[name]),) if passed else ()
        cursor = f"{name} {found.cursor}" if found.cursor is not None else None
        return HitPage(hits, cursor, found.total, found.notes, found.left_out, (*passed, *by, *found.remarks))

    def _asked(self, cursor: str | None) -> tuple[tuple[Link, ...], str | None]:
        """The links to ask, and the cursor for them: for a page that follows, only who gave the first."""
        before, _, rest = (cursor or "").partition(" ")
        named = tuple(name for name in self._links if name == before and rest)
        return (named, rest) if named else (tuple(self._links), None)

    def __repr__(self) -> str:
        return f"WebSource({self.name!r}, {', '.join(self._links)})"


# ---- what to say when no link of the chain has answered

OF_LINK = Said("{name}: {why}")


def all_failed(failures: Mapping[str, SourceError]) -> SourceError:
    """One error for those of all links, by their names: of their own kind where they agree, else that none is there."""
    if len(failures) == 1:
        return next(iter(failures.values()))
    said = joined("; ", (OF_LINK.filled(name=name, why=failure.message) for name, failure in failures.items()))
    message = Said("no web search answered: {said}").filled(said=said)
    kinds = {type(failure) for failure in failures.values()}
    if kinds == {Throttled}:
        waits = [each.retry_after for each in failures.values() if isinstance(each, Throttled)]
        return Throttled(message, min((wait for wait in waits if wait is not None), default=None), WHOEVER)
    if kinds == {Rejected}:
        natives = (each.native for each in failures.values() if isinstance(each, Rejected))
        return Rejected(message, next(natives, ""))
    return next(iter(kinds))(message) if len(kinds) == 1 else Unavailable(message)


WHOEVER = "none"  # a bucket that nobody takes turns in: each link rests by itself, and the chain itself never


# ---- the searches that the chain is made of, each a source of its own


class GeminiByMcp(McpSource):
    """A tool that searches the web. Its text may be an answer with a list of sources, as Gemini's own tool gives it."""

    def _read(self, result: CallToolResult) -> HitPage:
        found = super()._read(result)
        if any(hit.url for hit in found.hits):
            return found
        named = pages("\n".join(texts(result)))
        return HitPage(named, "0") if named else replace(found, hits=())


def open_links(settings: WebSettings) -> Mapping[Link, Connector]:
    """A source for each link that is set up, in order."""
    made: dict[Link, Connector] = {}
    for name, link in settings.links.items():
        kind: Any = GeminiByMcp if name == "mcp" else load_source(KINDS[name])
        made[name] = kind(name, link)
    return made


def as_page(hit: Hit) -> Hit | None:
    """A hit of any tool as a page of the web; what has no address is none."""
    if not absolute_url(hit.url):
        return None
    return (
        hit
        if hit.kind is Kind.WEB_PAGE and hit.container
        else replace(page_hit(hit.url, hit.title, hit.snippet), updated=hit.updated)
    )


SOURCE = WebSource
