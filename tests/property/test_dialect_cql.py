"""CQL, read back by a reader written from Atlassian's manuals alone, and evaluated under every reading they leave open.

Manuals: https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/ and
https://developer.atlassian.com/cloud/confluence/performing-text-searches-using-cql/
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.cql import Cql
from translators.match import matches
from translators.query import (
    DATED,
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
    Phrase,
    Prefix,
    Query,
    Term,
)
from translators.strategies import HOSTILE, NOON, WORDS, Paper, clauses, instants, queries, texts

if TYPE_CHECKING:
    from collections.abc import Callable

many = nightly(300)

# ---- the reader: Atlassian's grammar, its two levels of escapes, and what it forbids

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\["\\])*"|!=|!~|>=|<=|[=~<>(),]|[A-Za-z][\w.]*|\d+)')
OPERATORS = {
    "text": {"~", "!~"},
    "space.title": {"~"},
    "space": {"=", "!="},
    "creator": {"=", "!="},
    "type": {"=", "in", "not in"},
    "created": {">=", "<"},
    "lastmodified": {">=", "<"},
    "id": {"="},
}
NEGATIVE = {"!=", "!~", "not in"}
TYPES = {"page", "blogpost", "comment", "attachment", "whiteboard", "database", "folder"}
ORDERS = {"ORDER BY lastmodified DESC", "ORDER BY lastmodified ASC"}
DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
Tree = tuple[Any, ...]


class Reader:
    """A recursive-descent reader; an assertion fails where a text is not in the grammar, or begins a group negatively."""

    def __init__(self, text: str) -> None:
        body, order, tail = text.partition(" ORDER BY ")
        assert not order or f"ORDER BY {tail}" in ORDERS, f"no order: {tail!r}"
        self.text, self.order = body, tail
        self.tokens: list[str] = []
        place = 0
        while place < len(body):
            found = TOKEN.match(body, place)
            assert found, f"cannot read {body[place:]!r} in {text!r}"
            self.tokens.append(found[1])
            place = found.end()

    def whole(self) -> Tree:
        tree = self.any_of()
        assert not self.tokens, f"left over: {self.tokens} in {self.text!r}"
        return tree

    def any_of(self) -> Tree:
        parts = [self.all_of()]
        while self.takes("OR"):
            parts.append(self.all_of())
        return parts[0] if len(parts) == 1 else ("or", *parts)

    def all_of(self) -> Tree:
        parts = [self.one()]
        first = parts[0]
        while first[0] in {"and", "or"}:
            first = first[1]
        assert first[0] != "clause" or first[2] not in NEGATIVE, f"a negative clause comes first in {self.text!r}"
        while self.takes("AND"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else ("and", *parts)

    def one(self) -> Tree:
        if self.takes("("):
            tree = self.any_of()
            assert self.takes(")"), f"a bracket is left open in {self.text!r}"
            return tree
        field = self.tokens.pop(0)
        operator = self.tokens.pop(0)
        if operator == "not":
            operator = f"not {self.tokens.pop(0)}"
        assert operator in OPERATORS.get(field, ()), f"{field} {operator} in {self.text!r}"
        return "clause", field, operator, self.values() if operator.endswith("in") else (self.value(),)

    def values(self) -> tuple[str, ...]:
        assert self.takes("(")
        found = [self.value()]
        while self.takes(","):
            found.append(self.value())
        assert self.takes(")")
        return tuple(found)

    def value(self) -> str:
        token = self.tokens.pop(0)
        if token == "currentUser":
            assert self.takes("(")
            assert self.takes(")")
            return "currentUser()"
        if token.startswith('"'):
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        assert token in TYPES or token.isdigit(), f"{token!r} stands bare in {self.text!r}"
        return token

    def takes(self, wanted: str) -> bool:
        taken = bool(self.tokens) and self.tokens[0] == wanted
        if taken:
            self.tokens.pop(0)
        return taken


LUCENE = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\W_][\w]*|_+[^\W_]\w*)(\*?)')
SYNTAX = set('+-&|!(){}[]^"~*?:/')


def needle(value: str) -> tuple[str, str]:
    """What a value looks for: a phrase, a word or a beginning. Nothing else may stand there, and no bare operator."""
    found = LUCENE.fullmatch(value)
    assert found, f"syntax in the value {value!r}"
    if found[1] is not None:
        assert not SYNTAX & set(re.sub(r"\\.", "", found[1])), f"unescaped syntax in {value!r}"
        return "phrase", re.sub(r"\\(.)", r"\1", found[1])
    assert found[3] or found[2] not in {"AND", "OR", "NOT"}, f"an operator stands bare in {value!r}"
    return ("beginning" if found[3] else "word"), found[2]


def walk(tree: Tree) -> list[Tree]:
    return [tree] if tree[0] == "clause" else [clause for part in tree[1:] for clause in walk(part)]


@many
@given(queries())
def test_whatever_is_asked_is_cql_and_never_begins_with_a_negative_clause(query: Query) -> None:
    """Whole queries of every shape are read without an objection, down to what Lucene sees in each value."""
    found = Cql().translate(query, Cql.can)
    reader = Reader(found.native.text)
    for _, field, _, values in walk(reader.whole()):
        for value in values:
            if field in {"text", "space.title"}:
                needle(value)
            elif field in {"created", "lastmodified"}:
                assert DATE.fullmatch(value)
    assert bool(reader.order) is (query.sort in DATED and "id =" not in found.native.text)


@many
@given(texts(), st.sampled_from([Term, Phrase, Prefix, lambda text: Not(Term(text))]))
def test_the_words_of_the_question_are_what_is_looked_for(text: str, build: Callable[[str], Clause]) -> None:
    """User text never leaves its quotes, on either level: what is looked for are its words, and nothing is added."""
    clauses_sent = walk(Reader(Cql().translate(Query("?", where=build(text)), Cql.can).native.text).whole())
    wanted = set(words_of(text))
    for _, field, _, values in clauses_sent:
        assert field in {"type", "text"}
        if field == "text":
            sent = words_of(needle(values[0])[1])
            assert sent
            assert set(sent) <= wanted


def words_of(text: str) -> list[str]:
    return re.findall(r"\w*[^\W_]\w*", unicodedata.normalize("NFC", text))


@pytest.mark.parametrize("raw", ['"', 'a" OR b', "a)", "(a", 'text ~ "a"b"', "text = x", "type in ()", "ORDER BY x"])
def test_the_reader_refuses_what_is_not_cql(raw: str) -> None:
    """The reader itself can fail: raw user text does not pass it."""
    with pytest.raises((AssertionError, IndexError)):
        Reader(f'type in (page) AND text ~ "{raw}"' if raw == '"' else raw).whole()


@pytest.mark.parametrize("raw", ["a b", "OR", 'x" OR "y', "*a", "a~", "a:b", "", '"a" b', '"a*"', '"(b"'])
def test_the_reader_of_values_refuses_syntax(raw: str) -> None:
    """Nor does it pass the second level."""
    with pytest.raises(AssertionError):
        needle(raw)


def test_the_reader_refuses_a_negative_beginning() -> None:
    """In a query, and in a group of one."""
    for raw in ('text !~ "a" AND type in (page)', 'type in (page) AND (text !~ "a" OR text ~ "b")'):
        with pytest.raises(AssertionError, match="negative clause comes first"):
            Reader(raw).whole()


# ---- the evaluator: what Confluence may make of it

HANGUL = re.compile("[\uac00-\ud7a3]")


@dataclass(frozen=True)
class Reading:
    """What the manuals leave open: how Hangul is indexed, the account's zone, and how finely times are compared."""

    bigrams: bool
    zone: timezone
    whole_days: bool


