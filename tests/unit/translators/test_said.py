"""What is said in every language stays so, whatever is done with it."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

from translators import said
from translators.said import LANGUAGES, UNSAID, Phrasebook, Said, bring, joined, of_data, preferred, quoting, said_in

WAIT = Said.given({"en": "wait for {left:.0f} s: {why}", "ko": "{left:.0f}초 기다리세요: {why}"})
FULL = Said.given({"en": "it is full", "ko": "가득 찼습니다"})
AS_ASKED = Said("as asked")  # which the catalogue has


@pytest.fixture
def brought(tmp_path, monkeypatch):
    """A folder with a catalogue of its own, known to this test only."""
    monkeypatch.setattr(said, "_BROUGHT", [])
    said.catalogue.cache_clear()
    yield lambda text: (tmp_path / "messages.ko.toml").write_text(text, "utf-8") and bring(tmp_path)
    said.catalogue.cache_clear()


def test_as_text_it_is_the_english() -> None:
    assert FULL == "it is full"
    assert {FULL: 1} == {"it is full": 1}
    assert json.loads(json.dumps(FULL)) == "it is full"
    assert (said_in(FULL, "en"), said_in(FULL, "ko"), said_in(FULL, "fr")) == (FULL, "가득 찼습니다", FULL)
    assert type(said_in(FULL, "en")) is str


def test_other_languages_stand_in_their_catalogue() -> None:
    assert (AS_ASKED, said_in(AS_ASKED, "ko"), said_in(AS_ASKED, "fr")) == ("as asked", "물은 그대로", "as asked")
    assert said_in(Said("nobody has translated this"), "ko") == "nobody has translated this"
    assert said_in("as asked", "ko") == "as asked"  # the same words of somebody else


def test_the_same_english_is_said_otherwise_in_another_context() -> None:
    assert said_in(Said("Sources"), "ko") != said_in(Said("Sources", context="web"), "ko")


def test_two_sentences_by_hand_are_no_message() -> None:
    with pytest.raises(TypeError):
        Said("full", "가득")


def test_what_is_put_into_it_is_said_in_the_same_language() -> None:
    found = WAIT.filled(left=2.4, why=FULL)
    assert found == "wait for 2 s: it is full"
    assert said_in(found, "ko") == "2초 기다리세요: 가득 찼습니다"
    assert said_in(WAIT.filled(left=1, why=AS_ASKED), "ko") == "1초 기다리세요: 물은 그대로"


def test_a_part_is_what_it_was_when_it_was_put_in() -> None:
    parts = [1]
    found = WAIT.filled(left=1, why=parts)
    parts.append(2)
    assert said_in(found, "ko") == "1초 기다리세요: [1]"


def test_to_fill_reads_no_catalogue(brought) -> None:
    brought('[anywhere]\n"{count} are late" = "{count}개가 늦습니다"\n')
    found = Said("{count} are late").filled(count=3)
    assert (found, said.catalogue.cache_info().misses) == ("3 are late", 0)
    assert said_in(found, "ko") == "3개가 늦습니다"
    assert said_in(pickle.loads(pickle.dumps(found)), "ko") == "3개가 늦습니다"


def test_a_part_may_have_any_name() -> None:
    parts = {"text": "a", "language": "b", "self": "c"}
    assert Said("{text} {language} {self}").filled(**parts) == "a b c"


def test_a_vendors_words_stay_as_they_are() -> None:
    assert said_in(WAIT.filled(left=1, why="{quota} exceeded"), "ko") == "1초 기다리세요: {quota} exceeded"
    assert said_in(WAIT.filled(left=1, why="as asked"), "ko") == "1초 기다리세요: as asked"
    assert said_in(quoting("as asked"), "ko") == "as asked"
    assert quoting(FULL) is FULL


def test_several_are_one_in_every_language() -> None:
    found = joined("; ", [FULL, AS_ASKED, "quota exceeded"])
    assert found == "it is full; as asked; quota exceeded"
    assert said_in(found, "ko") == "가득 찼습니다; 물은 그대로; quota exceeded"


def test_all_are_changed_alike() -> None:
    found = Said.given({"en": "full.", "ko": "가득."}).mapped(lambda text: text.rstrip("."))
    assert (found, said_in(found, "ko")) == ("full", "가득")


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda message: pickle.loads(pickle.dumps(message))])
@pytest.mark.parametrize("message", [FULL, AS_ASKED, Said("Sources", context="web")])
def test_a_copy_keeps_all(again, message) -> None:
    assert again(message) == message
    assert said_in(again(message), "ko") == said_in(message, "ko") != message


def test_what_was_put_together_keeps_its_languages_where_another_catalogue_is_read(brought) -> None:
    brought('[anywhere]\n"acme is full" = "acme가 가득 찼습니다"\n')
    sent = pickle.dumps(Said("acme is full"))
    said._BROUGHT.clear()
    said.catalogue.cache_clear()
    assert said_in(pickle.loads(sent), "ko") == "acme가 가득 찼습니다"


def test_a_folder_brings_messages_of_its_own(brought) -> None:
    brought('[anywhere]\n"acme is full" = "acme가 가득 찼습니다"\n\n[acme]\n"Sources" = "자료"\n')
    assert said_in(Said("acme is full"), "ko") == "acme가 가득 찼습니다"
    assert said_in(Said("Sources", context="acme"), "ko") == "자료"


def test_what_one_brings_changes_nothing_of_ours(brought) -> None:
    brought('[anywhere]\n"as asked" = "다른 말"\n"not yet" = ""\n')
    assert said_in(AS_ASKED, "ko") == "물은 그대로"
    assert said_in(Said("not yet"), "ko") == "not yet"


@pytest.mark.parametrize(
    ("written", "korean"),
    [
        ("as asked", "물은 그대로"),
        ("ours", "ours"),
        ({"en": "ours", "ko": "우리"}, "우리"),
        (FULL, "가득 찼습니다"),
    ],
)
def test_a_setting_says_one_text_or_one_for_each_language(written, korean) -> None:
    assert said_in(of_data(written), "ko") == korean


@pytest.mark.parametrize(
    "written", [7, {"en": "ours"}, {"ko": "우리"}, {"en": "ours", "tlh": "maj"}, {"en": "ours", "ko": 1}, ["ours"]]
)
def test_a_setting_that_says_anything_else_is_refused(written) -> None:
    with pytest.raises(ValueError, match="one for each language"):
        of_data(written)


def test_a_phrasebook_is_a_table_in_one_language() -> None:
    book = Phrasebook({"asked": AS_ASKED}, "ko")
    assert (dict(book), book.language) == ({"asked": "물은 그대로"}, "ko")


def test_every_language_has_its_file() -> None:
    there = {path.name for path in Path(said.__file__).parent.glob("messages.*.toml")}
    assert there == {f"messages.{language}.toml" for language in LANGUAGES if language != said.ENGLISH}


def test_nothing_said_is_empty() -> None:
    assert not UNSAID
    assert not said_in(UNSAID, "ko")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("ko", "ko"),
        ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", "ko"),
        ("fr-FR,fr;q=0.9,ko;q=0.5,en;q=0.4", "ko"),
        ("en;q=0.2, ko;q=0.8", "ko"),
        ("ko;q=0, en;q=0.1", "en"),
        ("de", "en"),
        (";;;q=,q=x;q=nonsense", "en"),
        ("KO-kr", "ko"),
    ],
)
def test_the_language_a_browser_prefers(header: str, language: str) -> None:
    assert preferred(header) == language
