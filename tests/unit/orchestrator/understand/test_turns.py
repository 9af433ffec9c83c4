"""Everyday turns of phrase, in words that are in no labelled row, and the type of answer each asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

TURNS = """
factual | 사무실 임대 계약은 얼마에 갱신했어
factual | 시범 운영 지점 어디어디야
decision | build or buy for the loyalty engine
decision | we dropped the annual survey, right?
decision | ADR-77 message ordering
decision | motion 9 carried or defeated
decision | 신규 로고 채택 여부
decision | 세미나실 리모델링 하기로 했는지 말기로 했는지, 매듭
decision | 사내 카페는 닫는 걸로 정리된 거죠
status | vpn up or down
status | supplier portal timing out again
status | 사내 메신저 먹통
status | 창고 이전 완료?
status | 설비 교체 몇 퍼센트
temporal | planned reopening date of the canteen
temporal | warranty claim got pushed to?
temporal | next fire drill
temporal | claim form payable by
temporal | 동호회 신청 기간
temporal | 재고조사 무슨 주
temporal | 감사 보고서 며칠 남았는지
temporal | 다음 정기 점검은?
person | fire warden third floor
person | 컵 깨뜨린 범인
person | catering order is placed by whom
person | is there somebody here that can read Finnish
person | 독일어 잘하는 직원
person | 포스터 그린 게 민서씨였나
document | evacuation plan for the annex
document | kindly share the visa letter
document | link to the gym policy
document | 유연근무 규정 링크
document | 협력사 계약서 영문판 좀
document | 작년 사진 모아둔 곳
factual | can unused leave be paid out
factual | who is eligible for the bike scheme
factual | 주택자금 누가 받을 수 있나요
factual | 견과류 쿠키 알레르기 성분
factual | which cable fits the dock
factual | 출장비 정산하는 법
factual | 주말에 차 두고 가도 되나요
exploratory | any theories on the drop in signups
exploratory | prior art on seat maps
exploratory | lie of the land in Baltic retail
exploratory | 신축 기숙사 평판
exploratory | 재택근무 찬반
exploratory | 요즘 물류 시장 돌아가는 판
"""


@pytest.mark.parametrize("line", TURNS.strip().splitlines())
def test_turns_of_phrase(ask: Callable[..., Query], line: str) -> None:
    """A turn of phrase decides, whatever it is said of."""
    wanted, text = line.split(" | ")
    assert ask(text).type is QueryType(wanted)
