"""Search-box words, read back by a reader of their own: what is sent never excludes what was asked for."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.capabilities import Capabilities, Fidelity
from translators.emit import as_typed
from translators.match import matches, words
from translators.query import Compare, Field, Not, Op, Person, Query, Term, all_of
from translators.strategies import HOSTILE, Paper, capabilities, documents, instants, queries
from translators.words import Words

many = nightly(300)
TOKEN = re.compile(r'(-?)(?:"([^"]*)"|(\w[\w.-]*\*?))(?: |$)')
FULL = Words.can
TEXT_ONLY = Capabilities(term=Fidelity.EXACT, phrase=Fidelity.WIDER)  # a search box that knows no quotes


def read(text: str) -> list[tuple[bool, str, str]]:
    """Whether each part is wanted, what it is, and its text; an assertion fails where the text is none of these."""
    parts = []
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, f"{text[at:]!r} is no word and no phrase in {text!r}"
        kind = "phrase" if found[2] is not None else "prefix" if found[3].endswith("*") else "word"
        parts.append((not found[1], kind, (found[2] if found[2] is not None else found[3]).rstrip("*")))
        at = found.end()
    return parts


def occurs(kind: str, text: str, paper: Paper) -> bool:
    """By the README of the plain API: words whole, Hangul words with particles, phrases in order, beginnings."""
    wanted = words(text)
    for place in (paper.title, paper.snippet):
        there = words(place)
        for start in range(len(there) - len(wanted) + 1):
            window = there[start : start + len(wanted)]
            last_fits = (
                window[-1].startswith(wanted[-1])
                if kind == "prefix" or re.match(r"[가-힣]", wanted[-1])
                else window[-1] == wanted[-1]
            )
            plural = kind == "word" and (
                window[-1] in {f"{wanted[-1]}s", f"{wanted[-1]}es"}
                or wanted[-1] in {f"{window[-1]}s", f"{window[-1]}es"}
            )
            if window[:-1] == wanted[:-1] and (last_fits or plural):
                return True
    return False


def answers(native: Any, paper: Paper) -> bool:
    """Whether a search that keeps to the language would return a paper."""
    for wanted, kind, text in read(native.text):
        if words(text) and occurs(kind, text, paper) is not wanted:
            return False
    moments = {"": paper.updated if paper.kind.value not in {"message", "thread", "mail", "event"} else paper.created,
               "created_": paper.created, "updated_": paper.updated}  # fmt: skip
    for name, moment in moments.items():
        since, until = native.args.get(f"{name}since"), native.args.get(f"{name}until")
        assert moment is not None
        if (since and moment < datetime.fromisoformat(since)) or (until and moment >= datetime.fromisoformat(until)):
            return False
    return True


@many
@given(queries(), documents(), st.sampled_from([FULL, TEXT_ONLY]))
def test_what_is_sent_never_excludes_what_was_asked_for(query: Query, paper: Paper, can: Capabilities) -> None:
    """People and places apart, whom the search knows by names of its own."""
    if matches(query.where, paper) is True:
        assert answers(Words().translate(query, can).native, paper)


@many
@given(queries(), capabilities())
def test_the_text_is_nothing_but_words_and_phrases(query: Query, can: Capabilities) -> None:
    """Whatever is asked, and whatever the search can do; without quotes where it knows none."""
    native = Words().translate(query, can).native
    parts = read(native.text)
    met = FULL.meet(can)
    if met.phrase not in (Fidelity.EXACT, Fidelity.APPROXIMATE):
        assert '"' not in native.text
        assert not {text.casefold() for _, _, text in parts} & {"or", "and", "not", "near"}
    assert all(wanted for wanted, _, _ in parts) or met.negates
    assert native.args.keys() <= {"author", "assignee", "container", "sort", "since", "until", "created_since",
                                  "created_until", "updated_since", "updated_until"}  # fmt: skip


@many
@given(st.sampled_from(HOSTILE), st.booleans())
def test_hostile_text_is_quoted_or_taken_apart(text: str, quotes: bool) -> None:
    """With quotes it stands in them; without, only its words are left."""
    native = Words().translate(Query("?", where=Not(Term(text))), FULL if quotes else TEXT_ONLY).native
    read(native.text)
    native = Words().translate(Query("?", where=Term(text)), FULL if quotes else TEXT_ONLY).native
    assert {word for _, _, part in read(native.text) for word in words(part)} <= set(words(as_typed(text)))


@many
@given(st.lists(instants(), min_size=1, max_size=4), st.sampled_from([Op.GE, Op.LT]))
def test_of_several_bounds_the_closest_is_sent(bounds: list[datetime], op: Op) -> None:
    where = all_of(Compare(Field.TIME, op, bound) for bound in bounds)
    native = Words().translate(Query("?", where=where), FULL).native
    sent = datetime.fromisoformat(str(native.args["since" if op is Op.GE else "until"]))
    near = [bound for bound in bounds if 2 < bound.year < 9998]
    if len(near) == len(bounds):
        assert sent == (max(near) if op is Op.GE else min(near))


def test_nobody_is_told_who_asks() -> None:
    """ "Mine" is checked on what comes back."""
    mine = Compare(Field.AUTHOR, Op.EQ, Person("", me=True))
    found = Words().translate(Query("?", where=mine), FULL)
    assert (found.native.args, found.residual) == ({}, mine)
