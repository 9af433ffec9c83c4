"""CQL, Confluence's query language: ``field operator value`` joined by AND and OR, text compared by ``~``, ``ORDER BY``.

Manual: https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.cql.verdicts import TYPES, contains, judge, lacks, page_id, quoted, site, titled
from translators.emit import whole_day
from translators.generate import Dialect, TextGenerator
from translators.jql.verdicts import account
from translators.query import (
    BY_DATE,
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
    Sort,
    Term,
    conjuncts,
)
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

ATTRIBUTES = {Field.TIME: "lastmodified", Field.UPDATED: "lastmodified", Field.CREATED: "created"}
ORDERS = {Sort.NEWEST: " ORDER BY lastmodified DESC", Sort.OLDEST: " ORDER BY lastmodified ASC"}
# A query must not begin with a negative clause (https://developer.atlassian.com/cloud/confluence/cql-operators), and
# spaces and people, which the same search returns, are no content.
CONTENT = f"type in ({', '.join(name for names in TYPES.values() for name in names)})"


class Cql(Dialect, TextGenerator):
    """Queries for Confluence's search; ``args`` is empty, or ``site`` holds the host of an address that is fetched."""

    name = "cql"
    can = Capabilities(
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
        sorts=BY_DATE,
    )

    verdicts = judge
    fetches = True
    both = " AND "

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        """Kinds first, or all kinds of content, then what else must hold, and the order."""
        parts = sorted(conjuncts(pushed), key=_is_kind, reverse=True)
        lead = [] if any(map(_is_kind, parts)) else [CONTENT]
        return NativeQuery(self.name, self._joined(lead, parts) + ORDERS.get(order, ""))

    def fetching(self, thing: Identifier) -> NativeQuery:
        """By the id in its address, alone: another site may know the same number."""
        return NativeQuery(self.name, f"id = {page_id(thing)}", {"site": site(thing)})

    def every(self, parts: tuple[Clause, ...]) -> str:
        lead = [CONTENT] if all(isinstance(part, Not) for part in parts) else []
        return f"({self._joined(lead, parts)})"

    def either(self, parts: tuple[Clause, ...]) -> str:
        """What is said of the first clause of a query may hold for that of a group: no alternative is negative alone."""
        texts = (
            f"({self._joined([CONTENT], [part])})" if isinstance(part, Not) else self.write(part) for part in parts
        )
        return f"({' OR '.join(texts)})"

    def denied(self, part: Clause) -> str:
        """Content without a value counts, for ``!=`` is the same as NOT ``=``."""
        match part:
            case Compare(_, _, Person() as who):
                return f"creator != {_person(who)}"
            case Compare(_, _, Container(_, str() as native_id)):
                return f"space != {quoted(native_id)}"
            case Compare(_, _, Kind() as kind):
                return f"type not in ({', '.join(TYPES[kind])})"
            case Term(text):
                return lacks(text)
            case _:
                raise AssertionError(f"{part} is never negated")

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        return contains(leaf)

    def person(self, _field: Field, who: Person) -> str:
        return f"creator = {_person(who)}"

    def container(self, where: Container) -> str:
        return f"space = {quoted(where.native_id)}" if where.native_id else f"space.title ~ {titled(where.name)}"

    def kind(self, kind: Kind) -> str:
        return f"type in ({', '.join(TYPES[kind])})"

    def instant(self, field: Field, op: Op, instant: datetime) -> str:
        """Whole days, which lose nothing of the window in whichever zone they are read and however finely.

        A comment happened when it was written, and what else there is when it was last changed. It cannot be changed
        before it is written, so only an end needs both.
        """
        day = whole_day(op, instant)
        condition = f'{ATTRIBUTES[field]} {op} "{day:%Y-%m-%d}"'
        if field is Field.TIME and op is Op.LT:
            return f'({condition} OR (type = comment AND created < "{day:%Y-%m-%d}"))'
        return condition

    def _joined(self, lead: list[str], parts: Iterable[Clause]) -> str:
        return self.both.join([*lead, *map(self.write, sorted(parts, key=lambda part: isinstance(part, Not)))])


def _is_kind(clause: Clause) -> bool:
    return isinstance(clause, Compare) and clause.field is Field.KIND


def _person(who: Person) -> str:
    return "currentUser()" if who.me else quoted(account(who))


TRANSLATOR = Cql
