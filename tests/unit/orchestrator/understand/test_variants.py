"""One thing goes by several names: of the language, of a glossary, in digits and in the other language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from orchestrator.understand import load_lexicon, understand
from orchestrator.understand.lexicon import BadLexicon
from tests.rows import each_row
from translators.query import Term, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from translators.query import Query


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


def test_variants_stand_beside_the_word(ask: Callable[..., Query]) -> None:
    """Other names and spellings, split compounds, never for phrases or ids."""
    query = ask('쿠버네티스 결제서비스 "k8s"')
    variants = dict(query.variants)
    assert "k8s" in variants["쿠버네티스"]
    assert "결제 서비스" in variants["결제서비스"]
    assert "k8s" not in variants
    assert Term("쿠버네티스") in conjuncts(query.where)


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


@pytest.mark.parametrize(("said", "digits"), [("천오백", "1,500"), ("이만삼천", "23,000"), ("육백오십", "650")])
def test_a_number_in_letters_is_looked_for_in_digits_too(ask: Callable[..., Query], said: str, digits: str) -> None:
    assert digits in dict(ask(f"인형을 {said} 개만 만들자고 정한 사람이 누구야?").variants)[said]
    assert not any(
        "," in name for word in ("이천", "일정") for name in dict(ask(f"{word} 창고").variants).get(word, ())
    )


def test_a_korean_verb_is_looked_for_in_the_forms_that_sentences_have_and_in_english(
    ask: Callable[[str], Query],
) -> None:
    assert dict(ask("뭐가 깨졌어?").variants)["깨졌"] == ("깨져", "깨진", "break", "shatter")


@each_row(
    ("text", "word", "names"),
    [
        ("워크샵 장소 어디야?", "워크샵", {"워크숍", "workshop"}),
        ("메시지 템플릿 어디 있어?", "메시지", {"메세지", "message"}),
        ("센타 위치 알려줘", "센타", {"센터"}),
        ("라이센스 갱신 언제야?", "라이센스", {"라이선스", "license"}),
        ("what colour are the turbines", "colour", {"color", "색상"}),
        ("center opening hours", "center", {"centre"}),
        ("cheque run of November", "cheque", {"check"}),
        ("prioritised defects of the pump", "prioritised", {"prioritize"}),
    ],
)
def test_what_people_spell_in_several_ways_is_looked_for_in_each(
    ask: Callable[..., Query], text: str, word: str, names: set[str]
) -> None:
    """No source knows that they are one word; a misspelling is understood and not looked for."""
    variants = dict(ask(text).variants)
    assert names <= set(variants[word])
    assert "cheque" not in dict(ask("check the pump").variants).get("check", ())
    assert "씨스템" not in dict(ask("시스템 위치").variants).get("시스템", ())


def test_a_word_whose_name_is_listed_is_no_compound(ask: Callable[..., Query]) -> None:
    """Else 롤아웃 would be searched for as *out* and 스탠드업 as a desk lamp, whatever stands there."""
    assert dict(ask("옥타 롤아웃 어떻게 되고 있어").variants)["롤아웃"] == ("rollout",)
    assert "desk lamp" not in dict(ask("오늘 스탠드업 몇 시야").variants)["스탠드업"]
    assert "workout check" not in dict(ask("헬스체크 왜 실패했어").variants)["헬스체크"]
