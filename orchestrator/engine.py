"""The one facade that every surface calls: ask, stream, understand, explain, probe."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from connectors.contract import Call, Health
from connectors.errors import SourceError
from orchestrator.answer import compose, numbers_seen
from orchestrator.gather import ALONE, Asking, Care, Deadline, DirectoryCache, PageCache, fan_out, with_names
from orchestrator.model import Answer, Ask, BadAsk, NoSources, Outcome, Plan
from orchestrator.plan import PlanLimits, make_plan
from orchestrator.rank import RankContext, rank
from orchestrator.understand import Directory, DirectoryPerson, understand, warm
from translators.match import HANGUL
from translators.query import Compare, Container, Person, leaves

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

    from connectors.contract import SourceDirectory
    from orchestrator.gather import Ledger, Source
    from orchestrator.plan import SourceProfile
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Settings
    from orchestrator.understand import Lexicon
    from translators.query import Query


@dataclass(frozen=True, slots=True)
class Planned:
    """What will be asked where; nothing has been sent yet."""

    plan: Plan


@dataclass(frozen=True, slots=True)
class Arrived:
    """One source is done, well or badly."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Revised:
    """The answer by what has arrived so far, and the sources still to come. Its numbers will not change."""

    answer: Answer
    awaited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The final answer."""

    answer: Answer


Event = Planned | Arrived | Revised | Answered

BETWEEN_REVISIONS = 0.1  # seconds: faster than this nobody reads


class Draft:
    """What of an answer has been shown before it is complete."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.seen: Mapping[tuple[str, str], int] = {}
        self._clock = clock
        self._last = -BETWEEN_REVISIONS

    def is_due(self, outcome: Outcome) -> bool:
        """Whether an outcome makes the answer so far worth showing anew."""
        return bool(outcome.hits) and self._clock() - self._last >= BETWEEN_REVISIONS

    def shown(self, answer: Answer) -> None:
        """It has been shown: its numbers stand from now on."""
        self._last = self._clock()
        self.seen = numbers_seen(answer, self.seen)


