"""Asana: parameters evaluated by Asana's rules find what was asked for, whichever way its manual is read.

Manual: https://developers.asana.com/reference/searchtasksforworkspace
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.asana import Asana
from translators.match import matches
from translators.query import (
    EVERYTHING,
    AnyOf,
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
    Prefix,
    Query,
    Sort,
    State,
    all_of,
    conjuncts,
)
from translators.strategies import (
    NOON,
    Paper,
    clauses,
    comparisons,
    containers,
    identifiers,
    instants,
    people,
    queries,
    text_leaves,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.translator import Json

many = nightly(300)


def asked(where: Clause, sort: Sort = Sort.RELEVANCE) -> Mapping[str, Json]:
    """The parameters for a question."""
    return Asana().translate(Query("?", where=where, sort=sort), Asana.can).native.args


# ---- the shape of what is sent

PERSON = r"(?:me|[0-9]{1,20}|[^@\s,]+@[^@\s,]+)"
SHAPES = {
    **{f"{name}.{way}": rf"{PERSON}(?:,{PERSON})*" for name in ("assignee", "created_by") for way in ("any", "not")},
    **{f"due_on.{way}": r"\d{4}-\d\d-\d\d" for way in ("after", "before")},
    "projects.any": r"[0-9]{1,20}(?:,[0-9]{1,20})*",
    "completed": "true|false",
    "resource_subtype": "milestone",
    "sort_by": "relevance|modified_at",
    "sort_ascending": "true",
    **{
        f"{name}_at.{way}": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        for name in ("created", "modified")
        for way in ("after", "before")
    },
}


@many
@given(queries())
def test_nothing_but_described_parameters_with_values_of_their_shape(query: Query) -> None:
    """Whatever people, places and instants are made of: no parameter by another name, no value that holds another."""
    args = Asana().translate(query, Asana.can).native.args
    if "task" in args:
        assert args.keys() == {"task"}
        assert re.fullmatch(r"[0-9]{1,20}", str(args["task"]), re.ASCII)
        return
    for name, value in args.items():
        assert re.fullmatch(SHAPES[name], str(value), re.ASCII), (name, value)


@many
@given(people(), containers())
def test_what_people_and_places_are_called_is_never_sent(who: Person, where: Container) -> None:
    """Names go nowhere: only numbers, ``me`` and addresses do, one value each."""
    for leaf in (Compare(Field.ASSIGNEE, Op.EQ, who), Compare(Field.CONTAINER, Op.EQ, where)):
        for value in asked(leaf).values():
            assert value in ("me", who.native_id, who.email, where.native_id)
            assert "," not in str(value)


# ---- text

leaf = text_leaves() | comparisons().filter(lambda each: each.field is not Field.ID)


@many
@given(st.lists(leaf | leaf.map(Not), max_size=5).map(all_of))
def test_the_words_of_the_question_are_the_text(where: Clause) -> None:
    """All words and phrases, in order; no word that is to be absent, and no beginning of one."""
    text = Asana().translate(Query("?", where=where), Asana.can).native.text
    wanted = [part.text for part in conjuncts(where) if not isinstance(part, Compare | Not | Prefix)]  # type: ignore[union-attr]
    assert words_of(text) == [word for each in wanted for word in words_of(each)]
    assert "\n" not in text


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text))


# ---- things named by number or address

ADDRESSES = (
    "https://app.asana.com/0/1200000000000201/1208000000000301",
    "https://app.asana.com/0/1200000000000201/1208000000000301/f",
    "https://app.asana.com/0/search/1200000000000201/1208000000000301?x=1",
    "https://app.asana.com/1/1200000000000001/project/1200000000000201/task/1208000000000301",
    "https://app.asana.com/1/1200000000000001/task/1208000000000301#c",
    "https://app.asana.com/1/1/project/2/list/3/task/1208000000000301/comment/4?focus=true",
    "https://app.asana.com/0/1200000000000201/1200000000000201",
    "https://app.asana.com/0/1200000000000201/list",
    "https://app.asana.com/1/1200000000000001/project/1200000000000201",
    "https://evil.example/0/1200000000000201/1208000000000301",
    "https://app.asana.com.evil.example/0/1200000000000201/1208000000000301",
    "https://app.asana.com@evil.example/0/1200000000000201/1208000000000301",
    "https://app.asana.com/0/1/1208000000000301/../../users/me",
    "1208000000000301",
    "１２０８０００００００００３０１",
    "2026",
    "1208000000000301\n",
)


def named(text: str) -> str:
    """The task that people mean: a long number, the step after ``task``, or after the place in the former addresses."""
    if "://" not in text:
        return text if text.isascii() and text.isdecimal() and 12 <= len(text) <= 20 else ""
    parts = urlsplit(text)
    steps = parts.path.strip("/").split("/")
    if parts.netloc.lower() != "app.asana.com" or ".." in steps:
        return ""
    if steps[0] == "1" and "task" in steps[:-1]:
        return steps[steps.index("task") + 1]
    numbers = [step for step in steps[1:] if step.isdecimal()]
    return numbers[1] if steps[0] == "0" and len(numbers) == 2 and numbers[0] != numbers[1] else ""


@many
@given(
    st.builds(Identifier, st.sampled_from(IdKind), st.sampled_from(ADDRESSES)) | identifiers(),
    st.lists(text_leaves(), max_size=2),
)
def test_what_is_named_is_fetched_and_nothing_else_is(thing: Identifier, words: list[Clause]) -> None:
    """The task that people mean is fetched, the rest of the question is checked; any other id is left to us."""
    where = all_of([Compare(Field.ID, Op.EQ, thing), *words])
    found = Asana().translate(Query("?", where=where), Asana.can)
    if task := found.native.args.get("task"):
        assert (task, found.native.text) == (named(thing.text), "")
        assert set(conjuncts(found.residual or EVERYTHING)) == set(conjuncts(all_of(words)))
    else:
        assert Compare(Field.ID, Op.EQ, thing) in conjuncts(found.residual or EVERYTHING)


@pytest.mark.parametrize("text", ADDRESSES)
def test_every_form_of_an_address_is_known(text: str) -> None:
    """Each by the kind that the understanding of a question gives it."""
    kind = IdKind.URL if "://" in text else IdKind.TICKET
    assert asked(Compare(Field.ID, Op.EQ, Identifier(kind, text))).get("task", "") == named(text)


def test_a_number_is_no_address_and_an_address_no_number() -> None:
    """What stands in a question as an address is not taken for a number, and what is a file name is neither."""
    for kind in (IdKind.URL, IdKind.FILE_NAME, IdKind.ERROR_CODE):
        assert asked(Compare(Field.ID, Op.EQ, Identifier(kind, "1208000000000301"))) == {}


# ---- against Asana's rules

SARAH = Person("Sarah Kim", "101", "sarah@x.example")
MINSU = Person("김민수", "102", "minsu@x.example", me=True)
SEOYEON = Person("박서연", "103", "seoyeon@x.example")
ROSTER = (SARAH, MINSU, SEOYEON)
PLACES = (Container("Payments", "201"), Container("결제 플랫폼", "202"), Container("Ops", "203"))


@dataclass(frozen=True)
class Task:
    """A task as Asana holds it, and as we see it: in several projects it stands in none for certain."""

    author: Person
    assignee: Person | None
    projects: frozenset[str]
    done: bool
    subtype: str
    created: datetime
    modified: datetime
    due: date | None = None

    @property
    def paper(self) -> Paper:
        alone = [place for place in PLACES if {place.native_id} == self.projects]
        return Paper(
            kind=Kind.MILESTONE if self.subtype == "milestone" else Kind.ISSUE,
            author=self.author,
            assignee=self.assignee,
            container=alone[0] if alone else None,
            state=State.DONE if self.done else State.OPEN,
            created=self.created,
            updated=self.modified,
            due=self.due,
        )


# Asana keeps milliseconds; bounds are drawn from the same few moments, so that tasks lie on them.
moments = st.integers(-4, 4).map(lambda half: NOON + timedelta(milliseconds=500 * half)) | st.integers(
    -(10**9), 10**9
).map(lambda millis: NOON + timedelta(milliseconds=millis))

days = st.integers(-4, 4).map(lambda count: NOON.date() + timedelta(days=count))


@st.composite
def tasks(draw: st.DrawFn) -> Task:
    created, modified = sorted(draw(st.tuples(moments, moments)))
    projects = draw(st.frozensets(st.sampled_from([str(place.native_id) for place in PLACES])))
    subtype = draw(st.sampled_from(["default_task", "milestone", "approval"]))
    who, owner = draw(st.sampled_from(ROSTER)), draw(st.none() | st.sampled_from(ROSTER))
    due = draw(st.none() | days)
    return Task(who, owner, projects, draw(st.booleans()), subtype, created, modified, due)


@dataclass(frozen=True)
class Reading:
    """How Asana's manual may be read: whether bounds are within, and whether parts of a second count."""

    within: bool
    whole_seconds: bool


