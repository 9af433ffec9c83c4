"""Questions that used to lose a content word or gain a filter that nobody asked for, of trades that no list was written for."""

from __future__ import annotations

from datetime import datetime

import pytest

from orchestrator.understand import understand
from translators.query import CREDIBLE

NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
KEPT = [
    ("vineyard irrigation management plan", "vineyard irrigation management plan"),
    ("status page of the ferry terminal", "status page ferry terminal"),
    ("who approved the summary judgment motion?", "approved summary judgment motion"),
    ("authors of the Grape Harvest Handbook", "authors Grape Harvest Handbook"),
    ("besides sms, which reminder channels do guests get?", "sms reminder channels guests"),
    ("recipes tested but not released", "recipes tested released"),
    ("the 2022 barrel inventory", "2022 barrel inventory"),
    ("when is the harvest party in September?", "harvest party September"),
    ("bugs in the booking engine", "bugs booking engine"),
    ("the water bill for August", "water bill August"),
    ("포도밭 관리 계획", "포도밭 관리 계획"),
    ("담당 간호사 교육 자료", "담당 간호사 교육 자료"),
    ("한빛나루 접속 오류", "한빛나루 접속 오류"),
    ("전화 외에 어떤 예약 방법이 있어요?", "전화 예약 방법"),
    ("2021년에 바뀐 식품 표시법 내용이 뭐야?", "2021년 식품 표시법 내용"),
    ("추석 휴진 기간 언제예요?", "추석 휴진 기간"),
    ("최종 합격자 명단", "최종 합격자 명단"),
    ("검토했지만 도입하지 않은 장비", "검토 도입 장비"),
    ("유통 채널 목록", "유통 채널 목록"),
    ("8월 수도 요금 고지서", "8월 수도 요금 고지서"),
]


@pytest.mark.parametrize(("question", "words"), KEPT)
def test_every_content_word_is_asked_or_weighs(question: str, words: str) -> None:
    query = understand(question, NOW)
    said = {word.casefold() for each in (*query.keywords, *(text for text, _ in query.lesser)) for word in each.split()}
    assert {word.casefold() for word in words.split()} <= said


@pytest.mark.parametrize("question", [question for question, _ in KEPT])
def test_nothing_excludes_that_nobody_asked_for(question: str) -> None:
    """None of these asks for an author, a place, a kind, an exclusion or a time of writing; what is read may order at most."""
    query = understand(question, NOW)
    assert all(each.strength < CREDIBLE for each in query.implied)
    assert not query.negated
    assert query.author is None
    assert query.container is None


def test_what_happened_asks_for_no_word() -> None:
    """무슨 일 asks, and is nothing to look for."""
    assert understand("지난주에 무슨 일 있었어?", NOW).keywords == ()
