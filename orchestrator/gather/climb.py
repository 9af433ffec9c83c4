"""Ask one source, rung by rung of its ladder, until enough has come back."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.contract import HitPage
from connectors.errors import SourceError
from orchestrator.gather.asking import let_go
from orchestrator.model import HitList
from translators.letters import has_hangul
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.gather.asking import Asker
    from orchestrator.gather.tally import Tally
    from orchestrator.model import Rung, Step
    from translators.translator import NativeQuery, Translation

MANY = 2  # alternatives that are not asked for all at once by a source whose rate is half used up
FEW = 3  # hits that are enough where the source's rate is half used up, so that others can ask too
NO_BROADER = Said("not asked for anything broader: {why}", "더 넓게 묻지 않음: {why}")
ONE_FAILED = Said("one of {count} variants failed: {why}", "다른 표현 {count}개 중 하나가 실패함: {why}")
SOME_ASKED = Said("asked for {asked} of {all} alternatives: {why}", "다른 표현 {all}개 중 {asked}개만 물음: {why}")
FIRST_PAGE = Said("only the first page was read, {why}", "첫 쪽만 읽음: {why}")
MORE_PAGES = Said("there are more pages, which were not read", "읽지 않은 쪽이 더 있습니다")
MOST_PAGES = 5  # of one native query; a source that hands out ever more cursors is stopped here


class Climb:
    """One source's ladder. Queries that two rungs share are sent once.

    Where the source's rate has room, the next rungs go out with the first, so that broadening costs no further round
    trip; they are looked at only if the stricter ones found too little.
    """

    def __init__(self, asker: Asker, step: Step, tally: Tally) -> None:
        self._asker = asker
        self._step = step
        self._tally = tally
        self._pages: dict[str, asyncio.Task[list[HitPage]]] = {}
        self._korean = False

    async def run(self, enough: int) -> None:
        """Go up until ``enough`` acceptable hits are there or the ladder ends; raises what the source raises.

        A rung is looked at only when it is about to be sent: looking is what translates it.
        """
        rungs = self._step.rungs
        self._korean = any(has_hangul(each.native.text) for rung in rungs[:1] for each in rung.translations[:1])
        try:
            for rung in rungs[: self._asker.ahead + 1]:
                self._start(rung)
            for height, rung in enumerate(rungs):
                if height and not self._started(rung) and (reason := self._asker.too_late):
                    self._tally.doubt(reason, "no_time")
                    return
                await self._try(rung, self._afforded(rung, height))
                good = self._tally.good()
                if good >= enough or self._ends_with(height, good):
                    if not good:
                        await self._ask_the_rest(rung)
                    self._asker.settled(height)
                    return
        finally:
            await let_go(list(self._pages.values()))

    def _ends_with(self, height: int, good: int) -> bool:
        """Whether nothing broader is asked: there is nothing, or the source is to be spared.

        Half of its rate used up, a few hits are enough; little of it left, every question has to do with what it found.
        """
        following = self._step.rungs[height + 1 : height + 2]
        if not following:
            return True
        spared = self._asker.is_scarce or (good >= FEW and not self._asker.has_room)
        if not spared or not self._unasked(following[0]):
            return False
        self._tally.doubt(NO_BROADER.filled(why=self._asker.thrift), "own_rate_limit")
        return True

    def _unasked(self, rung: Rung) -> list[Translation]:
        """What of a rung would cost the source a request: neither on its way nor remembered."""
        return [
            each
            for each in self._worth_asking(rung)
            if str(each.native) not in self._pages and not self._asker.remembers(each.native, self._step.most)
        ]

    def _start(self, rung: Rung) -> None:
        for translation in self._worth_asking(rung):
            self._task(translation)

    def _started(self, rung: Rung) -> bool:
        return all(str(each.native) in self._pages for each in self._worth_asking(rung))

    def _worth_asking(self, rung: Rung) -> tuple[Translation, ...]:
        """Not what is said in Korean for a question in another language, where a source has shown nothing Korean so far."""
        if self._korean or self._asker.knows_korean:
            return rung.translations
        return tuple(each for each in rung.translations if not has_hangul(each.native.text)) or rung.translations[:1]

    async def _ask_the_rest(self, rung: Rung) -> None:
        """What was not worth asking is, before a source is said to have nothing; where the rate forbids it, that is in doubt."""
        rest = [each for each in rung.translations if each not in self._worth_asking(rung)]
        if rest and self._asker.thrift:
            asked, every = len(rung.translations) - len(rest), len(rung.translations)
            self._tally.doubt(SOME_ASKED.filled(asked=asked, all=every, why=self._asker.thrift), "own_rate_limit")
        elif rest:
            await self._try(rung, rest)

    async def _try(self, rung: Rung, asked: Sequence[Translation]) -> None:
        """Variants of a rung at once. One that fails is an error only if all do."""
        tasks = [self._task(each) for each in asked]
        try:
            await asyncio.wait(tasks)
        finally:  # what has arrived is kept even where the deadline cuts the rest off
            for translation, task in zip(asked, tasks, strict=True):
                if task.done() and not task.cancelled() and task.exception() is None:
                    self._keep(translation, task.result(), rung)
        failures = [failure for task in tasks if (failure := task.exception()) is not None]
        unexpected = next((each for each in failures if not isinstance(each, SourceError)), None)
        if unexpected is not None:
            raise unexpected
        if failures and len(failures) == len(tasks):
            raise failures[0]
        for failure in failures:
            if isinstance(failure, SourceError):
                self._tally.doubt(ONE_FAILED.filled(count=len(tasks), why=failure.message), failure.code)

    def _afforded(self, rung: Rung, height: int) -> tuple[Translation, ...]:
        """Alternatives beyond the first are asked while the rate has room; those of the question itself until little is left."""
        alternatives = self._worth_asking(rung)
        new = self._unasked(rung)
        spared = not self._asker.has_room if height else self._asker.is_scarce
        if len(new) < MANY or not spared:
            return alternatives
        some = SOME_ASKED.filled(asked=len(alternatives) - len(new) + 1, all=len(alternatives), why=self._asker.thrift)
        self._tally.doubt(some, "own_rate_limit")
        return tuple(each for each in alternatives if each not in new[1:])

    def _keep(self, translation: Translation, pages: list[HitPage], rung: Rung) -> None:
        hits = tuple({hit.id: hit for page in reversed(pages) for hit in reversed(page.hits)}.values())[::-1]
        kept = enumerate(hits[: self._step.most], 1)
        ranked = tuple(hit if hit.rank == rank else hit.placed(hit.source, rank) for rank, hit in kept)
        total = pages[0].total if pages else None
        for page in pages:
            self._tally.read(page)
        last = next((page for page in reversed(pages) if page.hits), None)
        more = len(hits) > self._step.most or (last is not None and last.cursor is not None)
        self._tally.lists.append(HitList(translation, ranked, rung.height, rung.dropped, total, more))

    def _task(self, translation: Translation) -> asyncio.Task[list[HitPage]]:
        key = str(translation.native)
        self._tally.losses |= dict.fromkeys(translation.losses)
        if key not in self._pages:
            self._tally.sent.append(translation.native)
            self._pages[key] = asyncio.create_task(self._collect(translation.native))
        return self._pages[key]

    async def _collect(self, native: NativeQuery) -> list[HitPage]:
        """Pages until there are hits enough, none is left, a cursor repeats, or no time is left for another.

        A page without hits is not the end where it names another: some vendors filter a page after they have cut it.
        """
        pages: list[HitPage] = []
        cursor: str | None = None
        seen: set[str] = set()
        while len(pages) < MOST_PAGES:
            wanted = self._step.limit - sum(len(each.hits) for each in pages)
            page = await self._asker.page(native, cursor, wanted if pages else self._step.most)
            pages.append(page)
            cursor = page.cursor
            if cursor is None or cursor in seen or len(page.hits) >= wanted:
                break
            if reason := self._asker.too_late:
                pages.append(HitPage(notes=(FIRST_PAGE.filled(why=reason),)))
                break
            seen.add(cursor)
        if cursor is not None and not any(page.hits for page in pages):
            pages.append(HitPage(notes=(MORE_PAGES,)))
        return pages
