"""What speaks for a sentence as the answer: each feature by itself, and how they are weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.answer.choosing import choose_quotes
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.sentence_features import (
    FEATURES,
    FEWEST,
    MANY,
    NAMES,
    SentenceWeights,
    rivals_of,
    shipped_weights,
    weighed,
)
from translators.query import Container, Entity, EntityKind, QueryType

if TYPE_CHECKING:
    from pathlib import Path

RULES = SentenceWeights(weights={"by_rules": 1.0})


def told(desk: Any, *results: Any) -> dict[str, dict[str, float]]:
    """Each feature of each sentence."""
    quotes = read_quotes(results, desk.query, desk.now)
    rivals = rivals_of(quotes, results, desk.query)
    return {quote.words: {each.__name__: each(quote, rivals) for each in FEATURES} for quote in quotes}


@pytest.mark.parametrize(
    ("feature", "question", "kind", "high", "low"),
    [
        ("settled", "fare", QueryType.FACTUAL, "The fare is now 30.", "The fare was 20 once."),
        ("settled", "요금", QueryType.FACTUAL, "요금은 30원으로 확정입니다.", "요금은 30원입니다."),
        ("length", "fare", QueryType.FACTUAL, "The fare of the night boat is thirty.", "The fare is low."),
        ("number", "fare", QueryType.FACTUAL, "The fare is 30.", "The fare is low."),
        ("dated", "move", QueryType.TEMPORAL, "The move is on 3 May.", "The move is near."),
        ("unit", "how many days of leave", QueryType.FACTUAL, "The leave is 5 days.", "The leave is 3 months."),
        ("unit", "휴가 며칠", QueryType.FACTUAL, "휴가는 5일입니다.", "휴가는 3개월입니다."),
        ("sounds", "leave", QueryType.FACTUAL, "The leave must be asked for.", "The leave is fun."),
        ("wondering", "leave", QueryType.FACTUAL, "The leave? Who knows of it?", "The leave is fun."),
        ("other_language", "leave", QueryType.FACTUAL, "leave 는 휴가입니다.", "The leave is fun."),
        ("other_language", "휴가", QueryType.FACTUAL, "The leave is called 휴가.", "휴가는 5일입니다."),
    ],
)
def test_a_feature_tells_two_sentences_apart(
    desk: Any, feature: str, question: str, kind: QueryType, high: str, low: str
) -> None:
    words = tuple(word for word in ("fare", "move", "leave", "요금", "휴가") if word in question)
    desk = desk.ask(question, type=kind, keywords=words)
    by_words = told(desk, desk.result("slack:1", high, age=3), desk.result("slack:2", low, age=3))
    most = max(values[feature] for words, values in by_words.items() if words in high)
    assert most > by_words[low][feature]


def test_the_newer_of_two_is_newer_and_of_few_days_hardly(desk: Any) -> None:
    desk = desk.ask("fare", type=QueryType.FACTUAL, keywords=("fare",))
    dates = [desk.result(f"slack:{age}", f"The fare is {age}0.", age=age) for age in range(1, 9)]
    few, many = told(desk, *dates[:2]), told(desk, *dates)
    assert 0 < few["The fare is 10."]["newness"] - few["The fare is 20."]["newness"] < 0.5
    assert (many["The fare is 10."]["newness"], many["The fare is 80."]["newness"]) == (1.0, 0.0)


def test_who_owns_a_thing_is_seldom_what_was_said_of_it_last(desk: Any) -> None:
    desk = desk.ask("who owns webhook-relay", type=QueryType.PERSON, keywords=("webhook-relay",))
    moves, owner = "webhook-relay moves in week 50.", "The owner of webhook-relay is Dana."
    texts = (moves, owner, *(f"webhook-relay failed on host {number}." for number in range(7)))
    by_words = told(desk, *(desk.result(f"slack:{age}", text, age=age) for age, text in enumerate(texts, 1)))
    assert by_words[moves]["number"] == 0
    assert by_words[moves]["newness"] < by_words[owner]["newness"]


@pytest.mark.parametrize("line", ["7호기 계류 사고 보고", "7호기 계류 사고 보고 (2025-02-06)", "7호기 계류 사고"])
def test_the_first_line_of_a_page_that_repeats_its_title_says_no_more(desk: Any, line: str) -> None:
    desk = desk.ask("계류 사고 언제", type=QueryType.TEMPORAL, keywords=("계류", "사고"), language="ko")
    by_words = told(
        desk, desk.result("notion:1", f"{line}\n\n계류선을 3월 9일에 잇는다.", title="7호기 계류 사고 보고")
    )
    assert [values["title"] for values in by_words.values()] == [1.0, 0.0]


def test_a_heading_that_says_why_speaks_for_what_stands_under_it(desk: Any) -> None:
    desk = desk.ask("why was the link down", type=QueryType.FACTUAL, keywords=("link",))
    page = desk.result(
        "notion:1", "Impact\n\nNo data of the link was lost.\n\n# Root cause\nA certificate of it expired."
    )
    by_words = told(desk, page)
    assert [by_words[each]["sounds"] for each in ("No data of the link was lost.", "A certificate of it expired.")] == [
        0,
        1,
    ]


@pytest.mark.parametrize(("keywords", "counts"), [((), 0.0), (("banners",), 1.0)])
def test_what_somebody_was_asked_is_none_of_what_they_did(desk: Any, keywords: tuple[str, ...], counts: float) -> None:
    desk = desk.ask("what did Farida do", type=QueryType.STATUS, keywords=keywords)
    thread = {"container": Container("textiles"), "facts": {"thread_ts": "1.0"}}
    asked = desk.result("slack:1", "Which banners are too weak?", age=2, **thread)
    reply = desk.result("slack:2", "The weavers' and the gasworkers'.", age=1, **thread)
    assert told(desk, asked, reply)["The weavers' and the gasworkers'."]["reply_to_question"] == counts


def test_a_page_is_written_and_a_message_said(desk: Any) -> None:
    desk = desk.ask("fare", type=QueryType.FACTUAL, keywords=("fare",))
    by_words = told(desk, desk.result("notion:1", "The fare is 30."), desk.result("slack:1", "The fare is 20."))
    assert [by_words[each]["document"] for each in ("The fare is 30.", "The fare is 20.")] == [1, 0]
    asked = desk.ask("file with the fare", type=QueryType.DOCUMENT, keywords=("fare",))
    assert told(asked, desk.result("notion:1", "The fare is 30."))["The fare is 30."]["document"] == 0


def test_a_remark_is_all_that_a_message_says_of_the_matter(desk: Any) -> None:
    desk = desk.ask("fare of the boat", type=QueryType.FACTUAL, keywords=("fare", "boat"))
    remark = desk.result("slack:1", "The fare again.")
    telling = desk.result("slack:2", "The fare of the boat is 30. The boat leaves at nine.")
    page = desk.result("notion:1", "The fare of the boat is 40.", title="Prices")
    by_words = told(desk, remark, telling, page)
    assert {words: values["remark"] for words, values in by_words.items()} == {
        "The fare again.": 1,
        "The fare of the boat is 30.": 0,
        "The boat leaves at nine.": 0,
        "The fare of the boat is 40.": 0,
    }


def test_what_somebody_says_who_is_asked_about_is_no_remark(desk: Any) -> None:
    person = Entity(EntityKind.PERSON, "Anna Berg")
    desk = desk.ask("what does Anna translate", keywords=("translate",), entities=(person,))
    hers = desk.result("slack:1", "I will translate it by Friday.", author="Anna Berg")
    thanks = desk.result("slack:2", "Ben will translate it by May.", author="Ben Ode")
    by_words = told(desk, hers, thanks)
    assert [values["remark"] for values in by_words.values()] == [0, 1]


def test_the_words_that_only_ask_count_by_their_share(desk: Any) -> None:
    desk = desk.ask("how big is the deposit", type=QueryType.FACTUAL, keywords=("deposit",), lesser=(("big", 0.2),))
    by_words = told(desk, desk.result("slack:1", "The deposit is as big as a rent. The deposit is paid."))
    assert [values["lesser"] for values in by_words.values()] == [1, 0]
    assert (
        told(desk.ask("deposit", keywords=("deposit",)), desk.result("slack:1", "The deposit."))["The deposit."][
            "lesser"
        ]
        == 0.0
    )


def test_among_few_sentences_one_set_of_weights_holds_and_among_many_the_other() -> None:
    weights = SentenceWeights(weights={"by_rules": 1.0, "number": 2.0}, among_many={"by_rules": 3.0, "remark": -1.4})
    assert weights.among(FEWEST) == {"by_rules": 1.0, "number": 2.0}
    assert weights.among(MANY) == weights.among(100) == {"by_rules": 3.0, "remark": -1.4}
    between = weights.among(FEWEST + 1)
    share = 1 / (MANY - FEWEST)
    assert between == pytest.approx({"by_rules": 1 + 2 * share, "number": 2 - 2 * share, "remark": -1.4 * share})
    assert RULES.among(100) == {"by_rules": 1.0}


def test_by_the_rules_alone_sentences_stand_in_the_order_of_the_rules(desk: Any) -> None:
    desk = desk.ask("fare of the boat", type=QueryType.FACTUAL, keywords=("fare", "boat"))
    results = tuple(
        desk.result(f"slack:{at}", text, age=at, score=1.0 - at / 10)
        for at, text in enumerate(("The boat is 20 m.", "The fare of the boat is 30.", "The fare is low."))
    )
    quotes = read_quotes(results, desk.query)
    ruled = sorted(quotes, key=lambda each: -each.score)
    learnt = sorted(weighed(quotes, results, desk.query, RULES), key=lambda each: -each.score)
    assert [each.words for each in ruled] == [each.words for each in learnt]
    assert learnt[0].score == 1.0
    assert all(0.0 < each.score <= 1.0 for each in learnt)


def test_the_unit_that_is_asked_for_decides_by_the_shipped_weights(desk: Any) -> None:
    desk = desk.ask("재택 일주일에 며칠까지 되나요", type=QueryType.FACTUAL, keywords=("재택",), language="ko")
    results = (desk.result("notion:1", "재택은 수습 3개월은 안 됩니다.\n재택은 한 주에 3일까지 됩니다.", title="재택"),)
    assert (
        "3일"
        in choose_quotes(weighed(read_quotes(results, desk.query), results, desk.query), desk.query, desk.now)[0].words
    )


def test_the_shipped_file_names_every_feature_and_keeps_the_rules_in_front() -> None:
    shipped = shipped_weights()
    assert shipped.weights.keys() <= shipped.among_many.keys() == set(NAMES)
    assert shipped.weights["by_rules"] > 0 < shipped.among_many["by_rules"]


def test_a_feature_that_there_is_not_is_refused_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "answering.toml"
    for table in ("[weights]\nluck = 1.0\n", "[weights]\nby_rules = 1.0\n[among_many]\nluck = 1.0\n"):
        file.write_text(table, "utf-8")
        with pytest.raises(ValueError, match="luck"):
            SentenceWeights.load(file)
