"""The vocabulary of the whole system: what a person asked, as a closed union of clauses and the facts read beside it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from translators.said import Said


class QueryType(StrEnum):
    """What kind of answer is wanted; it chooses sources, variants and ranking weights."""

    DECISION = "decision"
    STATUS = "status"
    DOCUMENT = "document"
    PERSON = "person"
    FACTUAL = "factual"
    TEMPORAL = "temporal"
    EXPLORATORY = "exploratory"


class Category(StrEnum):
    """What kind of place a source is; questions hint at these ("in the wiki") and ladders rank them."""

    CHAT = "chat"
    WIKI = "wiki"
    TRACKER = "tracker"
    MAIL = "mail"
    DRIVE = "drive"
    CODE = "code"
    WEB = "web"
    INDEX = "index"


class Kind(StrEnum):
    """What kind of thing a hit is; the values of the ``type:`` filter."""

    MESSAGE = "message"
    THREAD = "thread"
    PAGE = "page"
    DATABASE = "database"
    FILE = "file"
    ISSUE = "issue"
    MILESTONE = "milestone"
    PULL_REQUEST = "pull_request"
    CODE = "code"
    MAIL = "mail"
    EVENT = "event"
    WEB_PAGE = "web_page"


class State(StrEnum):
    """Where a piece of work stands, as coarsely as every tracker can say it."""

    OPEN = "open"
    DONE = "done"


class WorkFlag(StrEnum):
    """What is asked of open work beside that it is open; ``BLOCKING``: that it holds other work up."""

    BLOCKED = "blocked"
    BLOCKING = "blocking"
    OVERDUE = "overdue"
    DUE = "due"
    URGENT = "urgent"


class Sort(StrEnum):
    """The order a person wants; ``URGENT``: by priority, and of one priority what is due first before the rest."""

    RELEVANCE = "relevance"
    NEWEST = "newest"
    OLDEST = "oldest"
    URGENT = "urgent"


DATED = frozenset({Sort.NEWEST, Sort.OLDEST})
BY_DATE = DATED | {Sort.RELEVANCE}
"""The orders of a source that can put the newest or the oldest first."""


class Field(StrEnum):
    """What a :class:`Compare` looks at.

    ``DUE`` is the day by which a thing is to be done, on the calendar of whoever set it. ``TIME`` is when a thing happened, as people mean it in a search: a message or mail is created, a page or issue
    is last changed. ``CREATED`` and ``UPDATED`` are for those who name them. ``ID`` is the thing itself, by its key
    or address: no search but a fetch, where a source has it.
    """

    ID = "id"
    AUTHOR = "author"
    ASSIGNEE = "assignee"
    CONTAINER = "container"
    KIND = "kind"
    STATE = "state"
    TIME = "time"
    CREATED = "created"
    UPDATED = "updated"
    DUE = "due"


class Op(StrEnum):
    """How a :class:`Compare` compares. Windows are half-open: ``GE`` the start, ``LT`` the end."""

    EQ = "="
    GE = ">="
    LT = "<"


@record
class Person:
    """Somebody, as named in a question or by a source. ``native_id`` is the id in one source's own directory.

    ``dialects``: of a mention, those whose id that is; empty, it is one of whichever source is asked.
    """

    name: str
    native_id: str | None = None
    email: str | None = None
    me: bool = False
    dialects: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "me" if self.me else self.name or self.email or self.native_id or "?"


@record
class Container:
    """A channel, space, folder, team, project or repository; ``name`` is without ``#``; ``dialects`` as of a person."""

    name: str
    native_id: str | None = None
    dialects: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name or self.native_id or ""


class IdKind(StrEnum):
    """What a verbatim identifier points at."""

    TICKET = "ticket"
    PULL_REQUEST = "pull_request"
    PERMALINK = "permalink"
    URL = "url"
    ERROR_CODE = "error_code"
    FILE_NAME = "file_name"


@record
class Identifier:
    """Something that is looked up as it stands and never rewritten (law 6)."""

    kind: IdKind
    text: str

    def __str__(self) -> str:
        return self.text


Value = Person | Container | Kind | State | Identifier | datetime | date


