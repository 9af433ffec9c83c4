"""Whatever a source returns, the terminal stays the reader's."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from orchestrator.documents.plain import one_line, plain, safe_link
from orchestrator.surfaces.cli.documents import json_text

HOSTILE = st.text(
    st.one_of(st.characters(), st.sampled_from("\x1b[]0;8m\x07\x9b\x9d\u202e\u2066\u200b\ufeff\ud800가e\u0301\n")),
    max_size=60,
)


@given(HOSTILE)
def test_nothing_that_moves_hides_or_turns_survives(text: str) -> None:
    shown = plain(text)
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs"} and char != "\n"]
    assert not set(shown) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff")
    shown.encode("utf-8")


@given(HOSTILE)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(HOSTILE)
def test_one_line_has_no_line_break(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07after", "after"),
        ("\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x9b2Jgone", "gone"),
        ("\x1bP1$r0m\x1b\\sixel", "sixel"),
        ("\x1b]0;never closed, so its words stay", "]0;never closed, so its words stay"),
        ("a\rb\x08c", "a bc"),
        ("txt.\u202eexe.jpg", "txt.exe.jpg"),
        ("a\u200bb\ufeffc\u00add", "abcd"),
        ("[bold red]not markup[/]", "[bold red]not markup[/]"),
        ("\ud800", "\ufffd"),
        ("z" + "\u0335" * 50, "z" + "\u0335" * 3),
        ("\u1100\u1161\u11a8", "각"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_known_tricks(hostile: str, shown: str) -> None:
    assert plain(hostile) == shown


def test_decomposed_hangul_is_as_wide_as_composed() -> None:
    """A Mac's file names come decomposed; on screen they are the same syllables."""
    assert cell_len(plain(unicodedata.normalize("NFD", "결제"))) == cell_len("결제") == 4


@pytest.mark.parametrize("url", ["https://acme.example/a?b=c#d", "http://127.0.0.1:8080/x"])
def test_web_addresses_may_be_clicked(url: str) -> None:
    assert safe_link(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://",
        "https:///path",
        "//acme.example",
        "https://good.example@evil.example/",
        "https://acme.example/\x1b]8;;",
        "https://acme.example/a b",
        "https://аcme.example/",
        "https://[broken/",
        "https://acme.example/" + "a" * 3000,
    ],
)
def test_anything_else_may_not(url: str) -> None:
    assert safe_link(url) is None


@given(HOSTILE)
def test_json_loses_nothing_and_shows_nothing_unprintable(text: str) -> None:
    written = json_text({"a": text})
    assert json.loads(written) == {"a": text}
    assert not [char for char in written if unicodedata.category(char) in {"Cc", "Cs"} and char != "\n"]
    assert "\u202e" not in written


def test_json_for_a_narrow_encoding_is_ascii() -> None:
    assert json_text({"a": "결제"}, ascii_only=True).isascii()
