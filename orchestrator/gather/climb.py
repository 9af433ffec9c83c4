"""Ask one source, rung by rung of its ladder, until enough has come back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from connectors.contract import HitPage
from connectors.errors import SourceError
from orchestrator.gather.asking import SHARED
from orchestrator.gather.gate import OutOfTurn
from orchestrator.gather.racing import let_go
from orchestrator.model import HitList
from translators.letters import has_hangul
from translators.match import matches
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.gather.asking import Asker
    from orchestrator.gather.outcomes import Tally
    from orchestrator.model import Rung, Step
    from translators.translator import NativeQuery, Translation

NO_NARROWER = Said("asked for the first words alone, of which there is more than was read: {why}")
NO_BROADER = Said("not asked for anything broader: {why}")
NO_FURTHER = Said("not asked for all that it would have been: {why}")
ANY_ALONE = Said("asked at once for any of the words: {why}")
ONE_FAILED = Said("one of {count} variants failed: {why}")
SOME_ASKED = Said("asked for {asked} of {all} alternatives: {why}")
FIRST_PAGE = Said("only the first page was read, {why}")
FIRST_HITS = Said("only the first {count} were read: {why}")
MORE_PAGES = Said("there are more pages, which were not read")
MOST_PAGES = 5  # of one native query; a source that hands out ever more cursors is stopped here


class Climb:
    """One source's ladder. Queries that two rungs share are sent once.

    Where the source's rate has room, the next rungs go out with the first, so that broadening costs no further round
    trip; they are looked at only if the stricter ones found too little. Where turns are few, a source
    without OR is asked for one word at a time: what comes back whole holds whatever narrower rungs would bring. One that
    shows less than all of a word is asked for one along with all of them. One that ranks
    is asked for any of the words at once where there is one turn.
    """

    def __init__(self, asker: Asker, step: Step, tally: Tally) -> None:
        self._asker = asker
        self._step = step
        self._tally = tally
        self._begun: dict[str, tuple[Translation, Rung, asyncio.Task[list[HitPage]]]] = {}
        self._korean = False

    async def run(self, enough: int) -> None:
        """Go up until ``enough`` acceptable hits are there or the ladder ends; raises what the source raises.

        A rung is looked at only when it is about to be sent: looking is what translates it.
        """
        rungs = self._step.rungs
        self._korean = any(has_hangul(each.native.text) for rung in rungs[:1] for each in rung.translations[:1])
        by_word: list[HitList] = []
        first = 0
        try:
            if self._step.by_word and self._asker.goes_by_word(self._step):
                rungs = await self._by_word(rungs, enough)
                by_word, self._tally.lists = (self._tally.lists, []) if rungs else ([], self._tally.lists)
                first = self._first(rungs)
                await self._up(rungs, enough, first, shown=True)  # narrower questions are counted by themselves
            elif self._step.by_word and self._asker.asks_both_ends:
                await self._both_ends(rungs, enough)
            elif self._step.ranked and self._asker.turns <= 1 and rungs[1:2]:
                await self._broadest(rungs)
            else:
                first = self._first(rungs)
                await self._up(rungs, enough, first)
                if self._step.by_word and any(each.more and each.rung < rungs[-1].height for each in self._tally.lists):
                    self._asker.searched(whole=False)  # nor would one word have brought all that holds it
        except (asyncio.CancelledError, SourceError) as failure:
            self._keep_arrived()  # before anybody has looked at what was sent along
            if not isinstance(failure, OutOfTurn) or not self._tally.asked:
                raise
            self._tally.doubt(NO_FURTHER.filled(why=failure.message), failure.code)
        finally:
            self._tally.lists[:0] = self._placed(self._step.rungs[:first])
            kept = {str(each.translation.native) for each in self._tally.lists}
            self._tally.lists += [each for each in by_word if str(each.translation.native) not in kept]
            await let_go([pages for _, _, pages in self._begun.values()])

    async def _up(self, rungs: Sequence[Rung], enough: int, first: int, *, shown: bool = False) -> None:
        """One rung after the other, from the ``first``; ``shown``: whether it is known already what the last, which asks for one word, brings."""
        for height, rung in islice(enumerate(rungs), first, None):
            if self._tally.sent and not self._started(rung) and (reason := self._asker.too_late):
                self._tally.doubt(reason, "no_time")
                return
            if height == first:
                self._start(rungs[first : first + self._asker.ahead + 1])
            await self._try(rung, asked := self._afforded(rung))
            nothing = height == first and not self._tally.good()
            if nothing and not self._asker.is_scarce:  # by each name, before anything broader
                await self._try_the_others(rung, asked)
            else:
                self._note_spared(rung, asked)
            if height and self._step.by_word and not shown and not rungs[height + 1 : height + 2]:
                self._note_whole(asked[0])  # the last rung: what it shows counts for the questions to come
            good = self._tally.good()
            if not height and self._strict_is_held:
                self._asker.asked_strictly(self._step, found=bool(good))
            if good >= enough or self._ends_with(rungs, height, good):
                if not good:
                    await self._ask_the_rest(rung)
                self._asker.settled(height)
                return

    def _first(self, rungs: Sequence[Rung]) -> int:
        """The rung to begin with: not the question as asked, where all of its words find nothing time and again and broader rungs hold them."""
        return int(rungs is self._step.rungs and self._strict_is_held and self._asker.goes_broad(self._step))

    @property
    def _strict_is_held(self) -> bool:
        """Whether broader steps hold what the question as asked would find: they ask for fewer words, and for no more conditions."""
        return self._step.ranked or self._step.by_word

    async def _by_word(self, rungs: Sequence[Rung], enough: int) -> Sequence[Rung]:
        """Ask for one word at a time, and say which rungs are left to ask. The hits stand on the strictest rung they satisfy.

        The most telling word goes first, and the others where it has found too little. Where it brought all there is, only its
        other names may bring more.
        """
        *narrower, words = rungs
        whole = await self._each_word(words, self._afforded(words), enough)
        if not self._tally.good():
            await self._ask_the_rest(words)
            return rungs[:1] if whole else rungs
        if not whole and self._asker.turns:
            return rungs
        if not whole:
            self._tally.doubt(NO_NARROWER.filled(why=self._asker.thrift), "own_rate_limit")
        self._tally.lists[:0] = self._placed(narrower)
        self._asker.settled(0)
        return ()

    async def _each_word(self, words: Rung, asked: Sequence[Translation], enough: int) -> bool:
        """The first word, and the others where it has found too little; whether the first brought all there is of it."""
        await self._try(words, asked[:1])
        if self._tally.good() < enough:
            await self._try(words, asked[1:])
        self._note_spared(words, asked)
        return self._note_whole(asked[0])

    async def _both_ends(self, rungs: Sequence[Rung], enough: int) -> None:
        """The question as asked and its most telling word at once: of what holds all words the source knows best what comes first.

        What lies between is asked for where these two have found too little, and one word not all that there is of it.
        """
        *narrower, words = rungs
        asked = self._afforded(words)
        self._task(asked[0], words)
        strictly: int | None = None
        if not self._first(rungs):
            await self._try(rungs[0], self._afforded(rungs[0]))
            strictly = self._tally.good()
            self._asker.asked_strictly(self._step, found=bool(strictly))
        whole = await self._each_word(words, asked, enough)
        if not whole and self._tally.good() < enough:
            await self._up(narrower, enough, 1, shown=True)
        elif strictly is not None:
            self._asker.settled(int(strictly < enough))
        if not self._tally.good():
            await self._ask_the_rest(words)
        self._tally.lists[:0] = self._placed(narrower)

    async def _broadest(self, rungs: Sequence[Rung]) -> None:
        """Where there is one turn: any of the words, as the source puts first what narrower rungs would bring."""
        *narrower, words = rungs
        await self._try(words, self._worth_asking(words))
        if not self._tally.good():
            await self._ask_the_rest(words)
        elif any(each.more for each in self._tally.lists):
            self._tally.doubt(ANY_ALONE.filled(why=SHARED), "own_rate_limit")
        self._tally.lists[:0] = self._placed(narrower)
        self._asker.settled(0)

    def _note_whole(self, word: Translation) -> bool:
        """Whether the search for one word brought all there is, which is remembered of the source either way."""
        found = next((each for each in self._tally.lists if each.translation == word), None)
        if found is not None:
            self._asker.searched(whole=not found.more)
        return found is not None and not found.more

    def _placed(self, rungs: Sequence[Rung]) -> list[HitList]:
        """What came back as if each rung had been asked: a hit in the list of the first that it satisfies."""
        left = {hit.id: hit for found in self._tally.lists for hit in found.hits}
        lists = []
        for rung in rungs:
            its = [left.pop(hit.id) for hit in tuple(left.values()) if matches(rung.meaning, hit) is True]
            ranked = tuple(hit.placed(hit.source, rank) for rank, hit in enumerate(its, 1))
            lists += [HitList(rung.translations[0], ranked, rung.height, rung.dropped)] * bool(ranked)
        return lists

    def _ends_with(self, rungs: Sequence[Rung], height: int, good: int) -> bool:
        """Whether nothing broader is asked: there is nothing, or the question has had its share of what the source allows.

        Having found nothing, it may ask once more, unless little is left at all.
        """
        following = rungs[height + 1 : height + 2]
        if not following:
            return True
        spared = not self._asker.turns and (good or self._asker.is_scarce)
        if not spared or not self._unasked(following[0]):
            return False
        self._tally.doubt(NO_BROADER.filled(why=self._asker.thrift), "own_rate_limit")
        return True

    def _unasked(self, rung: Rung) -> list[Translation]:
        """What of a rung would cost the source a request: neither on its way nor remembered."""
        return [
            each
            for each in self._worth_asking(rung)
            if str(each.native) not in self._begun
            and not self._asker.remembers(each.native, self._asker.worth(self._step.most))
        ]

    def _start(self, rungs: Iterable[Rung]) -> None:
        """Send rungs at once as far as the question's turns go."""
        turns = self._asker.turns
        for rung in rungs:
            turns -= len(self._unasked(rung))
            if turns < 0:
                return
            for translation in self._worth_asking(rung):
                self._task(translation, rung)

    def _started(self, rung: Rung) -> bool:
        return all(str(each.native) in self._begun for each in self._worth_asking(rung))

    def _worth_asking(self, rung: Rung) -> tuple[Translation, ...]:
        """Not what is said in Korean for a question in another language, where a source has shown nothing Korean so far.

        Where there are not turns for all, first what is said in the other language, if the source mostly speaks that.
        """
        if not self._korean and not self._asker.knows_korean:
            return (
                tuple(each for each in rung.translations if not has_hangul(each.native.text)) or rung.translations[:1]
            )
        korean = not self._korean
        if self._asker.turns >= len(rung.translations) or not self._asker.speaks(korean=korean):
            return rung.translations
        return tuple(sorted(rung.translations, key=lambda each: has_hangul(each.native.text) is not korean))

    async def _ask_the_rest(self, rung: Rung) -> None:
        """What was not worth asking is, before a source is said to have nothing; where the rate forbids it, that is in doubt.

        What the source itself left out, as it never brings anything, is asked where there are turns and doubted in no case.
        """
        asked = self._worth_asking(rung)
        rest = [each for each in rung.translations if each not in asked]
        if rest and self._asker.thrift:
            some = SOME_ASKED.filled(asked=len(asked), all=len(rung.translations), why=self._asker.thrift)
            self._tally.doubt(some, "own_rate_limit")
        if not self._asker.thrift:
            whole = ((each, self._asker.unspared(each.native)) for each in asked)
            rest += [replace(each, native=native) for each, native in whole if native is not None]
            await self._try(rung, rest)

    async def _try(self, rung: Rung, asked: Sequence[Translation]) -> None:
        """Variants of a rung at once. One that fails is an error only if all do."""
        if not asked:
            return
        tasks = [self._task(each, rung) for each in asked]
        try:
            await asyncio.wait(tasks)
        finally:  # what has arrived is kept even where the deadline cuts the rest off
            for translation, task in zip(asked, tasks, strict=True):
                if _is_answered(task):
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

    async def _try_the_others(self, rung: Rung, asked: Sequence[Translation]) -> None:
        """What else there is of a rung; that it could not be asked is no failure of what was."""
        others = [each for each in self._worth_asking(rung) if each not in asked]
        try:
            await self._try(rung, others)
        except SourceError as failure:
            self._tally.doubt(ONE_FAILED.filled(count=len(asked) + len(others), why=failure.message), failure.code)

    def _afforded(self, rung: Rung) -> tuple[Translation, ...]:
        """Alternatives as far as the question's share of the rate goes; the first always."""
        spared = self._unasked(rung)[max(1, self._asker.turns) :]
        return tuple(each for each in self._worth_asking(rung) if each not in spared)

    def _note_spared(self, rung: Rung, asked: Sequence[Translation]) -> None:
        """Say that alternatives were spared, where they were."""
        alternatives = len(self._worth_asking(rung))
        if len(asked) < alternatives:
            some = SOME_ASKED.filled(asked=len(asked), all=alternatives, why=SHARED)
            self._tally.doubt(some, "own_rate_limit")

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

    def _keep_arrived(self) -> None:
        """Keep what has arrived and was kept nowhere yet."""
        kept = {str(each.translation.native) for each in self._tally.lists}
        for key, (translation, rung, pages) in self._begun.items():
            if key not in kept and _is_answered(pages):
                self._keep(translation, pages.result(), rung)

    def _task(self, translation: Translation, rung: Rung) -> asyncio.Task[list[HitPage]]:
        key = str(translation.native)
        self._tally.losses |= dict.fromkeys(translation.losses)
        if key not in self._begun:
            self._tally.sent.append(translation.native)
            self._begun[key] = translation, rung, asyncio.create_task(self._collect(translation.native))
        return self._begun[key][2]

    async def _collect(self, native: NativeQuery) -> list[HitPage]:
        """Pages until there are hits enough, none is left, a cursor repeats, or no time is left for another.

        A page without hits is not the end where it names another: some vendors filter a page after they have cut it.
        """
        pages: list[HitPage] = []
        cursor: str | None = None
        seen: set[str] = set()
        most = self._asker.worth(self._step.most)
        while len(pages) < MOST_PAGES:
            wanted = min(most, self._step.limit) - sum(len(each.hits) for each in pages)
            page = await self._asker.page(native, cursor, wanted if pages else most)
            pages.append(page)
            cursor = page.cursor
            if cursor is None or cursor in seen or len(page.hits) >= wanted:
                break
            if reason := self._asker.too_late:
                pages.append(HitPage(notes=(FIRST_PAGE.filled(why=reason),)))
                break
            seen.add(cursor)
        if cursor is not None and most < self._step.most:
            pages.append(HitPage(notes=(FIRST_HITS.filled(count=most, why=self._asker.thrift),)))
        if cursor is not None and not any(page.hits for page in pages):
            pages.append(HitPage(notes=(MORE_PAGES,)))
        return pages


def _is_answered(task: asyncio.Task[list[HitPage]]) -> bool:
    return task.done() and not task.cancelled() and task.exception() is None
