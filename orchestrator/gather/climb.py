"""Ask one source, rung by rung of its ladder, until enough has come back."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from connectors.errors import SourceError, Throttled
from orchestrator.model import HitList
from translators.match import matches

if TYPE_CHECKING:
    from connectors.contract import Call, HitPage
    from orchestrator.gather.source import Source
    from orchestrator.model import Rung, Step
    from translators.translator import NativeQuery, Translation

MOST_PAGES = 5  # of one native query; a source that hands out ever more cursors is stopped here


@dataclass(slots=True)
class Tally:
    """What has happened so far. It outlives a cancelled climb, so that what had arrived is not lost."""

    lists: list[HitList] = field(default_factory=list)
    sent: list[NativeQuery] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    requests: int = 0
    queued: int = 0

    def good(self) -> int:
        """Distinct hits that nothing speaks against."""
        return len({hit.id for found in self.lists for hit in found.hits if _acceptable(found, hit)})


def _acceptable(found: HitList, hit: object) -> bool:
    residual = found.translation.residual
    return residual is None or matches(residual, hit) is not False  # type: ignore[arg-type]


class Climb:
    """One source's ladder. Queries that two rungs share are sent once."""

    def __init__(self, source: Source, step: Step, call: Call, tally: Tally) -> None:
        self._source = source
        self._step = step
        self._call = call
        self._tally = tally
        self._pages: dict[str, asyncio.Task[list[HitPage]]] = {}
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.time() + call.timeout

    async def run(self, enough: int) -> None:
        """Go up until ``enough`` acceptable hits are there or the ladder ends; raises what the source raises."""
        for height, rung in enumerate(self._step.rungs):
            await self._try(rung, height)
            if self._tally.good() >= enough:
                return

    async def _try(self, rung: Rung, height: int) -> None:
        """All variants of a rung at once. One that fails is an error only if all do."""
        replies = await asyncio.gather(*(self._ask(each) for each in rung.translations), return_exceptions=True)
        failures = [reply for reply in replies if isinstance(reply, BaseException)]
        for translation, reply in zip(rung.translations, replies, strict=True):
            if not isinstance(reply, BaseException):
                self._keep(translation, reply, height, rung)
        unexpected = next((each for each in failures if not isinstance(each, SourceError)), None)
        if unexpected is not None:
            raise unexpected
        if failures and len(failures) == len(replies):
            raise failures[0]
        self._tally.notes += [f"one of {len(replies)} variants failed: {failure}" for failure in failures]

    def _keep(self, translation: Translation, pages: list[HitPage], height: int, rung: Rung) -> None:
        hits = tuple({hit.id: hit for page in reversed(pages) for hit in reversed(page.hits)}.values())[::-1]
        ranked = tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits[: self._step.limit], 1))
        total = pages[0].total if pages else None
        self._tally.lists.append(HitList(translation, ranked, height, rung.dropped, total))

    async def _ask(self, translation: Translation) -> list[HitPage]:
        key = str(translation.native)
        if key not in self._pages:
            self._tally.sent.append(translation.native)
            self._pages[key] = asyncio.create_task(self._collect(translation.native))
        return await self._pages[key]

    async def _collect(self, native: NativeQuery) -> list[HitPage]:
        """Pages until there are hits enough, none is left, or a cursor repeats."""
        pages: list[HitPage] = []
        cursor: str | None = None
        seen: set[str] = set()
        while len(pages) < MOST_PAGES:
            page = await self._page(native, cursor, self._step.limit - sum(len(each.hits) for each in pages))
            pages.append(page)
            self._tally.notes += [note for note in page.notes if note not in self._tally.notes]
            cursor = page.cursor
            if cursor is None or cursor in seen or not page.hits or sum(len(p.hits) for p in pages) >= self._step.limit:
                break
            seen.add(cursor)
        return pages

    async def _page(self, native: NativeQuery, cursor: str | None, wanted: int) -> HitPage:
        limit = min(wanted, self._source.connector.manifest.limits.page)
        left = max(0.05, self._deadline - self._loop.time())
        call = replace(self._call, limit=limit, cursor=cursor, timeout=left, turn=self._turn)
        try:
            return await self._source.connector.search(native, call)
        except Throttled as signal:
            self._source.gate.pause(signal.retry_after)
            raise

    async def _turn(self) -> None:
        """Before each request of the connector, details included: the vendor counts them all."""
        self._tally.queued += 1
        await self._source.gate.enter()
        self._tally.queued -= 1
        self._tally.requests += 1
