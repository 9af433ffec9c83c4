"""The native query out of a clause. The closed union is taken apart here, once; a dialect says what becomes of each part.

In the manner of sqlglot's generator: what languages differ in by a sign (how they join, deny, group, name a field) is
data of a class, what they differ in by a thought is a method of it. A dialect that is no such class may well be right
(:class:`translators.translator.Translator` is all that is asked of one): see docs/adr/0020-one-generator.md.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import date, datetime
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, assert_never

from translators.emit import Settled, quoted, settle, spelled
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
)
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from translators.capabilities import Capabilities
    from translators.split import Judge
    from translators.verdicts import Verdicts

NativeT = TypeVar("NativeT")


class Generator(ABC, Generic[NativeT]):
    """One native thing out of a clause: a text, a filter, a list of keys.

    A condition for which a class has no method says ``nothing``: either everything there satisfies it, or the verdicts
    let it go out never. NOT stands on single leaves only, and no AND or OR is empty.
    """

    @property
    @abstractmethod
    def nothing(self) -> NativeT:
        """What lets everything through."""

    def write(self, clause: Clause) -> NativeT:
        """``clause``, and whatever is in it."""
        match clause:
            case AllOf(parts):
                return self.every(parts)
            case AnyOf(parts):
                return self.either(parts)
            case Not(part):
                return self.denied(part)
            case Term() | Phrase() | Prefix():
                return self.words(clause)
            case Compare():
                return self.condition(clause)
            case _:
                assert_never(clause)

    def condition(self, leaf: Compare) -> NativeT:  # noqa: PLR0911 - one for each kind of value
        """A condition on a field, by what it is compared with."""
        match leaf.value:
            case Person() as who:
                return self.person(leaf.field, who)
            case Container() as where:
                return self.container(where)
            case Kind() as kind:
                return self.kind(kind)
            case State() as state:
                return self.state(state)
            case Identifier() as thing:
                return self.identifier(thing)
            case date() as day:  # an instant is one, too
                if isinstance(day, datetime):
                    return self.instant(leaf.field, leaf.op, day)
                return self.day(leaf.op, day)
            case _:
                assert_never(leaf.value)

    @abstractmethod
    def every(self, parts: tuple[Clause, ...]) -> NativeT:
        """All of ``parts``."""

    @abstractmethod
    def either(self, parts: tuple[Clause, ...]) -> NativeT:
        """At least one of ``parts``; a part that says nothing lets everything through."""

    @abstractmethod
    def denied(self, part: Clause) -> NativeT:
        """What does not satisfy ``part``, a leaf."""

    @abstractmethod
    def words(self, leaf: Term | Phrase | Prefix) -> NativeT:
        """What holds a word, a phrase or the beginning of a word."""

    def person(self, _field: Field, _who: Person, /) -> NativeT:
        """Who wrote it, or whom it is assigned to."""
        return self.nothing

    def container(self, _where: Container, /) -> NativeT:
        """Where it lies."""
        return self.nothing

    def kind(self, _kind: Kind, /) -> NativeT:
        """What it is."""
        return self.nothing

    def state(self, _state: State, /) -> NativeT:
        """How far it is."""
        return self.nothing

    def identifier(self, _thing: Identifier, /) -> NativeT:
        """Which one it is."""
        return self.nothing

    def instant(self, _field: Field, _op: Op, _instant: datetime, /) -> NativeT:
        """When it happened."""
        return self.nothing

    def day(self, _op: Op, _day: date, /) -> NativeT:
        """By when it is to be done."""
        return self.nothing


class TextGenerator(Generator[str]):
    """One line of a boolean language: what joins conditions, what joins alternatives and stands around them, what denies."""

    nothing = ""
    both: ClassVar[str] = " "
    either_of: ClassVar[str] = " OR "
    brackets: ClassVar[tuple[str, str]] = ("(", ")")
    denial: ClassVar[str] = "-"

    def every(self, parts: tuple[Clause, ...]) -> str:
        return self.both.join(filter(None, map(self.write, parts)))

    def either(self, parts: tuple[Clause, ...]) -> str:
        """Nothing where one of them is, as everything passes."""
        texts = [self._grouped(part) for part in parts]
        opening, closing = self.brackets
        return f"{opening}{self.either_of.join(texts)}{closing}" if all(texts) else self.nothing

    def denied(self, part: Clause) -> str:
        return f"{self.denial}{self.write(part)}"

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        return quoted(leaf.text) if isinstance(leaf, Phrase) else spelled(leaf.text)

    def _grouped(self, part: Clause) -> str:
        text = self.write(part)
        return f"({text})" if text and isinstance(part, AllOf) else text


class Dialect(ABC):
    """What most translators inherit: ask the verdicts, settle what is sent, write it down.

    ``single``: fields of which the language takes one value. ``fetches``: an id is read by a request of its own
    (:meth:`fetching`) and stands in no query.
    """

    name: ClassVar[str]
    can: ClassVar[Capabilities]
    verdicts: ClassVar[Verdicts]
    single: ClassVar[frozenset[Field]] = frozenset()
    fetches: ClassVar[bool] = False

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` in this language, as far as a source with the powers ``can`` understands it."""
        can = self.can.meet(can)
        settled = self.settled(query, can)
        if (thing := self.fetched(settled.pushed)) is not None:
            native = self.fetching(thing)
        else:
            native = self.native(settled.pushed, query.sort if query.sort in can.sorts else Sort.RELEVANCE)
        return Translation(native, settled.residual, settled.losses)

    def settled(self, query: Query, can: Capabilities) -> Settled:
        """What goes into the native query and what does not."""
        return settle(query, can, self.judge_of(query, can), self.single, fetches=self.fetches)

    def judge_of(self, _query: Query, _can: Capabilities, /) -> Judge:
        """How well each leaf can be said; a language in which that depends on the whole question says so here."""
        return self.verdicts

    def fetched(self, pushed: Clause) -> Identifier | None:
        """What alone is asked for, where it is read by a request of its own."""
        thing = pushed.value if self.fetches and isinstance(pushed, Compare) else None
        return thing if isinstance(thing, Identifier) else None

    @abstractmethod
    def native(self, pushed: Clause, order: Sort, /) -> NativeQuery:
        """``pushed`` written down; ``order`` is relevance where the source cannot keep the one that is wanted."""

    def fetching(self, thing: Identifier, /) -> NativeQuery:
        """The request for one thing."""
        raise AssertionError(f"{thing} is not fetched")