READINGS = st.builds(
    Reading,
    st.booleans(),
    st.sampled_from([timezone(timedelta(hours=hours)) for hours in (-12, -8, 0, 9, 14)]),
    st.booleans(),
)


@dataclass(frozen=True)
class Held:
    """A piece of content as Confluence holds it, and as we see it whole."""

    type: str
    key: str
    paper: Paper


PEOPLE = (Person("Sarah Kim", "712020:sarah"), Person("김민수", "712020:minsu", me=True), Person("박서연", "5b10a284"))
SPACES = (("ENG", "Engineering"), ("PAY", "결제 플랫폼"), ("EP", "eng-platform"), ("~712020sarah", "Sarah Kim"))
COMPOUNDS = ("재배포", "결제일정", "사전배포를")  # which hold a word that they do not begin with
KINDS = {"comment": Kind.MESSAGE, "attachment": Kind.FILE, "database": Kind.DATABASE}


@st.composite
def contents(draw: st.DrawFn) -> Held:
    kind = draw(st.sampled_from(sorted(TYPES)))
    key, name = draw(st.sampled_from(SPACES))
    created, updated = sorted(draw(st.tuples(moments, moments)))
    sentence = st.lists(st.sampled_from([*WORDS, *COMPOUNDS]), max_size=7).map(" ".join)
    paper = Paper(
        title=draw(sentence),
        snippet=draw(sentence),
        kind=KINDS.get(kind, Kind.PAGE),
        author=draw(st.none() | st.sampled_from(PEOPLE)),
        container=Container(name, key),
        created=created,
        updated=updated,
    )
    return Held(kind, key, paper)


