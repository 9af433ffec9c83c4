"""The one facade that every surface calls: ask, stream, understand, explain, probe."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing, asynccontextmanager
from copy import copy
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Self, TypeAlias, TypeVar

from orchestrator.again import Again
from orchestrator.alias_learning import AliasLearning
from orchestrator.aliases import also_called, taught
from orchestrator.best_hits import Conversations, Texts, TextsBeside
from orchestrator.dialogue import unwanted, weighed
from orchestrator.events import AnswerDraft, Answered, Arrived, Event, GatheringDone, Planned, Revised
from orchestrator.gather import (
    ALONE,
    Asking,
    Care,
    Deadline,
    PageCache,
    RecentHits,
    Reserve,
    fan_out,
    with_stand_ins,
)
from orchestrator.model import Answer, Ask, BadAsk, NoSources, NotReady, Outcome, Plan, Principal, TooCostly
from orchestrator.names import Names
from orchestrator.open_question import OpenQuestion
from orchestrator.plan import OutsidePolicy, PlanLimits, Vocabulary, make_plan, may_ask_outside
from orchestrator.process import ALWAYS, Need, keep_what_is_there
from orchestrator.reaching import AskerReach, Reaching, probe
from orchestrator.rewording import Rewording
from orchestrator.signals import Signals
from orchestrator.sound_questions import check_question, waits_for_names
from orchestrator.spans import UNTRACED, Span, Tracer
from orchestrator.thinking import (
    Here,
    NobodyRead,
    StartsAgain,
    answered,
    candidates,
    followed,
    mind_of,
    prepare_ranking,
    understood,
)
from translators.match import HANGUL
from translators.said import UNSAID, Said, joined, said_in

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence

    from connectors.contract import Health
    from connectors.models.writing import Writer
    from orchestrator.aliases import AliasRepository
    from orchestrator.gather import Ledger, People, Source
    from orchestrator.gather.source import Capacity
    from orchestrator.model import DialogueTurn, Result
    from orchestrator.plan import Concept, SourceProfile
    from orchestrator.rank import RankingConfig
    from orchestrator.settings import Settings
    from orchestrator.signals import Heard
    from orchestrator.thinking import GatheredHits, Thinking
    from orchestrator.understand import Lexicon
    from translators.query import Query


T = TypeVar("T")
# Makes profiles and sources, given the store that processes share and the sources there are by now.
SourceMaking: TypeAlias = (
    "Callable[[Ledger, Mapping[str, Source]], tuple[Sequence[SourceProfile], Mapping[str, Source]]]"
)

ANYBODY = Principal()
NOBODY_ASKED = Said("no source could be asked. {reasons}")
TOO_LONG = Said("this question takes too long to read; shorten it")
TOO_MUCH = Said("what was found takes too long to read; ask fewer sources, or for a narrower time")
STARTING_AGAIN = Said("what reads questions is just being started again; ask once more in a few seconds")
OF_SOURCE = Said("{title}: {said}")
GATHERING = 10.0  # seconds at most that gathering waits for the names of people and places


class Engine:
    """All sources behind one question. Build it with :func:`orchestrator.assembly.searching.build_engine`; close it when done.

    ``search`` asks the sources; ``explain`` says what they would be sent, and ``understand`` what was read, without asking anybody:

    >>> import asyncio
    >>> from datetime import UTC, datetime
    >>> from fedsearch import open_engine
    >>> async def explained(text: str) -> list[str]:
    ...     settings = {"sources": {"wiki": {"kind": "notion", "token": "ntn_example"}}}
    ...     async with open_engine(settings, environment={}) as engine:
    ...         plan = await engine.explain(Ask(text, datetime(2026, 11, 20, tzinfo=UTC)))
    ...     return [each.native.text for step in plan.steps for each in step.rungs[0].translations]
    >>> asyncio.run(explained("okta rollout -draft"))
    ['okta rollout', '옥타 롤아웃']
    """

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
        people: People | None = None,
        tracer: Tracer = UNTRACED,
        absent: Callable[[str], str] = lambda _: "",
        thinking: Thinking | None = None,
        thesaurus: Mapping[str, Concept] | None = None,
        aliases: AliasRepository | None = None,
        korean: Need = ALWAYS,
    ) -> None:
        self._settings = settings
        self._korean = korean
        self._tracer = tracer
        self._absent = absent
        self._signals = signals or Signals()
        self._thinking = thinking or Here(mind_of(lexicon, settings.ranking.profile, ranking))
        self._outside = _outside(settings, lexicon)
        self._reaching = Reaching(profiles, sources, settings.directory.ttl, people)
        self._ledger = ledger
        self._care = _care(settings, ledger)
        self._rewording = Rewording(writer, settings.wording.timeout)
        self._answering = settings.search.reserve + self._signals.reserve + self._rewording.reserve
        self._reserve = Reserve(self._answering)
        self._names = Names()
        self._thesaurus = thesaurus or {}
        self._learning = AliasLearning(aliases, self._thinking, _public(profiles)) if aliases else None

    @property
    def profiles(self) -> tuple[SourceProfile, ...]:
        """Every configured source, connected or not, that has anything to ask for."""
        return self._reaching.profiles

    async def exchange(self, made: SourceMaking, absent: Callable[[str], str]) -> None:
        """Ask other sources from now on. Questions under way go on with those that they began with; what ``made`` keeps of them keeps its
        connections, its rates and what is known of how it does.
        """
        profiles, sources = made(self._ledger, self._reaching.sources)
        await self._reaching.exchange(profiles, sources)
        self._absent, self._care = absent, _care(self._settings, self._ledger)
        if self._learning is not None:
            self._learning = replace(self._learning, public=_public(profiles))

    @asynccontextmanager
    async def trying(self, made: SourceMaking) -> AsyncIterator[Engine]:
        """The same over these sources alone, for as long as the context lasts. Nothing is learnt of them, and nothing remembered."""
        reaching = Reaching(*made(self._ledger, {}), self._settings.directory.ttl)
        other, care = copy(self), _care(self._settings, ALONE)
        other._reaching, other._care, other._learning = reaching, care, None  # noqa: SLF001 — it is one of us
        try:
            yield other
        finally:
            await reaching.aclose()

    async def search(self, ask: Ask) -> Answer:
        """The final answer. Raises :class:`BadAsk` and :class:`NoSources`; a failing source is part of the answer."""
        async with aclosing(self.stream(ask, revisions=False)) as events:
            async for event in events:
                if isinstance(event, Answered):
                    return event.answer
        raise AssertionError("a stream ends with its answer")

    async def stream(self, ask: Ask, *, revisions: bool = True) -> AsyncGenerator[Event, None]:
        """The plan, each source's outcome as it arrives, all of them once nothing more is asked, the answer. Leaving early cancels what is still running.

        With ``revisions`` also the answer so far, as soon as it has something to show and whenever it has grown.
        """
        await self._warm(ask.text)
        await self._reaching.look()
        await self._reaching.begin(self._wanted(ask), ask.budget)
        await self._signals.begin()
        started = asyncio.get_running_loop().time()
        with self._tracer.question(ask.trace, lane=ask.lane.name.lower()) as span:
            async with (
                self._reaching.of(ask.principal.id) as reach,
                aclosing(self._stream(ask, reach, started, span, revisions=revisions)) as events,
            ):
                async for event in events:
                    if isinstance(event, Answered):
                        span.note(type=str(event.answer.query.type), results=len(event.answer.results))
                    yield event

    async def _stream(
        self, ask: Ask, reach: AskerReach, started: float, span: Span, *, revisions: bool
    ) -> AsyncGenerator[Event, None]:
        deadline = Deadline(started + ask.budget - self._reserve.of(ask.budget), self._settings.search.minimum)
        plan = await self._plan(ask, reach)
        yield Planned(plan)
        reach.refresh(step.source for step in plan.steps)  # names for the answer, if they are there by then
        outcomes: list[Outcome] = []
        draft = AnswerDraft(asyncio.get_running_loop().time)
        enough = sys.maxsize if ask.wide else self._settings.search.enough
        asking = Asking(ask.principal, self._care, enough, ask.lane, span)
        asked = OpenQuestion(ask, reach)
        texts = Texts(partial(self._best, asked, plan))
        async with (
            aclosing(TextsBeside(texts, outcomes, reach.sources, deadline, asking)) as beside,
            aclosing(fan_out(plan, reach.sources, deadline, replace(asking, heads=True))) as arriving,
        ):
            async for found in arriving:
                outcome = _meant(ask, found)
                outcomes.append(outcome)
                self._signals.arrived(plan.query, outcome)
                yield Arrived(outcome)
                if len(outcomes) < len(plan.steps):  # of the last, whoever ranks it reads it
                    self._thinking.ahead(prepare_ranking, asked.gathered(plan, (outcome,)), about=asked.memo)
                    if self._learning is not None:
                        self._learning.ahead(outcome, asked.telling)
                if revisions and len(outcomes) < len(plan.steps) and draft.is_due(outcome):
                    arrived, awaited = plan.parted(each.source for each in outcomes)
                    heard = self._signals.so_far(plan.query, outcomes)
                    answer = await self._answer(asked, arrived, outcomes, draft.seen, heard)
                    draft.shown(answer)
                    yield Revised(replace(answer, took=asyncio.get_running_loop().time() - started), awaited)
            outcomes = await beside.outcomes()
        if deadline.left > deadline.minimum:  # else what is left is for the answer
            outcomes = await texts.read(outcomes, reach.sources, deadline, asking)
            plan, outcomes = await self._further(asked, plan, outcomes, deadline, asking)
        until, gathered = started + ask.budget, asyncio.get_running_loop().time()
        ordered = reach.with_names(_meant(ask, each) for each in with_stand_ins(outcomes))
        yield GatheringDone(plan, ordered)
        heard = await self._hear(asked, plan, ordered, until - self._rewording.reserve)
        answer = await self._rewording.of(await self._answer(asked, plan, ordered, draft.seen, heard), until)
        now = asyncio.get_running_loop().time()
        self._reserve.add(now - min(gathered, deadline.at))
        yield Answered(replace(answer, took=now - started))

    async def _further(
        self, asked: OpenQuestion, plan: Plan, outcomes: list[Outcome], deadline: Deadline, asking: Asking
    ) -> tuple[Plan, list[Outcome]]:
        """Plan and outcomes with what another round brings: other spellings, names that were learnt, conversations of the best results."""
        ask, reach = asked.ask, asked.reach
        again = Again(self._names.of(reach), self._thinking, partial(self._plan_for, ask, reach=reach), reach.profiles)
        names = await self._taught(asked, plan, outcomes)
        plan, outcomes = await again.asked(plan, outcomes, reach.sources, deadline, asking, names=names)
        conversations = Conversations(self._settings.search.conversations, partial(self._best, asked, plan))
        return plan, await conversations.read(plan, outcomes, reach.sources, deadline, asking)

    async def gather(self, ask: Ask, query: Query, most: int) -> tuple[Plan, tuple[Outcome, ...]]:
        """All that sources have for a question taken apart already: as asked and no broader, ``most`` of each, unranked.

        For whoever must miss nothing, as a digest; a list says whether there is ``more``. Raises as :meth:`search` does.
        """
        await self._reaching.begin(self._wanted(ask), ask.budget)
        started = asyncio.get_running_loop().time()
        deadline = Deadline(started + ask.budget, self._settings.search.minimum)
        async with self._reaching.of(ask.principal.id) as reach:
            await reach.load(min(ask.budget / 10, GATHERING))
            plan = self._plan_for(ask, self._checked(ask, query, reach), reach)
            steps = tuple(replace(step, rungs=step.rungs[:1], limit=most) for step in plan.steps)
            plan = replace(plan, steps=steps)
            asking = Asking(ask.principal, self._care, most, ask.lane)
            async with aclosing(fan_out(plan, reach.sources, deadline, asking)) as arriving:
                return plan, reach.with_names([outcome async for outcome in arriving])

    async def answer(self, ask: Ask, plan: Plan, outcomes: Sequence[Outcome]) -> Answer:
        """The answer by what is at hand already, such as the part that everybody in a channel may see; asks no source.

        Names come from ``ask.principal``'s sources, the question from ``plan``.
        """
        started = asyncio.get_running_loop().time()
        until = started + self._answering
        async with self._reaching.of(ask.principal.id) as reach:
            asked = OpenQuestion(ask, reach)
            ordered = reach.with_names(outcomes)
        heard = await self._hear(asked, plan, ordered, until - self._rewording.reserve)
        answer = await self._rewording.of(await self._answer(asked, plan, ordered, {}, heard), until)
        return replace(answer, took=max((each.took for each in ordered), default=0.0))

    async def in_context(self, ask: Ask, turn: DialogueTurn | None) -> Ask:
        """The question as it is meant after ``turn``, the one before it: with its pronouns, gaps and corrections made whole.

        Without a turn, or where it says by itself what it is about, it stays as it is. Asks no source.
        """
        if turn is None or not ask.text.strip():
            return ask
        await self._warm(ask.text + turn.text)
        text = ask.text[: self._settings.search.max_text]
        async with self._reaching.of(ask.principal.id) as reach:
            names = self._names.of(reach)
            try:
                meant = await self._thinking.run(followed, text, turn, ask.now, names, about=names)
            except NobodyRead as failure:
                raise _refusal(failure, TOO_LONG, _language(text)) from None
        return replace(ask, text=meant[0], follow=meant[1]) if meant else ask

    async def understand(self, ask: Ask) -> Query:
        """The question taken apart; asks no source."""
        await self._warm(ask.text)
        async with self._reaching.of(ask.principal.id) as reach:
            return await self._understand(ask, reach)

    async def explain(self, ask: Ask) -> Plan:
        """What would be sent where, with names as far as they are known already; asks no source."""
        await self._warm(ask.text)
        async with self._reaching.of(ask.principal.id) as reach:
            return self._plan_for(ask, self._checked(ask, await self._understand(ask, reach), reach), reach)

    async def prepare(self) -> None:
        """Load what the first question would wait for; a server does this before it says that it is ready.

        What is loaded then is there to stay, and the collector of garbage is told so, once in a process.
        """
        await self._thinking.prepare(korean=self._korean.is_known)
        await self._reaching.prepare()
        await self._signals.prepare()
        _settle()

    async def health(self, asker: Principal = ANYBODY) -> Mapping[str, Health]:
        """Probe every source that ``asker`` can ask, at once; what they lack an account for says how to connect one."""
        async with self._reaching.of(asker.id) as reach:
            names = list(reach.sources)
            budget = self._settings.search.budget
            found = await asyncio.gather(*(probe(reach.sources[name], asker, budget) for name in names))
            return dict(zip(names, found, strict=True))

    async def standing(self, asker: Principal = ANYBODY) -> Mapping[str, Capacity]:
        """What every source that ``asker`` can ask still allows, and whether it is being left alone."""
        async with self._reaching.of(asker.id) as reach:
            return {name: await source.standing(asker.id, asker.groups) for name, source in reach.sources.items()}

    async def profiles_for(self, asker: Principal) -> tuple[SourceProfile, ...]:
        """Every configured source, with what ``asker`` still needs for it."""
        async with self._reaching.of(asker.id) as reach:
            return tuple(replace(each, missing=reach.missing.get(each.name, each.missing)) for each in reach.profiles)

    async def aclose(self) -> None:
        """Close every source; safe to call twice."""
        await self._rewording.aclose()
        await self._signals.aclose()
        await self._thinking.aclose()
        await self._reaching.aclose()
        await self._ledger.aclose()
        await self._tracer.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    # ---- steps

    async def _warm(self, text: str) -> None:
        """Korean morphology takes seconds to load, once; that is not the sources' time."""
        if HANGUL.search(text):
            self._korean.note()
            try:
                await self._thinking.prepare()
            except NobodyRead as failure:
                raise _refusal(failure, TOO_LONG, _language(text)) from None

    def _wanted(self, ask: Ask) -> frozenset[str]:
        """The sources that may be asked, as far as that is said beside the question."""
        return frozenset(
            each.name for each in self.profiles if not ask.sources or not set(ask.sources).isdisjoint(each.names)
        )

    async def _understand(self, ask: Ask, reach: AskerReach) -> Query:
        text, names = ask.text[: self._settings.search.max_text], self._names.of(reach)
        try:
            query = await self._thinking.run(understood, text, ask.now, names, ask.language, about=names)
        except NobodyRead as failure:
            raise _refusal(failure, TOO_LONG, _language(text)) from None
        if self._learning is not None:
            query = also_called(query, await self._learning.repository.of(ask.principal.id))
        return replace(weighed(query, ask.follow), limit=ask.limit)

    async def _taught(
        self, asked: OpenQuestion, plan: Plan, outcomes: Sequence[Outcome]
    ) -> tuple[tuple[str, str], ...]:
        """Names in the question and what else they are called, as what has just been found says."""
        if self._learning is None:
            return ()
        owner, sources = asked.ask.principal.id, asked.reach.sources
        return taught(plan.query, await self._learning.learn(owner, outcomes, sources, asked.telling))

    def _checked(self, ask: Ask, query: Query, reach: AskerReach) -> Query:
        check_question(ask, query, reach.profiles, self._absent)
        return query

    async def _plan(self, ask: Ask, reach: AskerReach) -> Plan:
        query = self._checked(ask, await self._understand(ask, reach), reach)
        outside = may_ask_outside(query, reach.profiles, ask.sources, self._outside)
        if outside or waits_for_names(query):
            patience = self._settings.outside.patience if outside else self._settings.directory.patience
            await reach.load(patience)
            query = await self._understand(ask, reach)
        plan = self._plan_for(ask, query, reach)
        if not plan.steps:
            reasons = joined("; ", (OF_SOURCE.filled(title=each.title, said=each.reason) for each in plan.skipped))
            raise NoSources(said_in(NOBODY_ASKED.filled(reasons=reasons), query.language))
        return plan

    def _plan_for(self, ask: Ask, query: Query, reach: AskerReach) -> Plan:
        search = self._settings.search
        known, unread, missing = reach.known, reach.unread, reach.missing
        profiles = [
            replace(
                each,
                directory=known.get(each.name, each.directory),
                unread=unread.get(each.name, UNSAID),
                missing=missing.get(each.name, each.missing),
            )
            for each in reach.profiles
        ]
        numbers = (search.hits_per_source, search.hits_at_once, search.max_variants)
        limits = PlanLimits(*numbers, ask.budget, self._thesaurus)
        return make_plan(query, profiles, ask.sources, limits, self._outside)

    async def _best(self, asked: OpenQuestion, plan: Plan, outcomes: Sequence[Outcome]) -> tuple[Result, ...]:
        """The results as far as they are ranked without anybody being heard."""
        return await self._read(candidates, asked.gathered(plan, outcomes))

    async def _hear(self, asked: OpenQuestion, plan: Plan, outcomes: tuple[Outcome, ...], until: float) -> Heard:
        async def best(heard: Heard) -> tuple[Result, ...]:
            return await self._read(candidates, asked.gathered(plan, outcomes, heard))

        return await self._signals.hear(plan.query, outcomes, best, until)

    async def _answer(
        self,
        asked: OpenQuestion,
        plan: Plan,
        outcomes: Sequence[Outcome],
        seen: Mapping[tuple[str, str], int],
        heard: Heard,
    ) -> Answer:
        found = asked.gathered(plan, outcomes, heard)
        answer = await self._read(answered, found, dict(seen))
        return replace(answer, plan=plan, outcomes=tuple(found.outcomes), follow=asked.ask.follow)

    async def _read(self, function: Callable[..., T], found: GatheredHits, *arguments: object) -> T:
        """What comes of reading the sources' texts."""
        try:
            return await self._thinking.run(function, found, *arguments, about=found.memo)
        except NobodyRead as failure:
            raise _refusal(failure, TOO_MUCH, found.plan.query.language) from None


