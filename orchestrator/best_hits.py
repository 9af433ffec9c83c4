"""One more round for what was said around the best hits: a thread answers as a whole, and its replies seldom say the question's words.

One round for the texts of the best hits: some sources return heads, and each text costs a request, so that only what ranking wants is read.

It begins when all sources have answered, or, while a slow one is still awaited, when a third of the time is left: a source that hangs costs others no text.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import Conversing, is_completing
from orchestrator.gather import (
    AROUND,
    complete,
    fan_out,
    turns_left,
    with_kept_texts,
    with_texts,
)
from orchestrator.model import ANSWERED, Rung
from translators.match import matches
from translators.records import record
from translators.translator import Translation

if TYPE_CHECKING:
    from collections.abc import (
        Awaitable,
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from connectors.contract import Hit, HitKey
    from connectors.yields import Yields
    from orchestrator.gather import Asking, Deadline, Source
    from orchestrator.model import (
        Outcome,
        Plan,
        Result,
        Step,
    )
    from translators.query import Clause
    from translators.translator import NativeQuery

AMONG = 20  # results, the best, of which as many are read as a source is set to read
LEFT = 1 / 3  # of the time of all sources, from which on texts of what is there are read
LEAST = 2  # texts of each source that are read in any case, since a title tells little


@record
class Texts:
    """How the ``best`` results are found by their heads."""

    best: Callable[[Sequence[Outcome]], Awaitable[Sequence[Result]]]

    async def read(
        self, outcomes: list[Outcome], sources: Mapping[str, Source], deadline: Deadline, asking: Asking
    ) -> list[Outcome]:
        """Outcomes with the texts of the best results, as far as turns and time go."""
        found = (each for each in outcomes if each.hits and each.status in ANSWERED)
        able = {each.source: each for each in found if is_completing(sources[each.source].connector)}
        if not able:
            return outcomes
        most = {name: max(LEAST, turns_left(each, sources[name], deadline)) for name, each in able.items()}
        chosen = _chosen(await self.best(outcomes), most)
        # In one step with what is left to read: a text that a mirror reads meanwhile would be neither kept nor read.
        able = {name: with_kept_texts(each, sources[name].mirror) for name, each in able.items()}
        unread = {name: _unread(sources[name], hits) for name, hits in chosen.items()}
        wanted = {name: hits for name, hits in unread.items() if hits}
        tasks = (complete(sources[name], able[name], hits, deadline, asking) for name, hits in wanted.items())
        read = able | {each.source: each for each in await asyncio.gather(*tasks)}
        return [read.get(each.source, each) for each in outcomes]


class TextsBeside:
    """The same beside the slowest sources. ``outcomes`` grows while they arrive; close it where nobody waits for it any more."""

    def __init__(
        self,
        texts: Texts,
        outcomes: list[Outcome],
        sources: Mapping[str, Source],
        deadline: Deadline,
        asking: Asking,
    ) -> None:
        self._outcomes = outcomes
        self._begun = False
        self._reading = asyncio.create_task(self._read(texts, sources, deadline, asking))

    async def outcomes(self) -> list[Outcome]:
        """All that has arrived, with the texts that were read meanwhile."""
        if not self._begun:
            await self.aclose()
            return self._outcomes
        read = {each.source: each for each in await self._reading}
        return [read.get(each.source, each) for each in self._outcomes]

    async def aclose(self) -> None:
        """Stop reading; safe to call twice."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(
        self, texts: Texts, sources: Mapping[str, Source], deadline: Deadline, asking: Asking
    ) -> list[Outcome]:
        await asyncio.sleep(deadline.left * (1 - LEFT))
        self._begun = True
        return await texts.read(list(self._outcomes), sources, deadline, asking)


def _unread(source: Source, hits: Iterable[Hit]) -> list[Hit]:
    """Those whose text is not kept beside the source."""
    return [hit for hit in hits if source.mirror is None or source.mirror.kept(hit) is None]


def _chosen(best: Iterable[Result], most: Mapping[str, int]) -> dict[str, list[Hit]]:
    """By source, best first: ``most`` of those among the best, a few of each in any case."""
    wanted: dict[str, list[Hit]] = {name: [] for name in most}
    for place, result in enumerate(best):
        for hit in (result.hit, *result.also):
            chosen = wanted.get(hit.source)
            if chosen is not None and len(chosen) < (most[hit.source] if place < AMONG else LEAST):
                chosen.append(hit)
    return {name: chosen for name, chosen in wanted.items() if chosen}


BEGUN_BY = "thread_ts", "thread"
"""Facts that name a conversation by the id of what began it, or by the end of that."""
LOOKED_AT = 10
"""Results, best first, whose conversations are worth reading."""


