"""Which places are named for what a question is about."""

from __future__ import annotations

import pytest

from orchestrator.plan.ladder import MOST, places_named
from translators.query import Container, Entity, EntityKind, Query, Term


def named(
    words: tuple[str, ...], places: tuple[str, ...], *names: str, **called: tuple[str, ...]
) -> list[tuple[str, list[str]]]:
    entities = tuple(Entity(EntityKind.PROJECT, name) for name in names)
    query = Query("q", entities=entities, variants=tuple(called.items()))
    found = places_named(query, [Term(word) for word in words], map(Container, places))
    return [(term.text, [place.name for place in known]) for term, known in found]


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("Phoenix", "proj-phoenix"),
        ("phoenix", "PHOENIX_dev"),
        ("결제", "결제-개발"),
        ("LeadForce", "bug-iangarcia-LeadForce"),
    ],
)
def test_a_place_is_named_by_a_whole_word_of_its_name(word: str, place: str) -> None:
    assert named((word,), (place, "random")) == [(word, [place])]


@pytest.mark.parametrize(
    ("word", "place"), [("port", "report-review"), ("v", "v-team"), ("", "general"), ("!!!", "!!!")]
)
def test_part_of_a_word_a_letter_and_symbols_name_nothing(word: str, place: str) -> None:
    assert named((word,), (place,)) == []


def test_a_place_is_named_by_what_the_word_is_called_in_the_other_language() -> None:
    """A word of one syllable names only what has no other words."""
    assert named(("Jeonju", "rent"), ("우산-전주", "현주"), Jeonju=("전주",)) == [("Jeonju", ["우산-전주"])]
    assert named(("app", "release"), ("앱", "앱-qa"), app=("앱", "애플리케이션")) == [("app", ["앱"])]
    assert named(("release", "app"), ("앱",), app=("앱",)) == []  # no name, and not what the question is about


def test_the_place_that_holds_more_of_the_question_comes_first() -> None:
    places = ("develop-phoenix", "bug-phoenix", "planning-phoenix")
    assert named(("Phoenix", "bugs"), places)[0][1] == ["bug-phoenix", "develop-phoenix", "planning-phoenix"]


def test_a_name_that_is_not_the_core_counts_too_and_an_ordinary_word_does_not() -> None:
    places = ("proj-phoenix", "owners")
    assert named(("status", "Phoenix"), places, "Phoenix") == [("Phoenix", ["proj-phoenix"])]
    assert named(("status", "owners"), places) == []


def test_a_workspace_of_a_thousand_such_places_is_not_asked_for_all() -> None:
    (found,) = named(("phoenix",), tuple(f"phoenix-{number}" for number in range(1000)))
    assert len(found[1]) == MOST