def _care(settings: Settings, ledger: Ledger) -> Care:
    """What is remembered of what was asked, beginning with nothing."""
    pages, recent = PageCache(settings.cache.results, ledger=ledger), RecentHits(settings.cache.standing_in)
    return Care(pages, settings.search.ahead, settings.search.hedge, recent)


def _public(profiles: Sequence[SourceProfile]) -> frozenset[str]:
    """Sources of the outside."""
    return frozenset(each.name for each in profiles if each.public)


def _meant(ask: Ask, outcome: Outcome) -> Outcome:
    """Without the results that somebody has said they did not mean."""
    return unwanted(outcome, ask.follow.left_out) if ask.follow else outcome


def _outside(settings: Settings, lexicon: Lexicon) -> OutsidePolicy:
    """When the public web is asked, and what is not said there."""
    said = settings.outside
    common = lexicon.ordinary | lexicon.generic | lexicon.technical | lexicon.tools | lexicon.stop_en
    vocabulary = Vocabulary(said.words, said.hosts, said.public, common | lexicon.asking_ko | lexicon.whole)
    return OutsidePolicy(frozenset(said.types), said.cues, vocabulary)


def _language(text: str) -> str:
    """Of a question that nobody has read."""
    return "ko" if HANGUL.search(text) else "en"


def _refusal(failure: NobodyRead, too_long: Said, language: str) -> BadAsk:
    """What the asker is told where nobody has read it."""
    if isinstance(failure, StartsAgain):
        return NotReady(said_in(STARTING_AGAIN, language))
    return TooCostly(said_in(too_long, language))


_settle = cache(keep_what_is_there)
