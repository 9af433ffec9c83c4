"""Linear: its own schema accepts what is sent, and a filter evaluated by Linear's rules finds what was asked for.

Manual: https://linear.app/developers/filtering
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.linear import Linear
from translators.match import matches
from translators.query import (
    EVERYTHING,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Query,
    State,
    Term,
    all_of,
    any_of,
    conjuncts,
)
from translators.strategies import (
    NOON,
    Paper,
    clauses,
    comparisons,
    identifiers,
    instants,
    queries,
    text_leaves,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = Path(__file__).parents[3] / "shared" / "contracts" / "linear.schema.graphql"
DOCUMENT = """
query Search($term: String!, $filter: IssueFilter, $orderBy: PaginationOrderBy) {
  searchIssues(term: $term, filter: $filter, orderBy: $orderBy) { totalCount }
}
query One($id: String!) {
  issue(id: $id) { identifier }
}
query Listing($filter: IssueFilter, $orderBy: PaginationOrderBy) {
  issues(filter: $filter, orderBy: $orderBy) { nodes { id } }
}
"""
many = nightly(250)


# ---- against the vendor's schema


@pytest.fixture(scope="session")
def schema() -> Any:
    """Linear's own schema; building it takes seconds, so once."""
    graphql = pytest.importorskip("graphql")
    if not SCHEMA.exists():
        pytest.skip(f"the vendor's schema is not here: {SCHEMA}")
    return graphql.build_schema(SCHEMA.read_text(encoding="utf-8"), assume_valid=True)


def refused(schema: Any, variables: Mapping[str, Any]) -> list[str]:
    """What the schema has against a set of variables for the search and the listing."""
    from graphql import OperationDefinitionNode, parse
    from graphql.execution.values import get_variable_values

    messages = []
    for operation in parse(DOCUMENT).definitions:
        assert isinstance(operation, OperationDefinitionNode)
        found = get_variable_values(schema, operation.variable_definitions or (), dict(variables))
        messages += [error.message for error in found] if isinstance(found, list) else []
    return messages


def test_linears_own_schema_accepts_every_query(schema: Any) -> None:
    """Names of filters and comparators, types of values: whatever is asked, Linear would not refuse it."""

    @nightly(300)
    @given(queries())
    def check(query: Query) -> None:
        native = Linear().translate(query, Linear.can).native
        assert refused(schema, {"term": native.text, "id": "ENG-1", **native.args}) == []

    check()


def test_the_schema_refuses_what_linear_does_not_know(schema: Any) -> None:
    """The check above can fail."""
    fine = {"term": "x", "id": "ENG-1"}
    assert refused(schema, fine) == []
    assert refused(schema, {**fine, "filter": {"title": {"like": "x"}}})
    assert refused(schema, {**fine, "filter": {"updatedAt": {"after": "2025-01-01"}}})
    assert refused(schema, {**fine, "orderBy": "priority"})
    assert refused(schema, {**fine, "id": {"key": "ENG-1"}})


# ---- text

leaves = text_leaves() | comparisons().filter(lambda leaf: leaf.field is not Field.ID)


@many
@given(st.lists(leaves | leaves.map(Not), max_size=5).map(all_of))
def test_the_words_of_the_question_are_the_term_each_once(where: Clause) -> None:
    native = Linear().translate(Query("?", where=where), Linear.can).native
    sent = [part.text for part in conjuncts(where) if not isinstance(part, Compare | Not)]  # type: ignore[union-attr]
    assert set(words_of(native.text)) == {word for text in sent for word in words_of(text)}
    assert len(set(native.text.split())) == len(native.text.split())


def test_alternatives_of_words_are_words_and_beside_conditions_they_are_checked_here() -> None:
    words, place = any_of((Term("k8s"), Term("쿠버네티스"))), Compare(Field.CONTAINER, Op.EQ, Container("Ops"))
    alone = Linear().translate(Query("?", where=all_of((Term("setup"), words))), Linear.can)
    assert (alone.native.text, alone.residual) == ("setup k8s 쿠버네티스", None)
    mixed = any_of((Term("k8s"), place))
    checked = Linear().translate(Query("?", where=all_of((Term("setup"), mixed))), Linear.can)
    assert (checked.native.text, checked.native.args, checked.residual) == ("setup", {}, mixed)


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFC", text))


