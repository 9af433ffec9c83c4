"""Linear's issue search: free words without operators, and an ``IssueFilter`` object for everything structured.

Manual: https://linear.app/developers/filtering
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import as_typed, name_parts, utc
from translators.generate import Dialect, Generator
from translators.linear.filters import LinearCondition, all_filters, any_filter
from translators.linear.verdicts import issue_key, judge
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    leaves,
)
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from translators.emit import Settled
    from translators.linear.filters import Filter
    from translators.translator import Json

# WorkflowState.type, as the schema lists its values.
STATES = {
    State.OPEN: ("triage", "backlog", "unstarted", "started"),
    State.DONE: ("completed", "canceled", "duplicate"),
}
ATTRIBUTES = {
    Field.AUTHOR: "creator",
    Field.ASSIGNEE: "assignee",
    Field.TIME: "updatedAt",
    Field.UPDATED: "updatedAt",
    Field.CREATED: "createdAt",
}
COMPARATORS = {Op.GE: "gte", Op.LT: "lt", Op.EQ: "eq"}
NAMES = (("team", "key"), ("team", "name"), ("project", "name"))
IDS = (("team", "id"), ("project", "id"))
FIELDS = (*ATTRIBUTES, Field.CONTAINER, Field.STATE)


class LinearFilters(Generator["Filter"]):
    """The structured part. Text is carried by the search term and so lets everything through here, as does what is of
    one kind all the same.
    """

    @property
    def nothing(self) -> Filter:
        return {}

    def every(self, parts: tuple[Clause, ...]) -> Filter:
        return all_filters(map(self.write, parts))

    def either(self, parts: tuple[Clause, ...]) -> Filter:
        return any_filter(map(self.write, parts))

    def denied(self, part: Clause) -> Filter:
        return OPPOSITES.write(part)

    def words(self, _leaf: Term | Phrase | Prefix) -> Filter:
        return self.nothing

    def person(self, field: Field, who: Person) -> Filter:
        """By id where one is known; of a name, all parts."""
        relation = ATTRIBUTES[field]
        if who.me:
            return self.holding(LinearCondition((relation, "isMe"), "eq", True))  # noqa: FBT003
        if who.native_id:
            return self.holding(LinearCondition((relation, "id"), "eq", who.native_id))
        if who.email:
            return self.holding(LinearCondition((relation, "email"), "eqIgnoreCase", as_typed(who.email)))
        named = (LinearCondition((relation, "name"), "containsIgnoreCase", word) for word in name_parts(who.name))
        return all_filters(map(self.holding, named))

    def container(self, where: Container) -> Filter:
        """A team, by key or name, or a project."""
        if where.native_id is None:
            return self.holding(*(LinearCondition(path, "eqIgnoreCase", as_typed(where.name)) for path in NAMES))
        return self.holding(*(LinearCondition(path, "eq", where.native_id) for path in IDS))

    def state(self, state: State) -> Filter:
        return self.holding(LinearCondition(("state", "type"), "in", list(STATES[state])))

    def instant(self, field: Field, op: Op, instant: datetime) -> Filter:
        return self.holding(LinearCondition((ATTRIBUTES[field],), COMPARATORS[op], _iso(instant)))

    def day(self, op: Op, day: date) -> Filter:
        return self.holding(LinearCondition(("dueDate",), COMPARATORS[op], day.isoformat()))

    def holding(self, *conditions: LinearCondition) -> Filter:
        """What satisfies any of them."""
        return any_filter(each.holds() for each in conditions)


class LinearOpposites(LinearFilters):
    """The same of what must not be."""

    def holding(self, *conditions: LinearCondition) -> Filter:
        """What satisfies none of them."""
        return all_filters(each.fails() for each in conditions)


FILTERS, OPPOSITES = LinearFilters(), LinearOpposites()


class Linear(Dialect):
    """Queries for ``searchIssues`` (or ``issues`` where no word is left); ``args`` holds ``filter`` and ``orderBy``.

    A term is a bag of words of which an issue needs to hold any, and the more it holds the better: AND and OR are written
    alike, and alternatives of words and conditions together are not sent.
    An issue named by its key or address is fetched by ``issue``: ``args`` then holds its key as ``id`` and nothing else.
    """

    name = "linear"
    can = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.WIDER,
        prefix=Fidelity.APPROXIMATE,
        fields=dict.fromkeys((*FIELDS, Field.DUE, Field.KIND, Field.ID), Fidelity.EXACT),
        any_of=True,
        ranks=True,
        any_word=True,
        negates=frozenset(FIELDS),
        # Results can only be ordered newest first: PaginationOrderBy names a field and no direction.
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
        note=Said("Linear searches by words and by nearness in meaning"),
    )

    verdicts = judge
    fetches = True

    def settled(self, query: Query, can: Capabilities) -> Settled:
        return super().settled(query, replace(can, any_of_text=False) if _mixes(query.where) else can)

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        texts = (leaf.text for leaf in leaves(pushed) if not isinstance(leaf, Compare))
        words = dict.fromkeys(chain.from_iterable(as_typed(each).split() for each in texts))
        args: dict[str, Json] = {}
        if wanted := FILTERS.write(pushed):
            args["filter"] = wanted
        if order is Sort.NEWEST:
            args["orderBy"] = "updatedAt"
        return NativeQuery(self.name, " ".join(words), args)

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"id": issue_key(thing)})


def _mixes(clause: Clause) -> bool:
    """Whether words and conditions are alternatives somewhere: a search needs a word in any case."""
    match clause:
        case AllOf(parts):
            return any(map(_mixes, parts))
        case AnyOf():
            return len({isinstance(leaf, Compare) for leaf in leaves(clause)}) > 1
        case Not(part):
            return _mixes(part)
        case _:
            return False


def _iso(instant: datetime) -> str:
    """Linear keeps milliseconds: a finer bound is as exact when rounded up to one."""
    moment = utc(instant)
    rounded = moment + timedelta(microseconds=-moment.microsecond % 1000)
    return rounded.isoformat(timespec="milliseconds").replace("+00:00", "Z")


TRANSLATOR = Linear
