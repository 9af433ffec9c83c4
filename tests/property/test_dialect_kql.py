"""KQL, read back by a reader written from its grammar alone: nothing asked for is excluded, and text stays text.

Grammar: https://learn.microsoft.com/en-us/openspecs/sharepoint_protocols/ms-kql/
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import nightly
from tests.property.kql_reader import OPERATORS, Tree, read, spelled, words_of
from tests.rows import each_row
from translators.kql import LONGEST, TOO_LONG, Kql
from translators.kql.verdicts import judge
from translators.match import matches
from translators.query import (
    EVERYTHING,
    AllOf,
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
    Phrase,
    Prefix,
    Query,
    State,
    Term,
    all_of,
)
from translators.split import split
from translators.strategies import HOSTILE, IDS, NOON, WORDS, Paper, clauses, comparisons, instants, text_leaves

if TYPE_CHECKING:
    from translators.translator import NativeQuery


many = nightly(250)
TYPES = ("message", "chatMessage", "driveItem", "listItem", "site")
STORED = {"driveItem", "listItem", "site"}
PROPERTIES = {
    "message": {"from", "received"},
    "chatMessage": {"from", "sent"},
    **dict.fromkeys(STORED, frozenset({"author", "CreatedBy", "path", "LastModifiedTime", "Created"})),
}


def queries_of(native: NativeQuery) -> dict[str, str]:
    """The whole query of each type that is asked, as the connector joins it."""
    groups: Any = native.args.get("entities", [{"types": TYPES, "where": ""}])
    asked = {each: str(group["where"]) for group in groups for each in group["types"]}
    return {each: " AND ".join(part for part in (native.text, where) if part) for each, where in asked.items()}


# ---- text never becomes syntax


@many
@given(clauses())
def test_every_query_is_in_the_grammar_and_names_known_properties_only(where: Clause) -> None:
    """Whatever is asked, each type is sent a query that can be read, of properties that it has."""
    native = Kql().translate(Query("?", where=where), Kql.can).native
    for kind, query in queries_of(native).items():
        assert len(query) <= LONGEST + 100
        for name in names_in(read(query)):
            assert name in PROPERTIES[kind], f"{kind} has no {name}"


def names_in(tree: Tree) -> set[str]:
    if tree[0] in ("AND", "OR", "NOT"):
        return set().union(*map(names_in, tree[1:]))
    return set() if tree[0] == "text" else {tree[0]}


@many
@given(clauses(text_leaves()))
def test_the_words_that_are_read_are_the_words_that_were_meant(where: Clause) -> None:
    """The tree read back equals the tree that was pushed; nothing in a word opens or closes anything."""
    found = Kql().translate(Query("?", where=where), Kql.can)
    pushed = split(where, Kql.can, judge).pushed
    if any(loss.why == TOO_LONG for loss in found.losses):
        return
    if pushed == EVERYTHING:
        assert found.native.text == ""
    else:
        assert simple(read(found.native.text)) == simple(meant(pushed))


@each_row("text", [*HOSTILE, *sorted(OPERATORS), "near", "or", "Words", "받은OR", "ALL"])
@each_row("build", [Term, Phrase, Prefix, lambda text: Not(Term(text))])
def test_each_hostile_word_is_one_word(text: str, build: Any) -> None:
    """By itself and beside another, it is read as what it says and nothing else."""
    for where in (build(text), all_of([Term("deploy"), build(text)]), AnyOf((Term("deploy"), build(text)))):
        pushed = split(where, Kql.can, judge).pushed
        found = Kql().translate(Query("?", where=where), Kql.can).native.text
        assert found == "" if pushed == EVERYTHING else simple(read(found)) == simple(meant(pushed))


def meant(clause: Clause) -> Tree:
    match clause:
        case AllOf(parts):
            return "AND", *map(meant, parts)
        case AnyOf(parts):
            return "OR", *map(meant, parts)
        case Not(part):
            return "NOT", meant(part)
        case Prefix(text):
            return "text", words_of(text), True
        case Term(text) | Phrase(text):
            words = words_of(text)
            korean = any("HANGUL" in unicodedata.name(char, "") for char in unicodedata.normalize("NFC", text))
            return ("OR", ("text", words, False), ("text", words, True)) if korean else ("text", words, False)
        case _:
            raise AssertionError(clause)


def simple(tree: Tree) -> Tree:
    """Without groups of one and groups in like groups; repeats count once."""
    if tree[0] not in ("AND", "OR", "NOT"):
        return tree
    parts = [simple(part) for part in tree[1:]]
    if tree[0] == "NOT":
        return "NOT", *parts
    flat = [inner for part in parts for inner in (part[1:] if part[0] == tree[0] else (part,))]
    distinct = list(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else (tree[0], *distinct)


@each_row(
    "raw", ['"', 'a" OR x', "a OR", "(a", "a)", "from:", "a b", "-a", "NEAR", "a*b", '"a"b', "x:y:z", "a AND b OR c"]
)
def test_the_reader_refuses_what_is_not_the_grammar(raw: str) -> None:
    """The reader itself can fail: raw user text does not pass it."""
    with pytest.raises(AssertionError):
        read(raw)


# ---- nothing that was asked for is excluded


@dataclass(frozen=True)
class Thing:
    """A thing as Microsoft 365 holds it, of a type; ``paper`` is what we make of it."""

    type: str
    paper: Paper


PEOPLE = (
    Person("Sarah Kim", email="sarah@x.example"),
    Person("김민수", email="minsu@x.example", me=True),
    Person("박서연 (Platform)", email="seoyeon@x.example"),
)
SITES = tuple(Container(name, f"https://acme.sharepoint.com/sites/{name}") for name in ("eng", "eng-platform", "결제"))
KINDS = {"message": [Kind.MAIL], "chatMessage": [Kind.MESSAGE, Kind.THREAD], "driveItem": [Kind.FILE, Kind.PAGE]}
# Nothing at work happened before 1970, which is where Graph is asked to begin.
moments = st.integers(-(10**12), 10**12).map(lambda micro: NOON + timedelta(microseconds=micro))
sentences = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@st.composite
def things(draw: st.DrawFn) -> Thing:
    kind = draw(st.sampled_from(TYPES))
    author = draw(st.sampled_from(PEOPLE))
    created, updated = sorted(draw(st.tuples(moments, moments)))
    paper = Paper(
        title=draw(sentences),
        snippet=draw(sentences),
        kind=draw(st.sampled_from(KINDS.get(kind, [Kind.PAGE]))),
        # Of who made a file the name is all that can be relied on.
        author=replace(author, email=None) if kind in STORED else author,
        container=draw(st.sampled_from(SITES)) if kind in STORED else None,
        created=created,
        updated=updated if kind in STORED else None,
    )
    return Thing(kind, paper)


asked_people = st.sampled_from(
    [
        *PEOPLE,
        Person("", me=True),
        Person("sarah"),
        Person("Kim Sarah"),
        Person("민수"),
        Person("민수", "minsu@x.example", "minsu@x.example"),
        Person("김민수"),
        Person("서연", "someone@else.example"),
        Person("박서연"),
        Person("Sarah Kim", "sk@x.example", "SARAH@x.example"),
        Person("", email="sarah@x.example"),
        Person("!!!"),
        Person("me"),
    ]
)
structured = (
    st.builds(Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), asked_people)
    | st.builds(
        Compare,
        st.just(Field.CONTAINER),
        st.just(Op.EQ),
        st.sampled_from([*SITES, Container("eng"), Container("x", "c9f0")]),
    )
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from(Kind))
    | st.builds(Compare, st.just(Field.STATE), st.just(Op.EQ), st.sampled_from(State))
    | st.builds(
        Compare,
        st.sampled_from([Field.TIME, Field.CREATED, Field.UPDATED]),
        st.sampled_from([Op.GE, Op.LT]),
        instants(),
    )
)
words = st.sampled_from(WORDS) | st.sampled_from(HOSTILE)
texts = (
    st.builds(Term, words)
    | st.builds(Prefix, words)
    | st.builds(Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join))
)
zones = st.integers(-12, 14).map(lambda hours: timezone(timedelta(hours=hours)))


@nightly(600)
@given(clauses(structured | texts), things(), zones)
def test_what_was_asked_for_is_found_and_kept(where: Clause, thing: Thing, zone: timezone) -> None:
    """End to end: a thing that satisfies the question is among what its type is asked for, in whichever zone the days
    are counted, and passes our own check.
    """
    found = Kql().translate(Query("?", where=where), Kql.can)
    if matches(where, thing.paper) is not True:
        return
    assert matches(found.residual or EVERYTHING, thing.paper) is not False
    query = queries_of(found.native).get(thing.type)
    assert query is not None, f"{thing.type} is not asked at all"
    assert holds(read(query), thing, zone), f"{query} excludes {thing}"


@st.composite
def truths(draw: st.DrawFn) -> tuple[Thing, Clause]:
    """A thing, and conditions that it satisfies, each by itself or as one of several."""
    thing = draw(things())
    paper = thing.paper
    assert paper.author is not None
    facts: list[Clause] = [
        Compare(Field.KIND, Op.EQ, paper.kind),
        *(
            Not(Compare(Field.KIND, Op.EQ, kind))
            for kind in Kind
            if matches(Compare(Field.KIND, Op.EQ, kind), paper) is False
        ),
        Compare(Field.AUTHOR, Op.EQ, draw(asked_people)),
        Compare(Field.AUTHOR, Op.EQ, Person(paper.author.name.split()[0])),
        *([Compare(Field.CONTAINER, Op.EQ, paper.container)] if paper.container else []),
        *(Compare(name, Op.GE, draw(moments)) for name in (Field.TIME, Field.CREATED, Field.UPDATED)),
        *(Compare(name, Op.LT, draw(moments)) for name in (Field.TIME, Field.CREATED, Field.UPDATED)),
        *(Term(word) for word in paper.title.split()),
        *(Prefix(word[:2]) for word in paper.snippet.split()),
        Not(Term("quagga")),
    ]
    true = [fact for fact in facts if matches(fact, paper) is True]
    said = draw(st.lists(st.sampled_from(true), min_size=1, max_size=4))
    others = draw(st.lists(st.sampled_from(facts), max_size=2))
    return thing, all_of([*said, AnyOf((said[0], *others))])


@nightly(600)
@given(truths(), zones)
def test_what_is_true_of_a_thing_finds_it(truth: tuple[Thing, Clause], zone: timezone) -> None:
    """The same from the other side: conditions are made to hold."""
    thing, where = truth
    found = Kql().translate(Query("?", where=where), Kql.can)
    assert matches(found.residual or EVERYTHING, thing.paper) is not False
    query = queries_of(found.native).get(thing.type)
    assert query is not None, f"{thing.type} is not asked at all"
    assert holds(read(query), thing, zone), f"{query} excludes {thing}"


@nightly(400)
@given(clauses(st.builds(Term, st.sampled_from(["deploy", "api", "k8s", "budget"])) | structured), things(), zones)
def test_nothing_else_is_kept(where: Clause, thing: Thing, zone: timezone) -> None:
    """Nor is anything that does not satisfy the question both found and passed by our check."""
    found = Kql().translate(Query("?", where=where), Kql.can)
    if matches(where, thing.paper) is not False:
        return
    query = queries_of(found.native).get(thing.type)
    returned = query is not None and holds(read(query), thing, zone)
    assert not returned or matches(found.residual or EVERYTHING, thing.paper) is not True


def holds(tree: Tree, thing: Thing, zone: timezone) -> bool:
    match tree:
        case "AND", *parts:
            return all(holds(part, thing, zone) for part in parts)
        case "OR", *parts:
            return any(holds(part, thing, zone) for part in parts)
        case "NOT", part:
            return not holds(part, thing, zone)
        case "text", wanted, begun:
            return any(has_run(words_of(text), wanted, begun) for text in (thing.paper.title, thing.paper.snippet))
        case name, operator, value:
            return has_property(name, operator, value, thing, zone)
    raise AssertionError(tree)


def has_run(present: tuple[str, ...], wanted: tuple[str, ...], begun: bool) -> bool:
    """Words side by side. A single word may be inflected as the source sees fit: here, by an s."""
    size = len(wanted)
    for start in range(len(present) - size + 1):
        run = present[start : start + size]
        if run == wanted or (begun and run[:-1] == wanted[:-1] and run[-1].startswith(wanted[-1])):
            return True
        if size == 1 and (run[0] == f"{wanted[0]}s" or wanted[0] == f"{run[0]}s"):
            return True
    return False


def has_property(name: str, operator: str, value: str, thing: Thing, zone: timezone) -> bool:
    paper = thing.paper
    match name:
        case "from" | "author" | "CreatedBy":
            assert paper.author is not None
            if value == "{me}":
                return paper.author.me
            wanted, begun = spelled(value)
            return (
                has_run(words_of(paper.author.name), wanted, begun) or value.strip('"').casefold() == paper.author.email
            )
        case "path":
            assert paper.container is not None
            return f"{paper.container.native_id}/x".startswith(value.strip('"'))
        case "received" | "sent" | "Created":
            moment = paper.created
        case "LastModifiedTime":
            moment = paper.updated
        case _:
            raise AssertionError(name)
    assert moment is not None
    day, bound = moment.astimezone(zone).date(), date.fromisoformat(value)
    return day >= bound if operator == ">=" else day < bound


@many
@given(instants(), st.integers(1, 10**6), st.integers(-3_000_000, 3_000_000), zones, st.booleans())
def test_no_moment_of_the_window_is_excluded(
    start: datetime, seconds: int, shift: int, zone: timezone, exact: bool
) -> None:
    """Whether a day's name means its midnight or the whole of it, in any zone."""
    if not 1971 < start.year < 8999:
        return
    end = start + timedelta(seconds=seconds)
    where = all_of([Compare(Field.TIME, Op.GE, start), Compare(Field.TIME, Op.LT, end)])
    found = Kql().translate(Query("?", where=where), Kql.can)
    assert found.residual == where
    for query in queries_of(found.native).values():
        bounds = [date.fromisoformat(text) for text in re.findall(r"\d{4}-\d\d-\d\d", query)]
        first, last = (datetime.combine(day, datetime.min.time(), zone) for day in bounds)
        for moment in (start, end - timedelta(microseconds=1), start + timedelta(milliseconds=shift)):
            if start <= moment < end:
                assert first <= moment < last if exact else first.date() <= moment.astimezone(zone).date() < last.date()


