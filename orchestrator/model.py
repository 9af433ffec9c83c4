"""Nouns only: what passes between understanding, planning, gathering, ranking and answering."""

from __future__ import annotations

from dataclasses import field, replace
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from translators.query import EVERYTHING, IdKind
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from translators.query import Category, Clause, Identifier, Implied, Query
    from translators.translator import Loss, NativeQuery, Translation


@record
class Principal:
    """Who asks. Caches, digests and audit are keyed by ``id`` (law 7). ``groups``: as the identity provider says.

    >>> somebody = Principal("minji@acme.example", "김민지", groups=("finance",))
    >>> somebody.id, Principal().id
    ('minji@acme.example', 'local')
    """

    id: str = "local"
    name: str = ""
    email: str = ""
    groups: tuple[str, ...] = ()


class Lane(IntEnum):
    """Who goes first where a source's rate does not serve everybody at once."""

    INTERACTIVE = 0
    BOT = 1
    DIGEST = 2


@record
class DialogueTurn:
    """A question that another may go on from: as it was taken, whole. "" is one that is not known any more.

    ``led``: digests of the results that its answer began with; ``left_out``: of those that somebody did not mean before;
    ``fresh``: the words that it had added to one before it.
    """

    text: str
    led: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    fresh: tuple[str, ...] = ()


@record
class FollowUp:
    """What was done to a question that goes on from another. ``said``: as it was typed; ``carried``: what of the other was put in.

    ``fresh``: the words that it adds; what answers it holds one of them. ``left_out``: digests of results that were not meant.
    ``lost``: the other is not known any more.
    """

    said: str
    carried: str = ""
    fresh: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    lost: bool = False


@record
class Ask:
    """One question and its circumstances. ``now`` is aware, in the asker's zone: the only clock below the surface.

    ``sources`` restricts the search to these instances (empty: all). ``budget``: seconds for everything. ``lane``:
    who goes first where sources are short of turns. ``trace``: the caller's ``traceparent``, if it has one. ``wide``:
    whether broader questions are asked as well, however much the strict one has found. ``follow``: how ``text`` was made of
    what somebody said and the question before it. ``conversation``: what the asker was given with the answer before, to go on from. ``language``: the asker's
    own, for a question that is in none (PAY-142, okta rollout).

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> now = datetime(2026, 11, 20, 9, tzinfo=ZoneInfo("Asia/Seoul"))
    >>> ask = Ask("who owns the Okta rollout?", now, Principal("minji@acme.example"), limit=3)
    >>> ask.budget, ask.limit
    (3.0, 3)
    """

    text: str
    now: datetime
    principal: Principal = field(default_factory=Principal)
    sources: tuple[str, ...] = ()
    limit: int = 10
    budget: float = 3.0
    lane: Lane = Lane.INTERACTIVE
    trace: str = ""
    wide: bool = False
    follow: FollowUp | None = None
    conversation: str = ""
    language: str = ""


class Status(StrEnum):
    """How asking one source ended.

    >>> str(Status.TIMED_OUT), Status.EMPTY in ANSWERED, Status.TIMED_OUT in ANSWERED
    ('timed out', True, False)
    """

    OK = "ok"
    PARTIAL = "partial"
    EMPTY = "empty"
    TIMED_OUT = "timed out"
    THROTTLED = "throttled"
    DENIED = "denied"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_CONNECTED = "not connected"


ANSWERED = frozenset({Status.OK, Status.PARTIAL, Status.EMPTY})


@record
class Problem:
    """What went wrong, for people; ``code`` is stable, ``retry_after`` in seconds. Never holds a secret."""

    code: str
    message: str
    retry_after: float | None = None


# ---- plan


AS_ASKED = Said("as asked")
WITHOUT = Said("without {dropped}")


def rung_label(dropped: tuple[str, ...]) -> Said:
    """What a rung gave up; ``dropped`` is in the asker's words."""
    return WITHOUT.filled(dropped=", ".join(dropped)) if dropped else AS_ASKED


@record
class Rung:
    """One step of the broadening ladder: what is sent to a source at once, and what it gave up to be broader.

    Several translations are variants of one meaning (a source without OR is asked once for each).
    ``dropped`` is empty on the first rung. ``height``: how many steps of the whole ladder lie below it. ``meaning``: what of
    all that comes back is what it asks for, each word under any of its names.
    """

    translations: tuple[Translation, ...]
    dropped: tuple[str, ...] = ()
    height: int = 0
    meaning: Clause = EVERYTHING

    @property
    def label(self) -> Said:
        """The rung in a few words."""
        return rung_label(self.dropped)


