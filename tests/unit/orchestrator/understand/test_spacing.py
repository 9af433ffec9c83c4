"""Korean words together and apart, by what morphology and its dictionary know."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orchestrator.understand import Directory, DirectoryPerson, understand
from orchestrator.understand import variants as variants_module
from tests.rows import each_row

NOW = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("word", "apart"),
    [
        ("배포자동화", ("배포 자동화",)),  # a suffix goes with its noun
        ("결제서비스", ("결제 서비스",)),
        ("커넥션풀", ("커넥션 풀",)),  # morphology does not know it: both parts are nouns
        ("엣지게이트웨이", ("엣지 게이트웨이",)),
        ("알람임계값", ("알람 임계값",)),
        ("온콜수당", ("온콜 수당",)),
        ("폐색알람임계값", ("폐색 알람 임계값", "폐색 알람임계값", "폐색알람 임계값")),
        ("회의실", ()),
        ("서비스", ()),
        ("마이그레이션", ()),
        ("파트너사", ()),  # 사 does not stand alone
        ("해온메디텍", ()),  # a name that no dictionary has
    ],
)
def test_a_compound_has_its_spaced_spellings(word: str, apart: tuple[str, ...]) -> None:
    found = dict(understand(f"{word} 알려줘", NOW).variants).get(word, ())
    assert tuple(name for name in found if name.replace(" ", "") == word) == apart


@pytest.mark.parametrize(
    ("question", "joined"),
    [
        ("배포 자동화 담당자가 누구야?", (("배포", "자동화"),)),
        ("커넥션 풀을 늘렸나요", ()),  # one syllable is told too little by
        ("배포의 자동화", ()),  # a particle stands between
        ("'배포 자동화' 문서", ()),  # quoted
        ("which price list is it", (("price", "list"),)),
        ("go no go", ()),
        ("배포 price", ()),  # no word is in two scripts
        ("김민수 배포", ()),  # a name
    ],
)
def test_keywords_side_by_side_may_be_one_word(question: str, joined: tuple[tuple[str, str], ...]) -> None:
    known = Directory(people=(DirectoryPerson("김민수"),))
    assert understand(question, NOW, known).joined == joined


def test_a_long_question_divides_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that no dictionary has cost many looks into it: only the first few are divided."""
    divided: list[str] = []
    plain = variants_module.spellings

    def counted(word: str, morphs: object, *, tries: bool) -> tuple[str, ...]:
        divided.extend([word] * tries)
        return plain(word, morphs, tries=tries)  # type: ignore[arg-type]

    monkeypatch.setattr(variants_module, "spellings", counted)
    understand(" ".join(f"쿄뱌{chr(0xB5A0 + at)}뀨셔{chr(0xBDC0 + at)}" for at in range(200)), NOW)
    assert len(divided) <= variants_module.DIVIDED


@each_row(
    ("typed", "meant"),
    [
        ("온콜수당얼마야", "온콜 수당 얼마야"),
        ("결제장애회고문서어디있나요?", "결제 장애 회고문서 어디 있나요?"),
        ("쿠버네티스 이전어디까지됐나요", "쿠버네티스 이전 어디까지 됐나요"),
        ("vpn어떻게연결하나요", "vpn 어떻게 연결하나요"),
        ("고객사대시보드접속이안돼요", "고객사 대시보드 접속이 안 돼요"),
        ("연차이월규정알려줘", "연차 이월 규정 알려줘"),
        ("이번주회의누가하나요", "이번주 회의 누가 하나요"),
        ("다음주금요일에누가당직이야", "다음주 금요일에 누가 당직이야"),
        ("배포자동화했어요", "배포자동화했어요"),
        ("개인정보보호책임자", "개인정보보호책임자"),
        ("조직개편안에 대한 의견", "조직개편안에 대한 의견"),
        ('"온콜수당얼마야"', '"온콜수당얼마야"'),
    ],
)
def test_a_question_typed_as_one_word_is_read_as_several(typed: str, meant: str) -> None:
    """On a telephone blanks are left out. A compound is one word, and what stands in quotation marks stays."""
    assert understand(typed, NOW).text == meant