moments = st.integers(-(10**10), 10**10).map(lambda micro: NOON + timedelta(milliseconds=micro / 100))
asked_text = (
    st.builds(Term, st.sampled_from([*WORDS, "release train", "배포 일정"]))
    | st.builds(Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))
    | st.builds(Prefix, st.sampled_from(["migr", "deploys", "마이그", "일정", "api", "배포 일", "v2"]))
)
asked_people = st.sampled_from([*PEOPLE, Person("", me=True), Person("sarah"), Person("민수"), Person("nobody", "x:1")])
asked_places = st.sampled_from(
    [
        Container("eng", "ENG"),
        Container("engineering"),
        Container("x", "PAY"),
        Container("결제 플랫폼"),
        Container("none"),
    ]
)
asked_fields = (
    st.builds(Compare, st.just(Field.AUTHOR), st.just(Op.EQ), asked_people)
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), asked_places)
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from(Kind))
    | st.builds(
        Compare, st.sampled_from(["time", "created", "updated"]).map(Field), st.sampled_from([Op.GE, Op.LT]), instants()
    )
)


def holds(tree: Tree, held: Held, reading: Reading) -> bool:
    match tree[0]:
        case "and":
            return all(holds(part, held, reading) for part in tree[1:])
        case "or":
            return any(holds(part, held, reading) for part in tree[1:])
    _, field, operator, values = tree
    if field in {"created", "lastmodified"}:
        return in_time(held.paper.created if field == "created" else held.paper.updated, operator, values[0], reading)
    positive = any(equals(field, value, held, reading) for value in values)
    return positive is not (operator in NEGATIVE)


def equals(field: str, value: str, held: Held, reading: Reading) -> bool:
    author, place = held.paper.author, held.paper.container
    assert place is not None
    match field:
        case "type":
            return held.type == value
        case "space":
            return held.key == value
        case "creator":
            return author is not None and (author.me if value == "currentUser()" else author.native_id == value)
        case "space.title":
            return occurs(value, (place.name,), reading)
        case _:
            return occurs(value, (held.paper.title, held.paper.snippet), reading)


def occurs(value: str, fields: tuple[str, ...], reading: Reading) -> bool:
    """A phrase stands side by side; a beginning is compared with what was indexed, as it is."""
    kind, text = needle(value)
    for field in fields:
        indexed = analysed(field, reading)
        if kind == "beginning" and any(token.startswith(text.lower()) for token in indexed):
            return True
        sought = analysed(text, reading)
        places = range(len(indexed) - len(sought) + 1)
        if kind != "beginning" and sought and any(indexed[at : at + len(sought)] == sought for at in places):
            return True
    return False


def analysed(text: str, reading: Reading) -> list[str]:
    """Words in small letters without a plural's ending; Hangul as it stands between blanks, or two syllables a time."""
    found: list[str] = []
    for word in re.findall(r"\w+", text.lower()):
        if reading.bigrams and HANGUL.search(word) and len(word) > 1:
            found += [word[at : at + 2] for at in range(len(word) - 1)]
        else:
            found.append(re.sub(r"(?<=[a-z]{3})(?:es|s|e)$", "", word))
    return found


def in_time(actual: datetime | None, operator: str, written: str, reading: Reading) -> bool:
    assert actual is not None
    year, month, day = (int(part) for part in written.split("-"))
    bound = datetime(year, month, day, tzinfo=reading.zone)
    local = actual.astimezone(reading.zone)
    if reading.whole_days:
        local = local.replace(hour=0, minute=0, second=0, microsecond=0)
    return local >= bound if operator == ">=" else local < bound


