"""How an answer looks, in both languages, at any width, whatever the sources return."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from orchestrator.model import Clarification, Part, Reading, Statement
from orchestrator.surfaces.cli.answer_view import answer_view
from translators.query import Container, Doubt, Person

if TYPE_CHECKING:
    from collections.abc import Callable

    from connectors.contract import Hit
    from orchestrator.model import Answer

SEOUL = timezone(timedelta(hours=9))
HOSTILE = "\x1b]0;owned\x07[bold]\u202eevil\u200b[/] \x1b[2J[link=https://evil.example]x"


def test_summary_list_and_reasons_are_there(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    shown = render(answer_view(answer(), SEOUL))
    lines = shown.splitlines()
    assert lines[0].startswith("what did we decide about 2027 pricing  decision")
    assert "  What was decided:" in [each.rstrip() for each in lines]
    assert "• 2026-11-03, Slack 결제-개발: “New pricing takes effect 1 January 2027.” [1]" in shown
    assert "  Not included: Linear (failed: HTTP 500)." in [each.rstrip() for each in lines]
    assert "confidence medium" in shown
    assert "matches 2027 · 16 days old" in shown
    assert "https://acme.slack.example/p1" in shown


def test_doubts_stand_before_what_is_said(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    whole = answer()
    query = replace(whole.query, doubts=(Doubt("bad_date", "after:2026-02-31 is no day"),))
    absent = Statement("No source has ABC-1.", Part.REMARK)
    doubted = replace(whole, plan=replace(whole.plan, query=query), statements=(absent, *whole.statements))
    shown = render(answer_view(doubted, SEOUL))
    assert shown.index("is no day") < shown.index("No source has ABC-1.") < shown.index("What was decided:")


def test_dates_are_those_of_the_asker(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    """23:30 in London is the next day in Seoul."""
    assert "#결제-개발 · 김민수 · 2026-11-04" in render(answer_view(answer(), SEOUL))


def test_korean_questions_get_korean_frames(
    answer: Callable[..., Answer], open_issue: Hit, render: Callable[..., str]
) -> None:
    shown = render(answer_view(answer("ko", open_issue), SEOUL))
    assert "결정" in shown.splitlines()[0]
    assert "신뢰도 보통" in shown
    assert "Linear · 결제-개발 · 김민수 · 열림" in shown


def test_a_state_is_called_what_its_source_calls_it(
    answer: Callable[..., Answer], open_issue: Hit, render: Callable[..., str]
) -> None:
    """A ``Todo`` is not in progress, though both are open."""
    waiting = replace(open_issue, facts={"state": "Todo"})
    assert "Linear · 결제-개발 · 김민수 · Todo" in render(answer_view(answer("ko", waiting), SEOUL))


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_line_is_wider_than_the_terminal(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str], width: int, language: str
) -> None:
    found = hit(
        title="결제 서비스 장애 회고 " * 8, snippet="가나다라마바사 결제 " * 60, url="https://a.example/" + "x" * 300
    )
    shown = render(answer_view(answer(language, found), SEOUL), width)
    assert max(cell_len(each) for each in shown.splitlines()) <= width


def test_long_snippets_end_after_two_lines_with_an_ellipsis(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    shown = render(answer_view(answer(found=hit(snippet="결제 게이트웨이 " * 100)), SEOUL), 60)
    lines = [each for each in shown.splitlines() if "게이트웨이" in each]
    assert len(lines) == 2
    assert lines[-1].rstrip().endswith("…")


def test_the_snippet_begins_near_its_first_keyword(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    found = hit(title="Notes", snippet="filler " * 100 + "the pricing of next year")
    shown = render(answer_view(answer(found=found), SEOUL))
    assert "the pricing of next year" in shown


def test_hostile_text_is_shown_as_text(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    found = hit(
        title=HOSTILE, snippet=HOSTILE + " 2027", author=Person(HOSTILE), container=Container(HOSTILE), url=HOSTILE
    )
    whole = answer(found=found)
    hostile = replace(
        whole,
        results=(replace(whole.results[0], why=(HOSTILE,), unverified=(HOSTILE,), also=(found,)),),
        statements=(Statement(f"“{HOSTILE}” [1] [2]", Part.CLAIM, (1,)), Statement(HOSTILE, Part.REMARK)),
        worded_by=HOSTILE,
        conflicts=(HOSTILE,),
        suggestions=(HOSTILE,),
        clarification=Clarification(HOSTILE, (HOSTILE,), (Reading(HOSTILE, 2),)),
    )
    shown = render(answer_view(hostile, SEOUL))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "owned" not in shown
    assert "[bold]evil[/]" in shown
    assert "[link=https://evil.example]x" in shown


def test_only_checked_addresses_become_links(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    good = render(answer_view(answer(found=hit(title="T")), SEOUL), colour=True)
    evil = render(answer_view(answer(found=hit(title="T", url="javascript:alert(1)")), SEOUL), colour=True)
    assert "\x1b]8;" in good
    assert "\x1b]8;" not in evil
    assert "javascript:alert(1)" in evil


def test_bare_ids_are_not_shown_as_names(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    found = hit(author=Person("", native_id="d4a5c0fb-4f17-542f-a288-9e3ebbb509af"))
    shown = render(answer_view(answer(found=found), SEOUL))
    assert "d4a5c0fb" not in shown
    assert "Slack · #결제-개발 · 2026-11-04" in shown


def test_an_empty_answer_says_so_and_offers_what_else_to_ask(
    answer: Callable[..., Answer], render: Callable[..., str]
) -> None:
    empty = answer("ko", results=(), citations=(), summary="", statements=(), suggestions=("날짜 없이 물어보세요.",))
    shown = render(answer_view(empty, SEOUL))
    assert "찾은 것이 없습니다." in shown
    assert "이렇게 물어보세요" in shown
    assert "• 날짜 없이 물어보세요." in shown
    assert "신뢰도" not in shown


def test_numbers_that_nobody_cites_are_left_alone(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    whole = answer(statements=(Statement("“see [7] there” [1]", Part.CLAIM, (1,)),))
    shown = render(answer_view(whole, SEOUL), colour=True)
    assert "see [7] there" in shown


def test_a_link_ends_with_its_words(
    answer: Callable[..., Answer], hit: Callable[..., Hit], render: Callable[..., str]
) -> None:
    """Not with the blanks that fill the line: a click beside the title is no click on it."""
    shown = render(answer_view(answer(found=hit(title="Title")), SEOUL), colour=True)
    assert re.search(r"Title\x1b\[0m\x1b\]8;;\x1b\\", shown)


def test_an_answer_without_statements_shows_its_summary(
    answer: Callable[..., Answer], render: Callable[..., str]
) -> None:
    assert "only a summary [1]" in render(answer_view(answer(statements=(), summary="only a summary [1]"), SEOUL))


@pytest.mark.parametrize(("language", "count"), [("en", "12 hits"), ("ko", "12건")])
def test_a_question_back_shows_its_options_as_they_can_be_asked_with_their_counts(
    answer: Callable[..., Answer], render: Callable[..., str], language: str, count: str
) -> None:
    asked = Clarification(
        "Which one?", ("the API migration", "the mail migration"), (Reading("API", 12), Reading("mail", 5))
    )
    shown = render(answer_view(answer(language, clarification=asked), SEOUL))
    assert "Which one?" in shown
    assert f"• the API migration · {count}" in shown
    first = "https://acme.slack.example/p1"
    assert shown.index("Which one?") < shown.index(first), "at the top, before anything is read for an answer"


@pytest.mark.parametrize(("language", "said"), [("en", "worded by openai/m"), ("ko", "openai/m이(가)")])
def test_who_worded_an_answer_is_said(
    answer: Callable[..., Answer], render: Callable[..., str], language: str, said: str
) -> None:
    assert said in render(answer_view(answer(language, worded_by="openai/m"), SEOUL))
    assert "worded by" not in render(answer_view(answer(), SEOUL))