# ---- what is too long, and what is fetched


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(Term, st.text(min_size=1, max_size=900)) | comparisons(), min_size=1, max_size=12))
def test_a_long_question_is_sent_as_far_as_it_fits(parts: list[Clause]) -> None:
    """The rest is checked here, and said."""
    where = all_of(parts)
    found = Kql().translate(Query("?", where=where), Kql.can)
    assert max(map(len, queries_of(found.native).values()), default=0) <= LONGEST


def test_what_does_not_fit_is_named() -> None:
    long, short = Term("가" * 1500), Term("deploy")
    found = Kql().translate(Query("?", where=all_of([long, short])), Kql.can)
    assert (found.native.text, found.residual) == ("deploy", long)
    assert [loss.why for loss in found.losses] == [TOO_LONG]


MAIL = "A" * 40


@each_row(
    ("link", "fetched"),
    [
        (f"https://outlook.office365.com/owa/?ItemID={MAIL}%2B%2F%3D&exvsurl=1", {"message": f"{MAIL}_-="}),
        (f"https://outlook.office.com/owa/?ItemID={MAIL}+/=&viewmodel=ReadMessageItem", {"message": f"{MAIL}_-="}),
        (f"https://outlook.office365.com/mail/?ItemID={MAIL}", None),
        (f"http://outlook.office365.com/owa/?ItemID={MAIL}", None),
        ("https://outlook.office365.com/owa/?ItemID=short", None),
        ("https://outlook.office365.com/owa/", None),
        (f"https://evil.example/owa/?ItemID={MAIL}", None),
        ("https://teams.microsoft.com/l/message/19:ab@thread.v2/1657782060227", {"chat": "19:ab@thread.v2", "chatMessage": "1657782060227"}),
        ("https://teams.cloud.microsoft/l/message/19%3Aab_cd%40unq.gbl.spaces/1657782060227", {"chat": "19:ab_cd@unq.gbl.spaces", "chatMessage": "1657782060227"}),
        ("https://teams.microsoft.com/l/message/19:ab@thread.v2/12", None),
        ("https://teams.microsoft.com/l/channel/19:ab@thread.v2/1657782060227", None),
        ("https://teams.microsoft.com/l/message/19:ab@thread.tacv2/1657782060227", None),
        ("https://teams.microsoft.com/l/message/19:ab@thread.tacv2/1657782060227?groupId=x", None),
        ("https://teams.microsoft.com/l/message/19:ab@thread.tacv2/1657782060227?groupId=3b0c2d1e-0a1b-4c2d-8e3f-1a2b3c4d5e6f&parentMessageId=1657782000000", {"team": "3b0c2d1e-0a1b-4c2d-8e3f-1a2b3c4d5e6f", "channel": "19:ab@thread.tacv2", "parent": "1657782000000", "chatMessage": "1657782060227"}),
        ("https://teams.microsoft.com/l/message/19:ab@thread.tacv2/1657782060227?groupId=3b0c2d1e-0a1b-4c2d-8e3f-1a2b3c4d5e6f&parentMessageId=../x", None),
        ("https://[", None),
        ("김민수", None),
    ],
)  # fmt: skip
def test_links_are_taken_apart_only_where_graph_has_a_path_for_them(link: str, fetched: dict[str, str] | None) -> None:
    """A file's address, and what only resembles a link of Microsoft's are not fetched."""
    found = Kql().translate(Query("?", where=Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, link))), Kql.can)
    assert found.native.args.get("fetch") == fetched
    assert (found.residual is None) is (fetched is not None)


@many
@given(st.sampled_from(IdKind), st.sampled_from(IDS) | st.sampled_from(HOSTILE) | st.text())
def test_no_text_breaks_out_of_a_path(kind: IdKind, text: str) -> None:
    """What is fetched holds nothing that a path or a parameter would take for its own."""
    found = Kql().translate(Query("?", where=Compare(Field.ID, Op.EQ, Identifier(kind, text))), Kql.can)
    parts: Any = found.native.args.get("fetch", {})
    assert all(re.fullmatch(r"[A-Za-z0-9_=:@.-]+", value) for value in parts.values())


def test_utc_is_the_zone_of_the_first_day() -> None:
    """The anchor that stands for everything begins where time stamps do."""
    (query,) = {
        text for kind, text in queries_of(Kql().translate(Query("?"), Kql.can).native).items() if kind == "message"
    }
    assert read(query) == ("received", ">=", datetime(1970, 1, 1, tzinfo=UTC).date().isoformat())
