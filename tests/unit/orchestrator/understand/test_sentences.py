"""A plain sentence is of one type, whatever it is about: each pattern with thirty nouns that no rule was made for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rows import each_row
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from translators.query import Query

FILLINGS_KO = """
김치냉장고 수리 키트
도서 반납함
야간 셔틀
옥상 정원
화상 회의실
주차 등록
비건 메뉴
방수 점프수트
레이저 각인기
산소 포화도 센서
해초 양식장
도자기 가마
드론 배송
전기 자전거 대여
수영장 염소 펌프
빙상장 제빙기
항만 크레인
면세점 재고
합창단 의상
고양이 급식소
태양광 인버터
지하철 광고
방음 부스
사내 카페
급식 식단
열화상 카메라
체온계 교정
밀키트 포장
탄소 배출권
Zephyr
"""
FILLINGS_EN = """
tide gauge
library return box
night shuttle
roof garden
video room
parking permit
vegan menu
laser engraver
oxygen sensor
seaweed farm
pottery kiln
drone delivery
bike rental
pool chlorine pump
ice resurfacer
harbour crane
duty-free stock
choir costumes
cat feeder
solar inverter
subway ads
sound booth
coffee corner
school lunch
thermal camera
thermometer calibration
meal kit packaging
carbon credits
Zephyr
wheelchair ramp
"""
KOREAN = """
decision | {} 어떻게 하기로 했나요?
decision | {} 관련해서 뭘로 결정됐어?
decision | {}에 대해 무엇을 결정했나요?
decision | {} 결정 사항 알려줘
decision | {} 최종 결론이 뭐였지?
decision | {} 하기로 한 거야 안 하기로 한 거야?
status | {} 진행 상황 알려줘
status | {} 어디까지 됐어?
status | {} 지금 어떻게 되고 있나요?
status | {} 상태는?
status | {} 다 끝났나요?
status | {} 현황 공유해 주세요
document | {}에 대한 스펙은 어디에?
document | {} 문서 어디 있나요?
document | {} 매뉴얼 링크 주세요
document | {} 관련 자료 파일 좀 찾아줘
document | {} 기획서 있나요?
document | {} 스펙 문서 위치
document | {}에 대한 발표 자료는 어디에 있어?
person | {} 담당자가 누구예요?
person | {} 누가 맡고 있어?
person | {} 누구한테 물어봐야 해?
person | {} 작업은 누가 하고 있나요?
person | {} 잘 아는 사람 있어?
factual | {} 규정이 뭐예요?
factual | {} 기준이 어떻게 되나요?
factual | {} 정책 알려줘
factual | {} 한도가 얼마야?
factual | {} 신청 방법 알려주세요
factual | {}에 대한 정책은 무엇인가요?
temporal | {} 언제 시작해?
temporal | {} 언제였지?
temporal | {} 마감이 며칠이야?
temporal | {} 날짜가 언제로 잡혔어?
temporal | {} 언제 바뀌었나요?
exploratory | {} 검색해달라
exploratory | {} 검색
exploratory | {} 검색해줘
exploratory | {}에 대해 아는 거 다 알려줘
exploratory | {} 관련 내용 정리해줘
exploratory | {}에 대해 우리가 알고 있는 게 뭐야?
"""
ENGLISH = """
decision | What did we decide about the {}?
decision | what was agreed on the {}
decision | did we settle on anything for the {}?
decision | what's the decision on the {}
decision | why did we go with the new {}?
status | What is the status of the {}?
status | how is the {} going?
status | where are we with the {}
status | is the {} done yet?
status | any progress on the {}?
status | {} status
document | Where is the spec for the {}?
document | where can I find the {} document
document | link to the {} slides
document | can you send me the {} manual
document | do we have a template for the {}?
person | Who is working on the {}?
person | who owns the {}
person | who should I ask about the {}?
person | who is in charge of the {}
person | who knows about the {}
factual | What is the policy on the {}?
factual | how much does the {} cost?
factual | what are the rules for the {}
factual | how do I request the {}?
factual | what is the limit for the {}
temporal | When did the {} start?
temporal | when does the {} open
temporal | what day is the {} inspection?
temporal | since when do we have the {}
temporal | when was the {} changed
exploratory | What do we know about the {}?
exploratory | search for the {}
exploratory | search {}
exploratory | find everything about the {}
exploratory | look up the {}
exploratory | tell me about the {}
exploratory | anything on the {}?
"""
ENOUGH = 29
"""Of the thirty. One noun of each may say something of its own: 양식 of 양식장 is a form, 교정 a correction."""


def patterns() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for listed, fillings in ((KOREAN, FILLINGS_KO), (ENGLISH, FILLINGS_EN)):
        for line in listed.strip().splitlines():
            kind, _, pattern = line.partition(" | ")
            yield kind, pattern, tuple(fillings.strip().splitlines())


@each_row(("kind", "pattern", "fillings"), list(patterns()))
def test_a_sentence_is_of_its_type_whatever_it_is_about(
    ask: Callable[[str], Query], kind: str, pattern: str, fillings: tuple[str, ...]
) -> None:
    read = [ask(pattern.format(noun)).type for noun in fillings]
    assert len(fillings) == 30
    assert read.count(QueryType(kind)) >= ENOUGH, dict(zip(fillings, read, strict=True))


@each_row(
    ("text", "keywords"),
    [
        ("마이그레이션 검색", ("마이그레이션",)),
        ("결제 검색해달라", ("결제",)),
        ("Search migration", ("migration",)),
        ("search for the migration", ("migration",)),
        ("search index", ("search", "index")),
        ("통합 검색 개편", ("통합", "검색", "개편")),
    ],
)
def test_a_command_to_search_is_no_word_to_look_for(
    ask: Callable[[str], Query], text: str, keywords: tuple[str, ...]
) -> None:
    assert ask(text).keywords == keywords


def test_a_search_for_something_of_a_thing_is_of_the_type_of_that(ask: Callable[[str], Query]) -> None:
    assert ask("search for the spec of the tide gauge").type is QueryType.DOCUMENT
    assert ask("스펙 어디까지 됐나요?").type is QueryType.STATUS


@each_row("text", ["며칠 전 회의록 검색해줘", "며칠 전에 공유한 예산 문서 검색", "지난주 회의록 검색해줘"])
def test_what_says_when_makes_no_question_of_a_command_to_search(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).type is QueryType.EXPLORATORY
    assert ask("언제 열린 회의인지 검색해줘").type is QueryType.TEMPORAL


@each_row(
    "text",
    [
        "the owner of the page on how long leave lasts",
        "name the contact for what we have to pay",
        "며칠 전에 회의록 쓴 사람",
        "며칠 전 입사한 디자이너",
        "얼마 전 입사한 디자이너",
    ],
)
def test_somebody_is_asked_for_beside_an_amount_or_a_time(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).type is QueryType.PERSON
    assert ask("새해 첫날 배는 한 사람에 얼마야?").type is not QueryType.PERSON


@each_row("text", ["왜 결제 담당자가 바뀌었나요?", "담당자가 왜 바뀌었어?", "Why did the owner of billing change?"])
def test_a_question_why_wants_nobody(ask: Callable[..., Query], text: str) -> None:
    """One who knows why is wanted."""
    assert ask(text).type is not QueryType.PERSON
    assert ask("결제가 왜 실패했는지 누구한테 물어보면 되나요?").type is QueryType.PERSON


@each_row("text", ["Why did people who join a game lose it?", "When do staff who work at night get paid?"])
def test_a_who_behind_a_word_that_asks_asks_nothing(ask: Callable[..., Query], text: str) -> None:
    """And a "who" that asks, does."""
    assert ask(text).type is not QueryType.PERSON
    assert ask("Who pays the staff when they work at night?").type is QueryType.PERSON


@each_row(
    "text",
    [
        "which oil for the slideways when the hall is cold",
        "what do we do when the pump fails",
        "what are the steps when the fire panel goes off at night",
    ],
)
def test_a_when_that_tells_the_case_asks_for_no_time(ask: Callable[..., Query], text: str) -> None:
    """And one behind what somebody knows or said, or beside another question, does."""
    assert ask(text).type is QueryType.FACTUAL
    assert ask("who knows when the audit starts").type is QueryType.TEMPORAL
