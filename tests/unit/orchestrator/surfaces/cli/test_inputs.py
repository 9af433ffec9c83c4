"""What was typed is read as meant, or refused with advice."""

from __future__ import annotations

import io
import sys
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.inputs import LONGEST_INPUT, changes, read_now, read_question

SEOUL = ZoneInfo("Asia/Seoul")


def test_unquoted_words_are_one_question() -> None:
    assert read_question(["what", "did", "we", "decide"]) == "what did we decide"


@pytest.mark.parametrize("words", [None, [], [""], ["  ", "\t"]])
def test_no_question_is_refused_with_an_example(words: list[str] | None) -> None:
    with pytest.raises(BadInput, match="empty; ask something, for example"):
        read_question(words)


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("결제 일정\n".encode())))
    assert read_question(["-"]).strip() == "결제 일정"


def test_standard_input_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00")))
    with pytest.raises(BadInput, match="UTF-8"):
        read_question(["-"])


def test_a_file_piped_in_by_mistake_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a" * (LONGEST_INPUT + 1))))
    with pytest.raises(BadInput, match="more than 1,000,000 characters"):
        read_question(["-"])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("2026-11-20T10:00:00+09:00", "2026-11-20T10:00:00+09:00"),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00+00:00"),
        ("2026-11-20", "2026-11-20T00:00:00+09:00"),
        (" 2026-11-20 10:00 ", "2026-11-20T10:00:00+09:00"),
    ],
)
def test_moments(typed: str, read: str) -> None:
    assert read_now(typed, SEOUL).isoformat() == read


@pytest.mark.parametrize(
    "typed", ["", "yesterday", "2026-02-30", "2026-13-01T00:00:00", "0001-01-01", "9999-12-31T23:59:59Z"]
)
def test_impossible_moments_are_refused(typed: str) -> None:
    with pytest.raises(BadInput, match="--now"):
        read_now(typed, SEOUL)


def test_without_now_it_is_now_in_the_askers_zone() -> None:
    assert read_now(None, SEOUL).utcoffset() == timedelta(hours=9)
    assert read_now(None, None).tzinfo is not None


def test_only_options_that_were_given_become_settings() -> None:
    assert changes(limit=5, budget=None) == {"search": {"limit": 5}}
    assert changes(limit=None, budget=None) == {}
