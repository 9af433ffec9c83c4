"""Keywords, negation, variants, mine, ambiguity and the type, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rows import each_row, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


KEYWORDS = """
What is the status of the clinic scheduling module? | clinic scheduling module
how many vacation days do I have left | vacation days
retention period for call recordings | retention period call recordings
who is the owner of the file API | file API
Could you point me to the supplier code of conduct? | supplier code conduct
open source licensing questions | open source licensing questions
Kafka's retention | Kafka retention
I was on call with Dana about pricing | Dana pricing
who sells the rights in May | sells rights
where are the goods from the last shipment | goods shipment
what was said about updates last week | updates
what was said last week |
What day is the public hearing for the quarry | public hearing quarry
행사 당일에는 주차를 어디에 해요 | 행사 주차
당일 배송 정책 | 당일 배송 정책
can you provide links to the design specs | design specs
Find the demo URLs for Norvale | demo Norvale
what was deployed on 18 April | deploy
what was deployed to staging on 18 April | staging
첫 번째 배포 | 배포
fire drill in building C | fire drill building C
when was the Lot 88 recall | Lot 88 recall
위키에 나온 Okta 비밀번호 변경 주기 정책 알려줘 | Okta 비밀번호 변경 주기 정책
배포 승인 절차 변경 내용 | 배포 승인 절차 변경
작년 직원설문 주요 주제 | 직원설문 주제
Vega 스테이징 접속 방법 알려주세요 | Vega 스테이징 접속
결제 장애 후속 조치 진행 상황 | 결제 장애 후속 조치
우선순위(푸시/문자/메일) | 우선순위 푸시 문자 메일
A/B 테스트 결과 | A/B 테스트 결과
사무실 이전한 게 언제였지 | 사무실 이전
테스트 커버리지 80%로 올리기로 했나 | 테스트 커버리지 80%
직원들 노트북 지급 | 직원 노트북 지급
조직도 어디 있어요 | 조직도
그 건 어떻게 하기로 했지 |
GraphQL 왜 안 쓰기로 했어 | GraphQL
운영 DB 쓰기 권한 | 운영 DB 쓰기 권한
who do i ask |
document management system | document management system
end of life | end life
sign off sheet | sign off sheet
who owns the owner manual | owner manual
status of the status page redesign | status page redesign
when does the trial finish | trial
which nurse gave the vaccine training | nurse vaccine training
night shift schedule | night shift schedule
문서 관리 시스템 | 문서 관리 시스템
관련 기관 목록 | 관련 기관 목록
배포 관련 문서 어디 있나요 | 배포
최종 단가 알려줘 | 최종 단가
해온링크 장애 | 해온링크 장애
나은병원 계약 | 나은병원 계약
인공신장실 소독 주기 알려줘 | 인공신장실 소독 주기
지난주에 무슨 일이 있었나요? |
내 작업 상태는? |
내 작업 |
내 할 일 목록 |
제 할일 뭐예요? |
오늘 내 할일 |
이번 주 내 작업 |
내 결제 작업 | 결제
my tasks |
my assigned tasks |
my to-do list |
what's on my plate |
my tasks about refunds | refunds
my work laptop | work laptop
내 업무용 노트북 | 업무용 노트북
이번 주 내 배포된 것 | 배포
Kestrel 상태 | Kestrel
Okta rollout status | Okta rollout
맥아 재고 현황 | 맥아 재고 현황
"""

# Nouns of two syllables whose second looks like a particle or an ending.
NOUNS = (
    "원인 확인 승인 할인 본인 법인 변경 도구 회의 정의 문의 동의 주의 강의 경로 진로 도로 제도 온도 의도 속도 정도 용도 빈도 보고 광고 재고 사고 창고 참고 회고 권고 신고 평가 단가 허가 추가 인가 국가"
    " 휴가 결과 효과 성과 부과 통과 초과 나이 차이 종이 놀이 길이 카나리 에러 하드웨어"
).split()

OF_ASKING = "확인 승인 변경 정의 문의 정도 보고 결과 회의".split()


@each_row(("text", "keywords"), rows_of(KEYWORDS))
def test_keywords(ask: Callable[..., Query], text: str, keywords: str) -> None:
    """What a source must hold, without particles, endings and words of asking."""
    assert ask(text).keywords == tuple(keywords.split())


@each_row(
    ("text", "lesser"),
    [
        ("who owns the file API", ["owns"]),
        ("내 작업 상태 좀 알려줘", ["작업", "상태"]),
        ("내 작업 상태는?", []),  # all of it says whose work; nothing is left to tell one task from another
        ("문서 어디 있나요", ["문서"]),
        ("show me the tide tables", []),
        ("document management system", []),
    ],
)
def test_what_asks_weighs_little_where_it_asks(ask: Callable[..., Query], text: str, lesser: list[str]) -> None:
    """It is not required, and not forgotten; "show me" says nothing."""
    found = ask(text).lesser
    assert [word for word, _ in found] == lesser
    assert all(0 < weight < 1 for _, weight in found)
    assert not {word for word, _ in found} & set(ask(text).keywords)


def test_essential_puts_names_first_and_generic_words_last(ask: Callable[..., Query]) -> None:
    """The broadening ladder drops from the end."""
    assert ask("migration plan for PostgreSQL billing OPS-12").essential == (
        "OPS-12",
        "PostgreSQL",
        "billing",
        "migration",
        "plan",
    )


@each_row(
    ("text", "first", "last"),
    [
        ("2027 pricing start", "pricing", "2027"),
        ("80% coverage policy", "coverage", "80%"),
        ("PostgreSQL migration 2019 report", "PostgreSQL", "2019"),
        ("ERR_CONN_4012 원인", "ERR_CONN_4012", "원인"),
        ("90일 보관 정책 Datadog", "Datadog", "90일"),
    ],
)
def test_the_core_of_a_question_is_never_a_bare_number(
    ask: Callable[..., Query], text: str, first: str, last: str
) -> None:
    """The ladder keeps the first word to the last, and a year is found everywhere."""
    essential = ask(text).essential
    assert essential[0] == first
    assert essential[-1] == last


@each_row("noun", NOUNS)
@each_row(
    "frame", ["결제 {}", "ERR_CONN_4012 {}", "결제 {}{topic} 바뀐 기록", "서버 {}{object} 알려줘", "결제 {}에 대해"]
)
def test_nouns_that_end_like_a_particle_stay_whole(ask: Callable[..., Query], noun: str, frame: str) -> None:
    """원인 is no 원 with an ending, whatever stands around it and whichever particle follows."""
    closed = (ord(noun[-1]) - 0xAC00) % 28 > 0
    text = frame.format(noun, topic="은" if closed else "는", object="을" if closed else "를")
    broken = {noun[:1], noun[:-1], text.split()[1]} - {noun}
    assert not broken & set(ask(text).keywords)


@each_row("noun", [noun for noun in NOUNS if noun not in OF_ASKING])
def test_such_nouns_are_keywords(ask: Callable[..., Query], noun: str) -> None:
    """Those that are no words of asking are kept."""
    assert ask(f"ERR_CONN_4012 {noun}").keywords == ("ERR_CONN_4012", noun)


def test_on_call_is_one_word(ask: Callable[..., Query]) -> None:
    assert ask("who is on call next week").keywords == ("on call",)
    assert ask("on call rota for payments").keywords == ("on call", "rota", "payments")


def test_a_degree_of_severity_is_no_ticket(ask: Callable[..., Query]) -> None:
    assert ask("SEV-1 장애 기준").ids == ()
    assert [found.text for found in ask("PAY-151 상태").ids] == ["PAY-151"]


@each_row(
    ("text", "language"),
    [
        ("after:2026-12-01 before:2027-01-01 배포", "ko"),
        ("https://acme.slack.com/archives/C01ABCDEF/p1763000000000100 이거 왜 그랬지", "ko"),
        ("sarah.kim@acme.example 연락처", "ko"),
        ("from:김민수 rollout plan of the gateway", "en"),
        ("from:김민수", "ko"),
        ("in:engineering", "en"),
        ("Okta 만료 기준", "ko"),
    ],
)
def test_the_language_is_that_of_what_is_said_not_of_filters_and_addresses(
    ask: Callable[..., Query], text: str, language: str
) -> None:
    assert ask(text).language == language


@each_row(
    ("text", "keyword", "other"),
    [
        ("type:issue blocked", "blocked", "막힘"),
        ("what is blocked right now", "blocked", "막힘"),
        ("지금 막혀 있는 거 뭐야", "막혀", "blocked"),
    ],
)
def test_what_is_blocked_is_searched_for_where_nothing_else_is(
    ask: Callable[..., Query], text: str, keyword: str, other: str
) -> None:
    query = ask(text)
    assert query.keywords == (keyword,)
    assert other in dict(query.variants)[keyword]
    assert not query.ambiguous


def test_what_is_blocked_is_no_keyword_beside_a_thing(ask: Callable[..., Query]) -> None:
    assert ask("is the redis upgrade blocked").keywords == ("redis", "upgrade")


@each_row("text", ["PAY-151 상태", "PAY-151 status", "status of PAY-151"])
def test_a_status_beside_a_key_is_no_keyword(ask: Callable[..., Query], text: str) -> None:
    assert ask(text).keywords == ("PAY-151",)


def test_carrying_over_is_one_keyword_with_its_korean_name(ask: Callable[..., Query]) -> None:
    query = ask("how many leave days can I carry over")
    assert query.keywords == ("leave", "days", "carry over")
    assert dict(query.variants)["carry over"] == ("이월",)


@each_row(
    ("text", "keywords"),
    [
        ("사우샘프턴 손님은 언제 온대?", ("사우샘프턴", "손님")),
        ("사우샘프턴에서 온 소포는 누가 받았어?", ("사우샘프턴", "소포")),
        ("글렌피딕에서 온 메일", ("글렌피딕",)),
        ("엣지게이트웨이 알려줘", ("엣지게이트웨이",)),  # ends as if in a particle
    ],
)
def test_a_foreign_name_that_morphology_breaks_stays_whole(
    ask: Callable[..., Query], text: str, keywords: tuple[str, ...]
) -> None:
    assert ask(text).keywords == keywords


def test_a_guest_is_nobody_called_son(ask: Callable[..., Query]) -> None:
    assert not ask("손님은 언제 오나요?").entities
    assert [each.name for each in ask("손민수님은 언제 오나요?").entities] == ["손민수"]


def test_a_day_in_numbers_goes_without_its_particle(ask: Callable[..., Query]) -> None:
    assert "12/24에" not in {word for word, _ in ask("12/24에 뭐 하나요").lesser}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("who runs the IT budget", ("IT", "budget")),
        ("US office address", ("US", "office", "address")),
        ("IT가 관리하는 장비", ("IT", "장비")),
        ("it 팀 번호", ("it", "팀", "번호")),
        ("as 센터 번호", ("as", "센터", "번호")),
        ("VPN IT 담당자 누구야", ("VPN", "IT")),
        ("IT", ("IT",)),
        ("PLEASE SEND US THE REPORT", ("REPORT",)),
        ("WHAT IS THE IT BUDGET", ("IT", "BUDGET")),
        ("who is in the us office", ("us", "office")),
        ("who sent it to us as a draft", ("draft",)),
    ],
)
def test_an_acronym_is_no_function_word(ask: Callable[[str], Query], text: str, kept: tuple[str, ...]) -> None:
    assert set(ask(text).keywords) == set(kept)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("who handles website questions", ("website",)),
        ("where is the Slack guide", ("Slack", "guide")),
        ("홈페이지 문의 누구한테 해?", ("홈페이지", "문의")),
        ("guide in Slack", ("guide",)),
        ("슬랙에서 가이드 찾아줘", ("가이드",)),
        ("Slack okta rollout", ("okta", "rollout")),
        ("blocked tickets", ("blocked",)),
        ("잔디 새로 까는데 얼마 들어", ("잔디",)),
        ("티켓 가격 얼마야", ("티켓", "가격")),
        ("인터넷이 왜 느려", ("인터넷",)),
        ("위키 누가 관리해", ("위키",)),
        ("how much are tickets", ("tickets",)),
        ("is there slack in the schedule", ("slack",)),
        ("price of the linear guide", ("price", "linear", "guide")),
        ("새 메일 있어?", ()),
        ("okta 티켓", ("okta",)),
        ("지난주 위키 요약해줘", ()),
    ],
)
def test_what_is_called_as_a_source_is_looked_for_where_nothing_else_says_of_what(
    ask: Callable[[str], Query], text: str, kept: tuple[str, ...]
) -> None:
    assert set(ask(text).keywords) == set(kept)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("when is the deploy?", ("deploy",)),
        ("회의 언제야?", ("회의",)),
        ("이거 누구 결재 받아야 해", ("결재",)),
        ("누가 담당이야", ()),
        ("일정 언제야?", ()),
        ("문서 어디 있나요", ()),
        ("deploys last week", ("deploys",)),
        ("문이 얼마나 넓어?", ("문",)),
    ],
)
def test_what_weighs_little_is_looked_for_where_nothing_else_is(
    ask: Callable[[str], Query], text: str, kept: tuple[str, ...]
) -> None:
    assert ask(text).keywords == kept


@pytest.mark.parametrize(
    ("text", "kept", "lesser"),
    [
        ("뭐가 깨졌어?", ("깨졌",), ()),
        ("왜 밀렸대요?", ("밀렸",), ()),
        ("누가 그만둬?", ("그만둬",), ()),
        ("뭐가 늦어지고 있어?", ("늦어지",), ()),
        ("언제 돌아올까", ("돌아오",), ()),
        ("얼마나 올랐어?", ("올랐",), ()),
        ("지난주에 뭐 고쳤어?", (), ("고쳤",)),
        ("내가 뭘 고쳤지", (), ("고쳤",)),
        ("내일 뭐가 바뀌어?", ("5/14",), ("바뀌",)),
        ("서버 누가 고쳤어?", ("서버",), ()),
        ("누구한테 물어봐?", (), ("물어봐",)),
        ("뭐가 나왔어?", (), ("나왔",)),
        ("보여 주세요", (), ()),
        ("알려줘", (), ()),
    ],
)
def test_what_happened_is_looked_for_by_its_verb_where_nothing_else_is(
    ask: Callable[[str], Query], text: str, kept: tuple[str, ...], lesser: tuple[str, ...]
) -> None:
    """A Korean verb that is made of no noun; English ones stay as words are."""
    query = ask(text)
    assert (query.keywords, tuple(word for word, _ in query.lesser)) == (kept, lesser)


@each_row(
    ("text", "keywords"),
    [
        ("how big is the fine for the flares", ("fine", "flares")),
        ("how far away do I have to stand from the crane", ("crane",)),
        ("how late does the canteen stay open", ("canteen", "stay", "open")),
        ("how backups are tested", ("backups", "tested")),
        ("in which place do we hand out the prizes", ("hand", "prizes")),
        ("which of our two wind farms ran better in July", ("wind", "farms", "ran")),
        ("phase one costs", ("phase", "one", "costs")),
        ("who pays for Two Rivers", ("pays", "Two", "Rivers")),
        ("전기차 결국 몇대 뽑음?", ("전기차",)),
        ("에어컨 언제 고침?", ("에어컨",)),
        ("쌀 한포대 얼마에 계약했지?", ("쌀", "계약")),
        ("종이 두장씩 언제까지 접수해?", ("종이", "접수")),
        ("브램블윅 앞 네편 언제 넘겨요", ("브램블윅", "네편")),  # else too little says of what
        ("한강 행사 언제야", ("한강", "행사")),
        ("뉴트란 없으면 뭐 써요", ("뉴트란",)),
    ],
)
def test_what_measures_and_counts_is_no_thing_to_look_for(
    ask: Callable[..., Query], text: str, keywords: tuple[str, ...]
) -> None:
    assert ask(text).keywords == keywords


def test_what_measures_and_counts_still_weighs(ask: Callable[..., Query]) -> None:
    assert {word for word, _ in ask("쌀 한포대 얼마에 계약했지?").lesser} >= {"한포대"}
    assert {word for word, _ in ask("how big is the fine for the flares").lesser} == {"big"}
    assert {word for word, _ in ask("노션 결제 카드 누구 거야").lesser} >= {"노션"}
