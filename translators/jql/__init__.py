"""JQL, Jira's query language: clauses joined by AND and OR, text by ``~``, each value in a string that user text cannot leave.

Manual: https://support.atlassian.com/jira-software-cloud/docs/use-advanced-search-with-jira-query-language-jql/
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import settle, utc
from translators.jql.text import quoted, wanted
from translators.jql.verdicts import account, issue_key, judge, project
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
from translators.said import Said
from translators.translator import NO_ARGS, NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable

ATTRIBUTES = {
    Field.AUTHOR: "reporter",
    Field.ASSIGNEE: "assignee",
    Field.TIME: "updated",
    Field.UPDATED: "updated",
    Field.CREATED: "created",
}
# The key of a status category is also its English name, and Jira knows keys in every language.
STATES = {State.OPEN: "statusCategory != Done", State.DONE: "statusCategory = Done"}
ORDERS = {Sort.NEWEST: " ORDER BY updated DESC", Sort.OLDEST: " ORDER BY updated ASC"}
# A query without any restriction is refused as unbounded; every issue was created since.
EVERYTHING = 'created >= "1971-01-01"'
# The zone in which Jira reads a time is the account's, which we do not know: the last and the first on earth.
WESTERNMOST, EASTERNMOST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
MINUTE = timedelta(minutes=1)


class Jql:
    """Queries for Jira's issue search. ``args`` is empty, or ``issue`` holds the key of an issue that is fetched."""

    name: ClassVar[str] = "jql"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.WIDER,
        prefix=Fidelity.APPROXIMATE,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.EXACT,
            Field.ASSIGNEE: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.STATE: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
            Field.UPDATED: Fidelity.WIDER,
        },
        any_of=True,
        negates=frozenset({Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.STATE}),
        sorts=frozenset(Sort),
        note=Said(
            "Jira compares the stems of words, in comments and other fields too",
            "Jira는 댓글과 다른 필드까지 낱말의 어간으로 비교합니다",
        ),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as JQL."""
        can = self.can.meet(can)
        # An unknown key makes Jira refuse the whole query, so an issue named by its key is read by a request of its own.
        settled = settle(query, can, judge, fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            key = issue_key(settled.pushed.value)
            native = NativeQuery(self.name, f"key = {quoted(key)}", {"issue": key})
        else:
            order = ORDERS.get(query.sort, "") if query.sort in can.sorts else ""
            native = NativeQuery(self.name, (_jql(settled.pushed) or EVERYTHING) + order, NO_ARGS)
        return Translation(native, settled.residual, settled.losses)


def _jql(clause: Clause) -> str:
    """The clause as JQL; empty where everything passes, as it does when one of several alternatives is empty."""
    match clause:
        case AllOf(parts):
            return " AND ".join(filter(None, map(_jql, parts)))
        case AnyOf(parts):
            return _any(parts)
        case Not(part):
            return _negated(part)
        case Term() | Phrase() | Prefix():
            return f"text ~ {wanted(clause)}"
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _any(parts: Iterable[Clause]) -> str:
    texts = {part: _jql(part) for part in parts}
    groups = [f"({text})" if isinstance(part, AllOf) else text for part, text in texts.items()]
    return f"({' OR '.join(groups)})" if all(texts.values()) else ""


def _condition(leaf: Compare) -> str:
    match leaf.value:
        case Person() as who:
            return f"{ATTRIBUTES[leaf.field]} = {_person(who)}"
        case Container() as where:
            return f"project = {project(where)}"
        case State() as state:
            return STATES[state]
        case datetime() as instant:
            return f'{ATTRIBUTES[leaf.field]} {leaf.op} "{_minute(instant, leaf.op):%Y-%m-%d %H:%M}"'
        case Kind() | Identifier():  # no condition: Jira's search returns issues only, and ids are fetched
            return ""
        case _:
            assert_never(leaf.value)


def _negated(leaf: Clause) -> str:
    """What does not satisfy ``leaf``. An issue without a value satisfies neither ``=`` nor ``!=``."""
    match leaf:
        case Compare(field, _, Person() as who):
            attribute = ATTRIBUTES[field]
            return f"({attribute} != {_person(who)} OR {attribute} IS EMPTY)"
        case Compare(_, _, Container() as where):
            return f"project != {project(where)}"
        case Compare(_, _, State() as state):
            return STATES[State.DONE if state is State.OPEN else State.OPEN]
        case _:
            raise AssertionError(f"{leaf} is never negated")


def _person(who: Person) -> str:
    return "currentUser()" if who.me else quoted(account(who))


def _minute(instant: datetime, op: Op) -> datetime:
    """The minute that loses nothing of the window, in whichever zone it is read."""
    zone = WESTERNMOST if op is Op.GE else EASTERNMOST
    moment = utc(instant).astimezone(zone)
    whole = moment.replace(second=0, microsecond=0)
    return whole if op is Op.GE or whole == moment else whole + MINUTE


TRANSLATOR = Jql
