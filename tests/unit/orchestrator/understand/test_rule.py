"""What may, must or can be done asks for a rule: no state of work, and no time that is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.understand.rule import asks_for_rule, without_case
from orchestrator.understand.time.certainty import CONTENT
from translators.query import Compare, Field, Op, QueryType, State, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

OPEN = Compare(Field.STATE, Op.EQ, State.OPEN)


@pytest.mark.parametrize(
    "text",
    [
        "May a rider take the goods lift alone?",
        "Must the crew wear masks in the mill?",
        "how far away do we have to park when the silo vents",
        "How soon must a spill be reported?",
        "what can I do when the gate stays shut",
        "How far is the quarry from the harbour?",
        "자재 창고에 혼자 들어가도 돼?",
        "몇 층까지 올라가도 괜찮아?",
        "장화 꼭 신어야 하나요",
        "펌프가 멈추면 어디에 연락해?",
        "호스는 얼마나 자주 바꿔?",
        "견인은 어디까지 되나요?",
    ],
)
def test_a_rule_is_asked_for(text: str) -> None:
    assert asks_for_rule(text)


@pytest.mark.parametrize(
    "text",
    [
        "how far is the rollout from being done",
        "can you tell me how the audit is going",
        "can I get an update on the crane",
        "must the crew still hand in forms",
        "who had to wear masks last week",
        "지붕 보수 어디까지 했어?",
        "막힌 거 있으면 알려줘",
        "펌프가 멈추면 어떻게 했어?",
        "화면 개선 상태",
    ],
)
def test_and_none_of_how_things_stand_or_went(text: str) -> None:
    assert not asks_for_rule(text)


def test_the_case_is_left_out_and_the_question_stays() -> None:
    assert without_case("배수구가 막히면 어디에 연락해?") == "어디에 연락해?"
    assert without_case("whom may I call when the drain is blocked") == "whom may I call"
    assert without_case("막힌 거 있으면 알려줘") == "막힌 거 있으면 알려줘"


def test_hostile_text_is_read_in_no_time() -> None:
    for text in ("가" * 100_000, "how " * 50_000, "면 " * 50_000, "may i " * 50_000):
        asks_for_rule(text)
        without_case(text)


@pytest.mark.parametrize(
    "text",
    [
        "May a rider take the goods lift alone?",
        "How far away do I have to get when the silo burns?",
        "How far does the hoist reach?",
        "How close may I stand to the saw?",
        "How high can the crates be stacked?",
        "길이 막혀서 늦으면 지각 처리되나?",
        "냉동고 온도는 몇 도까지 괜찮아?",
        "벽에 걸린 호스는 몇 달마다 점검해?",
        "밸브는 어떻게 열어?",
        "보험은 어디까지 보장돼?",
    ],
)
def test_a_rule_is_factual_and_implies_nothing_open(ask: Callable[[str], Query], text: str) -> None:
    query = ask(text)
    assert query.type is QueryType.FACTUAL
    assert OPEN not in conjuncts(query.where)


@pytest.mark.parametrize(
    "text",
    [
        "How far are we with the roof repair?",
        "how far along is the translation",
        "how far is the rollout from being done",
        "how close are we to the release",
        "show me open tickets about the printer",
        "지붕 보수 어디까지 했나?",
        "감사 준비 어디까지 됐어?",
        "이관 어디까지 진행됐어?",
        "CareBridge v2 막힌 거 있으면 알려줘",
    ],
)
def test_how_far_work_has_come_is_still_a_state(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).type is QueryType.STATUS


def test_a_place_that_is_open_is_no_open_work(ask: Callable[[str], Query]) -> None:
    for text in ("Is the workshop open on Sundays?", "Will the canteen be open tomorrow?", "도서관 일요일에도 열어?"):
        assert OPEN not in conjuncts(ask(text).where), text
    assert OPEN in conjuncts(ask("which tickets are still open on the crane?").where)


def test_a_state_that_no_word_asks_for_weighs_less(ask: Callable[[str], Query]) -> None:
    """Turn left or right: that it looks like what is left to do was learned of other questions."""
    learned, said = ask("Turn left or right at the weighbridge?"), ask("is the kiosk rollout blocked")
    assert said.strength(OPEN) == 0.5
    assert learned.strength(OPEN) < 0.5


def test_a_time_of_a_rule_only_orders(ask: Callable[[str], Query]) -> None:
    query = ask("May I still hand in receipts of last month?")
    assert query.implied
    asked = ask("may I hand in last month's receipts?")
    assert {each.strength for each in asked.implied} == {CONTENT}
    assert {each.strength for each in ask("이달 마감 언제야?").implied} == {CONTENT}
    assert all(each.strength > CONTENT for each in ask("이달에 언제 마감했어?").implied)


@pytest.mark.parametrize(
    "text", ["휴가 며칠 전에 신청해야 돼?", "계약 만료 한 달 전에 꼭 알려야 하나?", "며칠 전까지 취소해야 환불돼?"]
)
def test_how_long_before_is_no_time_that_is_over(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is None


def test_and_days_ago_are(ask: Callable[[str], Query]) -> None:
    assert ask("며칠 전에 신청한 휴가 어떻게 됐어?").window is not None


def test_a_degree_is_no_word_to_find(ask: Callable[[str], Query]) -> None:
    query = ask("How high can pallets be stacked?")
    assert query.keywords == ("pallets", "stacked")
    assert ("high", 0.2) in query.lesser
    assert "payroll" in ask("how payroll is calculated").keywords


def test_a_name_that_begins_as_a_verb_ends_is_kept(ask: Callable[[str], Query]) -> None:
    assert ask("하나은행 계좌 번호 알려줘").keywords[0] == "하나은행"
    assert "하나" not in ask("구내식당 몇 시까지 하나?").keywords


def test_a_weekday_on_which_something_is_open_comes(ask: Callable[[str], Query]) -> None:
    assert ask("도서관 일요일에도 열어?").window is None
    assert ask("일요일에 올린 글 뭐야?").window is not None
