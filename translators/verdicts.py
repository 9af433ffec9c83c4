"""How well a language can say each leaf, and why no better: the skeleton that every dialect's own verdicts fill in."""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import NO_CHECK, judge_text, utc
from translators.match import HANGUL
from translators.query import Compare, Container, Field, Identifier, Kind, Leaf, Person, Phrase, Prefix, State, Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.said import Said

EXACT = Verdict()
MOST_KEPT = 1024  # verdicts on words
FIRST_YEAR, LAST_YEAR = 1971, 9000


class Verdicts:
    """Tables for what is said of all leaves of a kind, and a method for each value on which it depends.

    ``lacks``: fields that nothing there has, and kinds of text that cannot be asked for, each with the reason. ``kinds``:
    the verdict on each kind of thing; any other cannot be asked for, since ``no_kind``. ``korean``: on a text that holds
    Hangul, which most products cut into words in a way of their own. What is not said is left to the capabilities.
    """

    lacks: ClassVar[Mapping[Field | type[Leaf], Said]] = MappingProxyType({})
    kinds: ClassVar[Mapping[Kind, Verdict]] = MappingProxyType(dict.fromkeys(Kind, EXACT))
    no_kind: ClassVar[Said] = NO_CHECK
    korean: ClassVar[Verdict] = EXACT

    def __call__(self, leaf: Leaf) -> Verdict:
        """How well one leaf can be said."""
        missing = self.lacks.get(leaf.field if isinstance(leaf, Compare) else type(leaf))
        if missing is not None:
            return refused(missing)
        match leaf:
            case Term() | Phrase():
                return _of_words(self, leaf)
            case Prefix():
                return self.prefix(leaf)
            case Compare():
                return self.condition(leaf)
            case _:
                assert_never(leaf)

    def condition(self, leaf: Compare) -> Verdict:
        """A condition on a field, by what it is compared with."""
        match leaf.value:
            case Person() as who:
                return self.person(who)
            case Container() as where:
                return self.container(where)
            case Kind() as kind:
                return self.kinds.get(kind) or refused(self.no_kind)
            case State():
                return EXACT
            case Identifier() as thing:
                return self.identifier(thing)
            case date() as day:  # an instant is one, too
                return self.instant(day) if isinstance(day, datetime) else self.day(day)
            case _:
                assert_never(leaf.value)

    def words(self, leaf: Term | Phrase) -> Verdict:
        """Text without a letter or digit is never sent."""
        found = judge_text(leaf)
        return self.korean if found == EXACT and HANGUL.search(leaf.text) else found

    def prefix(self, leaf: Prefix) -> Verdict:
        return judge_text(leaf)

    def person(self, _who: Person, /) -> Verdict:
        return EXACT

    def container(self, _where: Container, /) -> Verdict:
        return EXACT

    def identifier(self, _thing: Identifier, /) -> Verdict:
        return EXACT

    def instant(self, _instant: datetime, /) -> Verdict:
        return EXACT

    def day(self, _day: date, /) -> Verdict:
        return EXACT


@lru_cache(maxsize=MOST_KEPT)
def _of_words(verdicts: Verdicts, leaf: Term | Phrase) -> Verdict:
    """The same words stand on every rung of a ladder."""
    return verdicts.words(leaf)


def provided(known: object, why: Said) -> Verdict:
    """Exact where what it takes is known, else not asked, and why."""
    return EXACT if known else refused(why)


def refused(why: Said) -> Verdict:
    """Not asked of the source."""
    return Verdict(Fidelity.NONE, why)


def wider(why: Said) -> Verdict:
    """Asked in a way that finds more."""
    return Verdict(Fidelity.WIDER, why)


def approximate(why: Said) -> Verdict:
    """Asked in a way that finds something of its own."""
    return Verdict(Fidelity.APPROXIMATE, why)


def datable(day: date) -> bool:
    """Whether every product can be trusted to read the date, in any zone: not at the ends of its calendar."""
    return FIRST_YEAR <= (utc(day) if isinstance(day, datetime) else day).year < LAST_YEAR
