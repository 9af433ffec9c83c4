"""What the Gemini CLI prints, and how it fails: any text at all is read or has a name."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import BadReply, SourceError, Unauthenticated, Unavailable
from connectors.gemini_cli.pages import pages
from connectors.gemini_cli.wire import Failure, error_from, failure, printed, streamed
from connectors.text import plain_line, plain_text

TEXT = st.text(alphabet=st.characters(exclude_categories=[]), max_size=60)
LINES = st.lists(
    st.sampled_from(
        [
            "Sources:",
            "[1] a (https://x.example/1)",
            "1. [b](https://y.example/2) c",
            "- https://z.example",
            "한글 [1]. 끝.",
            "{",
            "```",
            "[2, 1] x",
        ]
    )
    | TEXT,
    max_size=8,
).map("\n".join)


@given(LINES)
def test_any_answer_is_read_and_each_page_comes_once(answer: str) -> None:
    found = pages(answer)
    assert len({hit.id for hit in found}) == len(found)
    for hit in found:
        assert hit.url.startswith(("https://", "http://"))
        assert hit.title
        assert (hit.title, hit.snippet) == (plain_line(hit.title), plain_text(hit.snippet))


def test_a_long_answer_without_a_stop_is_read_at_once() -> None:
    """Quadratic time would show here as a test that never ends."""
    for text in ("a" * 300_000, "[1" * 100_000, "[a](" * 60_000, "(" * 200_000, "https://" * 30_000, ". " * 100_000):
        pages(text)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("[1] 문서 (https://x.example/한글)", [("문서", "https://x.example/한글")]),
        ("[1] A title (v2) (https://x.example/a)", [("A title (v2)", "https://x.example/a")]),
        ("1. https://x.example/a.", [("x.example", "https://x.example/a")]),
        (
            "See [the docs](https://x.example/a), and [again](https://x.example/a).",
            [("the docs", "https://x.example/a")],
        ),
        ("[x](javascript:alert(1)) ftp://x.example", []),
        ("", []),
    ],
)
def test_pages(answer: str, expected: list[tuple[str, str]]) -> None:
    assert [(hit.title, hit.url) for hit in pages(answer)] == expected


def test_sentences_go_to_the_numbers_that_they_bear() -> None:
    answer = "배포는 자동이다.[1] 확장도 된다[2]. v2.1 is out [1, 2].\nNo number.\n[1] a (https://a.example)\n[2] b (https://b.example)"
    first, second = pages(answer)
    assert first.snippet == "배포는 자동이다.\nv2.1 is out."
    assert second.snippet == "확장도 된다.\nv2.1 is out."


# ---- what it prints


@given(TEXT | LINES)
def test_any_output_is_an_answer_or_a_bad_reply(text: str) -> None:
    for read in (printed, streamed):
        with suppress(BadReply):
            read(text)
    assert isinstance(failure(text).message, str)


def test_objects_are_found_behind_noise_and_before_it() -> None:
    said = json.dumps({"response": "a", "stats": {}}, indent=2)
    assert printed(f"Loaded cached credentials.\n{{broken\n{said}\ntrailing").response == "a"
    problem = json.dumps({"error": {"type": "FatalAuthenticationError", "message": "no", "code": 41}}, indent=2)
    assert failure(f"(node) warning {{x}}\n{{}}\n{problem}\n").code == 41
    assert failure("one\ntwo\n").message == "two"
    assert failure("").message == ""


# ---- how it fails


@given(st.integers(-64, 255), st.none() | st.integers(0, 600) | st.text(max_size=5), TEXT)
def test_every_failure_has_a_name_and_says_how_it_ended(status: int, code: int | str | None, message: str) -> None:
    found = error_from(status, Failure(message=message, code=code))
    assert isinstance(found, SourceError)
    assert "signal" in found.message or "exit" in found.message


def test_signals_and_sign_in() -> None:
    assert error_from(-9, Failure()).message == "the Gemini CLI failed (signal 9)"
    assert isinstance(error_from(130, Failure(message="Operation cancelled.")), Unavailable)
    assert isinstance(error_from(41, Failure()), Unauthenticated)