# Ids that stand for one thing; an error code or the name of a file may stand in many.
ONE_THING = frozenset({IdKind.TICKET, IdKind.PULL_REQUEST, IdKind.PERMALINK, IdKind.URL})


@record
class Fetch:
    """An id of the question, and what a source is sent to have that very thing."""

    thing: Identifier
    native: NativeQuery


@record
class Step:
    """What one source will be asked. ``weight``: how much it counts here, 1 is neutral; ``signed``: as whom it is asked.

    ``limit``: hits for which further pages are read; ``page``: as many are taken where one request brings them.
    ``beside``: what the question says of where else to look alone; it is asked once, and what it has stands behind.

    ``rungs`` may be translated only when they are looked at; whoever needs the first does not count them. ``fetches``: what
    of the first rung asks for a thing by its id. ``by_word``: whether the last rung asks for one word at a time, the most
    telling first, so that what comes back whole holds all that narrower rungs could bring; ``coined``: whether that is a name written as no word is; ``ranked``: whether the last rung
    asks for any of the words at once and what holds most of them comes first; ``implied``: whether narrower steps ask for more
    than words, as prose implies it. ``meaning``: the words of the
    question under any of their names, and what was typed as a condition.
    """

    source: str
    title: str
    category: Category
    rungs: Sequence[Rung]
    weight: float = 1.0
    limit: int = 20
    page: int = 0
    signed: Literal["none", "shared", "person"] = "shared"
    fetches: tuple[Fetch, ...] = ()
    beside: Implied | None = None
    by_word: bool = False
    coined: bool = False
    ranked: bool = False
    implied: bool = False
    meaning: Clause = EVERYTHING

    @property
    def most(self) -> int:
        """Hits that are taken of one query."""
        return max(self.limit, self.page)


@record
class Skipped:
    """A configured source that will not be asked, and why."""

    source: str
    title: str
    status: Status
    reason: Said


@record
class Plan:
    """Everything that will be sent where, and what will not.

    >>> from translators.query import Category, Query
    >>> steps = Step("chat", "Slack", Category.CHAT, ()), Step("wiki", "Notion", Category.WIKI, ())
    >>> plan, others = Plan(Query("okta"), steps).parted(["wiki"])
    >>> [step.title for step in plan.steps], others
    (['Notion'], ('chat',))
    """

    query: Query
    steps: tuple[Step, ...]
    skipped: tuple[Skipped, ...] = ()
    budget: float = 3.0

    def parted(self, sources: Iterable[str]) -> tuple[Plan, tuple[str, ...]]:
        """The part of the plan that concerns ``sources``, and the names of the others that it would ask."""
        wanted = frozenset(sources)
        others = tuple(step.source for step in self.steps if step.source not in wanted)
        return replace(self, steps=tuple(step for step in self.steps if step.source in wanted)), others


# ---- gather


@record
class HitList:
    """What one native query returned, in the source's order.

    ``rung`` counts from 0, the question as asked; ``dropped`` is what the rung gave up, in the asker's words.
    ``more``: the source may hold further hits that were not read.
    """

    translation: Translation
    hits: tuple[Hit, ...]
    rung: int = 0
    dropped: tuple[str, ...] = ()
    total: int | None = None
    more: bool = False

    @property
    def label(self) -> Said:
        """The rung in a few words."""
        return rung_label(self.dropped)


