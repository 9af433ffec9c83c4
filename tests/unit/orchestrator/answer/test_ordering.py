"""Of a few results those stand first that are likely to hold the answer; nothing that somebody else has ordered is moved, and what a reader has seen as [2] stays [2]."""

from dataclasses import dataclass
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.answer.ordering import SENTENCE, by_answer, numbered, numbers_seen, show
from orchestrator.answer.quote import Quote
from orchestrator.answer.wording import say
from orchestrator.model import Answer, Plan, Result
from translators.query import Container, Kind, Query, QueryType, Sort

LONG, SHORT = "Everything on the kiln, its doors, its history, its friends.", "The kiln is lit on Friday."


def ordered(desk: Any, *facts: dict[str, float], odds: tuple[float, ...] = (0.1, 0.9)) -> list[Any]:
    texts = zip((LONG, SHORT), facts or ({}, {}), strict=True)
    results = [
        desk.result(f"notion:{at}", text, score=0.8 - 0.1 * at, factors=own) for at, (text, own) in enumerate(texts)
    ]
    quotes = [
        Quote(at, result, result.hit.snippet, odds=share)
        for at, (result, share) in enumerate(zip(results, odds, strict=True), 1)
    ]
    return list(by_answer(results, quotes, desk.query))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_holds_the_answer_comes_first_and_says_so(desk: Any, language: str) -> None:
    desk = desk.ask("when is the kiln lit", type=QueryType.TEMPORAL, keywords=("kiln",), language=language)
    (place, first), (other, second) = ordered(desk)
    assert (place, other) == (2, 1)
    assert say(desk.query, "why_sentence") in first.why
    assert say(desk.query, "why_sentences_elsewhere") in second.why
    assert first.factors[SENTENCE] == 0.9


@pytest.mark.parametrize(("odds", "order"), [(0.12, [1, 3, 2]), (0.05, [1, 2, 3])])
def test_a_reply_that_may_hold_the_answer_stands_next_to_the_best_of_its_conversation(
    desk: Any, odds: float, order: list[int]
) -> None:
    desk = desk.ask("when is the kiln lit", type=QueryType.TEMPORAL, keywords=("kiln",))
    thread: dict[str, Any] = {"container": Container("clay"), "facts": {"thread_ts": "1.0"}}
    asked = desk.result("slack:1", "When is the kiln lit?", score=0.8, **thread)
    other = desk.result("slack:2", "The kiln is old.", score=0.4)
    reply = desk.result("slack:3", "On Friday.", score=0.2, **thread)
    quotes = [Quote(3, reply, "On Friday.", odds=odds)]
    assert [place for place, _ in by_answer((asked, other, reply), quotes, desk.query)] == order


def test_a_score_stays_what_ranking_has_found(desk: Any) -> None:
    assert [result.score for _, result in ordered(desk)] == pytest.approx([0.7, 0.8])


def test_sentences_that_are_about_as_likely_leave_the_ranking(desk: Any) -> None:
    assert [place for place, _ in ordered(desk, odds=(0.5, 0.5))] == [1, 2]


@pytest.mark.parametrize("facts", [{"learned": 0.4}, {"reranked": 0.4}, {"own": 0.4}])
def test_whose_order_rests_on_more_than_the_formula_is_left(desk: Any, facts: dict[str, float]) -> None:
    assert [place for place, _ in ordered(desk, facts, facts)] == [1, 2]


@pytest.mark.parametrize("facts", [({"named": 1.0}, {}), ({}, {"asked": 0.0}), ({"named": 1.0, "asked": 0.0}, {})])
def test_what_is_named_stays_first_and_what_lies_outside_last(desk: Any, facts: tuple[dict[str, float], ...]) -> None:
    assert [place for place, _ in ordered(desk, *facts)] == [1, 2]


def test_who_wants_the_newest_first_gets_it(desk: Any) -> None:
    assert [place for place, _ in ordered(desk.ask("the kiln", sort=Sort.NEWEST))] == [1, 2]


def test_whoever_passes_one_and_is_passed_by_another_says_so(desk: Any) -> None:
    results = [desk.result(f"notion:{at}", LONG, score=score) for at, score in enumerate((1.0, 0.9, 0.8))]
    quotes = [
        Quote(at, each, LONG, odds=odds) for at, each, odds in zip((1, 2, 3), results, (0.0, 0.2, 0.8), strict=True)
    ]
    shown = by_answer(results, quotes, desk.ask("the kiln").query)
    assert [place for place, _ in shown] == [3, 2, 1]
    assert all(result.why for _, result in shown)


def result(*ids):
    """A result of these hits."""
    first, *others = (Hit("wiki", each, Kind.PAGE) for each in ids)
    return Result(first, (), also=tuple(others))


def after(*results, before=None):
    """The numbers a reader has seen."""
    return numbers_seen(Answer(Plan(Query("?"), ()), results, ()), before or {})


def test_with_nothing_seen_a_number_is_the_place():
    assert [each.number for each in numbered([result("a"), result("b"), result("c")])] == [1, 2, 3]


def test_what_was_seen_keeps_its_number_and_what_is_new_gets_the_next():
    seen = after(*numbered([result("a"), result("b")]))
    assert [each.number for each in numbered([result("c"), result("b"), result("a")], seen)] == [3, 2, 1]


def test_a_number_of_something_gone_is_not_given_again():
    seen = after(*numbered([result("a"), result("b")]))
    seen = after(*numbered([result("a")], seen), before=seen)
    assert [each.number for each in numbered([result("c"), result("b")], seen)] == [3, 2]


def test_two_that_turn_out_to_be_one_keep_the_older_number():
    seen = after(*numbered([result("a"), result("b")]))
    merged = numbered([result("b", "a"), result("c")], seen)
    assert [each.number for each in merged] == [1, 3]


def test_one_that_turns_out_to_be_two_does_not_share_a_number():
    seen = after(*numbered([result("a", "b")]))
    assert [each.number for each in numbered([result("a"), result("b")], seen)] == [1, 2]


@dataclass(frozen=True)
class Quoted:
    """All that numbering needs of a quote."""

    number: int


@pytest.mark.parametrize(
    ("limit", "quoted", "shown", "numbers"),
    [
        (10, (2, 1), "abcde", [2, 1]),
        (2, (1, 5, 4), "abde", [1, 4, 3]),
        (0, (3,), "c", [1]),
        (1, (), "a", []),
    ],
)
def test_quoted_results_are_shown_and_numbers_follow(limit, quoted, shown, numbers):
    results, quotes = show(tuple(enumerate("abcde", 1)), [Quoted(number) for number in quoted], limit)
    assert "".join(results) == shown
    assert [quote.number for quote in quotes] == numbers


def test_quotes_follow_results_that_have_moved():
    results, quotes = show(((3, "c"), (1, "a"), (2, "b")), [Quoted(1), Quoted(3)], 1)
    assert "".join(results) == "ca"
    assert [quote.number for quote in quotes] == [2, 1]
