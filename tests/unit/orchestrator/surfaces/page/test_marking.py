"""Text is cut into pieces and never changed, and only addresses of the web become links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.surfaces.page.marking import MarkedText, cited, claim, known, link_of, marked, snippet


def text(pieces: tuple[MarkedText, ...]) -> str:
    return "".join(each.text for each in pieces)


@given(st.text(), st.lists(st.text(max_size=5), max_size=4))
def test_marking_changes_no_text(said: str, words: list[str]) -> None:
    assert text(marked(said, words)) == said


def test_words_of_the_question_are_marked_in_any_case_and_either_language() -> None:
    pieces = marked("Okta 로그인: okta로 로그인하세요", ["OKTA", "로그인"])
    assert [each.text for each in pieces if each.marked] == ["Okta", "로그인", "okta", "로그인"]


def test_only_numbers_that_cite_something_become_citations() -> None:
    pieces = cited("It ends [1], see RFC [9457] and [7].", {1})
    assert [each.cites for each in pieces if each.cites] == [1]
    assert "[9457]" in text(pieces)
    assert "[7]" in text(pieces)


@pytest.mark.parametrize(
    ("said", "by", "numbers"),
    [
        ("2026-10-27, 박지현, Notion: “12월 7일에 시작” [1]", "2026-10-27, 박지현, Notion", (1,)),
        ("Linear Security, 2026-11-18: “Okta SSO rollout” [2] [3]", "Linear Security, 2026-11-18", (2, 3)),
    ],
)
def test_a_quote_stands_apart_from_who_said_it(said: str, by: str, numbers: tuple[int, ...]) -> None:
    found = claim(said, [1, 2, 3])
    assert (found.by, found.numbers) == (by, numbers)
    assert text(found.pieces).startswith("“")


def test_a_claim_in_other_words_stays_as_it_is() -> None:
    found = claim("The migration starts on 7 December [1].", [1])
    assert (found.by, found.numbers) == ("", ())
    assert [each.cites for each in found.pieces if each.cites] == [1]


def test_a_snippet_begins_where_something_was_found() -> None:
    said = "nothing of interest here. " * 20 + "and then the Okta rollout " + "goes on " * 80
    pieces = snippet(said, ["okta"])
    assert text(pieces).startswith("…")
    assert text(pieces).endswith("…")
    assert any(each.marked for each in pieces)
    assert len(text(pieces)) < 260


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "//evil.example/a",
        "https://acme.example@evil.example/",
        "https:evil",
        "file:///etc/passwd",
        "",
        "https://\u202eevil.example/",
        "https://аcme.example/",
        "\ud800",
    ],
)
def test_nothing_but_the_web_is_linked(url: str) -> None:
    assert link_of(url) == ""


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://acme.example/a?b=c#d", "https://acme.example/a?b=c#d"),
        ("https://acme.example/위키", "https://acme.example/%EC%9C%84%ED%82%A4"),
        ("https://acme.example/%EC%9C%84", "https://acme.example/%EC%9C%84"),
        ('https://acme.example/"><script>', "https://acme.example/%22%3E%3Cscript%3E"),
    ],
)
def test_addresses_of_the_web_are_linked(url: str, shown: str) -> None:
    assert link_of(url) == shown


def test_a_bare_id_is_no_name() -> None:
    assert known("1f2e3d4c-aaaa-bbbb-cccc-0123456789ab") == ""
    assert known("김민수") == "김민수"
    assert known(None) == ""
