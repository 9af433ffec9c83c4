"""The web dialect, read back by readers written from the engines' manuals: what is sent is what was meant, for each of them.

https://support.google.com/websearch/answer/2466433 ; https://search.brave.com/help/operators ;
https://docs.searxng.org/user/search-syntax.html
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.match import matches
from translators.query import EVERYTHING, AnyOf, Compare, Container, Field, Not, Op, Phrase, Prefix, Query, Term, all_of
from translators.strategies import PLACES, WORDS, Paper, clauses, documents, instants, queries, texts
from translators.web import Web

many = nightly(250)
QUERIES, CLAUSES, TEXTS = queries(), clauses(), texts()

# Google: quotes hold a run together; outside them these stand for something.
QUOTED = re.compile(r'-?"[^"]*"')
OPERATOR = re.compile(r"^(?:[a-z]+:.*|-.*|\+.*|.*\*.*|.*\.\..*|\|.*|~.*|AROUND.*|OR|AND|NOT|.*[()].*)$")
# SearXNG cuts at blanks whatever the quotes, and takes a word that begins like this for itself.
COMMAND = re.compile(r"(?:^|\s)(?:!|\?|:|<\d)\S")
ATTACKS = (
    "!!g x",
    ":de",
    "?news",
    "<3",
    "a !images b",
    '" site:x.example "',
    "1..9",
    "x * y",
    "(a OR b)",
    "-a",
    "site:x.example",
    "OR",
    "~x",
)


def sent(where: object, **more: object) -> str:
    return Web().translate(Query("?", where=where, **more), Web.can).native.text  # type: ignore[arg-type]


def bare_words(line: str) -> list[str]:
    """What stands outside quotes, without the brackets and ORs of a group and the ``site:`` that the dialect may write."""
    outside = QUOTED.sub(" ", line)
    grouped = re.sub(r"\(((?:[^()]*? OR )+[^()]*?)\)", lambda found: found[1].replace(" OR ", " "), outside)
    words = grouped.replace("(", " ").replace(")", " ").split()
    return [word for word in words if word != "OR" and not re.fullmatch(r"site:(?:[a-z0-9-]+\.)+[a-z]+", word)]


@many
@given(TEXTS | st.sampled_from(ATTACKS), st.sampled_from([Term, Phrase, Prefix]), st.booleans())
def test_no_text_is_an_operator_of_any_engine(text: str, build: type[Term | Phrase | Prefix], out: bool) -> None:
    line = sent(Not(build(text)) if out and build is not Prefix else build(text))
    assert line.count('"') in (0, 2)
    assert not COMMAND.search(line.replace('"', ""))
    assert not re.search(r"[*|()<>{}~^]|\.\.", line)
    words = bare_words(line)
    assert not any(OPERATOR.match(word) for word in words), line
    assert line.startswith('-"') or not line.startswith("-")


@many
@given(QUERIES)
def test_whatever_is_asked_stays_within_the_limits_of_engines(query: Query) -> None:
    """Google's 32 words, Brave's 400 characters; brackets and quotes in pairs; nothing but words outside them."""
    line = Web().translate(query, Web.can).native.text
    assert len(line) <= 400
    assert len(line.split()) <= 32
    assert line.count('"') % 2 == 0
    plain = QUOTED.sub("", line)
    assert plain.count("(") == plain.count(")")
    assert not any(OPERATOR.match(word) for word in bare_words(line)), line


@many
@given(CLAUSES, documents())
def test_nothing_is_narrowed(where: object, paper: Paper) -> None:
    """By a reader apart from the dialect: what satisfies the question has a word of each group, and nothing left out."""
    query = Query("?", where=where)  # type: ignore[arg-type]
    if matches(query.where, paper) is not True:
        return
    found = Web().translate(query, Web.can)
    assert matches(found.residual or EVERYTHING, paper) is not False
    body = f"{paper.title} \x00 {paper.snippet}".casefold()
    for out in re.findall(r'-"([^"]*)"', found.native.text):
        assert not re.search(rf"(?<!\w){re.escape(out.casefold())}(?!\w)", body), f"{out} was to be left out"


@many
@given(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=4, unique=True),
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=3, unique=True),
)
def test_alternatives_of_several_words_find_more(first: list[str], second: list[str]) -> None:
    """One word of each is asked for, so that whoever has all of them is found; and the whole is checked."""
    where = AnyOf((all_of(map(Term, first)), all_of(map(Term, second))))
    found = Web().translate(Query("?", where=where), Web.can)
    asked = re.findall(r'[^\s()"]+', found.native.text.replace(" OR ", " "))
    assert any(word in asked for word in first)
    assert any(word in asked for word in second)
    assert found.residual == where


@many
@given(
    st.sampled_from(
        (*PLACES, "react.dev", "React.DEV", "x.example OR y", "docs.python.org/3", "a..b", "xn--3e0b707e.kr")
    )
)
def test_a_place_is_a_host_or_nothing(name: str) -> None:
    line = sent(Compare(Field.CONTAINER, Op.EQ, Container(name)))
    assert line in ("", f"site:{name.casefold()}")
    assert not line or re.fullmatch(r"site:(?:[a-z0-9-]+\.)+[a-z]+", line)


@many
@given(instants(), st.sampled_from([Op.GE, Op.LT]))
def test_an_instant_is_the_one_that_was_meant(bound: datetime, op: Op) -> None:
    args = Web().translate(Query("?", where=Compare(Field.TIME, op, bound)), Web.can).native.args
    (name,) = args
    assert name == ("since" if op is Op.GE else "until")
    said = datetime.fromisoformat(str(args[name]))
    assert said.tzinfo is not None
    if 2 < bound.year < 9998:
        assert said == bound.astimezone(UTC)


def test_of_several_bounds_the_closest_counts() -> None:
    early, late = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
    where = all_of(Compare(Field.TIME, op, moment) for op in (Op.GE, Op.LT) for moment in (early, late))
    args = Web().translate(Query("?", where=where), Web.can).native.args
    assert dict(args) == {"since": "2026-02-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"}