readings = st.builds(Reading, st.booleans(), st.booleans())


def finds(args: Mapping[str, Json], task: Task, reading: Reading) -> bool:
    """Asana's rules: parameters are AND-ed, a list of ``.any`` is OR-ed."""
    return all(_lets_through(name, str(value), task, reading) for name, value in args.items())


def _lets_through(name: str, value: str, task: Task, reading: Reading) -> bool:  # noqa: PLR0911 - one line for each parameter
    listed = value.split(",")
    match name.split("."):
        case ["created_by", "any"]:
            return any(_is(task.author, each) for each in listed)
        case ["created_by", "not"]:
            return not any(_is(task.author, each) for each in listed)
        case ["assignee", "any"]:
            return any(_is(task.assignee, each) for each in listed)
        case ["projects", "any"]:
            return not task.projects.isdisjoint(listed)
        case ["completed"]:
            return task.done is (value == "true")
        case ["resource_subtype"]:
            return task.subtype == value
        case ["created_at" | "modified_at" as field, way]:
            moment = task.created if field == "created_at" else task.modified
            return _in_time(moment, way, datetime.fromisoformat(value), reading)
        case ["due_on", way]:
            if task.due is None:
                return False
            bound = date.fromisoformat(value)
            later = task.due > bound if way == "after" else task.due < bound
            return reading.within if task.due == bound else later
        case ["sort_by"] | ["sort_ascending"]:
            return True
    raise AssertionError(f"Asana describes no {name}")


