"""What ``explain`` shows of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from orchestrator.documents.plan import native_document
from orchestrator.model import Plan, Rung, Skipped, Status, Step
from orchestrator.surfaces.cli.plan_view import native_text, plan_view
from orchestrator.surfaces.cli.words import frame
from translators.query import Category, Not, Query, Term
from translators.translator import Loss, LossKind, NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = Translation(
    NativeQuery("slack", "장애 회고"), Not(Term("초안")), (Loss(LossKind.APPROXIMATED, "장애", "stems"),)
)
SECOND = Translation(
    NativeQuery("slack", "outage 회고"), Not(Term("초안")), (Loss(LossKind.APPROXIMATED, "outage", "stems"),)
)
BROADER = Translation(
    NativeQuery("slack", "장애"), Not(Term("초안")), (Loss(LossKind.CHECKED, "NOT 초안", "it has no such operator"),)
)


@pytest.fixture
def plan() -> Plan:
    """Slack on two rungs; Gmail lacks a token and Linear was not wanted."""
    rungs = (Rung((FIRST, SECOND)), Rung((BROADER,), ("회고",)))
    return Plan(
        Query("장애 회고 -초안", language="ko"),
        (Step("slack", "Slack", Category.CHAT, rungs, 3.0),),
        (
            Skipped("gmail", "Gmail", Status.NOT_CONNECTED, "no token; get one"),
            Skipped("linear", "Linear", Status.SKIPPED, "only slack was to be asked"),
        ),
    )


def test_rungs_natives_losses_and_what_is_checked_here(plan: Plan, render: Callable[..., str]) -> None:
    shown = " ".join(render(plan_view(plan), 100).split())
    assert "Slack · chat · 가중치 3" in shown
    assert "1 물은 그대로 장애 회고 outage 회고 근사 장애, outage — stems 직접 확인 NOT 초안" in shown
    assert "2 회고 빼고 장애 직접 확인 NOT 초안 — it has no such operator" in shown
    assert "Gmail 연결 안 됨 no token; get one" in shown
    assert "Linear 묻지 않음 only slack was to be asked" in shown


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(plan: Plan, render: Callable[..., str], width: int) -> None:
    assert max(cell_len(each) for each in render(plan_view(plan), width).splitlines()) <= width


def test_a_native_query_without_text_or_filter_says_so() -> None:
    assert native_text({"dialect": "linear", "text": "", "args": {}}, frame("en")).plain == "(everything)"


def test_control_characters_of_a_native_query_are_not_printed() -> None:
    hostile = native_document(NativeQuery("slack", "a\x1b[2J", {"x": "\x1b\x9b"}))
    assert "\x1b" not in native_text(hostile, frame("en")).plain
