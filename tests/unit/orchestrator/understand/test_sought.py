"""What is asked for goes last among the words that a search is broadened by, and excludes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("employee IDs of the authors of the lease summary", "lease summary employee IDs authors"),
        (
            "Find the employee IDs of the people who reviewed the thermal calibration sheet",
            "thermal calibration sheet employee IDs",
        ),
        ("Employee numbers of the crew that painted the silo", "silo Employee numbers crew painted"),
        ("What is the weight limit of forklift 3?", "forklift weight limit 3"),
        ("phone number of the electrician in Busan", "Busan electrician phone number"),
        ("key reviewers of the warehouse fire drill", "warehouse fire drill key reviewers"),
        ("cooling system for the server room", "cooling server room system"),
        ("Loomstack licenses of the Busan office", "Loomstack Busan office licenses"),
        ("엘리베이터 점검 업체 담당자 이메일", "엘리베이터 점검 업체"),
        ("냉동고 수리 보고서 작성자 사번", "냉동고 수리 보고서 작성자 사번"),
        ("냉동고 수리 보고서 Loomstack", "Loomstack 냉동고 수리 보고서"),
        ("재고 실사 참여한 업체 이름", "재고 실사 업체 이름"),
    ],
)
def test_what_is_asked_for_can_be_done_without_first(ask: Callable[..., Query], text: str, order: str) -> None:
    query = ask(text)
    assert query.essential == tuple(order.split())
    assert sorted(query.essential) == sorted(query.keywords), "all words are still asked"


@pytest.mark.parametrize("text", ["surcharge of the ferry", "밀가루 단가"])
def test_nothing_is_where_little_else_is_said(ask: Callable[..., Query], text: str) -> None:
    """Of two words both are what the question is about."""
    assert ask(text).essential == ask(text).keywords
