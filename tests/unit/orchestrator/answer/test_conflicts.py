"""Conflicts: both sides with their days, and only what can be claimed honestly."""

from __future__ import annotations

from typing import Any

import pytest

from translators.query import QueryType

OLD = "API v2는 GraphQL로 확정했습니다."


def test_a_decision_and_its_revision_are_shown_with_both_days(desk: Any) -> None:
    desk = desk.ask(keywords=("API",), language="ko")
    answer = desk.answer(
        desk.result("slack:1", "API 결정을 변경합니다. GraphQL 대신 REST로 API를 만들기로 했습니다.", age=2),
        desk.result("notion:2", OLD, age=9),
    )
    (said,) = answer.conflicts
    assert said.startswith(
        "서로 다른 내용이 있습니다: 2025-02-22 “API v2는 GraphQL로 확정했습니다.” [2], 2025-03-01 “API 결정을"
    )
    assert said.endswith("나중 것이 앞의 것을 대체했을 수 있습니다.")


def test_two_dates_for_one_thing_are_a_conflict(desk: Any) -> None:
    desk = desk.ask(keywords=("launch",))
    answer = desk.answer(
        desk.result("slack:1", "We agreed: launch on March 10.", age=9),
        desk.result("gmail:2", "We agreed: launch on March 24.", age=2),
    )
    (said,) = answer.conflicts
    assert said.startswith(
        "Two statements differ: 2025-02-22 “We agreed: launch on March 10.” [1]; 2025-03-01 “We agreed"
    )
    assert said.endswith("March 24.” [2]. The newer one may replace the older one.")


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
