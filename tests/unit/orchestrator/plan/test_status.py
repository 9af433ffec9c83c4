"""A question of how things stand asks every tracker for what is open, in its own words, beside what it is asked anyway."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.understand import understand
from translators.capabilities import Fidelity
from translators.query import Category, Field
from translators.registry import dialect_names, load_dialect

if TYPE_CHECKING:
    from translators.translator import NativeQuery

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
OPEN = {
    "asana": '"completed": "false"',
    "github": "is:open",
    "hybrid": '"open"',
    "jql": "statusCategory != Done",
    "linear": '"state": {"type": {"in": ["triage", "backlog", "unstarted", "started"]}}',
}
"""Where what is not finished stands in the vendors' own search languages."""
MINE = {
    "asana": '"assignee.any": "me"',
    "github": "assignee:@me",
    "hybrid": '"me"',
    "jql": "assignee = currentUser()",
    "linear": '"assignee": {"isMe": {"eq": true}}',
}
QUESTIONS = [
    "status of the API migration",
    "webhook 상태는?",
    "how is the Okta rollout going?",
    "결제 서비스 진행 상황",
]


def sent(dialect: str, text: str) -> list[str]:
    """What the first rung asks, each request as one text."""
    translator = load_dialect(dialect)
    profile = SourceProfile(dialect, dialect, Category.TRACKER, translator, translator.can)
    plan = make_plan(understand(text, NOW), [profile], (), PlanLimits())
    rungs = plan.steps[0].rungs
    return [written(each.native) for each in (rungs[0].translations if len(rungs) else ())]


def written(native: NativeQuery) -> str:
    return f"{native.text} {json.dumps(dict(native.args), ensure_ascii=False)}"


def test_every_dialect_that_knows_states_is_among_those_checked_here() -> None:
    able = {
        name
        for name in dialect_names()
        if load_dialect(name).can.fields.get(Field.STATE, Fidelity.NONE) is not Fidelity.NONE
    }
    assert able == set(OPEN)


@pytest.mark.parametrize("dialect", OPEN)
@pytest.mark.parametrize("text", QUESTIONS)
def test_what_is_open_is_asked_for_beside_everything(dialect: str, text: str) -> None:
    requests = sent(dialect, text)
    opened = [each for each in requests if OPEN[dialect] in each]
    assert opened
    assert len(opened) < len(requests), "what is done is an answer, too"


@pytest.mark.parametrize("dialect", OPEN)
@pytest.mark.parametrize("text", ["my tasks", "내 작업", "내 작업 상태는?", "what's on my plate"])
def test_ones_own_work_is_asked_for_by_whose_it_is_and_by_no_word(dialect: str, text: str) -> None:
    requests = sent(dialect, text)
    assert all(MINE[dialect] in each for each in requests)
    assert any(OPEN[dialect] in each for each in requests)
    assert any(OPEN[dialect] not in each for each in requests)
    words = [each.replace(text, "") for each in requests]  # an index is given the question whole, to compare meanings
    assert not any(word in each for each in words for word in ("tasks", "plate", "작업", "상태"))


@pytest.mark.parametrize("dialect", ["slack", "gmail", "notion", "drive"])
def test_what_assigns_nothing_to_anybody_is_not_asked_for_everything_it_has(dialect: str) -> None:
    assert sent(dialect, "my tasks") == []
    assert sent(dialect, "what am I working on"), "but for what the asker wrote"


@pytest.mark.parametrize("dialect", OPEN)
@pytest.mark.parametrize("text", ["what did we decide about the API migration", "웹훅 작업 다 끝났나요?"])
def test_nothing_else_is_asked_for_by_how_it_stands(dialect: str, text: str) -> None:
    assert not any(OPEN[dialect] in each for each in sent(dialect, text))
