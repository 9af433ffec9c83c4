"""Whoever asks what is asked was answered below."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from orchestrator.answer.replies import with_reply
from orchestrator.model import NAMED, HitList, Outcome, Result, Status
from translators.query import Category, Query, QueryType
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from tests.unit.orchestrator.answer.conftest import Desk


def said(desk: Desk, key: str, text: str, who: str, age: float, thread: str = "t") -> Result:
    """A message of one thread."""
    return desk.result(f"slack:{key}", text, author=who, age=age, facts={"thread_ts": thread})


@pytest.fixture
def found(desk: Desk) -> list[Result]:
    return [
        said(desk, "asks", "Which drawing goes to the foundry, E?", "Nam", 4),
        said(desk, "more", "I have them all here", "Nam", 3),
        said(desk, "tells", "No, F!", "Hong", 2),
        said(desk, "later", "thanks", "Oh", 1),
        said(desk, "elsewhere", "lunch", "Oh", 3.5, "u"),
    ]


def read(found: list[Result], query: Query, ranked: int = 1) -> list[str]:
    """The ids of the first ``ranked``, with the reply to the first of them, where all came back."""
    hits = tuple(each.hit for each in found)
    back = Outcome("slack", "Slack", Category.CHAT, Status.OK, (HitList(Translation(NativeQuery("test", "x")), hits),))
    return [each.hit.id for each in with_reply(found[:ranked], (back,), query)]


def test_the_next_message_by_somebody_else_is_read_behind_what_asks(found: list[Result]) -> None:
    assert read(found, Query("which drawing")) == ["asks", "tells"]
    assert read(found, Query("which drawing"), ranked=2) == ["asks", "tells", "more"]
    assert read(found, Query("which drawing"), ranked=3) == ["asks", "more", "tells"]


def test_what_tells_needs_no_reply(found: list[Result]) -> None:
    assert read(found[1:], Query("which drawing")) == ["more"]
    assert read([], Query("which drawing")) == []


def test_a_message_without_a_thread_has_no_reply(found: list[Result]) -> None:
    flat = [replace(each, hit=replace(each.hit, facts={})) for each in found]
    assert read(flat, Query("which drawing")) == ["asks"]


def test_nothing_is_read_beside_a_message_that_is_asked_for_by_its_address(found: list[Result]) -> None:
    named = [replace(found[0], factors={NAMED: 1.0}), *found[1:]]
    assert read(named, Query("which drawing")) == ["asks"]


def test_what_was_said_later_is_not_taken_in_where_a_day_is_asked_for(found: list[Result]) -> None:
    assert read(found, Query("which drawing", as_of=date(2025, 3, 1))) == ["asks"]


VALUED = Query("새 버스표 언제 나와", type=QueryType.TEMPORAL)


@pytest.fixture
def moved(desk: Desk) -> list[Result]:
    return [
        said(desk, "moves", "버스표가 2주 밀립니다", "Nam", 9),
        said(desk, "asks", "그럼 5/16?", "Hong", 8),
        said(desk, "tells", "네 5/17", "Nam", 7),
        said(desk, "thanks", "고마워요", "Hong", 6),
        said(desk, "elsewhere", "5/20 점심", "Oh", 5, "u"),
    ]


def test_the_last_of_a_thread_that_tells_such_a_value_is_read_behind_what_began_it(moved: list[Result]) -> None:
    assert read(moved, VALUED) == ["moves", "tells"]
    assert read(moved, Query("새 버스표 어디서 팔아", type=QueryType.FACTUAL)) == ["moves"]
    assert read(moved, replace(VALUED, as_of=date(2025, 3, 1))) == ["moves"]


def test_what_is_read_anyway_stays_where_it_stands(moved: list[Result]) -> None:
    assert read(moved, VALUED, ranked=5) == ["moves", "asks", "tells", "thanks", "elsewhere"]
