"""The one facade that every surface calls: ask, stream, understand, explain, probe."""

from __future__ import annotations

import asyncio
import gc
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from connectors.contract import Call, Health
from connectors.errors import SourceError
from orchestrator.answer import compose, numbers_seen, prompt_for, reworded, unworded
from orchestrator.gather import ALONE, Asking, Care, Deadline, DirectoryCache, PageCache, fan_out, with_names
from orchestrator.model import Answer, Ask, BadAsk, NoSources, Outcome, Plan
from orchestrator.plan import OutsidePolicy, PlanLimits, Vocabulary, make_plan, may_ask_outside
from orchestrator.rank import PROFILES, RankContext, before_reranking, rank
from orchestrator.signals import Heard, Signals
from orchestrator.understand import Directory, DirectoryPerson, understand, warm
from translators.match import HANGUL
from translators.query import Compare, Container, Person, leaves

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence

    from connectors.contract import SourceDirectory
    from connectors.wording import Writer
    from orchestrator.gather import Ledger, Source
    from orchestrator.model import Result
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
    """All sources behind one question. Build it with :func:`orchestrator.assembly.searching.build_engine`; close it when done."""

    def __init__(
        self,
        settings: Settings,
        profiles: Sequence[SourceProfile],
        sources: Mapping[str, Source],
        lexicon: Lexicon,
        ranking: RankingConfig,
        *,
        ledger: Ledger = ALONE,
        writer: Writer | None = None,
        signals: Signals | None = None,
    ) -> None:
        self._settings = settings
        self._writer = writer
        self._signals = signals or Signals()
        self._stages = PROFILES[settings.ranking.profile]
        self._profiles = tuple(profiles)
        self._sources = sources
        self._lexicon = lexicon
        self._ranking = ranking
        self._outside = _outside(settings, lexicon)
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
        await self._signals.begin()
        started = asyncio.get_running_loop().time()
        wording = self._settings.wording.timeout if self._writer else 0.0
        reserve = self._settings.search.reserve + self._signals.reserve + wording
        deadline = Deadline.of(ask.budget, reserve, self._settings.search.minimum)
        plan = await self._plan(ask)
        yield Planned(plan)
        self._directories.refresh(step.source for step in plan.steps)  # names for the answer, if they are there by then
        outcomes: list[Outcome] = []
        draft = Draft(asyncio.get_running_loop().time)
        asking = Asking(ask.principal.id, self._care, self._settings.search.enough, ask.lane)
        async with aclosing(fan_out(plan, self._sources, deadline, asking)) as arriving:
            async for outcome in arriving:
                outcomes.append(outcome)
                self._signals.arrived(plan.query, outcome)
                yield Arrived(outcome)
                if revisions and len(outcomes) < len(plan.steps) and draft.is_due(outcome):
                    arrived, awaited = plan.parted(each.source for each in outcomes)
                    heard = self._signals.so_far(plan.query, outcomes)
                    answer = self._answer(ask, arrived, self._named_outcomes(outcomes), draft.seen, heard)
                    draft.shown(answer)
                    yield Revised(replace(answer, took=asyncio.get_running_loop().time() - started), awaited)
        until = started + ask.budget
        ordered = self._named_outcomes(outcomes)
        heard = await self._hear(ask, plan, ordered, until - wording)
        answer = await self._worded(self._answer(ask, plan, ordered, draft.seen, heard), until)
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

    async def prepare(self) -> None:
        """Load what the first question would wait for; a server does this before it says that it is ready.

        What is loaded then is there to stay, so the collector of garbage is told to leave it be, once in a process:
        looking through it all would stop every question under way for a tenth of a second, now and then.
        """
        await asyncio.to_thread(warm)
        await asyncio.gather(*(source.connector.prepare() for source in self._sources.values()))
        await self._signals.prepare()
        if not gc.get_freeze_count():
            gc.collect()
            gc.freeze()
            gc.collect()  # how soon the next is due goes by how much the last one found, which now is next to nothing

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
        if self._writer is not None:
            await self._writer.aclose()
        await self._signals.aclose()
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
        outside = may_ask_outside(query, self._profiles, ask.sources, self._outside)
        if outside or _names_somebody(query):
            patience = self._settings.outside.patience if outside else self._settings.directory.patience
            await self._directories.load(self._sources, patience)
            query = self._understand(ask)
        plan = self._plan_for(ask, query)
        if not plan.steps:
            reasons = "; ".join(f"{each.title}: {each.reason}" for each in plan.skipped)
            raise NoSources(f"no source could be asked. {reasons}")
        return plan

    def _plan_for(self, ask: Ask, query: Query) -> Plan:
        search = self._settings.search
        known, unread = self._directories.known, self._directories.unread
        profiles = [
            replace(each, directory=known.get(each.name, each.directory), unread=unread.get(each.name, ""))
            for each in self._profiles
        ]
        limits = PlanLimits(search.hits_per_source, search.max_variants, ask.budget)
        return make_plan(query, profiles, ask.sources, limits, self._outside)

    def _named_outcomes(self, outcomes: list[Outcome]) -> tuple[Outcome, ...]:
        """In a fixed order, with people's names where their source gave only ids."""
        names = self._directories.named
        named = (with_names(outcome, names.get(outcome.source)) for outcome in outcomes)
        return tuple(sorted(named, key=lambda outcome: outcome.source))

    async def _hear(self, ask: Ask, plan: Plan, outcomes: tuple[Outcome, ...], until: float) -> Heard:
        def candidates(heard: Heard) -> tuple[Result, ...]:
            return rank(outcomes, self._context(ask, plan, heard), before_reranking(self._stages)).results

        return await self._signals.hear(plan.query, outcomes, candidates, until)

    def _context(self, ask: Ask, plan: Plan, heard: Heard) -> RankContext:
        return RankContext(plan.query, ask.now, plan, self._ranking, heard.semantic, heard.reranked)

    def _answer(
        self, ask: Ask, plan: Plan, outcomes: tuple[Outcome, ...], seen: Mapping[tuple[str, str], int], heard: Heard
    ) -> Answer:
        ranking = rank(outcomes, self._context(ask, plan, heard), self._stages)
        return replace(compose(ranking, outcomes, plan, ask.now, seen), notes=heard.notes)

    async def _worded(self, answer: Answer, until: float) -> Answer:
        """The answer in the writer's words as far as its quotes support them; in its quotes where there is no writer."""
        prompt = prompt_for(answer) if self._writer else None
        if self._writer is None or prompt is None:
            return answer
        patience = min(self._settings.wording.timeout, until - asyncio.get_running_loop().time())
        if patience <= 0.0:
            return unworded(answer, reason="")
        try:
            async with asyncio.timeout(patience):
                return reworded(answer, await self._writer.write(prompt, patience), self._writer.name)
        except TimeoutError:
            return unworded(answer, reason="")
        except SourceError as failure:
            return unworded(answer, failure.message)
        except Exception as failure:  # noqa: BLE001 — a bug in a writer must not cost a person the answer
            return unworded(answer, type(failure).__name__)

    def _people(self) -> Directory | None:
        """Everybody and every channel that the sources have named so far; built anew only when they name more."""
        if self._directories.version != self._named[0]:
            self._named = (self._directories.version, _merge(self._directories.known.values()))
        return self._named[1]

    async def _probe(self, name: str) -> Health:
        source = self._sources[name]
        try:
            async with asyncio.timeout(self._settings.search.budget):
                gate = source.gate
                call = Call(timeout=self._settings.search.budget, turn=gate.enter, throttled=gate.heed)
                return await source.connector.probe(call)
        except TimeoutError:
            return Health(ok=False, detail=f"no answer within {self._settings.search.budget:g} s")
        except SourceError as failure:
            return Health(ok=False, detail=failure.message)


def _outside(settings: Settings, lexicon: Lexicon) -> OutsidePolicy:
    """When the public web is asked, and what is not said there."""
    said = settings.outside
    common = lexicon.ordinary | lexicon.generic | lexicon.technical | lexicon.tools | lexicon.stop_en
    vocabulary = Vocabulary(said.words, said.hosts, said.public, common | lexicon.inner | lexicon.whole)
    return OutsidePolicy(frozenset(said.types), said.cues, vocabulary)


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