def _is(person: Person | None, wanted: str) -> bool:
    return person is not None and (wanted in (person.native_id, person.email) or (wanted == "me" and person.me))


def _in_time(moment: datetime, way: str, bound: datetime, reading: Reading) -> bool:
    if reading.whole_seconds:
        moment = moment.replace(microsecond=0)
    if moment == bound:
        return reading.within
    return moment > bound if way == "after" else moment < bound


asked_people = st.sampled_from(
    [
        *ROSTER,
        Person("", me=True),
        Person("sarah"),
        Person("민수"),
        Person("", email="sarah@x.example"),
        Person("x", "199"),
    ]
)
asked_places = st.sampled_from([*PLACES, Container("Payments"), Container("x", "299")])
structured = (
    st.builds(Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), asked_people)
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), asked_places)
    | st.builds(Compare, st.just(Field.STATE), st.just(Op.EQ), st.sampled_from(State))
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from([Kind.ISSUE, Kind.MILESTONE, Kind.PAGE]))
    | st.builds(
        Compare,
        st.sampled_from([Field.TIME, Field.CREATED, Field.UPDATED]),
        st.sampled_from([Op.GE, Op.LT]),
        moments | instants(),
    )
    | st.builds(Compare, st.just(Field.DUE), st.sampled_from([Op.GE, Op.LT]), days)
)


def means(where: Clause, task: Task) -> bool | None:
    """What the question asks of a task, in which a task may stand in several projects at once."""
    seen = {matches(where, _standing_in(task, place)) for place in task.projects} or {matches(where, task.paper)}
    return seen.pop() if len(seen) == 1 else None


def _standing_in(task: Task, gid: str) -> Paper:
    alone = Task(
        task.author, task.assignee, frozenset({gid}), task.done, task.subtype, task.created, task.modified, task.due
    )
    return alone.paper


# Few people and few places, so that alternatives, repetitions and contradictions of one field come up.
one_of_few = st.builds(
    Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), st.sampled_from([SARAH, MINSU])
) | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), st.sampled_from(PLACES[:2]))
alternatives = st.lists(one_of_few, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts)))
crowded = st.lists(one_of_few | one_of_few.map(Not) | alternatives, min_size=1, max_size=2).map(all_of)


@nightly(800)
@given(clauses(structured) | crowded, tasks(), readings, st.sampled_from(Sort))
def test_asanas_search_and_our_check_find_what_was_asked_for(
    where: Clause, task: Task, reading: Reading, sort: Sort
) -> None:
    """End to end, over every tree of fields: found by Asana and kept by us, exactly when it satisfies the question."""
    found = Asana().translate(Query("?", where=where, sort=sort), Asana.can)
    kept = matches(found.residual or EVERYTHING, task.paper) is not False
    returned = finds(found.native.args, task, reading)
    truth = means(where, task)
    if truth is True:
        assert returned, "Asana would leave out what was asked for"
        assert kept, "we would leave out what was asked for"
    elif truth is False and len(task.projects) <= 1:
        assert not (returned and kept), "what was not asked for would come"


# ---- bounds


@many
@given(st.sampled_from([Field.TIME, Field.CREATED]), st.sampled_from([Op.GE, Op.LT]), instants())
def test_bounds_are_wider_by_less_than_two_seconds(field: Field, op: Op, instant: datetime) -> None:
    """Wide enough for every reading, and no wider."""
    args = asked(Compare(field, op, instant))
    if not args:
        assert instant.year < 1972 or instant.year > 8998
        return
    ((name, value),) = args.items()
    assert name.endswith(".after" if op is Op.GE else ".before")
    gap = instant - datetime.fromisoformat(str(value))
    if op is Op.GE:
        assert timedelta(seconds=1) <= gap < timedelta(seconds=2)
    else:
        assert timedelta(seconds=-1) < gap <= timedelta(0)


def test_newest_and_oldest_go_by_the_last_change() -> None:
    """Relevance is asked for only where there is a word to be relevant to."""
    assert asked(EVERYTHING) == {}
    assert asked(EVERYTHING, Sort.NEWEST) == {"sort_by": "modified_at"}
    assert asked(EVERYTHING, Sort.OLDEST) == {"sort_by": "modified_at", "sort_ascending": "true"}
