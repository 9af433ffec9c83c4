"""What is shown of a question taken apart."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.plan_view import question_view
from translators.query import (
    Category,
    Container,
    Doubt,
    Entity,
    EntityKind,
    Identifier,
    IdKind,
    Kind,
    Person,
    Query,
    QueryType,
    TypeScore,
    Window,
)
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

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
