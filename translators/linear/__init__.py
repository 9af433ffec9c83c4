"""Linear's issue search: free words without operators, and an ``IssueFilter`` object for everything structured.

Manual: https://linear.app/developers/filtering
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import name_parts, plain, settle, utc
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
    leaves,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
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


class Linear:
    """Queries for ``searchIssues`` (or ``issues`` where no word is left); ``args`` holds ``filter`` and ``orderBy``.

    A term is a bag of words of which an issue needs to hold any, and the more it holds the better: AND and OR are written
    alike, and alternatives of words and conditions together are not sent.
    An issue named by its key or address is fetched by ``issue``: ``args`` then holds its key as ``id`` and nothing else.
    """

    name: ClassVar[str] = "linear"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.WIDER,
        prefix=Fidelity.APPROXIMATE,
        fields=dict.fromkeys((*FIELDS, Field.KIND, Field.ID), Fidelity.EXACT),
        any_of=True,
        ranks=True,
        any_word=True,
        negates=frozenset(FIELDS),
        # Results can only be ordered newest first: PaginationOrderBy names a field and no direction.
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
        note=Said(
            "Linear searches by words and by nearness in meaning", "Linear는 낱말과 뜻의 가까움으로 함께 찾습니다"
        ),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as a search term and an ``IssueFilter``."""
        can = self.can.meet(can)
        if _mixes(query.where):
            can = replace(can, any_of_text=False)
        settled = settle(query, can, judge, fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            key = issue_key(settled.pushed.value)
            return Translation(NativeQuery(self.name, "", {"id": key}), settled.residual, settled.losses)
        texts = (leaf.text for leaf in leaves(settled.pushed) if not isinstance(leaf, Compare))
        words = dict.fromkeys(chain.from_iterable(plain(each).split() for each in texts))
        args: dict[str, Json] = {}
        if wanted := _filter(settled.pushed):
            args["filter"] = wanted
        if query.sort is Sort.NEWEST and query.sort in can.sorts:
            args["orderBy"] = "updatedAt"
        return Translation(NativeQuery(self.name, " ".join(words), args), settled.residual, settled.losses)


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


def _filter(clause: Clause) -> Filter:
    """The structured part; text is carried by the search term and so lets everything through here."""
    match clause:
        case AllOf(parts):
            return all_filters(map(_filter, parts))
        case AnyOf(parts):
            return any_filter(map(_filter, parts))
        case Not(part):
            return all_filters(each.fails() for each in _conditions(part)) if isinstance(part, Compare) else {}
        case Compare(_, _, Person()):
            return all_filters(each.holds() for each in _conditions(clause))
        case Compare():
            return any_filter(each.holds() for each in _conditions(clause))
        case Term() | Phrase() | Prefix():
            return {}
        case _:
            assert_never(clause)


def _conditions(leaf: Compare) -> tuple[LinearCondition, ...]:
    """Comparators for one condition: all of them for a person's name, any of them for a place."""
    match leaf.value:
        case Person() as who:
            return _person_conditions(ATTRIBUTES[leaf.field], who)
        case Container(name, None):  # a team, by key or name, or a project
            return tuple(LinearCondition(path, "eqIgnoreCase", plain(name)) for path in NAMES)
        case Container(_, native_id):
            return tuple(LinearCondition(path, "eq", native_id) for path in IDS)
        case State() as state:
            return (LinearCondition(("state", "type"), "in", list(STATES[state])),)
        case datetime() as instant:
            return (LinearCondition((ATTRIBUTES[leaf.field],), COMPARATORS[leaf.op], _iso(instant)),)
        case Kind() | Identifier():  # Linear holds issues only, and what has an id is fetched
            return ()
        case _:
            assert_never(leaf.value)


def _person_conditions(relation: str, who: Person) -> tuple[LinearCondition, ...]:
    if who.me:
        return (LinearCondition((relation, "isMe"), "eq", True),)  # noqa: FBT003
    if who.native_id:
        return (LinearCondition((relation, "id"), "eq", who.native_id),)
    if who.email:
        return (LinearCondition((relation, "email"), "eqIgnoreCase", plain(who.email)),)
    return tuple(LinearCondition((relation, "name"), "containsIgnoreCase", word) for word in name_parts(who.name))


def _iso(instant: datetime) -> str:
    """Linear keeps milliseconds: a finer bound is as exact when rounded up to one."""
    moment = utc(instant)
    rounded = moment + timedelta(microseconds=-moment.microsecond % 1000)
    return rounded.isoformat(timespec="milliseconds").replace("+00:00", "Z")


TRANSLATOR = Linear
