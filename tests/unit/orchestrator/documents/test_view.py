"""One view of an answer: lines in order, numbers that are places, text that is never changed, links to the web alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from connectors.text import known_name
from orchestrator.documents.answer import answer_document
from orchestrator.documents.plain import link_of
from orchestrator.documents.view import MarkedText, line_of, marked, view_of
from orchestrator.model import Answer, Citation, Confidence, Part, Plan, Result, Statement, Step
from translators.query import Category, Container, Doubt, Kind, Person, Query

PLACES = {1: 1, 2: 2, 3: 3}
LATE, EARLY = datetime(2026, 11, 4, tzinfo=UTC), datetime(2026, 11, 3, tzinfo=UTC)


def text(pieces: tuple[MarkedText, ...]) -> str:
    return "".join(each.text for each in pieces)


def answer() -> Answer:
    """Of a message and a page, numbered while the answer grew: the one below was seen first."""
    message = Hit(
        "slack",
        "m1",
        Kind.MESSAGE,
        snippet="새 요금은 1월 1일부터",
        url="https://acme.slack.example/p1",
        author=Person("김민수"),
        container=Container("결제-개발"),
        created=EARLY,
        updated=LATE,
    )
    page = Hit(
        "files", "a.md", Kind.PAGE, "요금", snippet="요금", facts={"path": "docs/a.md"}, created=EARLY, updated=LATE
    )
    slack = Step("slack", "Slack", Category.CHAT, ())
    query = Query("요금 ABC-1", language="ko", doubts=(Doubt("respelt", "“요긍”이 아니라 “요금”"),))
    results = (Result(message, (), number=9), Result(page, (), number=4, related=(("slack", "m1"),)))
    return Answer(
        Plan(query, (slack,), ()),
        results,
        (),
        citations=(Citation(9, results[0], "새 요금은 1월 1일부터"),),
        confidence=Confidence.LOW,
        conflicts=("“1월” [9] · “2월” [4]",),
        statements=(
            Statement("ABC-1은 어디에도 없습니다.", Part.REMARK),
            Statement("찾은 내용:", Part.LEAD),
            Statement("2026-11-03, 김민수: “새 요금은 1월 1일부터” [9]", Part.CLAIM, (9,)),
            Statement("Jira는 답하지 않았습니다.", Part.REMARK),
        ),
    )


def test_doubts_come_first_then_what_is_claimed_what_differs_and_what_is_missing() -> None:
    view = view_of(answer_document(answer()))
    assert view.doubts == ("“요긍”이 아니라 “요금”", "ABC-1은 어디에도 없습니다.")
    assert [each.part for each in view.lines] == ["lead", "claim", "conflict", "remark"]


def test_a_number_is_the_place_of_a_result_in_the_list() -> None:
    view = view_of(answer_document(answer()))
    assert [each.number for each in view.results] == [1, 2]
    assert [each.numbers for each in view.lines] == [(), (1,), (1, 2), ()]
    assert text(view.lines[1].pieces) == "2026-11-03, 김민수: “새 요금은 1월 1일부터” [1]"
    assert view.lines[1].text == "2026-11-03, 김민수: “새 요금은 1월 1일부터”"
    assert view.results[1].related == (1,)


def test_what_a_result_is_called_where_it_is_and_when_it_happened() -> None:
    message, page = view_of(answer_document(answer())).results
    assert (message.title, message.name, message.place) == ("", "새 요금은 1월 1일부터", "#결제-개발")
    assert (message.happened, page.happened) == (EARLY, LATE), "a message is dated by when it was sent"
    assert (page.title, page.snippet, page.place, page.link) == ("요금", "", "docs/a.md", "")


def test_nothing_found_has_no_confidence() -> None:
    assert view_of(answer_document(Answer(Plan(Query("?"), ()), (), ()))).confidence == ""


@given(st.text(), st.lists(st.text(max_size=5), max_size=4))
def test_marking_changes_no_text(said: str, words: list[str]) -> None:
    assert text(marked(said, words)) == said


def test_words_of_the_question_are_marked_in_any_case_and_either_language() -> None:
    pieces = marked("Okta 로그인: okta로 로그인하세요", ["OKTA", "로그인"])
    assert [each.text for each in pieces if each.marked] == ["Okta", "로그인", "okta", "로그인"]


def test_only_numbers_that_cite_something_become_citations() -> None:
    pieces = line_of("claim", "It ends [1], see RFC [9457] and [7].", PLACES, {1, 7}).pieces
    assert [each.cites for each in pieces if each.cites] == [1]
    assert text(pieces) == "It ends [1], see RFC [9457] and [7]."


def test_a_number_that_a_source_wrote_is_no_citation() -> None:
    assert line_of("claim", "“see [2] there” and [1]", PLACES, {1}).numbers == (1,)


@pytest.mark.parametrize(
    ("said", "by", "numbers"),
    [
        ("2026-10-27, 박지현, Notion: “12월 7일에 시작” [1]", "2026-10-27, 박지현, Notion", (1,)),
        ("Linear Security, 2026-11-18: “Okta SSO rollout” [2] [3]", "Linear Security, 2026-11-18", (2, 3)),
    ],
)
def test_a_quote_stands_apart_from_who_said_it(said: str, by: str, numbers: tuple[int, ...]) -> None:
    found = line_of("claim", said, PLACES, (1, 2, 3))
    assert (found.by, found.numbers) == (by, numbers)
    assert text(found.quote).startswith("“")
    assert text(found.quote).endswith("”")
    assert text(found.pieces) == said


def test_a_claim_in_other_words_stays_as_it_is() -> None:
    found = line_of("claim", "The migration starts on 7 December [1].", PLACES, (1,))
    assert (found.by, found.quote) == ("", found.pieces)
    assert [each.cites for each in found.pieces if each.cites] == [1]


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
    assert known_name("1f2e3d4c-aaaa-bbbb-cccc-0123456789ab") == ""
    assert known_name("김민수") == "김민수"
