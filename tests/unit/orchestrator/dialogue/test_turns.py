"""A turn is its asker's, lasts a day, and survives no change."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.dialogue import LONGEST_TOKEN, ConversationTokens, taken_as, turn_from, turn_text
from orchestrator.model import DialogueTurn, FollowUp
from translators.said import said_in

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
TURN = DialogueTurn("모루는 언제 나와?", ("a",), ("b", "c"), ("한국",))
LOST = DialogueTurn("")


class Clock:
    now = NOW

    def __call__(self):
        return self.now


def tokens(clock=None, secret=b"one"):
    return ConversationTokens(lambda: secret, clock or Clock())


def test_whoever_asked_goes_on():
    made = tokens()
    token = made.written(TURN, "kim")
    assert tokens().read(token, "kim") == TURN, "any process of the installation knows it"
    assert made.read(token, "lee") == LOST
    assert tokens(secret=b"two").read(token, "kim") == LOST


def test_it_lasts_a_day():
    clock = Clock()
    made = tokens(clock)
    token = made.written(TURN, "kim")
    clock.now = NOW + timedelta(hours=23)
    assert made.read(token, "kim") == TURN
    clock.now = NOW + timedelta(hours=24)
    assert made.read(token, "kim") == LOST


@given(st.text(max_size=200))
def test_no_text_is_taken_for_one(text):
    assert tokens().read(text, "kim") == LOST
    assert turn_from(text) is None


@given(st.text(max_size=1000))
def test_any_question_is_carried(text):
    token = tokens().written(DialogueTurn(text), "kim")
    assert token.isascii()
    read = tokens().read(token, "kim")
    assert read.text == text.encode("utf-8", "replace").decode()


def test_the_longest_fits():
    turn = DialogueTurn("한" * 1000, ("abcdefgh",) * 10, ("abcdefgh",) * 30, ("한",) * 20)
    assert len(tokens().written(turn, "kim")) <= LONGEST_TOKEN


@pytest.mark.parametrize(
    "text", ["[]", '["x"]', '["", [], [], []]', "{}", "null", "[1, [], [], []]", '["x", 1, [], []]']
)
def test_only_a_turn_is_read_as_one(text):
    assert turn_from(text) is None
    assert turn_from(turn_text(TURN)) == TURN


def test_how_it_was_taken_is_said_in_both_languages():
    assert taken_as(None, "x") == ""
    assert taken_as(FollowUp("s", "c"), "{braces} [1]") == "Taken as: {braces} [1]"
    assert said_in(taken_as(FollowUp("s", "c"), "x"), "ko") == "이렇게 이해했습니다: x"
    assert "did not mean" in taken_as(FollowUp("s", "x", (), ("a",)), "x")
    assert "by itself" in taken_as(FollowUp("s", lost=True), "s")