class Engine:
    """All sources behind one question. Build it with :func:`orchestrator.main.build_engine`; close it when done."""

    def __init__(
        self,
        settings: Settings,
        profiles: Sequence[SourceProfile],
        sources: Mapping[str, Source],
        lexicon: Lexicon,
        ranking: RankingConfig,
        *,
        ledger: Ledger = ALONE,
    ) -> None:
        self._settings = settings
        self._profiles = tuple(profiles)
        self._sources = sources
        self._lexicon = lexicon
        self._ranking = ranking
        self._directories = DirectoryCache(sources, settings.directory.ttl)
        self._ledger = ledger
        self._care = Care(
            PageCache(settings.cache.results, ledger=ledger), settings.search.ahead, settings.search.hedge
        )
        self._named: tuple[int, Directory | None] = (0, None)

    @property
    def profiles(self) -> tuple[SourceProfile, ...]:
        """Every configured source, connected or not."""
        return self._profiles

    async def search(self, ask: Ask) -> Answer:
        """The final answer. Raises :class:`BadAsk` and :class:`NoSources`; a failing source is part of the answer."""
        async with aclosing(self.stream(ask, revisions=False)) as events:
            async for event in events:
                if isinstance(event, Answered):
                    return event.answer
        raise AssertionError("a stream ends with its answer")

    async def stream(self, ask: Ask, *, revisions: bool = True) -> AsyncGenerator[Event, None]:
        """The plan, each source's outcome as it arrives, the answer. Leaving early cancels what is still running.

        With ``revisions`` also the answer so far, as soon as it has something to show and whenever it has grown.
        """
        await self._warm(ask.text)
        await asyncio.gather(*(source.connector.prepare() for source in self._sources.values()))
        started = asyncio.get_running_loop().time()
        deadline = Deadline.of(ask.budget, self._settings.search.reserve, self._settings.search.minimum)
        plan = await self._plan(ask)
        yield Planned(plan)
        self._directories.refresh(step.source for step in plan.steps)  # names for the answer, if they are there by then
        outcomes: list[Outcome] = []
        draft = Draft(asyncio.get_running_loop().time)
        asking = Asking(ask.principal.id, self._care, self._settings.search.enough, ask.lane)
        async with aclosing(fan_out(plan, self._sources, deadline, asking)) as arriving:
            async for outcome in arriving:
                outcomes.append(outcome)
                yield Arrived(outcome)
                if revisions and len(outcomes) < len(plan.steps) and draft.is_due(outcome):
                    arrived, awaited = plan.parted(each.source for each in outcomes)
                    answer = self._answer(ask, arrived, outcomes, draft.seen)
                    draft.shown(answer)
                    yield Revised(replace(answer, took=asyncio.get_running_loop().time() - started), awaited)
        answer = self._answer(ask, plan, outcomes, draft.seen)
        yield Answered(replace(answer, took=asyncio.get_running_loop().time() - started))

    async def understand(self, ask: Ask) -> Query:
        """The question taken apart; asks no source."""
        await self._warm(ask.text)
        return self._understand(ask)

    async def explain(self, ask: Ask) -> Plan:
        """What would be sent where, with names as far as they are known already; asks no source."""
        await self._warm(ask.text)
        query = self._checked(ask, self._understand(ask))
        return self._plan_for(ask, query)

    async def health(self) -> Mapping[str, Health]:
        """Probe every connected source at once."""
        names = list(self._sources)
        return dict(zip(names, await asyncio.gather(*map(self._probe, names)), strict=True))

    async def standing(self) -> Mapping[str, str]:
        """What every connected source still allows us, and whether it is being left alone, in words."""
        return {name: await source.standing() for name, source in self._sources.items()}

    async def aclose(self) -> None:
        """Close every source; safe to call twice."""
        await self._directories.aclose()
        await asyncio.gather(*(source.connector.aclose() for source in self._sources.values()))
        await self._ledger.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    # ---- steps

    async def _warm(self, text: str) -> None:
        """Korean morphology takes seconds to load, once; that is not the sources' time."""
        if HANGUL.search(text):
            await asyncio.to_thread(warm)

    def _understand(self, ask: Ask) -> Query:
        text = ask.text[: self._settings.search.max_text]
        query = understand(text, ask.now, self._people(), lexicon=self._lexicon)
        return replace(query, limit=ask.limit)

    def _checked(self, ask: Ask, query: Query) -> Query:
        if not ask.text.strip():
            raise BadAsk(
                "the question is empty; ask something, for example: what did we decide about the API migration?"
            )
        named = {name for profile in self._profiles for name in profile.names}
        unknown = [name for name in (*ask.sources, *query.sources) if name not in named]
        if unknown:
            known = ", ".join(profile.name for profile in self._profiles) or "none"
            raise BadAsk(f"no source is called {unknown[0]!r}; configured are: {known}")
        if not self._profiles:
            raise NoSources("no source is configured; try `fedsearch demo`, or set FEDSEARCH_SOURCES__SLACK__TOKEN")
        return query

    async def _plan(self, ask: Ask) -> Plan:
        query = self._checked(ask, self._understand(ask))
        if _names_somebody(query):
            await self._directories.load(self._sources, self._settings.directory.patience)
            query = self._understand(ask)
        plan = self._plan_for(ask, query)
        if not plan.steps:
            reasons = "; ".join(f"{each.title}: {each.reason}" for each in plan.skipped)
            raise NoSources(f"no source could be asked. {reasons}")
        return plan

    def _plan_for(self, ask: Ask, query: Query) -> Plan:
        search = self._settings.search
        known = self._directories.known
        profiles = [replace(each, directory=known.get(each.name, each.directory)) for each in self._profiles]
        return make_plan(
            query, profiles, ask.sources, PlanLimits(search.hits_per_source, search.max_variants, ask.budget)
        )

    def _answer(self, ask: Ask, plan: Plan, outcomes: list[Outcome], seen: Mapping[tuple[str, str], int]) -> Answer:
        known = self._directories.known
        named = (with_names(outcome, known.get(outcome.source)) for outcome in outcomes)
        ordered = tuple(sorted(named, key=lambda outcome: outcome.source))
        ranking = rank(ordered, RankContext(plan.query, ask.now, plan, self._ranking))
        return compose(ranking, ordered, plan, ask.now, seen)

    def _people(self) -> Directory | None:
        """Everybody and every channel that the sources have named so far; built anew only when they name more."""
        if self._directories.version != self._named[0]:
            self._named = (self._directories.version, _merge(self._directories.known.values()))
        return self._named[1]

    async def _probe(self, name: str) -> Health:
        source = self._sources[name]
        try:
            async with asyncio.timeout(self._settings.search.budget):
                call = Call(timeout=self._settings.search.budget, turn=source.gate.enter)
                return await source.connector.probe(call)
        except TimeoutError:
            return Health(ok=False, detail=f"no answer within {self._settings.search.budget:g} s")
        except SourceError as failure:
            return Health(ok=False, detail=failure.message)


def _names_somebody(query: Query) -> bool:
    """Whether a filter names a person or a place whose native id would help."""
    values = (leaf.value for leaf in leaves(query.where) if isinstance(leaf, Compare))
    return any(isinstance(value, Container) or (isinstance(value, Person) and not value.me) for value in values)


def _merge(directories: Iterable[SourceDirectory]) -> Directory:
    """One directory of all sources: who has the same address is the same person, however each source spells the name."""
    people: dict[str, DirectoryPerson] = {}
    channels: dict[str, None] = {}
    for directory in directories:
        for person in directory.people:
            key = (person.email or person.name).casefold()
            known = people.get(key, DirectoryPerson(person.name, email=person.email))
            spellings = dict.fromkeys((*known.spellings, person.name))
            people[key] = replace(known, spellings=tuple(spellings))
        channels |= dict.fromkeys(container.name for container in directory.containers)
    return Directory(people=tuple(people.values()), channels=tuple(channels))
