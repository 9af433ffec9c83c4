"""Keywords, negation, variants, mine, ambiguity and the type, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.understand import load_lexicon, understand
from orchestrator.understand.keyboard import as_typed_in_english, as_typed_in_korean, repair
from orchestrator.understand.lexicon import BadLexicon
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
open source licensing questions | open source licensing
Kafka's retention | Kafka retention
fire drill in building C | fire drill building C
when was the Lot 88 recall | Lot 88 recall
위키에 나온 Okta 비밀번호 변경 주기 정책 알려줘 | Okta 비밀번호 변경 주기 정책
배포 승인 절차 변경 내용 | 배포 승인 절차 변경
Vega 스테이징 접속 방법 알려주세요 | Vega 스테이징 접속
결제 장애 후속 조치 진행 상황 | 결제 장애 후속 조치
우선순위(푸시/문자/메일) | 우선순위 푸시 문자 메일
A/B 테스트 결과 | A/B 테스트
사무실 이전한 게 언제였지 | 사무실 이전
테스트 커버리지 80%로 올리기로 했나 | 테스트 커버리지 80%
직원들 노트북 지급 | 직원 노트북 지급
조직도 어디 있어요 | 조직도
그 건 어떻게 하기로 했지 |
who do i ask |
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
"""
NOT_NEGATED = """
is it not done yet
the "device not paired" bug
not only the api but the docs
빼기로 했나 그 기능
외부 강의 신고 규정 중 금액 제외 기준
오프라인 모드 제외 건
why does the scanner not work
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
"""
MINE = """
my draft of the guide | yes
내가 올린 RFC 중 승인된 거 | yes
제 남은 연차 며칠이에요 | yes
how many vacation days do I have left | yes
tickets assigned to me | yes
최근 3개월 내 올라온 녹취록 | no
how do I reset my password | no
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
"""


def rows(table: str) -> list[tuple[str, ...]]:
    """One case a line."""
    return [
        tuple(cell.strip() for cell in line.split(" | ")) if " | " in line else (line.rstrip(" |"), "")
        for line in table.strip().splitlines()
    ]


@pytest.mark.parametrize(("text", "keywords"), rows(KEYWORDS))
def test_keywords(ask: Callable[..., Query], text: str, keywords: str) -> None:
    """What a source must hold, without particles, endings and words of asking."""
    assert ask(text).keywords == tuple(keywords.split())


@pytest.mark.parametrize(("text", "negated"), rows(NEGATED))
def test_negations(ask: Callable[..., Query], text: str, negated: str) -> None:
    """What is excluded is no keyword and a Not in the clause."""
    query = ask(text)
    assert sorted(query.negated) == sorted(negated.split("|"))
    excluded = [part.part for part in conjuncts(query.where) if isinstance(part, Not)]
    assert {str(part).strip('"') for part in excluded if isinstance(part, Term | Phrase)} == set(negated.split("|"))
    assert not set(query.keywords) & set(query.negated)


@pytest.mark.parametrize("text", NOT_NEGATED.strip().splitlines())
def test_negation_traps(ask: Callable[..., Query], text: str) -> None:
    """Words of exclusion that exclude nothing."""
    assert ask(text).negated == ()


@pytest.mark.parametrize(("kind", "text"), rows(TYPES))
def test_types(ask: Callable[..., Query], kind: str, text: str) -> None:
    """The best type, with the words that say so and scores that sum to one."""
    query = ask(text)
    assert query.type is QueryType(kind)
    assert query.scores[0].words
    assert sum(score.score for score in query.scores) == pytest.approx(1, abs=0.001)
    assert len(query.scores) == len(QueryType)


@pytest.mark.parametrize(("text", "expected"), rows(MINE))
def test_mine(ask: Callable[..., Query], text: str, expected: str) -> None:
    """The asker's own items, not how-tos or the team's."""
    assert ask(text).mine is (expected == "yes")


@pytest.mark.parametrize(("text", "expected"), rows(AMBIGUOUS))
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


def test_variants_stand_beside_the_word(ask: Callable[..., Query]) -> None:
    """Other names and spellings, split compounds, never for phrases or ids."""
    query = ask('쿠버네티스 결제서비스 "k8s"')
    variants = dict(query.variants)
    assert "k8s" in variants["쿠버네티스"]
    assert "결제 서비스" in variants["결제서비스"]
    assert "k8s" not in variants
    assert Term("쿠버네티스") in conjuncts(query.where)


@pytest.mark.parametrize(
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
