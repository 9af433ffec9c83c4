"""Which words of a question a text holds."""

from __future__ import annotations

from orchestrator.answer.cover import covered, wanted
from orchestrator.understand import understand
from tests.quality.parts import NOW


def test_what_a_word_is_called_in_the_other_language_is_found_in_the_plural_too() -> None:
    words = wanted(understand("출장 영수증은 어디에 내요?", NOW))
    assert covered("Receipts of business trips go to accounting", words) == {"출장", "영수증"}
    assert covered("A receipt of a business trip goes to accounting", words) == {"출장", "영수증"}


def test_of_a_phrase_in_quotation_marks_no_other_form_is_it() -> None:
    words = wanted(understand('"business trip" 규정', NOW))
    assert "business trip" not in covered("규정 of business trips", words)


def test_a_word_of_one_syllable_is_not_the_beginning_of_another() -> None:
    words = wanted(understand("새 배는 왜 늦어져요?", NOW))
    assert "배" in covered("배가 늦게 옵니다", words) & covered("큰 배, 작은 섬", words)
    assert "배" not in covered("배터리를 분리해서 들고 타세요", words)


def test_the_name_of_a_file_is_read_word_by_word() -> None:
    words = wanted(understand("모루 위험관리파일 어디 있어요", NOW))
    assert covered("모루_위험관리파일_v1.4.xlsx", words) == {"모루", "위험관리파일"}


def test_of_words_with_or_between_them_one_is_enough() -> None:
    words = wanted(understand('okta OR saml "change freeze" OR "배포 동결"', NOW))
    assert covered("배포 동결과 Okta", words) == words.keys()
    assert covered("SAML", words) == {"okta", "saml"}
