"""Places: questions for one, and sentences that say one."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer.places import asks_where, place_in, says_where
from translators.query import QueryType


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Where is the kickoff held?", True),
        ("what is the venue of the kickoff", True),
        ("킥오프 어디서 하나요?", True),
        ("이번 가을 답사 어디로 가요?", True),
        ("송년회 장소가 어디예요?", True),
        ("Where do we stand on the migration?", False),
        ("where are we with the migration", False),
        ("파트너사가 어디예요?", False),
        ("ERP는 어디로 정했어?", False),
    ],
)
def test_a_question_for_a_place_is_told_from_one_for_a_company_or_a_state(text: str, asked: bool) -> None:
    assert asks_where(text) is asked


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("The kickoff is at the Kensington Hotel.", "Kensington Hotel"),
        ("The workshop takes place in room 3.12.", "room 3.12"),
        ("The seals are in the basement.", "the basement"),
        ("Our booth is C-19.", "C-19"),
        ("The rate card is in sales/rates.", "sales/rates"),
        ("워크숍은 더케이호텔에서 합니다", "더케이호텔"),
        ("올해는 경주로 갑니다", "경주"),
        ("장소: 강남 회의실 3", "강남 회의실 3"),
        ("부스 위치는 C-19입니다", "C-19"),
        ("IT 포털에서 VPN 계정을 신청합니다.", "포털"),
        ("명함은 총무팀에서 신청하세요", "총무팀"),
        ("Request it in the IT portal.", "the IT portal"),
    ],
)
def test_a_place_is_read_as_it_stands(text: str, place: str) -> None:
    assert place_in(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "We talked in Slack in October.",
        "B안으로 갑니다",
        "그대로 갑니다",
        "오늘 회의에서 예약 건을 이야기했습니다",
        "moved to 12 June",
        "장소 투표합니다. 통영 / 경주",
    ],
)
def test_what_is_none_is_not_read_as_one(text: str) -> None:
    assert not says_where(text)


def test_of_several_none_is_told_by_itself() -> None:
    assert says_where("The office in Busan moves to Centum City")
    assert not place_in("The office in Busan moves to Centum City")


@pytest.mark.parametrize(
    ("text", "language", "says", "told"),
    [
        ("where is the kickoff held", "en", "The kickoff is at the Kensington Hotel.", "Kensington Hotel — "),
        ("kickoff 어디서 하나요", "ko", "kickoff는 더케이호텔에서 합니다", "더케이호텔 — "),
    ],
)
def test_the_place_stands_first(desk: Any, text: str, language: str, says: str, told: str) -> None:
    desk = desk.ask(text, type=QueryType.FACTUAL, keywords=("kickoff",), language=language)
    answer = desk.answer(desk.result("slack:1", "kickoff는 3 teams, must be good."), desk.result("gmail:2", says))
    assert answer.statements[1].text.startswith(told)
    without = desk.answer(desk.result("slack:1", "The kickoff must begin within 3 weeks."))
    assert without.statements[0].text.startswith(("No sentence says where", "장소를 밝힌 문장은"))
