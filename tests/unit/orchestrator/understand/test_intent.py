"""The kind of a question, whose things it asks for, and where it may mean several things, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rows import each_row, rows_of
from translators.query import Compare, Field, Op, Person, QueryType, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


TYPES = """
decision | What did we decide about dropping support?
decision | did leadership sign off on the lease
decision | why did we choose Snowflake
decision | 스프린트 길이 3주로 하기로 했나요
decision | 벤더 최종 선정 결과
status | where are we with the migration
status | is the bug fixed yet
status | 마이그레이션 어디까지 됐어?
status | 버그 수정됐나요
document | link to the API spec
document | where is the plan stored
document | 런북 어디 있어요
document | 회의록 찾아줘
person | who owns the billing service
person | 담당자가 누구예요
person | 배포한 사람
factual | what is the per diem for Singapore
factual | 법인카드 한도 얼마예요
factual | is it on the approved software list
temporal | when did it ship
temporal | 배포 언제 했지
temporal | deadline for enrollment
exploratory | lessons learned from the pilot
exploratory | 도입 이후 느낀 점
exploratory | what do we know about churn
decision | API 마이그레이션 일정에 대해 무엇을 결정했나요?
decision | 배포 일정 확정했나요
decision | what was agreed on the launch date
decision | what did we decide about the migration schedule
temporal | 결정 일정이 언제
temporal | when was Kestrel decided
temporal | in which month did we move to the Leeds office
temporal | does anyone know when the VPN went down
document | do we have a slide template for workshops
document | the template Tomoko made
document | 신규 입사자 계정 신청서 주소좀여
person | anyone here used Terraform with Oracle Cloud?
person | who's the DRI for 너울 checkout flow?
factual | Gabriela mailed the new VAT number, what was it
factual | 수습기간 3개월인가요 6개월인가요
exploratory | AI 코딩 도구 써보신 분들 어땠는지
exploratory | 다른 팀은 코드리뷰 어떻게 해요
status | 검색 색인 작업 어디까지 됐는지 아시는 분
"""

MINE = """
my draft of the guide | yes
내가 올린 RFC 중 승인된 거 | yes
제 남은 연차 며칠이에요 | yes
how many vacation days do I have left | yes
tickets assigned to me | yes
최근 3개월 내 올라온 녹취록 | no
how do I reset my password | no
what did I write about Okta | yes
내가 옥타에 대해 뭐라고 했지 | yes
where do I write the report | no
my team's roadmap | no
우리 팀 일정 | no
"""

AMBIGUOUS = """
limit? | yes
the slides | yes
how is phoenix going | yes
Orion 건 어때요? | yes
그때 그 발표자료 | yes
so are we doing it or not? | yes
what is our RTO policy | yes
status of INC-2041 | no
background on Project Saltmarsh | no
제 남은 연차 | no
결제 장애 원인 | no
MAU 정의 | no
that guy from the warehouse call | yes
그 업체 이름 | yes
Mercury or Venus | yes
who is Desta | no
사업자등록증명원 발급 | no
"""


@each_row(("kind", "text"), rows_of(TYPES))
def test_types(ask: Callable[..., Query], kind: str, text: str) -> None:
    """The best type, with the words that say so and scores that sum to one."""
    query = ask(text)
    assert query.type is QueryType(kind)
    assert query.scores[0].words
    assert sum(score.score for score in query.scores) == pytest.approx(1, abs=0.001)
    assert len(query.scores) == len(QueryType)


@each_row(("text", "expected"), rows_of(MINE))
def test_mine(ask: Callable[..., Query], text: str, expected: str) -> None:
    """The asker's own items, not how-tos or the team's."""
    assert ask(text).mine is (expected == "yes")


@each_row("text", ["what did I write about Okta", "what did I say last week", "내가 옥타에 대해 뭐라고 했지"])
def test_what_the_asker_said_is_by_the_asker(ask: Callable[..., Query], text: str) -> None:
    assert ask(text).author == Person("", me=True)


@each_row(("text", "expected"), rows_of(AMBIGUOUS))
def test_ambiguous(ask: Callable[..., Query], text: str, expected: str) -> None:
    """Too vague, or two fair readings."""
    assert ask(text).ambiguous is (expected == "yes")


def test_my_tasks_and_mails_i_sent_say_who(ask: Callable[..., Query]) -> None:
    """Tasks are assigned to me, mails I sent are authored by me."""
    assert Compare(Field.ASSIGNEE, Op.EQ, Person("", me=True)) in conjuncts(ask("my open tasks").where)
    assert Compare(Field.AUTHOR, Op.EQ, Person("", me=True)) in conjuncts(ask("내가 보낸 견적서").where)
