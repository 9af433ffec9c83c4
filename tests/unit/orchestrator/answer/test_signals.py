"""What sounds like an answer of each type."""

from __future__ import annotations

import pytest

from orchestrator.answer.signals import CHANGED, dates, signals
from translators.query import QueryType

YES = [
    (QueryType.DECISION, "REST로 가기로 했습니다"),
    (QueryType.DECISION, "3월 24일로 확정합니다."),
    (QueryType.DECISION, "시작일을 12월 7일로 변경"),
    (QueryType.DECISION, "We have decided to use REST."),
    (QueryType.DECISION, "Let’s go with option B"),
    (QueryType.DECISION, "The budget was approved on Monday."),
    (QueryType.STATUS, "14/18 완료, 하나는 막혀 있습니다"),
    (QueryType.STATUS, "The rewrite is at 80 %."),
    (QueryType.STATUS, "Still blocked on review"),
    (QueryType.STATUS, "19/21명 등록"),
    (QueryType.PERSON, "담당자는 김민수입니다"),
    (QueryType.PERSON, "Owner: Sarah Kim"),
    (QueryType.TEMPORAL, "11월 12일에 출시했습니다"),
    (QueryType.TEMPORAL, "Released on Jan 15"),
    (QueryType.TEMPORAL, "다음 주 화요일 오후 3시"),
    (QueryType.FACTUAL, "최대 5일까지 이월"),
    (QueryType.FACTUAL, "Passwords must change"),
]
NO = [
    (QueryType.DECISION, "무엇을 결정했나요?"),
    (QueryType.DECISION, "아직 결정되지 않았습니다"),
    (QueryType.DECISION, "결정이 필요합니다"),
    (QueryType.DECISION, "Have we decided yet?"),
    (QueryType.DECISION, "We have not decided on this"),
    (QueryType.DECISION, "The date is to be decided"),
    (QueryType.DECISION, "점심 먹으러 갑니다"),
    (QueryType.STATUS, "hello there"),
    (QueryType.STATUS, "11/30 일정"),
    (QueryType.PERSON, "좋은 아침입니다"),
    (QueryType.TEMPORAL, "곧 출시합니다"),
    (QueryType.FACTUAL, "좋은 질문이네요"),
    (QueryType.DOCUMENT, "the spec"),
    (QueryType.EXPLORATORY, "decided 12월 1일"),
]


@pytest.mark.parametrize(("kind", "sentence"), YES, ids=str)
def test_it_sounds_like_the_answer(kind: QueryType, sentence: str) -> None:
    assert signals(kind, sentence)


@pytest.mark.parametrize(("kind", "sentence"), NO, ids=str)
def test_it_does_not_sound_like_the_answer(kind: QueryType, sentence: str) -> None:
    assert not signals(kind, sentence)


def test_dates_are_compared_without_their_blanks() -> None:
    assert dates("2025. 1. 15. 또는 1월 15일, Jan 15 or 15 Jan") == {"2025.1.15", "1월15일", "jan15", "15jan"}


def test_a_change_is_recognised_in_both_languages() -> None:
    assert CHANGED.search("결정을 번복합니다")
    assert CHANGED.search("We use REST instead.")
    assert not CHANGED.search("We use REST. REST를 씁니다")
