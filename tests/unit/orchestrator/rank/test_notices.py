"""Messages that a chat writes by itself answer nothing, however well they hold the name of the channel."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.rank.match import is_notice
from translators.query import Container, Entity, EntityKind

CHANNEL = Container("bug-jones-Phoenix")


@pytest.mark.parametrize(
    "text",
    [
        "@U4NXCG joined bug-jones-Phoenix. Also, @U2 and @U3 joined via invite.",
        "@sarah has joined the channel",
        "Sarah Kim created this channel on 2026-09-11. This is the very beginning of the bug-jones-Phoenix channel.",
        "<@U4NXCG|sarah> set the channel topic: phoenix bugs",
        "이하늘 님이 채널에 참여했습니다",
        "@이하늘님이 채널 주제를 '결제'로 설정했습니다",
    ],
)
def test_a_notice_is_known_by_how_it_begins(world: Any, text: str) -> None:
    hit = world.hit("slack", "n", text, container=CHANNEL)
    assert is_notice(hit, world.context.text(hit), world.context)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "slack",
            "Yesterday in the review with the platform team Sarah joined the channel discussion and we decided on REST",
        ),
        ("slack", "Kim joined Acme as the new lead of billing"),
        ("slack", "이하늘님이 결제 담당입니다"),
        ("notion", "@sarah has joined the channel"),
        ("slack", ""),
        ("slack", "\u202e\u0301"),
    ],
)
def test_what_a_person_writes_is_none(world: Any, source: str, text: str) -> None:
    hit = world.hit(source, "n", text, container=CHANNEL)
    assert not is_notice(hit, world.context.text(hit), world.context)


def test_a_message_without_a_place_is_told_by_the_other_beginnings(world: Any) -> None:
    joined, other = (
        world.hit("slack", "a", "@sarah joined the channel"),
        world.hit("slack", "b", "@sarah joined {place}"),
    )
    assert is_notice(joined, world.context.text(joined), world.context)
    assert not is_notice(other, world.context.text(other), world.context)


def test_a_notice_stands_behind_a_message_that_says_less_of_the_question(world: Any, names: Any) -> None:
    world = world.ask("Phoenix bugs", keywords=("Phoenix", "bugs"), entities=(Entity(EntityKind.PROJECT, "Phoenix"),))
    found = [
        world.hit(
            "slack", "notice", "@U1 joined bug-jones-Phoenix. This is where bugs of Phoenix go", container=CHANNEL
        ),
        world.hit("slack", "answer", "the last of the bugs is fixed since Monday", container=CHANNEL),
    ]
    assert names(world.rank(world.outcome("slack", found))) == ["slack:answer", "slack:notice"]
