"""Authority: the ladder of the question's type, and the roles that hits show by themselves."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.rank.factors import authority_of
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
        (QueryType.STATUS, "gmail", {"title": "Weekly report: platform"}, "status_mail"),
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


@pytest.mark.parametrize(("age", "role"), [(0.0, "recent_chat"), (7.0, "recent_chat"), (8.0, ""), (None, "")])
def test_of_chat_only_what_is_recent_tells_how_things_stand(world: Any, age: float | None, role: str) -> None:
    world = world.ask(type=QueryType.STATUS)
    assert authority_of(world.hit("slack", "a", "rollout at 80 %", age=age), world.context)[1] == role
    assert authority_of(world.hit("gmail", "a", "rollout at 80 %", age=age), world.context)[1] == ""


def test_a_report_by_mail_is_a_mail_and_an_announcement_in_chat_is_chat(world: Any) -> None:
    """What came by mail or chat stands below documents, whatever it is called."""
    status, factual = world.ask(type=QueryType.STATUS), world.ask(type=QueryType.FACTUAL)
    report = {"title": "Weekly report: platform"}
    steps = [
        authority_of(status.hit(source, "a", **report), status.context)[0] for source in ("slack", "notion", "gmail")
    ]
    assert steps == sorted(steps, reverse=True)
    told = {"title": "[공지] 연차 규정"}
    mail, chat = (authority_of(factual.hit(source, "a", **told), factual.context)[0] for source in ("gmail", "slack"))
    assert mail > chat


LADDERS = {
    QueryType.STATUS: [
        ("linear", "", ""),
        ("slack", "", ""),
        ("notion", "status update ", ""),
        ("gmail", "status update ", ""),
    ],
    QueryType.DECISION: [
        ("notion", "meeting notes ", ""),
        ("slack", "", "we decided"),
        ("gmail", "", "to confirm"),
        ("slack", "", ""),
    ],
    QueryType.FACTUAL: [
        ("notion", "policy ", ""),
        ("drive", "", ""),
        ("gmail", "announcement ", ""),
        ("slack", "announcement ", ""),
    ],
}
KOREAN = {
    "status update ": "주간 보고 ",
    "meeting notes ": "회의록 ",
    "we decided": "하기로 했습니다",
    "to confirm": "확정합니다",
    "policy ": "규정 ",
    "announcement ": "[공지] ",
}


@pytest.mark.parametrize("topic", ["Okta rollout", "연차 이월"])
@pytest.mark.parametrize("kind", LADDERS)
def test_the_final_order_is_that_of_the_ladder_where_all_else_is_equal(
    world: Any, names: Any, kind: QueryType, topic: str
) -> None:
    """Through all stages: each source found one thing, of the same day, that holds the words in the same way."""
    world = world.ask(
        topic, type=kind, keywords=tuple(topic.split()), language="ko" if topic.isascii() is False else "en"
    )
    expected, outcomes = [], {}
    for place, (source, title, text) in enumerate(LADDERS[kind]):
        signs = (title, text) if topic.isascii() else (KOREAN.get(title, title), KOREAN.get(text, text))
        hit = world.hit(
            source, str(place), f"{topic} {signs[1]} {'abcd'[place] * 9}", title=f"{signs[0]}{topic}", author=None
        )
        outcomes.setdefault(source, []).append(hit)
        expected.append(f"{source}:{place}")
    ranking = world.rank(
        *(world.outcome(source, *([hit] for hit in hits)) for source, hits in reversed(outcomes.items()))
    )
    assert names(ranking) == expected
