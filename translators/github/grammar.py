"""GitHub's search syntax, written down: a blank is AND, OR joins within parentheses, NOT is for words, ``-`` for qualifiers.

Manual: https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax
and https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/filtering-and-searching-issues-and-pull-requests
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from translators.emit import SECOND, quoted, spelled, whole_second
from translators.generate import Generator, TextGenerator
from translators.github.verdicts import login, repository
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from translators.github.scopes import SearchScope

SEPARATOR = " || "  # between queries that different searches get; no query holds a bar
BAR = {ord("|"): " "}
PEOPLE = {Field.AUTHOR: "author", Field.ASSIGNEE: "assignee"}
STATES = {State.OPEN: "is:open", State.DONE: "is:closed"}
OPPOSITES = {Op.GE: Op.LT, Op.LT: Op.GE}
SINGLE = frozenset({Field.AUTHOR, Field.CONTAINER, Field.STATE})
ME = "author:@me"  # may be somebody who is named as well


@record
class Written:
    """A piece of a query and what counts against GitHub's limits: ``operators`` (OR, NOT), ``characters`` of words, and
    how deep its parentheses nest.
    """

    text: str
    operators: int = 0
    characters: int = 0
    depth: int = 0


def written(parts: Sequence[Clause], scope: SearchScope) -> Written:
    """All of ``parts``: what is wanted, what is not, then dates, as one window for each qualifier."""
    others = [part for part in parts if _bound(part) is None]
    said = map(Pieces(scope).write, sorted(others, key=lambda part: isinstance(part, Not)))
    pieces = list(dict.fromkeys((*said, *map(Written, _dates(parts, scope)))))
    return Written(
        " ".join(piece.text for piece in pieces),
        sum(piece.operators for piece in pieces),
        sum(piece.characters for piece in pieces) + max(0, len(pieces) - 1),
        max((piece.depth for piece in pieces), default=0),
    )


def choices(part: Clause) -> list[tuple[Clause, ...]]:
    """The ways to satisfy a clause, each a list of what must hold then: alternatives without OR."""
    match part:
        case AllOf(parts):
            ways: list[tuple[Clause, ...]] = [()]
            for each in parts:
                ways = [(*way, *more) for way in ways for more in choices(each)]
            return ways
        case AnyOf(parts):
            return [way for each in parts for way in choices(each)]
        case _:
            return [(part,)]


def count_of_choices(part: Clause) -> int:
    """How many :func:`choices` there are, without writing them out."""
    match part:
        case AllOf(parts):
            product = 1
            for each in parts:
                product *= count_of_choices(each)
            return product
        case AnyOf(parts):
            return sum(map(count_of_choices, parts))
        case _:
            return 1


def never(parts: Iterable[Clause], scope: SearchScope) -> bool:
    """Whether nothing can satisfy ``parts``: a thing by two authors or in two repositories, or a window without time."""
    parts = tuple(parts)
    windows = _windows(parts, scope).values()
    return any(len(names - {ME}) > 1 for names in _single(parts).values()) or any(
        start and end and start >= end for start, end in windows
    )


def repeats(parts: Iterable[Clause]) -> bool:
    """Whether a qualifier of which a thing has but one value stands there twice: the older searches then find either."""
    return any(len(names) > 1 for names in _single(parts).values())


def _single(parts: Iterable[Clause]) -> dict[Field, set[str]]:
    """What is asked of each field that has one value in each thing."""
    asked: dict[Field, set[str]] = {}
    for part in parts:
        if isinstance(part, Compare) and part.field in SINGLE:
            asked.setdefault(part.field, set()).add(QUALIFIERS.condition(part).casefold())
    return asked


@record
class Pieces(Generator[Written]):
    """What one of the searches is asked for by one part of a query."""

    scope: SearchScope

    @property
    def nothing(self) -> Written:
        return Written("")

    def every(self, parts: tuple[Clause, ...]) -> Written:
        inner = written(parts, self.scope)
        return Written(f"({inner.text})", inner.operators, inner.characters, inner.depth + 1)

    def either(self, parts: tuple[Clause, ...]) -> Written:
        pieces = [self.write(part) if _bound(part) is None else written([part], self.scope) for part in parts]
        return Written(
            f"({' OR '.join(piece.text for piece in pieces)})",
            sum(piece.operators for piece in pieces) + len(pieces) - 1,
            sum(piece.characters for piece in pieces) + len(pieces) - 1,  # nothing says that blanks do not count
            max(piece.depth for piece in pieces) + 1,
        )

    def denied(self, part: Clause) -> Written:
        inner = self.write(part)
        return (
            Written(f"-{inner.text}")
            if isinstance(part, Compare)
            else Written(f"NOT {inner.text}", 1, inner.characters)
        )

    def words(self, leaf: Term | Phrase | Prefix) -> Written:
        text = leaf.text.translate(BAR)
        sent = quoted(text) if isinstance(leaf, Phrase) else spelled(text)
        return Written(sent, characters=len(sent))

    def condition(self, leaf: Compare) -> Written:
        return Written(QUALIFIERS.condition(leaf))


class Qualifiers(TextGenerator):
    """Conditions that stand beside words; dates and kinds are none."""

    def person(self, field: Field, who: Person) -> str:
        return f"{PEOPLE[field]}:{'@me' if who.me else login(who)}"

    def container(self, where: Container) -> str:
        return f"repo:{repository(where)}"

    def state(self, state: State) -> str:
        return STATES[state]


QUALIFIERS = Qualifiers()


# ---- dates


def _bound(part: Clause) -> tuple[Field, Op, datetime] | None:
    """A bound in time. What is not at or after an instant lies before it: NOT itself is not for dates."""
    match part:
        case Compare(name, op, datetime() as instant):
            return name, op, _whole(instant)
        case Not(Compare(name, op, datetime() as instant)):
            return name, OPPOSITES[op], _whole(instant)
        case _:
            return None


def _whole(instant: datetime) -> datetime:
    """GitHub keeps seconds: a finer bound is as exact when rounded up to one."""
    return whole_second(Op.LT, instant)


def _windows(parts: Iterable[Clause], scope: SearchScope) -> dict[str, tuple[datetime | None, datetime | None]]:
    """The latest beginning and the earliest end for each qualifier."""
    windows: dict[str, tuple[datetime | None, datetime | None]] = {}
    for bound in filter(None, map(_bound, parts)):
        name, op, moment = scope.times[bound[0]], bound[1], bound[2]
        start, end = windows.get(name, (None, None))
        if op is Op.GE:
            windows[name] = (max(start or moment, moment), end)
        else:
            windows[name] = (start, min(end or moment, moment))
    return windows


def _dates(parts: Iterable[Clause], scope: SearchScope) -> list[str]:
    """Both ends of a range belong to it, and offsets are understood: see "Query for dates" in the manual."""
    dates: list[str] = []
    for name, (start, end) in _windows(parts, scope).items():
        if start and end and start < end:
            dates.append(f"{name}:{_iso(start)}..{_iso(end - SECOND)}")
        else:
            dates += [f"{name}:>={_iso(start)}"] if start else []
            dates += [f"{name}:<{_iso(end)}"] if end else []
    return dates


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def has_words(parts: Iterable[Clause]) -> bool:
    """Whether a word is looked for at all, and not only left out."""
    return any(isinstance(part, Term | Phrase) for part in parts)
