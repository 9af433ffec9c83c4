"""What is not wanted, as rows, and what only sounds like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rows import each_row, rows_of
from translators.query import Not, Phrase, Term, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


NEGATED = """
kubernetes expert besides Ivan | Ivan
pricing terms, not the APAC rules | APAC
interview template for backend, not the frontend one | frontend
ideas for cold starts, excluding java | java
progress, except for the Ruby SDK | Ruby SDK
contributors to the parser, no bots | bots
logo pack -2023 -"old draft" | 2023|old draft
초안 말고 최종안 | 초안
환불 기한 알려줘 해외결제 제외하고 | 해외결제
Beacon 연동 현황, 안드로이드는 빼고 | 안드로이드
대외비 버전 말고 공개용으로 | 대외비
lawyers who do IP not litigation | litigation
refund policy, only for hotels not flights | flights
warehouse KPIs excl. Poland | Poland
open RFIs bar the electrical ones | electrical
supplier audit findings w/o the minor ones | minor
press mentions that aren't about the recall | recall
budget comments from anyone but Felipe | Felipe
notes on pricing, leave the discount thread out | discount
safety stats, contractors excluded | contractors
leave balances excluding interns and temps | interns|temps
who's on call, not Ben or Kim | Ben|Kim
I don't want the summary, just the raw survey data | summary
slides from the kickoff, not last year's | last year's
사내 식당 후기 구내매점 빼구요 | 구내매점
출장비 규정 해외 제외 | 해외
계약 만료 예정 건들, 임대차는 제외 | 임대차
지연된 배포 알려줘 iOS는 됐고 | iOS
최근 장애 보고서 중 네트워크 아닌 것 | 네트워크
이번 주 반품 현황 온라인몰 빼면 | 온라인몰
인사팀 공지 중 채용 관련 말고 | 채용
윤 팀장님 외에 결재 가능한 사람 | 윤 팀장
박지성 대리님 말고 결재 도와줄 분 | 박지성
테스트 서버 말고 운영 쪽 배포 일정 | 테스트 서버
점심 메뉴 추천 분식이랑 중식 빼고 | 분식|중식
시안 구버전이 아니고 신버전 | 구버전
온보딩 덱 작년 거 말고 | 작년
창고 이전 말고 시스템 전환 계획 | 창고 이전
출장 정책 말고 재택 정책 | 출장 정책
검색 오류 안드로이드 말고 아이폰 | 안드로이드
not the outline, the signed lease | outline
Not the payroll export — the bank export | payroll export
not the old rota but the new one | old rota
not mugs, tote bags | mugs
refund rules, not your old ones | old
the new policy instead of their draft | draft
"""

NOT_NEGATED = """
is it not done yet
the "device not paired" bug
not only the api but the docs
빼기로 했나 그 기능
외부 강의 신고 규정 중 금액 제외 기준
오프라인 모드 제외 건
why does the scanner not work
who has not signed the NDA
did we decide not to renew Adobe
nothing but complaints about parking lately
exclusion clause in the Marlin contract
keep the lights out policy
걱정하지 말고 휴가 신청하는 법
계약직도 성과급 제외인가요
해외에 있는 지사 연락처
4분기 로드맵에서 뺀 것
누구 말고 누가 가기로 했어
우리가 쓴 것 말고 경쟁사 자료
not sure, who owns billing
not urgent, but who knows the wifi password
not working, the badge reader
not just the outline, the whole folder
"""


@each_row(("text", "negated"), rows_of(NEGATED))
def test_negations(ask: Callable[..., Query], text: str, negated: str) -> None:
    """What is excluded is no keyword and a Not in the clause."""
    query = ask(text)
    assert sorted(query.negated) == sorted(negated.split("|"))
    excluded = [part.part for part in conjuncts(query.where) if isinstance(part, Not)]
    assert {str(part).strip('"') for part in excluded if isinstance(part, Term | Phrase)} == set(negated.split("|"))
    assert not set(query.keywords) & set(query.negated)


def test_an_excluded_period_is_no_window(ask: Callable[..., Query]) -> None:
    """What is not wanted of last year must not be looked for in it."""
    assert ask("slides from the kickoff, not last year's").window is None
    assert ask("휴가 정책 2024년 버전 제외하고").window is None


@each_row("text", NOT_NEGATED.strip().splitlines())
def test_negation_traps(ask: Callable[..., Query], text: str) -> None:
    """Words of exclusion that exclude nothing."""
    assert ask(text).negated == ()
