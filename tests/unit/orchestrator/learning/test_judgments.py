"""What people did with what they were shown, as grades."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from orchestrator.learning import Impression, ImpressionItem, Reaction, ReactionEntry, RecordedUse, judgments_of
from translators.query import QueryType

AT = datetime(2026, 11, 20, 10, tzinfo=UTC)
ITEMS = tuple(ImpressionItem(name, cited=name == "b") for name in "abcd")


def shown(asked="q", who="minji", minutes=0) -> Impression:
    return Impression(AT + timedelta(minutes=minutes), who, (asked,), QueryType.FACTUAL, ITEMS)


def did(*acts: str, asked="q", who="minji", minutes=1) -> tuple[ReactionEntry, ...]:
    """``opened a``: what, and with which result."""
    split = [act.split() for act in acts]
    at = AT + timedelta(minutes=minutes)
    return tuple(
        ReactionEntry(at + timedelta(seconds=number), who, asked, Reaction(what), "".join(item))
        for number, (what, *item) in enumerate(split)
    )


@pytest.mark.parametrize(
    ("acts", "grades"),
    [
        (["opened c"], [0.0, 0.0, 0.3, 0.0]),
        (["opened a", "opened c"], [0.1, 0.0, 0.3, 0.0]),  # they went on looking
        (["opened a", "copied a", "opened c"], [0.5, 0.0, 0.3, 0.0]),
        (["opened c", "right c"], [0.0, 0.0, 1.0, 0.0]),
        (["opened a", "wrong a", "opened c"], [0.0, 0.0, 0.3, 0.0]),  # what is said outright counts
        (["right c", "outdated c", "opened d"], [0.0, 0.0, 0.0, 0.3]),  # and of that the later
        (["wrong a"], [0.0, 0.1, 0.1, 0.1]),
        (["incomplete b"], [0.0, 0.3, 0.0, 0.0]),
        (["right"], [0.0, 0.5, 0.0, 0.0]),  # the whole answer: what it quotes
    ],
)
def test_what_was_said_is_strong_and_what_was_done_weak(acts, grades) -> None:
    (judged,) = judgments_of(RecordedUse((shown(),), did(*acts)))
    assert list(judged.grades) == pytest.approx(grades)
    assert judged.weight == pytest.approx(max(grades))


@pytest.mark.parametrize("acts", [["wrong"], ["opened z"], ["opened a", "opened b", "opened c", "opened d", "wrong"]])
def test_what_tells_nothing_apart_is_no_judgment(acts) -> None:
    found = judgments_of(RecordedUse((shown(),), did(*acts)))
    assert [each.grades for each in found] == ([] if len(acts) < 4 else [(0.1, 0.1, 0.1, 0.3)])


def test_a_person_counts_once_for_a_question_by_what_they_saw_last() -> None:
    later = did("right b", minutes=31)
    found = judgments_of(RecordedUse((shown(), shown(minutes=30)), (*did("opened a"), *later)))
    assert [each.grades for each in found] == [(0.0, 1.0, 0.0, 0.0)]


def test_whoever_judges_much_counts_by_the_root_of_it() -> None:
    asked = [f"q{number}" for number in range(4)]
    use = RecordedUse(tuple(map(shown, asked)), tuple(act for each in asked for act in did("right a", asked=each)))
    assert [each.weight for each in judgments_of(use)] == [0.5] * 4


def test_a_judgment_is_about_what_was_shown_to_whoever_judges_or_else_to_anybody_that_day() -> None:
    theirs, mine = shown(who="jun", minutes=5), shown()
    (judged,) = judgments_of(RecordedUse((mine, theirs), did("right a", minutes=10)))
    assert judged.shown is mine
    (pressed,) = judgments_of(RecordedUse((theirs,), did("right", minutes=10)))  # in a channel
    assert (pressed.shown, pressed.who) == (theirs, "minji")
    for minutes in (0, 2000):  # before it was shown, and days later
        assert not judgments_of(RecordedUse((theirs,), did("right a", minutes=minutes)))
