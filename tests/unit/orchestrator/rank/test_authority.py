"""Authority: the ladder of the question's type, and the roles that hits show by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.rank.authority import authority_of
from translators.query import QueryType


@pytest.mark.parametrize(
    ("kind", "source", "facts", "role"),
    [
        (QueryType.DECISION, "notion", {"title": "2025-01-15 API 회의록"}, "meeting_notes"),
        (QueryType.DECISION, "notion", {"title": "Meeting notes: API review"}, "meeting_notes"),
        (QueryType.DECISION, "slack", {"snippet": "네, REST로 가기로 했습니다."}, "conclusion"),
        (QueryType.DECISION, "slack", {"snippet": "OK — we decided to ship on Friday."}, "conclusion"),
        (QueryType.DECISION, "gmail", {"snippet": "This is to confirm the new schedule."}, "confirmation"),
        (QueryType.FACTUAL, "gmail", {"title": "[공지] 연차 규정 변경"}, "announcement"),
        (QueryType.FACTUAL, "notion", {"title": "연차 규정"}, "official"),
        (QueryType.STATUS, "notion", {"title": "주간 보고 3월 1주"}, "status_report"),
    ],
)
def test_a_role_lifts_above_the_place(
    world: Any, kind: QueryType, source: str, facts: dict[str, str], role: str
) -> None:
    world = world.ask(type=kind)
    plain, none = authority_of(world.hit(source, "plain", "hello"), world.context)
    lifted, shown = authority_of(world.hit(source, "a", **{"text": facts.pop("snippet", ""), **facts}), world.context)
    assert (none, shown) == ("", role)
    assert lifted > plain
    assert lifted == world.config.authority.ladders[kind][role]


@pytest.mark.parametrize(
    ("source", "facts"),
    [
        ("slack", {"text": "", "title": "회의록"}),
        ("slack", {"text": "undecided as of today"}),
        ("gmail", {"text": "see you tomorrow"}),
    ],
    ids=["not that kind of place", "inside another word", "no sign"],
)
def test_no_role_without_its_sign_in_its_place(world: Any, source: str, facts: dict[str, str]) -> None:
    assert authority_of(world.hit(source, "a", **facts), world.context)[1] == ""


def test_a_source_that_no_ladder_names_stands_on_the_other_step(world: Any) -> None:
    assert authority_of(world.hit("elsewhere", "a"), world.context) == (world.config.authority.other, "")


def test_a_role_of_nothing_but_symbols_lifts_nothing(world: Any) -> None:
    roles = {
        name: role.model_copy(update={"text": ("!!",) if role.text else ()})
        for name, role in world.config.authority.roles.items()
    }
    authority = world.config.authority.model_copy(update={"roles": roles})
    world.config = world.config.model_copy(update={"authority": authority})
    assert authority_of(world.hit("slack", "a", "decided!!"), world.context)[1] == ""
