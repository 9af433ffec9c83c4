"""Every word is there, in both languages."""

from __future__ import annotations

import pytest

from orchestrator.model import Confidence, Status
from orchestrator.surfaces.cli.words import frame, reason
from translators import emit
from translators.query import QueryType, State
from translators.said import Said
from translators.translator import LossKind


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_value_that_is_shown_has_a_word(language: str) -> None:
    words = frame(language)
    assert all(words[value] for kind in (Confidence, QueryType, State, LossKind) for value in kind)
    assert all(words[status] for status in Status)


def test_a_language_without_a_table_is_answered_in_english() -> None:
    assert frame("fr") == frame("en")


def test_reasons_of_our_own_are_said_in_korean() -> None:
    """Every general reason of the dialects' framework; what a plugin says in one language stays as it is."""
    ours = [value for value in vars(emit).values() if isinstance(value, Said)]
    assert len(ours) >= 10
    assert all("가" <= reason(why, frame("ko"))[-1] <= "힣" for why in ours)
    assert all(reason(why, frame("en")) == why for why in ours)
    assert reason("Slack stems words", frame("ko")) == "Slack stems words"
