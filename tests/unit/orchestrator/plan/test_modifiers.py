"""The order, the kind and the state that a question asks for reach the sources, or are told as lost."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.understand import understand
from translators.linear import Linear
from translators.query import Category
from translators.slack import Slack
from translators.translator import LossKind

if TYPE_CHECKING:
    from translators.translator import Translation

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
SLACK = SourceProfile("slack", "Slack", Category.CHAT, Slack(), Slack.can)
LINEAR = SourceProfile("linear", "Linear", Category.TRACKER, Linear(), Linear.can)


def asked_of(profile: SourceProfile, text: str) -> Translation:
    plan = make_plan(understand(text, NOW), [profile], (), PlanLimits())
    return plan.steps[0].rungs[0].translations[0]


def test_the_first_mention_is_asked_for_oldest_first() -> None:
    assert asked_of(SLACK, "first time someone mentioned Norvale").native.args["sort_dir"] == "asc"


def test_an_order_that_a_source_lacks_is_told() -> None:
    losses = asked_of(LINEAR, "처음으로 Norvale 언급한 게 언제야").losses
    assert [loss.what for loss in losses if loss.kind is LossKind.DROPPED] == ["sort oldest"]


def test_a_listed_state_is_a_condition_of_the_tracker() -> None:
    wanted = str(asked_of(LINEAR, "아직 안 끝난 이슈 목록 보여줘").native)
    assert "started" in wanted
    assert "completed" not in wanted
