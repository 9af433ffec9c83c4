"""CQL, Confluence's query language: ``field operator value`` joined by AND and OR, text compared by ``~``, ``ORDER BY``.

Manual: https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/
"""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.cql.text import contains, lacks, quoted, titled
from translators.cql.verdicts import TYPES, account, judge, page_id, site
from translators.emit import settle, utc
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
    conjuncts,
)
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable

ATTRIBUTES = {Field.TIME: "lastmodified", Field.UPDATED: "lastmodified", Field.CREATED: "created"}
ORDERS = {Sort.NEWEST: " ORDER BY lastmodified DESC", Sort.OLDEST: " ORDER BY lastmodified ASC"}
# A query must not begin with a negative clause (https://developer.atlassian.com/cloud/confluence/cql-operators), and
# spaces and people, which the same search returns, are no content.
CONTENT = f"type in ({', '.join(name for names in TYPES.values() for name in names)})"
# The zone in which Confluence reads a day is the account's, which we do not know: the last and the first on earth.
WESTERNMOST, EASTERNMOST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)


class Cql:
    """Queries for Confluence's search; ``args`` is empty, or ``site`` holds the host of an address that is fetched."""

    name: ClassVar[str] = "cql"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.WIDER,
        prefix=Fidelity.WIDER,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
            Field.UPDATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        ranks=True,
        negates=frozenset({Term, Field.AUTHOR, Field.CONTAINER, Field.KIND}),
        sorts=frozenset(Sort),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as CQL. An address is asked for by the id in it, alone: another site may know the same number."""
        can = self.can.meet(can)
        settled = settle(query, can, judge, fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            thing = settled.pushed.value
            native = NativeQuery(self.name, f"id = {page_id(thing)}", {"site": site(thing)})
        else:
            order = ORDERS.get(query.sort, "") if query.sort in can.sorts else ""
            native = NativeQuery(self.name, _whole(settled.pushed) + order)
        return Translation(native, settled.residual, settled.losses)


def _whole(pushed: Clause) -> str:
    """The query but for its order: kinds first, or all kinds of content, then what else must hold."""
    parts = sorted(conjuncts(pushed), key=_is_kind, reverse=True)
    lead = [] if any(map(_is_kind, parts)) else [CONTENT]
    return " AND ".join([*lead, *_positive_first(parts)])


def _is_kind(clause: Clause) -> bool:
    return isinstance(clause, Compare) and clause.field is Field.KIND


def _positive_first(parts: Iterable[Clause]) -> list[str]:
    return [_cql(part) for part in sorted(parts, key=lambda part: isinstance(part, Not))]


def _cql(clause: Clause) -> str:
    match clause:
        case AllOf(parts):
            lead = [CONTENT] if all(isinstance(part, Not) for part in parts) else []
            return f"({' AND '.join([*lead, *_positive_first(parts)])})"
        case AnyOf(parts):
            return f"({' OR '.join(_alternative(part) for part in parts)})"
        case Not(part):
            return _negative(part)
        case Term() | Phrase() | Prefix():
            return contains(clause)
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _alternative(part: Clause) -> str:
    """What is said of the first clause of a query may hold for that of a group: no alternative is negative alone."""
    return f"({CONTENT} AND {_cql(part)})" if isinstance(part, Not) else _cql(part)


def _condition(leaf: Compare) -> str:
    match leaf.value:
        case Person() as who:
            return f"creator = {_person(who)}"
        case Container(name, native_id):
            return f"space = {quoted(native_id)}" if native_id else f"space.title ~ {titled(name)}"
        case Kind() as kind:
            return f"type in ({', '.join(TYPES[kind])})"
        case datetime() as instant:
            return _in_time(leaf.field, leaf.op, instant)
        case State() | Identifier():
            raise AssertionError(f"{leaf} is never pushed into a query")  # pages have no state, and ids stand alone
        case _:
            assert_never(leaf.value)


def _negative(leaf: Clause) -> str:
    """What does not satisfy ``leaf``; content without a value counts, for ``!=`` is the same as NOT ``=``."""
    match leaf:
        case Compare(_, _, Person() as who):
            return f"creator != {_person(who)}"
        case Compare(_, _, Container(_, str() as native_id)):
            return f"space != {quoted(native_id)}"
        case Compare(_, _, Kind() as kind):
            return f"type not in ({', '.join(TYPES[kind])})"
        case Term(text):
            return lacks(text)
        case _:
            raise AssertionError(f"{leaf} is never negated")


def _person(who: Person) -> str:
    return "currentUser()" if who.me else quoted(account(who))


def _in_time(name: Field, op: Op, instant: datetime) -> str:
    """Whole days, which lose nothing of the window in whichever zone they are read and however finely.

    A comment happened when it was written, and what else there is when it was last changed. It cannot be changed
    before it is written, so only an end needs both.
    """
    day = _day(instant, op)
    condition = f'{ATTRIBUTES[name]} {op} "{day:%Y-%m-%d}"'
    if name is Field.TIME and op is Op.LT:
        return f'({condition} OR (type = comment AND created < "{day:%Y-%m-%d}"))'
    return condition


def _day(instant: datetime, op: Op) -> date:
    """The day to begin at, or the first day that is left out."""
    if op is Op.GE:
        return utc(instant).astimezone(WESTERNMOST).date()
    return (utc(instant) - INSTANT).astimezone(EASTERNMOST).date() + DAY


TRANSLATOR = Cql
