"""Keywords, negation, variants, mine, ambiguity and the type, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.understand import load_lexicon, understand
from orchestrator.understand.keyboard import as_typed_in_english, as_typed_in_korean, repair
from orchestrator.understand.lexicon import BadLexicon
from tests.rows import each_row
from translators.query import Compare, Field, Not, Op, Person, Phrase, QueryType, Term, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

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
# Nouns of two syllables whose second looks like a particle or an ending.
NOUNS = (
    "원인 확인 승인 할인 본인 법인 변경 도구 회의 정의 문의 동의 주의 강의 경로 진로 도로 제도 온도 의도 속도 정도 용도 빈도 보고 광고 재고 사고 창고 참고 회고 권고 신고 평가 단가 허가 추가 인가 국가"
    " 휴가 결과 효과 성과 부과 통과 초과 나이 차이 종이 놀이 길이 카나리 에러 하드웨어"
).split()
OF_ASKING = "확인 승인 변경 정의 문의 정도 보고 결과 회의".split()
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


def rows(table: str) -> list[tuple[str, ...]]:
    """One case a line."""
    return [
        tuple(cell.strip() for cell in line.split(" | ")) if " | " in line else (line.rstrip(" |"), "")
        for line in table.strip().splitlines()
    ]


@each_row(("text", "keywords"), rows(KEYWORDS))
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


@each_row(("text", "negated"), rows(NEGATED))
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


@each_row(("kind", "text"), rows(TYPES))
def test_types(ask: Callable[..., Query], kind: str, text: str) -> None:
    """The best type, with the words that say so and scores that sum to one."""
    query = ask(text)
    assert query.type is QueryType(kind)
    assert query.scores[0].words
    assert sum(score.score for score in query.scores) == pytest.approx(1, abs=0.001)
    assert len(query.scores) == len(QueryType)


@each_row(("text", "expected"), rows(MINE))
def test_mine(ask: Callable[..., Query], text: str, expected: str) -> None:
    """The asker's own items, not how-tos or the team's."""
    assert ask(text).mine is (expected == "yes")


@each_row("text", ["what did I write about Okta", "what did I say last week", "내가 옥타에 대해 뭐라고 했지"])
def test_what_the_asker_said_is_by_the_asker(ask: Callable[..., Query], text: str) -> None:
    assert ask(text).author == Person("", me=True)


@each_row(("text", "expected"), rows(AMBIGUOUS))
def test_ambiguous(ask: Callable[..., Query], text: str, expected: str) -> None:
    """Too vague, or two fair readings."""
    assert ask(text).ambiguous is (expected == "yes")


def test_my_tasks_and_mails_i_sent_say_who(ask: Callable[..., Query]) -> None:
    """Tasks are assigned to me, mails I sent are authored by me."""
    assert Compare(Field.ASSIGNEE, Op.EQ, Person("", me=True)) in conjuncts(ask("my open tasks").where)
    assert Compare(Field.AUTHOR, Op.EQ, Person("", me=True)) in conjuncts(ask("내가 보낸 견적서").where)


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


def test_everybodys_acronyms_are_not_spelled_out(ask: Callable[..., Query]) -> None:
    """No source holds the long form, and each variant costs a request."""
    assert ask("API SQL URL PR CI KPI migration").variants == (("migration", ("마이그레이션", "이관", "전환")),)


def test_variants_begin_with_the_other_language_and_are_few(ask: Callable[..., Query]) -> None:
    """The other script first, then synonyms, then what the lexicon has; no misspelling, no inflection, at most four."""
    variants = dict(ask("k8s payments vacation 큐버네티스").variants)
    assert variants["k8s"] == ("쿠버네티스", "kubernetes")
    assert variants["payments"][0] == "결제"
    assert dict(ask("릴리스 일정").variants)["릴리스"][0] == "release"
    assert variants["큐버네티스"] == ("kubernetes", "k8s", "쿠버네티스")
    assert all(len(names) <= 4 for names in variants.values())


@each_row(
    ("text", "word", "names"),
    [
        ("사무실 이사 언제야?", "이사", ("office move", "relocation", "사무실 이전", "move")),
        ("11월 18일에 배포된 거", "배포", ("deploy", "release", "distribution")),
        ("who is on call next week", "on call", ("온콜", "on-call", "당직")),
        ("SEV-1 장애 기준", "SEV-1", ("SEV1",)),
        ("definition of sev1", "sev1", ("sev-1",)),
        ("bugs of the month award", "bugs", ("버그", "오류")),
        ("partial refunds", "refunds", ("환불", "부분 취소", "부분취소", "환급")),
        ("travel policies", "policies", ("정책", "규정", "방침")),
    ],
)
def test_one_thing_goes_by_several_names(
    ask: Callable[..., Query], text: str, word: str, names: tuple[str, ...]
) -> None:
    assert dict(ask(text).variants)[word] == names


def test_on_call_is_one_word(ask: Callable[..., Query]) -> None:
    assert ask("who is on call next week").keywords == ("on call",)
    assert ask("on call rota for payments").keywords == ("on call", "rota", "payments")


def test_a_degree_of_severity_is_no_ticket(ask: Callable[..., Query]) -> None:
    assert ask("SEV-1 장애 기준").ids == ()
    assert [found.text for found in ask("PAY-151 상태").ids] == ["PAY-151"]


def test_variants_stand_beside_the_word(ask: Callable[..., Query]) -> None:
    """Other names and spellings, split compounds, never for phrases or ids."""
    query = ask('쿠버네티스 결제서비스 "k8s"')
    variants = dict(query.variants)
    assert "k8s" in variants["쿠버네티스"]
    assert "결제 서비스" in variants["결제서비스"]
    assert "k8s" not in variants
    assert Term("쿠버네티스") in conjuncts(query.where)


@each_row(
    ("typed", "meant"),
    [
        ("rufwp", "결제"),
        ("ㅓㄷㅜㅏㅑㅜㄴ", "jenkins"),
        ("ㄴㅣㅁ차", "slack"),
        ("hello", None),
        ("slack", None),
        ("ㅋㅋㅋ", None),
        ("asdf", None),
    ],
)
def test_the_wrong_keyboard_is_repaired_only_when_sure(typed: str, meant: str | None) -> None:
    """What comes out must be a word we know."""
    assert repair(typed, load_lexicon()) == meant


def test_keyboards_are_inverse() -> None:
    """Hangul to keys and back."""
    assert as_typed_in_english("값싼 뷁 원") == "rkqtTks qnpfr dnjs"
    assert as_typed_in_korean("rkqtTksqnpfrdnjs") == "값싼뷁원"
    assert as_typed_in_korean("zzz") is None


def test_a_glossary_adds_names_and_variants(tmp_path: Path, now: datetime) -> None:
    """Site words are merged into the shipped ones."""
    glossary = tmp_path / "site.toml"
    glossary.write_text(
        '[synonyms]\ngroups = ["moonshot, 문샷"]\n[acronyms]\nqbr = ["quarterly business review"]\n[projects]\nnames = ["Moonshot"]\n',
        "utf-8",
    )
    query = understand("moonshot QBR", now, lexicon=load_lexicon(None, (glossary,)))
    assert [entity.name for entity in query.entities] == ["Moonshot"]
    assert dict(query.variants) == {"moonshot": ("문샷",), "QBR": ("quarterly business review",)}


@pytest.mark.parametrize("content", ["not toml [", "[calendar]\nfiscal_year_starts = 13\n", "[acronyms]\nx = 3\n"])
def test_a_bad_glossary_is_named(tmp_path: Path, content: str) -> None:
    """A clear error instead of a half-read lexicon."""
    glossary = tmp_path / "site.toml"
    glossary.write_text(content, "utf-8")
    with pytest.raises(BadLexicon):
        load_lexicon(None, (glossary,))


def test_a_missing_glossary_is_named(tmp_path: Path) -> None:
    """The message holds the path."""
    with pytest.raises(BadLexicon, match="gone"):
        load_lexicon(None, (tmp_path / "gone.toml",))


def test_words_of_the_wrong_keyboard_are_turned_back_together(ask: Callable[..., Query]) -> None:
    query = ask("dhszhf wjdcor")
    assert query.keywords == ("온콜", "정책")
    assert query.language == "ko"
    assert [doubt.code for doubt in query.doubts] == ["wrong_keyboard"]


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


@each_row("text", ["rotate quarterly", "dhszhf policy", "sso rollout dks", '"dhszhf" wjdcor', "kubernetes"])
def test_words_are_not_turned_back_beside_english_ones(ask: Callable[..., Query], text: str) -> None:
    query = ask(text)
    assert query.text == text
    assert not query.doubts


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


@pytest.mark.parametrize(("said", "digits"), [("천오백", "1,500"), ("이만삼천", "23,000"), ("육백오십", "650")])
def test_a_number_in_letters_is_looked_for_in_digits_too(ask: Callable[..., Query], said: str, digits: str) -> None:
    assert digits in dict(ask(f"인형을 {said} 개만 만들자고 정한 사람이 누구야?").variants)[said]
    assert not any(
        "," in name for word in ("이천", "일정") for name in dict(ask(f"{word} 창고").variants).get(word, ())
    )


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


def test_a_korean_verb_is_looked_for_in_the_forms_that_sentences_have_and_in_english(
    ask: Callable[[str], Query],
) -> None:
    assert dict(ask("뭐가 깨졌어?").variants)["깨졌"] == ("깨져", "깨진", "break", "shatter")
