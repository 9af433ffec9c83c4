"""JQL, Jira's query language: clauses joined by AND and OR, text by ``~``, each value in a string that user text cannot leave.

Manual: https://support.atlassian.com/jira-software-cloud/docs/use-advanced-search-with-jira-query-language-jql/
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import EASTERNMOST, WESTERNMOST, as_typed, utc
from translators.generate import Dialect, TextGenerator
from translators.jql.verdicts import account, inflected, issue_key, judge, project
from translators.query import (
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Op,
    Person,
    Phrase,
    Prefix,
    Sort,
    State,
    Term,
)
from translators.said import Said
from translators.translator import NativeQuery

ATTRIBUTES = {
    Field.AUTHOR: "reporter",
    Field.ASSIGNEE: "assignee",
    Field.TIME: "updated",
    Field.UPDATED: "updated",
    Field.CREATED: "created",
}
# The key of a status category is also its English name, and Jira knows keys in every language.
STATES = {State.OPEN: "statusCategory != Done", State.DONE: "statusCategory = Done"}
OPPOSITES = {State.OPEN: State.DONE, State.DONE: State.OPEN}
ORDERS = {
    Sort.NEWEST: " ORDER BY updated DESC",
    Sort.OLDEST: " ORDER BY updated ASC",
    Sort.URGENT: " ORDER BY priority DESC, duedate ASC",
}
# A query without any restriction is refused as unbounded; every issue was created since.
EVERYTHING = 'created >= "1971-01-01"'
MINUTE = timedelta(minutes=1)


class Jql(Dialect, TextGenerator):
    """Queries for Jira's issue search. ``args`` is empty, or ``issue`` holds the key of an issue that is fetched.

    An unknown key makes Jira refuse the whole query, so an issue named by its key is read by a request of its own.
    """

    name = "jql"
    can = Capabilities(
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
            Field.DUE: Fidelity.EXACT,
        },
        any_of=True,
        negates=frozenset({Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.STATE}),
        sorts=frozenset(Sort),
        note=Said("Jira compares the stems of words, in comments and other fields too"),
    )
    verdicts = judge
    fetches = True
    both = " AND "

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        return NativeQuery(self.name, (self.write(pushed) or EVERYTHING) + ORDERS.get(order, ""))

    def fetching(self, thing: Identifier) -> NativeQuery:
        key = issue_key(thing)
        return NativeQuery(self.name, f"key = {quoted(key)}", {"issue": key})

    def denied(self, part: Clause) -> str:
        """An issue without a value satisfies neither ``=`` nor ``!=``."""
        match part:
            case Compare(field, _, Person() as who):
                return f"({ATTRIBUTES[field]} != {_person(who)} OR {ATTRIBUTES[field]} IS EMPTY)"
            case Compare(_, _, Container() as where):
                return f"project != {project(where)}"
            case Compare(_, _, State() as state):
                return STATES[OPPOSITES[state]]
            case _:
                raise AssertionError(f"{part} is never negated")

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        return f"text ~ {wanted(leaf)}"

    def person(self, field: Field, who: Person) -> str:
        return f"{ATTRIBUTES[field]} = {_person(who)}"

    def container(self, where: Container) -> str:
        return f"project = {project(where)}"

    def state(self, state: State) -> str:
        return STATES[state]

    def instant(self, field: Field, op: Op, instant: datetime) -> str:
        return f'{ATTRIBUTES[field]} {op} "{_minute(op, instant):%Y-%m-%d %H:%M}"'

    def day(self, op: Op, day: date) -> str:
        return f'duedate {op} "{day.isoformat()}"'


def _person(who: Person) -> str:
    return "currentUser()" if who.me else quoted(account(who))


def _minute(op: Op, instant: datetime) -> datetime:
    """The minute that loses nothing of the window, in whichever zone it is read: the account's, which we do not know."""
    moment = utc(instant).astimezone(WESTERNMOST if op is Op.GE else EASTERNMOST)
    whole = moment.replace(second=0, microsecond=0)
    return whole if op is Op.GE or whole == moment else whole + MINUTE


# ---- text inside a JQL string: escaped once for Jira's text search and once for JQL itself
# Manuals: https://support.atlassian.com/jira-software-cloud/docs/search-syntax-for-text-fields/ and
# https://support.atlassian.com/jira-software-cloud/docs/jql-operators/

# What text search reads as syntax. A slash opens a regular expression in Lucene; Jira does not list it.
SPECIAL = re.compile(r'[-+&|!(){}\[\]^~*?\\:"/]')
OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")  # operators in capitals only, and case means nothing to a search


def quoted(text: str) -> str:
    """A JQL string that means ``text``."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def wanted(leaf: Term | Phrase | Prefix) -> str:
    """The JQL string that looks for the words of ``leaf``, all of them, side by side in a phrase."""
    match leaf:
        case Prefix(text):
            # In small letters: Jira does not say whether a word with an asterisk is folded as others are.
            return quoted(f"{as_typed(text).lower()}*")
        case Term(text) | Phrase(text) if word := inflected(text):
            return quoted(f"{word} OR {word}*")  # particles are written on to Hangul words
        case Term(text):
            return quoted(_harmless(text))
        case Phrase(text):
            return quoted(f'"{_harmless(text)}"')
        case _:
            assert_never(leaf)


def _harmless(text: str) -> str:
    return SPECIAL.sub(r"\\\g<0>", OPERATORS.sub(lambda match: match[0].lower(), as_typed(text)))


TRANSLATOR = Jql
