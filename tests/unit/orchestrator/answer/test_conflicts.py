"""Conflicts: both sides with their days, and only what can be claimed honestly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.answer.conflicts import COMPARED, find_conflicts
from orchestrator.answer.quote import Quote
from translators.query import QueryType

OLD = "API v2는 GraphQL로 확정했습니다."


def test_a_decision_and_its_revision_are_shown_with_both_days(desk: Any) -> None:
    desk = desk.ask(keywords=("API",), language="ko")
    answer = desk.answer(
        desk.result("slack:1", "API 결정을 변경합니다. GraphQL 대신 REST로 API를 만들기로 했습니다.", age=2),
        desk.result("notion:2", OLD, age=9),
    )
    (said,) = answer.conflicts
    assert said.startswith("변경됨: 2025-02-22 “API v2는 GraphQL로 확정했습니다.” [2] → 2025-03-01 “API 결정을")
    assert said.endswith("마지막 것이 앞의 것을 대체합니다.")


def test_two_dates_for_one_thing_are_a_conflict(desk: Any) -> None:
    desk = desk.ask(keywords=("launch",))
    answer = desk.answer(
        desk.result("slack:1", "We agreed: launch on March 10.", age=9),
        desk.result("gmail:2", "We agreed: launch on March 24.", age=2),
    )
    (said,) = answer.conflicts
    assert said.startswith(
        "These statements differ: 2025-02-22 “We agreed: launch on March 10.” [1]; 2025-03-01 “We agreed"
    )
    assert said.endswith("March 24.” [2]. Which one holds is not settled here.")


@pytest.mark.parametrize(
    ("one", "other", "ages"),
    [
        ("We agreed: launch on March 10.", "We agreed: launch on March 10.", (9, 2)),
        ("We agreed: launch on March 10.", "We agreed: launch on March 24.", (2, 2)),
        ("We agreed: launch on March 10.", "We agreed: launch on March 24.", (None, 2)),
        ("We agreed on the launch.", "We agreed on the launch party.", (9, 2)),
        ("We agreed: launch on March 10.", "We agreed: lunch on March 24.", (9, 2)),
        ("We agreed: launch on March 10.", "Shall we launch on March 24?", (9, 2)),
    ],
    ids=["the same date", "the same day", "no day", "nothing differs", "another matter", "a question"],
)
def test_what_need_not_differ_is_no_conflict(desk: Any, one: str, other: str, ages: tuple[Any, Any]) -> None:
    desk = desk.ask(keywords=("launch",))
    assert (
        desk.answer(desk.result("slack:1", one, age=ages[0]), desk.result("gmail:2", other, age=ages[1])).conflicts
        == ()
    )


def test_two_decisions_must_share_the_matter_not_just_a_word_each(desk: Any) -> None:
    desk = desk.ask(keywords=("2027", "pricing", "start"))
    answer = desk.answer(
        desk.result("slack:1", "Decision: pricing changes on 1 January 2027.", age=9),
        desk.result("gmail:2", "We decided: the migration will start on 7 December 2027.", age=2),
    )
    assert answer.conflicts == ()


def test_one_result_does_not_contradict_itself(desk: Any) -> None:
    desk = desk.ask(keywords=("launch",))
    text = "We agreed: launch on March 10. Changed: we agreed to launch on March 24."
    assert desk.answer(desk.result("slack:1", text)).conflicts == ()


def test_a_pair_of_results_is_reported_once_and_two_pairs_at_most(desk: Any) -> None:
    desk = desk.ask(keywords=("launch",), type=QueryType.FACTUAL)
    texts = [f"We agreed: launch on March {day}. We approved the launch of March {day}." for day in (3, 4, 5, 6)]
    answer = desk.answer(*(desk.result(f"slack:{n}", text, age=n) for n, text in enumerate(texts)))
    assert len(answer.conflicts) == 2
    assert len(set(answer.conflicts)) == 2


def test_a_question_without_words_has_no_matter_to_differ_on(desk: Any) -> None:
    assert desk.answer(desk.result("slack:1", OLD, age=9), desk.result("gmail:2", OLD, age=2)).conflicts == ()


@pytest.mark.parametrize(
    ("language", "first", "second", "third", "arrow"),
    [
        (
            "en",
            "We decided that API v2 will be GraphQL.",
            "Decision revised: API v2 will be REST instead.",
            "Decision changed again: API v2 will be gRPC instead of REST.",
            "Changed: 2025-02-21 “We decided that API v2 will be GraphQL.” [3] → 2025-02-26 “Decision revised",
        ),
        (
            "ko",
            "API v2는 GraphQL로 결정했습니다.",
            "API v2 결정을 변경해 REST로 가기로 했습니다.",
            "API v2 결정을 다시 바꿔 gRPC로 확정했습니다.",
            "변경됨: 2025-02-21 “API v2는 GraphQL로 결정했습니다.” [3] → 2025-02-26 “API v2 결정을 변경해",
        ),
    ],
    ids=["en", "ko"],
)
def test_what_replaces_what_replaces_is_one_story_in_order(
    desk: Any, language: str, first: str, second: str, third: str, arrow: str
) -> None:
    desk = desk.ask(keywords=("API", "v2"), language=language)
    answer = desk.answer(
        desk.result("slack:3", third, age=1),
        desk.result("notion:2", second, age=5),
        desk.result("gmail:1", first, age=10),
    )
    (said,) = answer.conflicts
    assert said.startswith(arrow)
    assert said.count(" → ") == 2
    assert said.index("[3]") < said.index("[2]") < said.index("[1]")


@pytest.mark.parametrize(
    ("language", "old", "new", "differ"),
    [
        ("en", "We decided that API v2 will be GraphQL.", "We decided that API v2 will be REST.", True),
        ("ko", "API v2 방식은 GraphQL로 결정했습니다.", "API v2 방식은 REST로 결정했습니다.", True),
        ("en", "We decided that API v2 will be REST.", "We decided that API v2 will be REST!", False),
        ("ko", "API v2 방식은 REST로 결정했습니다.", "API v2 방식은 REST로 결정했어요.", False),
        ("en", "We decided that API v2 will be REST.", "We decided that API v2 will be REST, with cursors.", False),
    ],
    ids=["en", "ko", "en told again", "ko told again", "more detail"],
)
def test_different_decisions_in_the_same_words(desk: Any, language: str, old: str, new: str, differ: bool) -> None:
    desk = desk.ask(keywords=("API", "v2"), language=language)
    answer = desk.answer(desk.result("slack:1", old, age=9), desk.result("gmail:2", new, age=2))
    assert bool(answer.conflicts) is differ
    assert all(
        old in said and new in said and "2025-02-22" in said and "2025-03-01" in said for said in answer.conflicts
    )


def test_one_day_written_in_two_languages_is_one_day(desk: Any) -> None:
    desk = desk.ask(keywords=("API",))
    answer = desk.answer(
        desk.result("slack:1", "API 시작은 3월 10일로 확정했습니다.", age=9),
        desk.result("gmail:2", "Agreed: the API starts on 10 March.", age=2),
    )
    assert answer.conflicts == ()


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        ("ko", "이전 시작: 2월 17일 → 4월 10일", "고객사의 변경 동결(4월 7일까지) 때문."),
        (
            "ko",
            "팀장 회의록, 이전 시작: 2월 3일 → 2월 10일",
            "고객사 동결로 이전 착수가 2월 3일에서 2월 10일로 변경되었습니다.",
        ),
        (
            "en",
            "이전 for shops moved from 3 Feb to 10 Feb.",
            "Because of a freeze we changed 이전 from 3 Feb to 10 Feb.",
        ),
        ("en", "We cannot start moving with 이전 on 17 March.", "We decided: 이전 starts on 10 April."),
        ("en", "We decided: 이전 starts on 10 April.", "April of 이전: the change freeze ends on 7 March."),
    ],
    ids=["only why", "one move in ko", "one move in en", "a day that will not do", "a change freeze"],
)
def test_both_sides_must_set_a_day_for_the_same_thing(desk: Any, language: str, old: str, new: str) -> None:
    desk = desk.ask(keywords=("이전", "4월"), language=language, type=QueryType.EXPLORATORY)
    told = desk.result("notion:1", old, title="이전 4월", age=9), desk.result("notion:2", new, title="이전 4월", age=2)
    assert desk.answer(*told).conflicts == ()


def test_a_day_that_the_newer_one_moves_away_from_is_replaced(desk: Any) -> None:
    desk = desk.ask(keywords=("launch",), type=QueryType.FACTUAL)
    told = "We agreed: launch on 10 March.", "The launch is moved from 10 March to 24 March."
    answer = desk.answer(desk.result("slack:1", told[0], age=9), desk.result("gmail:2", told[1], age=2))
    (said,) = answer.conflicts
    assert said.startswith(("These statements differ", "Changed"))
    assert said.index(told[0]) < said.index(told[1])


def test_of_very_many_decisions_those_that_answer_best_are_held_against_each_other(desk: Any) -> None:
    desk = desk.ask(keywords=("launch", "kiln"))
    said = ("We agreed: launch of the kiln on March 10.", "We agreed: launch of the kiln on March 24.")
    first, second = (desk.result(f"notion:{at}", text, age=9 - at) for at, text in enumerate(said))
    both = frozenset({"launch", "kiln"})
    many = [Quote(3, second, f"We agreed on kiln launch {at}.", own=both, held=both) for at in range(10 * COMPARED)]
    best = [Quote(1, first, said[0], own=both, held=both, score=1.0), *many]
    ends = [*best, Quote(2, second, said[1], own=both, held=both, score=1.0)]
    dated = [replace(each, when=each.result.hit.created) for each in ends]
    (found,) = find_conflicts(dated, dated, desk.query, desk.now)
    assert [side.words for side in found.sides] == list(said)