@record
class Term:
    """One word (or an unbroken run such as ``ERR_CONN_4012``) that must occur, inflected as the source sees fit.

    >>> print(Term("okta"))
    okta
    """

    text: str

    def __str__(self) -> str:
        return self.text


@record
class Phrase:
    """Words that must occur together, in this order and spelling. Never rewritten (law 6).

    >>> print(Phrase("change freeze"))
    "change freeze"
    """

    text: str

    def __str__(self) -> str:
        return f'"{self.text}"'


@record
class Prefix:
    """The beginning of a word.

    >>> print(Prefix("배포"))
    배포*
    """

    text: str

    def __str__(self) -> str:
        return f"{self.text}*"


@record
class Compare:
    """A condition on a field. Instants are aware ``datetime`` in the asker's zone, what is due goes by the ``date``; every other field knows only EQ.

    >>> print(Compare(Field.AUTHOR, Op.EQ, Person("김민수")))
    author = 김민수
    """

    field: Field
    op: Op
    value: Value

    def __str__(self) -> str:
        shown = self.value.isoformat() if isinstance(self.value, datetime) else str(self.value)
        return f"{self.field} {self.op} {shown}"


@record
class AllOf:
    """Every part holds; with no parts, everything matches. :func:`all_of` puts parts together.

    >>> print(AllOf((Term("okta"), AnyOf((Term("rollout"), Term("배포"))))))
    okta AND (rollout OR 배포)
    """

    parts: tuple[Clause, ...]

    def __str__(self) -> str:
        return " AND ".join(_bracketed(part) for part in self.parts) or "everything"


@record
class AnyOf:
    """At least one part holds; with no parts, nothing matches. :func:`any_of` puts parts together.

    >>> print(AnyOf((Term("k8s"), Term("쿠버네티스"))))
    k8s OR 쿠버네티스
    """

    parts: tuple[Clause, ...]

    def __str__(self) -> str:
        return " OR ".join(_bracketed(part) for part in self.parts) or "nothing"


@record
class Not:
    """The part does not hold.

    >>> print(Not(Term("draft")))
    NOT draft
    """

    part: Clause

    def __str__(self) -> str:
        return f"NOT {_bracketed(self.part)}"


Clause = Term | Phrase | Prefix | Compare | AllOf | AnyOf | Not
Leaf = Term | Phrase | Prefix | Compare

EVERYTHING = AllOf(())
NOTHING = AnyOf(())


def _bracketed(clause: Clause) -> str:
    return f"({clause})" if isinstance(clause, AllOf | AnyOf) and clause.parts else str(clause)


def all_of(parts: Iterable[Clause]) -> Clause:
    """Join with AND: nested ANDs flattened, repeats and ``EVERYTHING`` dropped, a single part returned bare.

    >>> print(all_of([Term("okta"), all_of([Term("rollout"), Term("okta")])]))
    okta AND rollout
    """
    return _joined(parts, AllOf)


def any_of(parts: Iterable[Clause]) -> Clause:
    """Join with OR: nested ORs flattened, repeats and ``NOTHING`` dropped, a single part returned bare.

    >>> print(any_of([Term("k8s"), Term("kubernetes")]))
    k8s OR kubernetes
    """
    return _joined(parts, AnyOf)


def _joined(parts: Iterable[Clause], kind: type[AllOf | AnyOf]) -> Clause:
    flat = [each for part in parts for each in (part.parts if isinstance(part, kind) else (part,))]
    if len(flat) > 1:
        flat = list(dict.fromkeys(flat))
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def conjuncts(clause: Clause) -> tuple[Clause, ...]:
    """The parts that must all hold; a clause that is no AND is its own only part."""
    return clause.parts if isinstance(clause, AllOf) else (clause,)


def leaves(clause: Clause) -> Iterator[Leaf]:
    """Every leaf from left to right, those under a NOT included."""
    match clause:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from leaves(part)
        case Not(part):
            yield from leaves(part)
        case _:
            yield clause


def only_words(clause: Clause) -> bool:
    """Whether it asks for words, alternatives included, and for nothing else."""
    match clause:
        case Term():
            return True
        case AllOf(parts) | AnyOf(parts):
            return bool(parts) and all(map(only_words, parts))
        case _:
            return False