@record
class Outcome:
    """How one source did: always a value, whatever happened (law 3).

    ``took`` in seconds; ``age``: of the oldest part of it that was remembered rather than asked for, in seconds; ``spared``: whether
    it was asked less thoroughly than it would have been, as turns were short; ``waited``: seconds that it waited for one at most.
    ``stood_in``: whether what was found there before, or is kept of it elsewhere, stands in for what it was not asked.

    >>> from translators.query import Category
    >>> problem = Problem("unavailable", "Slack answered HTTP 503.", retry_after=30.0)
    >>> late = Outcome("chat", "Slack", Category.CHAT, Status.FAILED, problem=problem)
    >>> late.hits, late.problem.message
    ((), 'Slack answered HTTP 503.')
    """

    source: str
    title: str
    category: Category
    status: Status
    lists: tuple[HitList, ...] = ()
    took: float = 0.0
    requests: int = 0
    sent: tuple[NativeQuery, ...] = ()
    losses: tuple[Loss, ...] = ()
    notes: tuple[Said, ...] = ()
    problem: Problem | None = None
    age: float | None = None
    spared: bool = False
    waited: float = 0.0
    stood_in: bool = False

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Every distinct hit, strictest list first."""
        return tuple({hit.id: hit for hit_list in reversed(self.lists) for hit in reversed(hit_list.hits)}.values())[
            ::-1
        ]

    @property
    def broadened(self) -> str | None:
        """The broadest rung that found something, if it was not the first."""
        found = [hit_list for hit_list in self.lists if hit_list.hits]
        return found[-1].label if found and found[-1].rung else None


# ---- rank


NO_FACTORS: Mapping[str, float] = MappingProxyType({})
# The factors: how well its own words match; the same with what stands around it and its meaning.
KEYWORDS, MATCH = "keywords", "match"
AROUND = "around"  # the factor: 0 where nothing else that was said then and there was found, towards 1 the more was
MEANING = "meaning"  # the factor of a hit in the other language: 0 as far as anything, 1 as near as any
FRESHNESS, AUTHORITY, COMPLETENESS = "freshness", "authority", "completeness"  # the factors beside the match
NAMED = "named"  # the factor: 1 where the result is what the question names
ASKED = "asked"  # the factor: 1 inside what was asked, 0 outside, between where nobody can tell
LEARNED = (
    "learned"  # the factor: what the learnt order makes of a result, 0 for the least of the pool to 1 for the most
)
RERANKED = "reranked"  # the factor: the reranker's relevance, 0 to 1
OWN = "own"  # the factor: what the index that was asked alone makes of a result, 0 to 1
SCORE_DIGITS = 12  # scores that differ by less differ by rounding


@record
class Evidence:
    """One place where a result was found: which source's list, at which rank, on which rung."""

    source: str
    rank: int
    rung: int = 0
    score: float | None = None


@record
class Result:
    """A ranked hit. ``score`` is comparable within one answer; ``factors`` (0 to 1) and ``why`` explain it.

    ``also`` are other hits of the same thing; ``related`` names results (source, id) that are about the same matter in
    other words. ``unverified`` names conditions nobody could check. ``unmet`` are conditions of prose that it breaks,
    ``untold`` those of which it does not tell: they order and exclude nothing. ``number`` is what citations call it, the same in
    every revision of an answer. ``features``: what the learnt order has weighed of it, each as far as it counts.

    >>> from connectors.contract import Hit
    >>> from translators.query import Kind
    >>> found = Result(Hit("wiki", "p1", Kind.PAGE, "Okta rollout"), (Evidence("wiki", rank=1),))
    >>> better = found.scored(0.8, "matches Okta, rollout")
    >>> better.hit.title, better.score, better.why
    ('Okta rollout', 0.8, ('matches Okta, rollout',))
    """

    hit: Hit
    evidence: tuple[Evidence, ...]
    score: float = 0.0
    factors: Mapping[str, float] = field(default_factory=lambda: NO_FACTORS)
    why: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    also: tuple[Hit, ...] = ()
    number: int = 0
    related: tuple[tuple[str, str], ...] = ()
    unmet: tuple[Implied, ...] = ()
    untold: tuple[Implied, ...] = ()
    features: Mapping[str, float] = field(default_factory=lambda: NO_FACTORS, repr=False)

    def scored(self, score: float, *why: str) -> Result:
        """The same result with another score and further reasons."""
        return replace(self, score=score, why=self.why + why)

    @property
    def inside(self) -> bool:
        """Whether it may be inside what was asked."""
        return self.factors.get(ASKED, 1.0) > 0.0

    @property
    def tier(self) -> float:
        """What has a lower one stands before it, however they score: what is named first of all, then by what was asked; 0 mostly."""
        return 1.0 - self.factors.get(ASKED, 1.0) - 10.0 * self.factors.get(NAMED, 0.0)


@record
class Dropped:
    """A hit that was returned but does not satisfy the question, and the condition it fails."""

    hit: Hit
    reason: str


@record
class Absent:
    """An id of the question that none of ``sources`` (titles) has, though each has things by such ids."""

    thing: str
    sources: tuple[str, ...]


@record
class Ranking:
    """Results in order, what was left out on the way, and what the question names and is nowhere."""

    results: Sequence[Result] = ()
    dropped: tuple[Dropped, ...] = ()
    absent: tuple[Absent, ...] = ()


