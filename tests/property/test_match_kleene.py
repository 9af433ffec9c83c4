"""A snippet never lies: what ``matches`` says for certain on part of a document is true of the whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.match import matches
from translators.query import AllOf, AnyOf, Clause, Not, Phrase, Prefix, Term
from translators.strategies import WORDS, Paper, clauses, comparisons, documents

many = nightly(250)
FORGETTABLE = ("author", "assignee", "container", "state", "created", "updated")


def spoken() -> st.SearchStrategy[str]:
    """One to three of the words that the documents are made of."""
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


def askable() -> st.SearchStrategy[Clause]:
    text = st.builds(Term, spoken()) | st.builds(Phrase, spoken()) | st.builds(Prefix, spoken())
    return clauses(text | comparisons())


@st.composite
def excerpts(draw: st.DrawFn) -> tuple[Paper, Paper]:
    """A document and what a source may return of it: pieces of the text with gaps, and some of the fields."""
    whole = draw(documents())
    words = whole.snippet.split()
    cuts = sorted(draw(st.lists(st.integers(0, len(words)), min_size=4, max_size=4)))
    pieces = [" ".join(words[cuts[0] : cuts[1]]), " ".join(words[cuts[2] : cuts[3]])]
    joint = draw(st.sampled_from([" … ", "...", "…"]))
    forgotten = draw(st.sets(st.sampled_from(FORGETTABLE)))
    unknown: dict[str, Any] = dict.fromkeys(forgotten)
    part = replace(whole, snippet=joint.join(pieces), complete=False, **unknown)
    return whole, part


@many
@given(askable(), excerpts())
def test_what_is_certain_on_a_snippet_is_true_of_the_whole(clause: Clause, papers: tuple[Paper, Paper]) -> None:
    whole, part = papers
    seen = matches(clause, part)
    assert seen is None or matches(clause, whole) in {seen, None}


@many
@given(askable(), documents())
def test_negation_turns_certainty_round_and_leaves_doubt(clause: Clause, document: Paper) -> None:
    value = matches(clause, document)
    assert matches(Not(clause), document) is (None if value is None else not value)


@many
@given(st.lists(askable(), max_size=4), documents())
def test_de_morgan_holds_in_three_values(parts: list[Clause], document: Paper) -> None:
    either = matches(AnyOf(tuple(parts)), document)
    assert either is matches(Not(AllOf(tuple(Not(part) for part in parts))), document)


@many
@given(clauses(), documents())
def test_matching_is_total(clause: Clause, document: Paper) -> None:
    assert matches(clause, document) in {True, False, None}