def map_leaves(clause: Clause, change: Callable[[Leaf], Clause]) -> Clause:
    """The same tree with each leaf replaced by ``change(leaf)``."""
    match clause:
        case AllOf(parts):
            return all_of(map_leaves(part, change) for part in parts)
        case AnyOf(parts):
            return any_of(map_leaves(part, change) for part in parts)
        case Not(part):
            return Not(map_leaves(part, change))
        case _:
            return change(clause)


class EntityKind(StrEnum):
    """What a name in a question names."""

    PERSON = "person"
    PROJECT = "project"
    TEAM = "team"
    TOOL = "tool"


@record
class Entity:
    """A name found in the question; ``score`` (0 to 1) says how sure the reading is."""

    kind: EntityKind
    name: str
    score: float = 1.0
    email: str | None = None


@record
class Window:
    """Days ``[start, end)`` in the asker's zone; ``None`` is open. ``words`` is what the question said.

    ``rough``: the days on either side that are in it since the words count roughly: a few weeks ago.
    """

    start: date | None
    end: date | None
    words: str = ""
    rough: int = 0

    @property
    def exact(self) -> Window:
        """The days that the words name when they are taken at their word."""
        by = timedelta(days=self.rough)
        return Window(self.start and self.start + by, self.end and self.end - by, self.words)

    def holds(self, day: date) -> bool:
        """Whether a day lies in it."""
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)


@record
class TypeScore:
    """How strongly the question reads as one type, and the words that say so; ``~`` and a bracket stand before what only weighs."""

    type: QueryType
    score: float
    words: tuple[str, ...] = ()

    @property
    def outright(self) -> str:
        """The first word that says so by itself; "" where none does."""
        return next((word for word in self.words if word[0] not in "~("), "")


@record
class Doubt:
    """Something in the question that could not be taken at its word; ``code`` is stable, ``message`` is for people."""

    code: str
    message: Said


@record
class Implied:
    """A condition of :attr:`Query.where` that prose implies and nobody typed: it orders what comes back and excludes nothing.

    ``strength`` says how sure the reading is, above 0 and below 1; ``words`` are those of the question that imply it.
    """

    clause: Clause
    strength: float
    words: str = ""


@record
class Only:
    """Where alone the answer is wanted, as prose has it: "Slack에서만", "only in the wiki".

    ``places`` are each all the names of one, in small letters, and its category; ``strength`` says how sure the reading is,
    above 0 and below 1, so that it orders and excludes nothing; ``words`` are those of the question.
    """

    places: tuple[tuple[tuple[str, ...], Category], ...]
    strength: float
    words: str


CERTAIN = 1.0
"""The strength of what a person typed as an operator: a filter, ``-word``, a quoted phrase."""
NEARLY_TYPED = 0.9
"""The strength from which an implied condition is asked for alone, and counts for what is enough: last week, only tickets."""
CREDIBLE = 0.6
"""The strength from which what breaks an implied condition stands behind everything that satisfies it."""


