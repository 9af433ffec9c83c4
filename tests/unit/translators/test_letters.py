"""What counts as Korean in a text."""

from __future__ import annotations

import pytest

from translators.letters import has_hangul, is_syllable


@pytest.mark.parametrize("text", ["배포", "API는", "release 계획", "힣", "가"])
def test_a_syllable_makes_a_text_korean(text: str) -> None:
    assert has_hangul(text)


@pytest.mark.parametrize("text", ["", "release plan", "déploiement", "東京", "ㅋㅋ"])
def test_other_letters_do_not(text: str) -> None:
    assert not has_hangul(text)


def test_nothing_is_no_syllable() -> None:
    assert [is_syllable(each) for each in ("가", "힣", "a", "ㅋ", "")] == [True, True, False, False, False]
