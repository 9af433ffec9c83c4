"""What words are called in the other language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.packaged import config_dir
from orchestrator.understand import Directory
from orchestrator.understand.bilingual import FILE, NO_WORDS, BadWords, Bilingual
from orchestrator.understand.directory import DirectoryPerson
from orchestrator.understand.lexicon import load_lexicon
from orchestrator.understand.variants import WITH_COUNTERPARTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from translators.query import Query

SHIPPED = Bilingual(config_dir() / "language" / FILE)


@pytest.fixture
def words(tmp_path: Path) -> Callable[[str], Bilingual]:
    """A lexicon of these lines."""

    def _words(lines: str) -> Bilingual:
        path = tmp_path / FILE
        path.write_text(lines, "utf-8")
        return Bilingual(path)

    return _words


def test_the_likelier_sense_comes_first_and_the_other_is_not_lost(words: Callable[[str], Bilingual]) -> None:
    found = words("이전 = move, relocation, transfer\n이전 = previous, before\n").counterparts("이전")
    assert found == ("move", "relocation", "previous", "before", "transfer")


def test_words_of_one_language_are_synonyms_by_a_word_of_the_other(words: Callable[[str], Bilingual]) -> None:
    known = words("빨래, 세탁 = laundry\n그림 = picture\n사진 = picture, photo\n")
    assert known.synonyms("빨래") == ("세탁",)
    assert known.synonyms("pictures") == ("photo",)  # a form of itself is no other name
    assert known.synonyms("laundry") == ()
    assert known.synonyms("무") == ()


def test_where_two_counterparts_agree_on_a_synonym_what_only_one_has_is_none(words: Callable[[str], Bilingual]) -> None:
    known = words("상품 = product, goods, merchandise\n굿즈 = merchandise, goods\n")
    assert known.synonyms("merchandise") == ("goods",)


def test_countries_cities_and_languages_are_told_in_both() -> None:
    for korean, english in (
        ("레진", "resin"),
        ("사이트", "site"),
        ("슬로베니아어", "Slovenian"),
        ("크로아티아", "Croatia"),
        ("리즈", "Leeds"),
        ("볼로냐", "Bologna"),
    ):
        assert english in SHIPPED.counterparts(korean)
        assert korean in SHIPPED.counterparts(english)
    assert SHIPPED.counterparts("세부")[0] == "detail"
    assert SHIPPED.counterparts("cork")[0] == "코르크"


def test_a_number_is_not_cut(words: Callable[[str], Bilingual]) -> None:
    """12월 is no February; the number of a line may be left out where it stands by itself."""
    known = words("2월 = february\n라인 = line\n")
    assert known.counterparts("12월") == ()
    assert known.counterparts("3라인") == ("line",)
    assert SHIPPED.counterparts("12월") == ("December",)
    assert SHIPPED.counterparts("March")[0] == "3월"


def test_a_line_that_begins_in_english_orders_the_korean_words_and_adds_no_sense(
    words: Callable[[str], Bilingual],
) -> None:
    known = words("옮기 = move\n이사 = move\n# a comment\n\nmove = 이전, 이사\n")
    assert known.counterparts("move") == ("이전", "이사", "옮기")
    assert known.counterparts("이전") == ()


def test_of_which_a_word_is_the_likelier_name_comes_first(words: Callable[[str], Bilingual]) -> None:
    assert words("제도 = system, scheme\n방식 = way, system\n시스템 = system\n").counterparts("system") == (
        "시스템",
        "제도",
        "방식",
    )


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("부산", "Busan"),
        ("Busan", "부산"),
        ("재고", "inventory"),
        ("contracts", "계약"),
        ("policies", "정책"),
        ("shipped", "배송"),
        ("재발 방지", "recurrence prevention"),
        ("걷기", "walk"),  # a verb as a noun
        ("공급계약조건", "supply contract condition"),  # a compound, the longest parts first
        ("총예산", "budget"),
        ("business trips", "출장"),
        ("섬", "island"),  # everyday words, and verbs by the forms that they begin with
        ("까닭", "reason"),
        ("turn round", "회항"),
        ("put off", "연기"),
        ("leave", "출발"),  # and holidays
        ("gearbox", "감속기"),
        ("권양기", "winch"),
        ("delayed", "지연"),
        ("늦어지", "delayed"),
    ],
)
def test_a_word_is_found_inflected_compounded_and_together(text: str, first: str) -> None:
    found = SHIPPED.together(text) or SHIPPED.counterparts(text)
    assert first in found[:2]


@pytest.mark.parametrize(
    ("word", "called"),
    [
        ("minute", "분"),  # a word that is not listed goes by its sound: 미누테
        ("settle", "정산"),
        ("save", "저장"),
        ("cater", "케이터링"),  # and no cat
        ("better", "개선"),  # and no bet
        ("slipper", "실내화"),  # and no slip
        ("instructions", "설명서"),
        ("expired", "만료"),
        ("장소", "place"),
        ("현재", "current"),
        ("구입", "purchase"),
        ("답장", "reply"),
        ("휴식", "break"),
        ("프로파일", "profile"),  # and no professional file
        ("이의", "objection"),
        ("입장시간", "admission time"),  # and no stance
        ("장기자랑", "talent show"),
        ("닫았", "close"),
    ],
)
def test_the_everyday_sense_is_among_the_names_that_are_looked_for(word: str, called: str) -> None:
    assert called in SHIPPED.counterparts(word)[:WITH_COUNTERPARTS]


def test_what_is_no_word_has_no_counterpart() -> None:
    for text in ("", "x", "가", "뷁뷁뷁", "zzyzx", "12", "부산뷁뷁뷁공장", "가" * 2000, "ing" * 700):
        assert SHIPPED.counterparts(text) == ()
        assert NO_WORDS.counterparts(text) == ()


def test_a_compound_of_known_words_is_offered_apart_and_together() -> None:
    assert SHIPPED.together("hygiene inspection") == ("위생 점검", "위생점검")


@given(st.text(max_size=40))
def test_any_text_can_be_looked_up(text: str) -> None:
    assert all(SHIPPED.counterparts(text))


def test_a_line_that_is_no_pair_is_named(words: Callable[[str], Bilingual]) -> None:
    with pytest.raises(BadWords, match="line 2 of korean_english"):
        words("부산 = Busan\n부산 Busan\n").counterparts("부산")


def test_a_folder_without_the_file_has_no_counterparts(tmp_path: Path) -> None:
    assert Bilingual(tmp_path / FILE).counterparts("부산") == ()


def test_the_shipped_file_is_well_formed_and_large() -> None:
    lines = [line for line in (config_dir() / "language" / FILE).read_text("utf-8").splitlines() if " = " in line]
    assert len(lines) > 3000
    for line in lines:
        left, right = (side.split(", ") for side in line.split(" = "))
        assert all(word == word.strip() != "" for word in (*left, *right)), line
        korean, english = (right, left) if left[0].isascii() else (left, right)
        assert not any(word.isascii() for word in korean), line
        assert all(word.isascii() for word in english), line
        assert len({*left}) == len(left), line
        assert len({*right}) == len(right), line


def test_a_question_has_the_counterparts_of_its_words(ask: Callable[..., Query]) -> None:
    said = dict(ask("부산 사무실 이전은 언제 하나요?").variants)
    assert "Busan" in said["부산"]
    assert "office" in said["사무실"]
    assert "relocation" in said["이전"]
    said = dict(ask("What is the hotel limit for business trips?").variants)
    assert said["business"][0] == said["trips"][0] == "출장"


def test_a_name_without_a_counterpart_goes_by_its_sound(ask: Callable[..., Query]) -> None:
    assert dict(ask("해솔도서관 준공일 언제야").variants)["해솔도서관"] == ("Haesol library", "Haesol")
    assert dict(ask("when is the roof of Haesol finished").variants)["Haesol"] == ("해솔",)
    assert "Stadhaven" not in dict(ask("when is the roof of Stadhaven finished").variants)
    assert not any("Iwol" in names for _, names in ask("연차 이월은 며칠까지").variants)  # that has a counterpart


def test_a_romanised_name_is_known_without_its_capital(ask: Callable[..., Query]) -> None:
    assert dict(ask("which firm did we pick for the seryu school").variants)["seryu"] == ("세류",)
    assert dict(ask("who signs at homaesil").variants)["homaesil"] == ("호매실",)
    said = dict(ask("who ordered the wensley oat curtain for gate nine").variants)
    assert "oat" not in said  # three letters are too few to tell
    assert "API" not in dict(ask("who owns the API repo").variants)


def test_what_is_of_a_country_is_called_by_the_country_first(ask: Callable[..., Query]) -> None:
    for word, country in (("korean", "한국"), ("japanese", "일본"), ("english", "영어"), ("malaysian", "말레이시아")):
        assert dict(ask(f"rules for {word} schools").variants)[word][0] == country


def test_what_places_are_called_comes_first(ask: Callable[..., Query]) -> None:
    """Of the names of a thing in the other language the one that its channel has is the one that people there use."""
    assert dict(ask("when is the shop inspected").variants)["shop"][0] == "가게"
    assert dict(ask("when is the shop inspected", Directory(channels=("매장-공사",))).variants)["shop"][0] == "매장"
    assert dict(ask("who released the app").variants)["app"][0] == "앱"


def test_quoted_phrases_and_ids_are_never_said_differently(ask: Callable[..., Query]) -> None:
    said = dict(ask('"market price" PAY-151 계약').variants)
    assert set(said) == {"계약"}


def test_names_are_never_translated(ask: Callable[..., Query]) -> None:
    people = Directory((DirectoryPerson("이사라"),))
    assert "이사라" not in dict(ask("이사라가 쓴 계약 검토", people).variants)
    assert dict(ask("Project Harvest contract").variants).keys() == {"contract"}


def test_words_with_capitals_side_by_side_may_be_a_title_that_the_other_language_has_too(
    ask: Callable[[str], Query],
) -> None:
    titled = dict(ask("who draws the Snowman Post Office book").variants)
    assert titled["Snowman"][0] == "눈사람"
    assert titled["Office"][0] == "우체국"
    for alone in ("what does the new Harvest cost", "Does Harvest support it", "the Harvest"):
        assert "Harvest" not in dict(ask(alone).variants)


def test_a_site_glossary_comes_before_the_lexicon(tmp_path: Path) -> None:
    glossary = tmp_path / "site.toml"
    glossary.write_text('[synonyms]\ngroups = ["재고, backroom"]\n', "utf-8")
    assert load_lexicon(glossaries=(glossary,)).variants["재고"] == ("backroom",)


@pytest.mark.parametrize(
    ("text", "word", "called"),
    [
        ("Why did the ferry turn round?", "round", "회항"),
        ("Why has the ferry turned round?", "round", "회항"),
        ("Who stands in for the manager?", "stands", "대신"),
    ],
)
def test_words_that_mean_something_together_are_called_that(
    ask: Callable[..., Query], text: str, word: str, called: str
) -> None:
    """A verb with its particle, though one of the two alone asks for nothing; however the verb is inflected."""
    assert called in dict(ask(text).variants)[word]


@pytest.mark.parametrize(
    ("text", "word", "called"),
    [
        ("where is the year end party", "party", "송년회"),
        ("where is the year-end party", "party", "송년회"),
        ("who did the follow up", "follow", "후속"),
        ("who did the follow-up", "follow-up", "후속"),
    ],
)
def test_a_hyphen_and_a_blank_are_one(ask: Callable[..., Query], text: str, word: str, called: str) -> None:
    assert called in dict(ask(text).variants)[word]


def test_what_weighs_less_has_counterparts_too(ask: Callable[..., Query]) -> None:
    """They are looked for in what is found; acronyms of asking are not spelled out."""
    query = ask("Who is responsible for the crane?")
    assert "responsible" not in query.keywords
    assert "담당" in dict(query.variants)["responsible"]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("플레시", "플래시"),
        ("메세지", "메시지"),
        ("컨텐츠", "콘텐츠"),
        ("스케쥴", "스케줄"),
        ("쏘프트웨어", "소프트웨어"),
    ],
)
def test_a_word_that_sounds_like_a_listed_one_is_that(ask: Callable[..., Query], text: str, meant: str) -> None:
    """But for a vowel, as foreign words are misspelt; the names of ships and rooms sound like nothing."""
    assert meant in dict(ask(f"{text} 규정이 어떻게 되나요?").variants)[text]
    assert not any(SHIPPED.misspelt(name) for name in ("너울호", "물안개", "바람재", "소금길", "해솔도서관"))