@record
class Query:
    """A question taken apart.

    ``where`` is its formal meaning and all that translators read; the other fields are the same facts as people
    say them, for planning, ranking, explaining and scoring. ``keywords`` come in order of appearance, as typed but
    without particles; ``variants`` lists for a keyword the other spellings and names it goes by. ``essential`` are
    the keywords from least to most dispensable: the broadening ladder drops from its end. ``implied`` names the
    conditions of ``where`` that were read out of prose; every other condition was typed. Words are no conditions: each
    weighs, and none excludes. ``lesser`` are content words beside the keywords, which ask or tell the kind of answer, each
    with what it weighs (above 0, below 1): none is required, all count in ranking and in what an answer covers. ``fresh``
    are the words that a follow-up adds to the question before it: what holds none of them answers that and not this.
    ``language`` is what it is answered in: that by which it is built, or, where it holds names, numbers and signs alone, of whoever asked;
    ``written`` is the one that most of its letters are in.
    ``flag``: of open work such is asked for, and nothing else is named (what's blocked, anything overdue); of work that is to be done in a time, ``due`` are its days, where they are known.
    ``called`` are the keywords by which somebody who is known, and nobody else, is called, each with whom.
    ``day`` is how the one day may be written of which it is asked who or what is planned then.
    ``as_of`` is the day of which it is asked what held then, whose end also ends the ``window``.

    >>> query = Query("okta by 김민수", where=all_of([Term("okta"), Compare(Field.AUTHOR, Op.EQ, Person("김민수"))]))
    >>> print(query.where)
    okta AND author = 김민수
    """

    text: str
    where: Clause = EVERYTHING
    type: QueryType = QueryType.EXPLORATORY
    sort: Sort = Sort.RELEVANCE
    limit: int = 20
    zone: str = "UTC"
    language: str = "en"
    written: str = ""
    scores: tuple[TypeScore, ...] = ()
    keywords: tuple[str, ...] = ()
    essential: tuple[str, ...] = ()
    variants: tuple[tuple[str, tuple[str, ...]], ...] = ()
    phrases: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    ids: tuple[Identifier, ...] = ()
    hints: tuple[Category, ...] = ()
    only: Only | None = None
    sources: tuple[str, ...] = ()
    author: Person | None = None
    container: Container | None = None
    kinds: tuple[Kind, ...] = ()
    negated: tuple[str, ...] = ()
    mine: bool = False
    window: Window | None = None
    ambiguous: bool = False
    doubts: tuple[Doubt, ...] = ()
    implied: tuple[Implied, ...] = ()
    lesser: tuple[tuple[str, float], ...] = ()
    joined: tuple[tuple[str, str], ...] = ()
    respelt: tuple[tuple[str, str], ...] = ()
    fresh: tuple[str, ...] = ()
    as_of: date | None = None
    flag: WorkFlag | None = None
    due: Window | None = None
    day: tuple[str, ...] = ()
    called: tuple[tuple[str, Person], ...] = ()

    def __hash__(self) -> int:
        """By what nearly always tells two apart: what is worked out once for a question looks it up a hundred times."""
        return hash((self.text, self.keywords))

    def strength(self, part: Clause) -> float:
        """How sure it is that the conjunct ``part`` of ``where`` was meant as a condition; words are none."""
        return next((each.strength for each in self.implied if each.clause == part), CERTAIN)

    @property
    def in_korean(self) -> bool:
        """Whether most of it is written in Korean, whatever it is answered in: "kafka retention 기본 며칠" is searched for as English."""
        return (self.written or self.language) == "ko"

    @property
    def typed(self) -> Clause:
        """What a person typed as a condition, which excludes; words do not, nor what prose implies."""
        parts = (each for each in conjuncts(self.where) if not only_words(each))
        return all_of(each for each in parts if self.strength(each) == CERTAIN)

    @property
    def of_a_period(self) -> bool:
        """Whether it asks what happened in a time, and names nothing and nobody: "what happened last week", 어제 무슨 일 있었어."""
        named = self.keywords or self.phrases or self.ids or self.mine or self.as_of
        people = (isinstance(leaf, Compare) and isinstance(leaf.value, Person) for leaf in leaves(self.where))
        told = self.type in {QueryType.EXPLORATORY, QueryType.STATUS} and self.sort is Sort.RELEVANCE
        return self.window is not None and told and not named and not any(people)

    def narrowed(self, where: Clause) -> Query:
        """The same question with another meaning: what planning uses for variants and rungs."""
        return replace(self, where=where)

    def in_one_with(self, word: str) -> tuple[str, ...]:
        """What a keyword may be in one word with the one beside it: 눈사람우체국 of 눈사람 and of 우체국."""
        return tuple(first + second for first, second in self.joined if word in {first, second})

    def instead_of(self, word: str) -> tuple[Term | Phrase, ...]:
        """What was typed as an alternative to a keyword or phrase, itself included: okta OR saml; nothing without OR."""
        for part in conjuncts(self.where):
            if isinstance(part, AnyOf):
                said = tuple(leaf for leaf in leaves(part) if isinstance(leaf, Term | Phrase))
                if any(word == leaf.text or (isinstance(leaf, Phrase) and word in leaf.text.split()) for leaf in said):
                    return said
        return ()

    def people(self) -> tuple[str, ...]:
        """Names of people in the question, in order of appearance."""
        return tuple(entity.name for entity in self.entities if entity.kind is EntityKind.PERSON)