def check_never_narrower(where: Clause, held: Held, reading: Reading) -> bool:
    """Whether Confluence finds it and we keep it, if it is what was asked for."""
    found = Cql().translate(Query("?", where=where), Cql.can)
    returned = holds(Reader(found.native.text).whole(), held, reading)
    kept = matches(found.residual or EVERYTHING, held.paper) is not False
    if matches(where, held.paper) is True:
        assert returned, f"{where} is lost in {found.native.text} under {reading}"
        assert kept, f"{where} is rejected by {found.residual}"
    return returned and kept


@nightly(600)
@given(clauses(asked_text | asked_fields), contents(), READINGS)
def test_what_was_asked_for_is_found_under_every_reading(where: Clause, held: Held, reading: Reading) -> None:
    """Widen, never narrow: over every tree of text and fields, in whichever zone, however Hangul is indexed."""
    check_never_narrower(where, held, reading)


@nightly(600)
@given(clauses(asked_fields), contents(), READINGS)
def test_fields_are_exact_in_the_end(where: Clause, held: Held, reading: Reading) -> None:
    """What Confluence widens we check: of fields alone, nothing is shown that was not asked for."""
    shown = check_never_narrower(where, held, reading)
    if matches(where, held.paper) is False:
        assert not shown, f"{where} shows what does not satisfy it"


@many
@given(instants(), st.integers(0, 10**6), READINGS)
def test_no_instant_of_a_window_is_excluded(start: datetime, seconds: int, reading: Reading) -> None:
    """The first and the last instant of a window are found, in whichever zone the days are read."""
    if not 1972 < start.year < 8999:
        return
    end = start + timedelta(seconds=seconds, microseconds=1)
    for name in (Field.TIME, Field.CREATED, Field.UPDATED):
        text = " AND ".join(
            Cql().translate(Query("?", where=Compare(name, op, at)), Cql.can).native.text
            for op, at in ((Op.GE, start), (Op.LT, end))
        )
        for at in (start, end - timedelta(microseconds=1)):
            for kind in ("page", "comment"):
                paper = Paper(created=at, updated=at, container=Container("x", "ENG"))
                assert holds(Reader(text).whole(), Held(kind, "ENG", paper), reading), f"{at} is lost in {text}"


def test_a_comment_that_was_changed_later_happened_when_it_was_written() -> None:
    """So an end in time must not be compared with its last change alone."""
    end = datetime(2025, 1, 10, tzinfo=UTC)
    paper = Paper(
        kind=Kind.MESSAGE,
        created=end - timedelta(days=9),
        updated=end + timedelta(days=90),
        container=Container("x", "ENG"),
    )
    assert check_never_narrower(
        Compare(Field.TIME, Op.LT, end), Held("comment", "ENG", paper), Reading(False, UTC, False)
    )


@given(st.sampled_from(["배포", "일정"]), st.sampled_from(COMPOUNDS), READINGS)
def test_a_word_that_merely_ends_like_one_to_leave_out_stays(word: str, present: str, reading: Reading) -> None:
    """Where two syllables are indexed a time, leaving out 배포 would leave out 재배포 too."""
    paper = Paper(snippet=present, container=Container("x", "ENG"))
    assert check_never_narrower(Not(Term(word)), Held("page", "ENG", paper), reading)


# ---- ids


@many
@given(st.sampled_from(IdKind), st.sampled_from(HOSTILE) | texts(), st.integers(0, 10**17))
def test_nothing_but_a_number_comes_out_of_an_address(kind: IdKind, text: str, number: int) -> None:
    """Whatever follows it; and only an address of this product is looked up at all."""
    address = f"https://acme.atlassian.net/wiki/spaces/ENG/pages/{number}{text}"
    where = Compare(Field.ID, Op.EQ, Identifier(kind, address))
    found = Cql().translate(Query("?", where=where), Cql.can)
    if found.residual is None:
        assert kind in {IdKind.URL, IdKind.PERMALINK}
        assert re.fullmatch(r"id = \d{1,18}", found.native.text)
        assert str(number) in address.split("/pages/")[1]
        assert found.native.args == {"site": "acme.atlassian.net"}
    else:
        assert "id" not in [clause[1] for clause in walk(Reader(found.native.text).whole())]