# ---- things named by key or address


def named(text: str) -> str:
    """The key of the issue that people mean: by itself, or as the step after ``issue`` in an address of linear.app."""
    parts = urlsplit(text)
    steps = parts.path.split("/")
    if parts.netloc.lower() == "linear.app" and parts.scheme in ("http", "https"):
        text = steps[3] if len(steps) > 3 and steps[1] and steps[2].lower() == "issue" else ""
    team, _, number = text.partition("-")
    fits = text.isascii() and team.isalnum() and team[0].isalpha() and number.isdigit() and number[0] != "0"
    return text.upper() if fits and len(team) <= 10 and len(number) <= 9 else ""


@many
@given(identifiers(), st.lists(text_leaves(), max_size=2))
def test_what_is_named_is_fetched_and_nothing_else_is(thing: Identifier, words: list[Clause]) -> None:
    """The key that people mean is fetched, the rest of the question is checked; any other id is left to us."""
    where = all_of([Compare(Field.ID, Op.EQ, thing), *words])
    found = Linear().translate(Query("?", where=where), Linear.can)
    if key := found.native.args.get("id"):
        assert (key, found.native.text) == (named(thing.text), "")
        assert set(conjuncts(found.residual or EVERYTHING)) == set(conjuncts(all_of(words)))
    else:
        assert (
            not named(thing.text)
            or thing.kind not in {IdKind.TICKET, IdKind.PERMALINK, IdKind.URL}
            or (("://" in thing.text) is (thing.kind is IdKind.TICKET))
        )
        assert Compare(Field.ID, Op.EQ, thing) in conjuncts(found.residual or EVERYTHING)


# ---- against Linear's rules


@dataclass(frozen=True)
class Issue:
    """An issue as Linear holds it: relations are objects or null."""

    fields: dict[str, Any]
    paper: Paper


PEOPLE = (
    Person("Sarah Kim", "id-sarah", "sarah@x.example"),
    Person("김민수", "id-minsu", "minsu@x.example", me=True),
    Person("박서연", "id-seoyeon", "seoyeon@x.example"),
)
TEAMS = (("ENG", "Engineering", "id-eng"), ("결제", "결제팀", "id-pay"))
STATES = {
    State.OPEN: ("triage", "backlog", "unstarted", "started"),
    State.DONE: ("completed", "canceled", "duplicate"),
}


@st.composite
def issues(draw: st.DrawFn) -> Issue:
    author, assignee = (draw(st.none() | st.sampled_from(PEOPLE)) for _ in range(2))
    key, team, team_id = draw(st.sampled_from(TEAMS))
    state = draw(st.sampled_from(State))
    created, updated = sorted(draw(st.tuples(moments, moments)))
    fields = {
        "creator": user(author),
        "assignee": user(assignee),
        "team": {"id": team_id, "key": key, "name": team},
        "project": draw(st.none() | st.just({"id": "id-project", "name": "Phoenix"})),
        "state": {"type": draw(st.sampled_from(STATES[state]))},
        "createdAt": created,
        "updatedAt": updated,
    }
    place = Container(draw(st.sampled_from([key, team])), team_id)
    paper = Paper(
        kind=Kind.ISSUE,
        author=author,
        assignee=assignee,
        container=place,
        state=state,
        created=created,
        updated=updated,
    )
    return Issue(fields, paper)


def user(person: Person | None) -> dict[str, Any] | None:
    if person is None:
        return None
    return {"id": person.native_id, "name": person.name, "email": person.email, "isMe": person.me}


