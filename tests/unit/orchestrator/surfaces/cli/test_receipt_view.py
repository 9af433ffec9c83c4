"""The receipt names every source, and everything that was lost on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from orchestrator.documents.answer import answer_document
from orchestrator.documents.receipt import shown_receipt
from orchestrator.model import Problem
from orchestrator.surfaces.cli.answer_view import receipt_view
from orchestrator.surfaces.page.receipt_view import receipt_lines
from orchestrator.surfaces.page.rendering import spoken, templates

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.model import Answer


def squeezed(text: str) -> str:
    """Without the layout's blanks."""
    return " ".join(text.split())


def test_everything_about_a_source_is_said(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    shown = squeezed(render(receipt_view(answer()), 100))
    assert "Slack · ok · 1 hit · 1 listed · 0.21 s · 2 requests" in shown
    assert 'sent pricing 2027 · filter {"team": {"name": {"eq": "결제"}}}' in shown
    assert "widened without pricing · 1 hit" in shown
    assert "left out 2 × before 2026-10-01" in shown
    assert "approximated pricing, 2027 — Slack stems words" in shown
    assert "lost state = open — Slack knows no state" in shown
    assert "note 1 of 2 messages could not be read" in shown


def test_a_step_far_from_the_question_is_named_where_few_were_asked(
    answer: Callable[..., Answer], render: Callable[..., str]
) -> None:
    """A source that ranks is asked the first step of the ladder and the last, and nothing between."""
    whole = answer()
    far = tuple(
        replace(each, lists=tuple(replace(found, rung=found.rung * 8) for found in each.lists))
        for each in whole.outcomes
    )
    shown = squeezed(render(receipt_view(replace(whole, outcomes=far)), 100))
    assert "widened without pricing · 1 hit" in shown


def test_failures_and_unasked_sources_are_named_with_what_to_do(
    answer: Callable[..., Answer], render: Callable[..., str]
) -> None:
    shown = squeezed(render(receipt_view(answer()), 100))
    assert "Linear · failed · 0.50 s problem HTTP 500; try again later" in shown
    assert "Gmail · not connected problem no token; get one" in shown
    assert shown.endswith("0.52 s in all · 2 asked · 1 listed")


def test_korean_frames(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    shown = squeezed(render(receipt_view(answer("ko")), 100))
    assert "Slack · 정상 · 1건 · 목록에 1건 · 0.21초 · 요청 2번" in shown
    assert "넓힘 pricing 빼고 · 1건" in shown
    assert "Gmail · 연결 안 됨" in shown


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_page_says_it_in_the_words_of_the_terminal(
    answer: Callable[..., Answer], render: Callable[..., str], language: str
) -> None:
    whole = answer_document(answer(language))
    terminal = squeezed(render(receipt_view(answer(language)), 200))
    template = templates().get_template("receipt.html")
    page = squeezed(
        template.render(
            words=spoken(language),
            receipt=receipt_lines(whole, language),
            question=whole["question"],
            type="",
            notes=(),
            nobody=True,
        )
    )
    for each in shown_receipt(whole):
        assert " · ".join((each.title, each.word, *each.counts)) in terminal
        told = (each.title, each.word, " · ".join(each.counts), *(text for fact in each.facts for text in fact[:3]))
        assert [text for text in told if text not in page or text not in terminal] == []
        assert all(native["text"] in page for native in each.sent)


def test_brief_keeps_what_was_sent_and_what_failed(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    shown = render(receipt_view(answer(), brief=True), 100)
    assert "pricing 2027" in shown
    assert "HTTP 500" in shown
    assert "approximated" not in shown


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(
    answer: Callable[..., Answer], render: Callable[..., str], width: int
) -> None:
    shown = render(receipt_view(answer("ko")), width)
    assert max(cell_len(each) for each in shown.splitlines()) <= width


def test_labels_line_up_by_cells_not_by_letters(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    """Hangul takes two cells a letter; what stands beside the labels begins in one column all the same."""
    lines = render(receipt_view(answer("ko")), 100).splitlines()
    starts = {
        cell_len(each[: each.index(text)])
        for each in lines
        for text in ("pricing 빼고", "2 ×", "1 of 2")
        if text in each
    }
    assert len(starts) == 1


def test_a_hostile_error_message_is_only_text(answer: Callable[..., Answer], render: Callable[..., str]) -> None:
    whole = answer()
    broken = replace(whole.outcomes[0], problem=Problem("bad_reply", "\x1b[2J[red]oops[/]\u202e"))
    shown = render(receipt_view(replace(whole, outcomes=(broken, whole.outcomes[1]))))
    assert "[red]oops[/]" in shown
    assert "\x1b" not in shown
