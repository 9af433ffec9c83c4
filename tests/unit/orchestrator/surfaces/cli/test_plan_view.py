"""What ``explain`` shows of a question and of its plan."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from orchestrator.documents.plan import native_document
from orchestrator.model import Plan, Rung, Skipped, Status, Step
from orchestrator.surfaces.cli.plan_view import native_text, plan_view, question_view
from orchestrator.surfaces.cli.words import frame
from translators.query import (
    Category,
    Container,
    Doubt,
    Entity,
    EntityKind,
    Identifier,
    IdKind,
    Kind,
    Not,
    Person,
    Query,
    QueryType,
    Term,
    TypeScore,
    Window,
)
from translators.said import Said
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


FULL = Query(
    text='지난달 김민수가 쓴 "장애 회고" PAY-1 -초안',
    type=QueryType.DOCUMENT,
    language="ko",
    scores=(TypeScore(QueryType.DOCUMENT, 0.7, ("회고",)), TypeScore(QueryType.PERSON, 0.0)),
    keywords=("장애", "회고"),
    variants=(("장애", ("outage", "incident")), ("회고", ())),
    phrases=("장애 회고",),
    entities=(Entity(EntityKind.PERSON, "김민수"),),
    ids=(Identifier(IdKind.TICKET, "PAY-1"),),
    hints=(Category.WIKI,),
    sources=("notion",),
    author=Person("김민수"),
    container=Container("결제-개발"),
    kinds=(Kind.PAGE,),
    negated=("초안",),
    mine=True,
    window=Window(date(2026, 10, 1), date(2026, 11, 1), "지난달"),
    ambiguous=True,
    doubts=(Doubt("bad_date", Said.given({"en": "\x1b[1mafter:x is no day", "ko": "\x1b[1mafter:x 날짜는 없습니다"})),),
)


def squeezed(text: str) -> str:
    """Without the layout's blanks."""
    return " ".join(text.split())


def test_everything_that_was_read_is_shown(render: Callable[..., str]) -> None:
    shown = squeezed(render(question_view(FULL), 100))
    for part in (
        "유형 문서 문서 0.70 (회고)",
        "핵심어 장애, 회고",
        "다른 이름 장애 = outage, incident",
        "구절 “장애 회고”",
        "이름 김민수 (person)",
        "식별자 PAY-1",
        "찾을 곳 wiki",
        "소스 notion",
        "작성자 김민수",
        "위치 결제-개발",
        "종류 page",
        "기간 2026-10-01부터 2026-11-01 전까지 “지난달”",
        "제외 초안",
        "내 것만 예",
        "모호함 예",
        "확인 after:x 날짜는 없습니다",
    ):
        assert part in shown


def test_what_was_not_there_is_left_out(render: Callable[..., str]) -> None:
    shown = squeezed(render(question_view(Query(text="pricing", keywords=("pricing",)))))
    assert shown == "pricing type exploratory wants an overview which pricing keywords pricing meaning everything"


def test_an_open_window_names_only_its_start(render: Callable[..., str]) -> None:
    shown = render(question_view(Query(text="x", window=Window(date(2026, 10, 1), None, "since October"))))
    assert "from 2026-10-01 “since October”" in shown


def test_a_very_long_question_is_cut_on_screen(render: Callable[..., str]) -> None:
    shown = render(question_view(Query(text="word " * 2000)))
    assert len(shown.splitlines()) < 10
