"""Noun phrases as people type them keep every content word, and sentences what they are about."""

from __future__ import annotations

import pytest

from tests.phrases import phrases, sentences


@pytest.mark.parametrize("name", ["en", "ko", "trades_en", "trades_ko"])
def test_phrases_are_asked_whole(name: str) -> None:
    rows = phrases(name)
    assert sum(not row.lost for row in rows) >= 0.97 * len(rows)


@pytest.mark.parametrize("name", ["sentences_en", "sentences_ko"])
def test_sentences_keep_their_topic_and_drop_what_asks(name: str) -> None:
    rows = sentences(name)
    assert sum(not row.lost for row in rows) >= 0.93 * len(rows)
    assert sum(not row.cluttered for row in rows) >= 0.93 * len(rows)