# ---- answer


@record
class Citation:
    """``[number]`` in the summary: the result it points at and the words quoted from it.

    >>> from connectors.contract import Hit
    >>> from translators.query import Kind
    >>> page = Result(Hit("wiki", "p1", Kind.PAGE, url="https://wiki.example/p1"), (), number=2)
    >>> cited = Citation(2, page, "Okta goes live on 3 November.")
    >>> f"[{cited.number}] {cited.quote} {cited.result.hit.url}"
    '[2] Okta goes live on 3 November. https://wiki.example/p1'
    """

    number: int
    result: Result
    quote: str = ""


class Part(StrEnum):
    """What a statement does: it introduces, says something about the matter, or says something about the search."""

    LEAD = "lead"
    CLAIM = "claim"
    REMARK = "remark"


@record
class Statement:
    """One line of the summary. A claim ends with the ``numbers`` it cites, other parts cite nothing.

    >>> said = Statement("Okta goes live on 3 November. [2]", Part.CLAIM, (2,))
    >>> said.part is Part.CLAIM, said.numbers
    (True, (2,))
    """

    text: str
    part: Part
    numbers: tuple[int, ...] = ()


class Confidence(StrEnum):
    """How far the summary can be trusted to answer the question.

    >>> [str(each) for each in Confidence]
    ['high', 'medium', 'low', 'none']
    """

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


@record
class Reading:
    """What one option of a clarification stands for: in a few words, and how many of the results found mean it.

    ``context``: the project or place that most of these belong to.
    """

    label: str
    count: int
    context: str = ""


@record
class Clarification:
    """One focused question with real options, each a complete question to ask instead; ``readings`` in their order."""

    question: str
    options: tuple[str, ...]
    readings: tuple[Reading, ...] = ()


@record
class Answer:
    """The whole answer: what was found, what it says, and the receipt of what was and was not asked.

    ``statements`` are the lines of ``summary``. ``worded_by``: the model that worded the claims, "" where they quote.
    ``notes``: what ranking had to do without, in the asker's language. ``follow``: what of the question before it was put in.

    >>> from translators.query import Query
    >>> answer = Answer(Plan(Query("okta"), ()), (), ())
    >>> answer.query.text, str(answer.confidence), answer.results
    ('okta', 'none', ())
    """

    plan: Plan
    results: tuple[Result, ...]
    outcomes: tuple[Outcome, ...]
    dropped: tuple[Dropped, ...] = ()
    summary: str = ""
    citations: tuple[Citation, ...] = ()
    confidence: Confidence = Confidence.NONE
    conflicts: tuple[str, ...] = ()
    clarification: Clarification | None = None
    suggestions: tuple[str, ...] = ()
    took: float = 0.0
    statements: tuple[Statement, ...] = ()
    worded_by: str = ""
    notes: tuple[str, ...] = ()
    follow: FollowUp | None = None

    @property
    def query(self) -> Query:
        """The question as it was understood."""
        return self.plan.query

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Configured sources that were not asked, and why."""
        return self.plan.skipped


class BadAsk(ValueError):
    """The question itself cannot be asked (empty, or nothing but filters of no meaning); the message says what to do.

    >>> import asyncio, datetime, fedsearch
    >>> async def asked(text: str) -> None:
    ...     async with fedsearch.open_engine(environment={}) as engine:
    ...         await engine.search(Ask(text, datetime.datetime.now(datetime.UTC)))
    >>> asyncio.run(asked(""))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    orchestrator.model.BadAsk: the question is empty; ask something, for example: ...
    """


class NothingAsked(BadAsk):
    """Nothing in the question says what to look for; the message says what to name."""


class TooCostly(BadAsk):
    """The question, or what was found for it, took more processor time than one may; the message says what to do."""


class NotReady(BadAsk):
    """What reads questions is just being started again; the message says to ask once more."""


class NoSources(RuntimeError):
    """No source could be asked at all; the message says how to connect one.

    >>> import asyncio, datetime, fedsearch
    >>> async def asked(text: str) -> None:
    ...     async with fedsearch.open_engine({"index": {"ask": False}}, environment={}) as engine:
    ...         await engine.search(Ask(text, datetime.datetime.now(datetime.UTC)))
    >>> asyncio.run(asked("okta"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    orchestrator.model.NoSources: no source is configured; `fedsearch init` sets one up, ...
    """