# Linear keeps milliseconds.
moments = st.integers(-(10**9), 10**9).map(lambda millis: NOON + timedelta(milliseconds=millis))
asked_people = st.sampled_from(
    [
        *PEOPLE,
        Person("", me=True),
        Person("sarah"),
        Person("Kim Sarah"),
        Person("민수"),
        Person("김민수"),
        Person("", email="SARAH@x.example"),
        Person("nobody", "id-nobody"),
    ]
)
asked_places = st.sampled_from([Container("eng", "id-eng"), Container("x", "id-pay"), Container("Phoenix", "id-none")])
structured = (
    st.builds(Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), asked_people)
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), asked_places)
    | st.builds(Compare, st.just(Field.STATE), st.just(Op.EQ), st.sampled_from(State))
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from([Kind.ISSUE, Kind.PAGE]))
    | st.builds(
        Compare, st.sampled_from(["time", "created", "updated"]).map(Field), st.sampled_from([Op.GE, Op.LT]), instants()
    )
)


def finds(wanted: Any, held: Any) -> bool:
    """Linear's rules: keys are AND-ed, ``and`` and ``or`` hold lists, a comparator in a relation that is null fails."""
    if held is None:
        return bool(wanted == {"null": True})
    return all(_finds(key, value, held) for key, value in wanted.items())


def _finds(key: str, value: Any, held: Any) -> bool:
    match key:
        case "and":
            return all(finds(each, held) for each in value)
        case "or":
            return any(finds(each, held) for each in value)
        case "null":
            return value is False
        case _ if isinstance(value, dict):
            if key in COMPARED:
                return compares(value, held[key])
            return finds(value, held[key])
    raise AssertionError(f"no such key: {key}")


COMPARED = {"id", "key", "name", "email", "isMe", "type", "createdAt", "updatedAt"}


def compares(comparators: dict[str, Any], held: Any) -> bool:
    return all(compare(name, held, value) for name, value in comparators.items())


def compare(name: str, held: Any, value: Any) -> bool:  # noqa: PLR0911 - one line for each comparator
    match name:
        case "eq":
            return bool(held == value)
        case "neq":
            return bool(held != value)
        case "in":
            return held in value
        case "nin":
            return held not in value
        case "eqIgnoreCase":
            return bool(held.lower() == value.lower())
        case "neqIgnoreCase":
            return bool(held.lower() != value.lower())
        case "containsIgnoreCase":
            return bool(value.lower() in held.lower())
        case "gte":
            return bool(held >= datetime.fromisoformat(value))
        case "lt":
            return bool(held < datetime.fromisoformat(value))
    raise AssertionError(f"no such comparator: {name}")


@nightly(500)
@given(clauses(structured), issues())
def test_linears_filter_and_our_check_find_what_was_asked_for(where: Clause, issue: Issue) -> None:
    """End to end, over every tree of fields: found by Linear and kept by us, exactly when it satisfies the question."""
    found = Linear().translate(Query("?", where=where), Linear.can)
    returned = finds(found.native.args.get("filter", {}), issue.fields)
    asked = matches(where, issue.paper)
    kept = matches(found.residual or EVERYTHING, issue.paper)
    if asked is not None:
        assert (returned and kept is not False) is asked


def test_issues_that_nobody_works_on_are_not_anybodys() -> None:
    """ "Not assigned to Sarah" includes what is assigned to nobody."""
    where = Not(Compare(Field.ASSIGNEE, Op.EQ, Person("Sarah Kim", "id-sarah")))
    wanted = Linear().translate(Query("?", where=where), Linear.can).native.args["filter"]
    assert finds(wanted, {"assignee": None})
    assert finds(wanted, {"assignee": user(PEOPLE[1])})
    assert not finds(wanted, {"assignee": user(PEOPLE[0])})


def test_a_place_is_a_team_by_key_or_name_or_a_project() -> None:
    where = Compare(Field.CONTAINER, Op.EQ, Container("phoenix"))
    wanted = Linear().translate(Query("?", where=where), Linear.can).native.args["filter"]
    elsewhere = {"key": "ENG", "name": "Engineering"}
    assert finds(wanted, {"team": elsewhere, "project": {"name": "Phoenix"}})
    assert finds(wanted, {"team": {"key": "PHOENIX", "name": "P"}, "project": None})
    assert finds(wanted, {"team": {"key": "P", "name": "Phoenix"}, "project": None})
    assert not finds(wanted, {"team": elsewhere, "project": None})
