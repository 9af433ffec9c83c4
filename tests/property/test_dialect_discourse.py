"""Discourse, read back by a reader written from Discourse's manual and source: what was meant is what it would understand.

https://docs.discourse.org/#tag/Search ; lib/search.rb of https://github.com/discourse/discourse
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.discourse import Discourse
from translators.query import Compare, Field, Op, Person, Phrase, Prefix, Query, Sort, Term
from translators.strategies import instants, queries, texts

many = nightly(250)

# Words are cut at blanks outside quotes; what is quoted hangs on to what stands before it.
CUT = re.compile(r'(?:[^" \t\n\v\f\r]+)?(?:"[^"]+")?')
# Looked for in a word from which quotes are gone. Older forums look for keys anywhere in it.
FILTER = re.compile(r"[@#]|\w:|^[flt]$", re.IGNORECASE)
COMMANDS = ("f", "L", "t", "'f", "in:first", "＠sarah", "status:open 배포")
USERNAMES = ("sarah", "이하늘", "sarah in:likes", "@me", "x:y", 'a"b', "", "a b")
CLOCKS = tuple(timezone(timedelta(hours=hours)) for hours in (-12, -8, 0, 9, 14))


@dataclass
class Understood:
    """What Discourse takes from a line: filters and orders in one place, text in the other."""

    filters: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)


def understood(line: str) -> Understood:
    """``line`` as the forum reads it."""
    found = Understood()
    for word in filter(None, CUT.findall(line)):
        cleaned = unicodedata.normalize("NFKC", re.sub("[\"']", "", word))
        (found.filters if FILTER.search(cleaned) else found.text).append(word)
    return found


@many
@given(texts() | st.sampled_from(COMMANDS), st.sampled_from([Term, Phrase, Prefix]))
def test_text_is_never_a_filter(text: str, build: type[Term | Phrase | Prefix]) -> None:
    line = Discourse().translate(Query(text=text, where=build(text)), Discourse.can).native.text
    assert understood(line).filters == []
    assert line.count('"') in (0, 2)


@many
@given(queries())
def test_filters_are_those_that_were_meant(query: Query) -> None:
    line = Discourse().translate(query, Discourse.can).native.text
    shapes = r"@\w[\w.-]*|category:[1-9]\d*|(after|before):\d{4}-\d\d-\d\d"
    orders = [word for word in understood(line).filters if not re.fullmatch(shapes, word)]
    assert orders == (["order:latest"] if query.sort is Sort.NEWEST else [])


@many
@given(st.builds(Person, st.just("sarah"), st.sampled_from(USERNAMES)))
def test_a_user_name_is_one_filter_or_none(who: Person) -> None:
    where = Compare(Field.AUTHOR, Op.EQ, who)
    line = Discourse().translate(Query(text="?", where=where), Discourse.can).native.text
    assert line in ("", f"@{who.native_id}")
    assert understood(line).filters == line.split()


@many
@given(instants(), st.sampled_from([Op.GE, Op.LT]), st.sampled_from(CLOCKS))
def test_a_post_that_is_wanted_is_found_by_every_clock(bound: datetime, op: Op, clock: timezone) -> None:
    """``after:`` is later than the midnight that begins its day, or than the one that ends it; ``before:`` is earlier."""
    line = Discourse().translate(Query(text="?", where=Compare(Field.TIME, op, bound)), Discourse.can).native.text
    if not line:  # a year that Discourse does not know
        return
    key, _, day = line.partition(":")
    midnight = datetime.combine(date.fromisoformat(day), time(), clock)
    if key == "after":
        assert midnight + timedelta(days=1) <= bound
    else:
        assert midnight >= bound
