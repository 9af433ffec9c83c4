"""Constructed answers and a console to render them on."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console, Group

from connectors.contract import Hit
from orchestrator.model import (
    Answer,
    Citation,
    Confidence,
    Dropped,
    Evidence,
    HitList,
    Outcome,
    Part,
    Plan,
    Problem,
    Result,
    Rung,
    Skipped,
    Statement,
    Status,
    Step,
)
from translators.query import Category, Container, Kind, Person, Query, QueryType, State, Term, all_of
from translators.translator import Loss, LossKind, NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import RenderableType

WHEN = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)
NATIVE = NativeQuery("slack", "pricing 2027", {"filter": {"team": {"name": {"eq": "결제"}}}})
LOSSES = (
    Loss(LossKind.APPROXIMATED, "pricing", "Slack stems words"),
    Loss(LossKind.APPROXIMATED, "2027", "Slack stems words"),
    Loss(LossKind.DROPPED, "state = open", "Slack knows no state"),
)


@pytest.fixture
def render() -> Callable[..., str]:
    """Renderables as text; ``colour`` renders as on a terminal."""

    def draw(renderables: Iterable[RenderableType], width: int = 80, *, colour: bool = False) -> str:
        file = io.StringIO()
        console = Console(
            file=file,
            width=width,
            force_terminal=colour,
            color_system="truecolor" if colour else None,
            highlight=False,
            markup=False,
            emoji=False,
        )
        console.print(Group(*renderables))
        return file.getvalue()

    return draw


@pytest.fixture
def hit() -> Callable[..., Hit]:
    """A message in a channel, with whatever is to be different."""

    def make(**changes: Any) -> Hit:
        plain = Hit(
            source="slack",
            id="m1",
            kind=Kind.MESSAGE,
            url="https://acme.slack.example/p1",
            snippet="New pricing takes effect 1 January 2027.",
            author=Person("김민수"),
            container=Container("결제-개발"),
            created=WHEN,
        )
        return replace(plain, **changes)

    return make


@pytest.fixture
def answer(hit: Callable[..., Hit]) -> Callable[..., Answer]:
    """An answer of one Slack message; Linear failed and Gmail is not connected. Fields can be replaced."""

    def make(language: str = "en", found: Hit | None = None, **changes: Any) -> Answer:
        found = found or hit()
        query = Query(
            text="what did we decide about 2027 pricing" if language == "en" else "2027 요금 결정된 거 있나요?",
            where=all_of((Term("2027"), Term("pricing"))),
            type=QueryType.DECISION,
            language=language,
            keywords=("2027", "pricing"),
        )
        translation = Translation(NATIVE, None, LOSSES)
        rungs = (Rung((translation,)), Rung((translation,), ("pricing",)))
        plan = Plan(
            query,
            (Step("linear", "Linear", Category.TRACKER, rungs), Step("slack", "Slack", Category.CHAT, rungs)),
            (Skipped("gmail", "Gmail", Status.NOT_CONNECTED, "no token; get one"),),
        )
        result = Result(found, (Evidence("slack", 1),), 0.9, {"keywords": 1.0}, ("matches 2027", "16 days old"))
        outcomes = (
            Outcome(
                "linear",
                "Linear",
                Category.TRACKER,
                Status.FAILED,
                took=0.5,
                requests=1,
                sent=(NATIVE,),
                problem=Problem("unavailable", "HTTP 500; try again later"),
            ),
            Outcome(
                "slack",
                "Slack",
                Category.CHAT,
                Status.OK,
                (HitList(translation, ()), HitList(translation, (found,), 1, ("pricing",))),
                0.21,
                2,
                (NATIVE,),
                LOSSES,
                ("1 of 2 messages could not be read",),
            ),
        )
        whole = Answer(
            plan,
            (result,),
            outcomes,
            (Dropped(hit(id="m2"), "before 2026-10-01"), Dropped(hit(id="m3"), "before 2026-10-01")),
            "What was decided: 2026-11-03, Slack 결제-개발: “New pricing takes effect 1 January 2027.” [1]"
            " Not included: Linear (failed: HTTP 500).",
            (Citation(1, result, "New pricing takes effect 1 January 2027."),),
            Confidence.MEDIUM,
            took=0.52,
            statements=(
                Statement("What was decided:", Part.LEAD),
                Statement(
                    "2026-11-03, Slack 결제-개발: “New pricing takes effect 1 January 2027.” [1]", Part.CLAIM, (1,)
                ),
                Statement("Not included: Linear (failed: HTTP 500).", Part.REMARK),
            ),
        )
        return replace(whole, **changes)

    return make


@pytest.fixture
def open_issue(hit: Callable[..., Hit]) -> Hit:
    """An issue with a title and a state."""
    return hit(source="linear", id="PAY-1", kind=Kind.ISSUE, title="Fee table", state=State.OPEN, updated=WHEN)