@record
class Conversations:
    """How many are ``most`` read for a question, and how the ``best`` results are found."""

    most: int
    best: Callable[[Sequence[Outcome]], Awaitable[Sequence[Result]]]

    async def read(
        self,
        plan: Plan,
        outcomes: list[Outcome],
        sources: Mapping[str, Source],
        deadline: Deadline,
        asking: Asking,
    ) -> list[Outcome]:
        """Outcomes with what stands in the conversations of the best results. Only sources with turns to spare are asked."""
        ways = {each.source: _ways(sources[each.source], asking) for each in outcomes}
        able = {each.source: _turns(each, sources[each.source], deadline) for each in outcomes}
        worth = {source: bool(turns) and ways[source].is_worth(AROUND) for source, turns in able.items()}
        due = {key for each in outcomes if able[each.source] for key in _due(each, every=worth[each.source])}
        best = (await self.best(outcomes))[:LOOKED_AT] if due and self.most else ()
        wanted = self._wanted((each for each in best if (each.hit.source, each.hit.id) in due), sources, able)
        if not wanted:
            return outcomes
        steps = tuple(_reading(step, wanted[step.source]) for step in plan.steps if step.source in wanted)
        async with aclosing(
            fan_out(replace(plan, steps=steps), sources, deadline, replace(asking, further=True))
        ) as arriving:
            found = {each.source: each async for each in arriving}
        for source, outcome in found.items():
            first = next(each for each in outcomes if each.source == source)
            found[source] = _joined(first, outcome, plan.query.typed)
            ways[source].searched(AROUND, found=len(found[source].hits) > len(first.hits))
        return [found.get(each.source, each) for each in outcomes]

    def _wanted(
        self, best: Iterable[Result], sources: Mapping[str, Source], turns: Mapping[str, int]
    ) -> dict[str, tuple[NativeQuery, ...]]:
        """The conversations of the first results, each once, by source; of each as many as it has ``turns``."""
        chosen: dict[tuple[str, str], NativeQuery] = {}
        for result in best:
            connector = sources[result.hit.source].connector
            native = connector.conversation(result.hit) if isinstance(connector, Conversing) else None
            if native is not None and len(chosen) < self.most:
                chosen.setdefault((result.hit.source, str(native)), native)
        return {
            name: tuple(native for (source, _), native in chosen.items() if source == name)[: turns[name]]
            for name in {source for source, _ in chosen}
        }


def _reading(step: Step, natives: Iterable[NativeQuery]) -> Step:
    """The step of a source that is asked for conversations, and for no words."""
    rung = Rung(tuple(map(Translation, natives)))
    return replace(step, rungs=(rung,), fetches=(), by_word=False, ranked=False)


def _ways(source: Source, asking: Asking) -> Yields:
    """What reading conversations there has brought of late."""
    return source.habit_of(asking.principal.id, asking.principal.groups).ways


def _due(outcome: Outcome, *, every: bool) -> Iterator[HitKey]:
    """The hits whose conversations are worth reading: every one, or those that certainly have more, as what began theirs was not found."""
    ends = "".join(f"{hit.id}\n" for hit in outcome.hits)
    for hit in outcome.hits:
        begun = next((str(hit.facts[name]) for name in BEGUN_BY if name in hit.facts), "")
        if every or (begun and f"{begun}\n" not in ends):
            yield outcome.source, hit.id


def _turns(outcome: Outcome, source: Source, deadline: Deadline) -> int:
    """How many conversations may be read there."""
    holds = bool(outcome.hits) and isinstance(source.connector, Conversing)
    return turns_left(outcome, source, deadline, conversations=True) if holds else 0


def _joined(first: Outcome, second: Outcome, typed: Clause) -> Outcome:
    """What is new, and for certain what was typed, stands behind what was found; what could not be read costs nothing.

    What was found in part and stands there whole is whole, and stands in the thread that it was read in.
    """
    read = {hit.id: hit for hit in second.hits}
    cut = {hit.id: hit for hit in first.hits if hit.id in read and not hit.complete}
    first = with_texts(first, {key: _as_read(hit, read[key]) for key, hit in cut.items()})
    known = {hit.id for hit in first.hits}
    fresh = {hit.id: hit for hit in second.hits if hit.id not in known and matches(typed, hit)}
    at = next(at for at, each in enumerate(first.lists) if each.hits)
    longer = replace(first.lists[at], hits=(*first.lists[at].hits, *fresh.values()))
    return replace(
        first,
        lists=(*first.lists[:at], longer, *first.lists[at + 1 :]),
        took=first.took + second.took,
        requests=first.requests + second.requests,
        sent=(*first.sent, *second.sent),
    )


def _as_read(cut: Hit, read: Hit) -> Hit:
    """A hit with what reading it has told: the whole text, and the address and thread, which a search may not say."""
    text = read.snippet if read.complete else cut.snippet
    facts = MappingProxyType({**cut.facts, **read.facts})
    return replace(cut, url=read.url or cut.url, facts=facts, snippet=text, complete=read.complete)
