"""Both languages have every word."""

from __future__ import annotations

import string

import pytest

from orchestrator.documents.words import KOREAN_REASONS
from orchestrator.model import Confidence, Status
from orchestrator.surfaces.cli.words import ENGLISH, KOREAN, frame, reason
from translators import emit
from translators.query import QueryType, State
from translators.translator import LossKind


def test_both_tables_have_the_same_keys_and_blanks() -> None:
    def blanks(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert {key: blanks(text) for key, text in ENGLISH.items()} == {key: blanks(text) for key, text in KOREAN.items()}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_value_that_is_shown_has_a_word(language: str) -> None:
    words = frame(language)
    assert all(words[value] for kind in (Confidence, QueryType, State, LossKind) for value in kind)
    assert all(words[status] for status in Status)


def test_a_language_without_a_table_is_answered_in_english() -> None:
    assert frame("fr") is ENGLISH


def test_reasons_of_our_own_are_said_in_korean() -> None:
    """Every general reason of the dialects' framework; a vendor's peculiarity stays as it is."""
    ours = {value for name, value in vars(emit).items() if name.isupper() and isinstance(value, str) and " " in value}
    assert set(KOREAN_REASONS) == ours
    why = next(iter(ours))
    assert reason(why, KOREAN) == KOREAN_REASONS[why]
    assert reason(why, ENGLISH) == why
    assert reason("Slack stems words", KOREAN) == "Slack stems words"
