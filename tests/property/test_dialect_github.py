"""GitHub, read back by readers written from its manual alone: what each search would find, and we keep, is what was asked.

Manual: https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from tests.rows import each_row
from translators.github import GitHub
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
    Phrase,
    Prefix,
    Query,
    State,
    Term,
    leaves,
)
from translators.strategies import HOSTILE, NOON, Paper, clauses, instants, queries, texts

many = nightly(500)
Tree = tuple[Any, ...]
QUALIFIERS = {"author", "assignee", "repo", "is", "created", "updated"}
WITH_OR = {"issues", "pull_requests"}
SEARCHES = {*WITH_OR, "discussions", "code"}
MOST_CHARACTERS, MOST_OPERATORS, DEEPEST = 256, 5, 5


# ---- a reader of what is sent


class Reader:
    """Reads one query; an assertion fails where a search would refuse it or read something undocumented.

    ``groups``: whether OR and parentheses are understood, as they are by the search of issues and pull requests.
    """

    def __init__(self, text: str, *, groups: bool) -> None:
        self.text = text
        self.groups = groups
        self.tokens = re.findall(r'"[^"]*"|-?[a-z]+:[^\s()"]+|[()]|[^\s()"]+|"', text)
        self.operators = self.characters = self.depth = 0
        assert "".join(self.tokens) == self.masked(), f"unread text in {text!r}"

    def masked(self) -> str:
        """The text with blanks only inside quotes."""
        parts = re.split(r'("[^"]*")', self.text)
        return "".join(part if part.startswith('"') else part.replace(" ", "") for part in parts)

    def whole(self) -> Tree:
        tree = self.sequence(0)
        assert not self.tokens, f"{self.tokens} closes what was never opened in {self.text!r}"
        assert self.characters <= MOST_CHARACTERS, f"too long: {self.text!r}"
        assert self.operators <= MOST_OPERATORS, f"too many operators: {self.text!r}"
        assert self.depth <= DEEPEST, f"too deep: {self.text!r}"
        return tree

    def sequence(self, depth: int) -> Tree:
        self.depth = max(self.depth, depth)
        parts = [self.alternatives(depth)]
        while self.tokens and self.tokens[0] != ")":
            parts.append(self.alternatives(depth))
        return ("and", *(part for part in parts if part))

    def alternatives(self, depth: int) -> Tree:
        """OR stands between two items; which of it and a blank binds closer is not documented, so never both."""
        if not self.tokens:
            return ()
        parts = [self.item(depth)]
        while self.tokens and self.tokens[0] == "OR":
            assert depth, f"OR outside of parentheses in {self.text!r}"
            self.tokens.pop(0)
            self.operators += 1
            parts.append(self.item(depth))
        if len(parts) > 1:
            assert self.groups, f"OR for a search that knows none: {self.text!r}"
            assert self.tokens[:1] == [")"], f"OR beside a blank in {self.text!r}"
        return parts[0] if len(parts) == 1 else ("or", *parts)

    def item(self, depth: int) -> Tree:
        token = self.tokens.pop(0)
        if token == "(":
            assert self.groups, f"parentheses for a search that knows none: {self.text!r}"
            tree = self.sequence(depth + 1)
            assert self.tokens[:1] == [")"], f"never closed: {self.text!r}"
            self.tokens.pop(0)
            return tree
        if token == "NOT":
            assert not depth, f"NOT among alternatives in {self.text!r}"
            self.operators += 1
            word = self.tokens.pop(0)
            assert re.fullmatch(r"\w[\w.-]*", word), f"NOT before {word!r} in {self.text!r}"
            assert re.search(r"[^\W\d_]", word), f"NOT before a number in {self.text!r}"
            return "not", self.word(word)
        if qualifier := re.fullmatch(r"(-?)([a-z]+):(\S+)", token):
            sign, name, value = qualifier.groups()
            assert name in QUALIFIERS, f"no qualifier {name!r} in {self.text!r}"
            return ("not", (name, value)) if sign else (name, value)
        return self.word(token)

    def word(self, token: str) -> Tree:
        assert token not in {"OR", "AND", "NOT", ")", '"'}, f"an operator where a word was due in {self.text!r}"
        assert token.startswith('"') or re.fullmatch(r"\w[\w.-]*", token), f"{token!r} stands bare in {self.text!r}"
        self.characters += len(token) + bool(self.characters)
        assert words_of(token), f"nothing to search for in {token!r}"
        return "text", words_of(token)


def words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", text).casefold()))


def read(native: Any) -> list[tuple[str, Tree]]:
    """Each search with what it is asked."""
    texts = native.text.split(" || ") if native.args["search"] else []
    assert len(texts) == len(native.args["search"])
    found = []
    for text, names in zip(texts, native.args["search"], strict=True):
        for name in names.split():
            assert name in SEARCHES
            tree = Reader(text, groups=name in WITH_OR).whole()
            found.append((name, tree))
            assert name in WITH_OR or well_said(tree), f"a search without OR takes one of each: {text!r}"
            assert name != "code" or any(part[0] == "text" for part in tree[1:]), f"code without a word: {text!r}"
            assert name != "code" or not {"author", "assignee", "is", "created", "updated"} & names_in(tree)
    return found


def well_said(tree: Tree) -> bool:
    """Qualifiers of one name add up to OR in the older searches, so each may stand once."""
    named = [part[0] for part in tree[1:] if part[0] in QUALIFIERS]
    return len(named) == len(set(named))


def names_in(tree: Tree) -> set[str]:
    inner = [part for part in tree[1:] if isinstance(part, tuple) and part and isinstance(part[0], str)]
    return {tree[0]}.union(*(names_in(part) for part in inner if tree[0] in {"and", "or", "not"}))


# ---- what GitHub would find


@dataclass(frozen=True)
class Thing:
    """What GitHub holds: which search finds it, and what it is made of."""

    search: str
    paper: Paper


def finds(tree: Tree, paper: Paper) -> bool:  # noqa: PLR0911 - one line for each node
    name, *rest = tree
    match name:
        case "and":
            return all(finds(part, paper) for part in rest)
        case "or":
            return any(finds(part, paper) for part in rest)
        case "not":
            return not finds(rest[0], paper)
        case "text":
            words, wanted = words_of(paper.snippet), rest[0]
            return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))
        case "author" | "assignee":
            who = paper.author if name == "author" else paper.assignee
            return who is not None and (who.me if rest[0] == "@me" else who.native_id == rest[0])
        case "repo":
            return paper.container is not None and paper.container.native_id == rest[0]
        case "is":
            return paper.state is {"open": State.OPEN, "closed": State.DONE}[rest[0]]
        case _:
            return dated(rest[0], paper.created if name == "created" else paper.updated)


def dated(value: str, moment: datetime | None) -> bool:
    assert moment is not None, "a date is asked of a thing that GitHub does not date"
    if ".." in value:
        start, end = map(datetime.fromisoformat, value.split(".."))
        assert start <= end, f"a window that ends before it begins: {value}"
        return start <= moment <= end
    bound = re.fullmatch(r"(>=|<)(.+)", value)
    assert bound, f"no date: {value}"
    at = datetime.fromisoformat(bound[2])
    return moment >= at if bound[1] == ">=" else moment < at


KINDS = {
    "issues": Kind.ISSUE,
    "pull_requests": Kind.PULL_REQUEST,
    "discussions": Kind.THREAD,
    "code": Kind.CODE,
}
VOCABULARY = ("deploy", "api", "schedule", "k8s", "배포", "일정")
PEOPLE = (Person("Sarah Kim", "sarah-kim"), Person("김민수", "minsu", me=True), Person("박서연", "seoyeon_acme"))
REPOS = tuple(Container(name, f"acme/{name}") for name in ("app", "web", "billing-gateway"))
# GitHub keeps seconds.
moments = st.integers(-(10**6), 10**6).map(lambda seconds: NOON + timedelta(seconds=seconds))


@st.composite
def things(draw: st.DrawFn) -> Thing:
    search = draw(st.sampled_from(sorted(SEARCHES)))
    text = " ".join(draw(st.lists(st.sampled_from(VOCABULARY), max_size=6)))
    created, updated = sorted(draw(st.tuples(moments, moments)))
    paper = Paper(
        snippet=text,
        kind=KINDS[search],
        author=draw(st.sampled_from(PEOPLE)),
        assignee=draw(st.none() | st.sampled_from(PEOPLE)),
        container=draw(st.sampled_from(REPOS)),
        state=draw(st.sampled_from(State)),
        created=created,
        updated=updated,
    )
    if search == "discussions":
        paper = replace(paper, assignee=None)
    if search == "code":
        paper = replace(paper, author=None, assignee=None, state=None, created=None, updated=None)
    return Thing(search, paper)


asked_people = st.sampled_from([*PEOPLE, Person("", me=True), Person("sarah"), Person("민수"), Person("x", "nobody")])
conditions = (
    st.builds(Term, st.sampled_from([*VOCABULARY, "zebra", "2025"]))
    | st.builds(Phrase, st.sampled_from(["deploy api", "배포 일정", "api"]))
    | st.builds(Prefix, st.sampled_from(["dep", "배"]))
    | st.builds(Compare, st.sampled_from([Field.AUTHOR, Field.ASSIGNEE]), st.just(Op.EQ), asked_people)
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), st.sampled_from([*REPOS, Container("web")]))
    | st.builds(Compare, st.just(Field.STATE), st.just(Op.EQ), st.sampled_from(State))
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from([*KINDS.values(), Kind.PAGE]))
    | st.builds(
        Compare,
        st.sampled_from([Field.TIME, Field.CREATED, Field.UPDATED]),
        st.sampled_from([Op.GE, Op.LT]),
        moments | instants(),
    )
)


@nightly(2000)
@given(clauses(conditions), things())
def test_what_github_finds_and_we_keep_is_what_was_asked_for(where: Clause, thing: Thing) -> None:
    """End to end, over every tree: found by the search it belongs to and kept by us, exactly when it satisfies."""
    found = GitHub().translate(Query("?", where=where), GitHub.can)
    asked = matches(where, thing.paper)
    returned = any(finds(tree, thing.paper) for name, tree in read(found.native) if name == thing.search)
    kept = returned and matches(found.residual or EVERYTHING, thing.paper) is not False
    if asked is True and not kept:  # only what was named as lost, and only for want of a word
        assert thing.search == "code"
        assert any(loss.what == "code" for loss in found.losses)
    elif asked is False:
        assert not kept


@many
@given(queries(), things())
def test_whatever_is_asked_can_be_read(query: Query, thing: Thing) -> None:
    """Within the limits and in the documented grammar, whatever the text; words of the question stay words."""
    native = GitHub().translate(query, GitHub.can).native
    if "fetch" in native.args:
        assert native.text == ""
        return
    sent = {word for _, tree in read(native) for word in texts_in(tree)}
    typed = {
        word
        for leaf in leaves(query.where)
        if isinstance(leaf, Term | Phrase)
        for word in words_of("".join(char if char.isprintable() else " " for char in leaf.text))
    }
    assert sent <= typed
    assert thing is not None


def texts_in(tree: Tree) -> list[str]:
    if tree[0] == "text":
        return list(tree[1])
    return [word for part in tree[1:] if isinstance(part, tuple) for word in texts_in(part)]


@each_row("text", HOSTILE)
@each_row("build", [Term, Phrase, lambda text: Not(Term(text)), lambda text: AnyOf((Term(text), Term("x")))])
def test_hostile_text_is_read_back_as_text(text: str, build: Any) -> None:
    native = GitHub().translate(Query("?", where=build(text)), GitHub.can).native
    for _, tree in read(native):
        assert not QUALIFIERS & names_in(tree)


@many
@given(texts())
def test_an_id_is_fetched_only_where_it_names_a_thing_on_github(text: str) -> None:
    native = (
        GitHub().translate(Query("?", where=Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, text))), GitHub.can).native
    )
    assert "fetch" not in native.args


@many
@given(instants(), st.integers(1, 10**6), st.integers(-(10**6), 2 * 10**6))
def test_no_second_of_a_window_is_lost_or_added(start: datetime, length: int, shift: int) -> None:
    """Half-open windows of any zone, with parts of seconds, against things that are dated by the second."""
    if not 1971 < start.year < 2098:
        return
    end = start + timedelta(seconds=length)
    moment = (start + timedelta(seconds=shift)).astimezone(UTC).replace(microsecond=0)
    where = (Compare(Field.UPDATED, Op.GE, start), Compare(Field.UPDATED, Op.LT, end))
    found = GitHub().translate(Query("?", where=AnyOf((where[0],))), GitHub.can)
    assert found.residual is None
    both = GitHub().translate(Query("?", where=Not(AnyOf(tuple(map(Not, where))))), GitHub.can)
    (value,) = (tree[1][1] for name, tree in read(both.native) if name == "issues")
    assert dated(value, moment) is (start <= moment < end)


@each_row(
    "raw",
    [
        '"',
        'a" repo:x/y',
        "a OR b",
        "(a",
        "b)",
        "x:y",
        "NOT",
        "NOT 12",
        'NOT "a b"',
        "(a OR b c)",
        "-word",
        "(a OR NOT b)",
    ],
)
def test_the_reader_refuses_what_is_not_documented(raw: str) -> None:
    """The reader itself can fail: raw user text does not pass it."""
    with pytest.raises((AssertionError, IndexError)):
        Reader(raw, groups=True).whole()
    with pytest.raises((AssertionError, IndexError)):
        Reader(f"({raw} OR x)", groups=False).whole()
