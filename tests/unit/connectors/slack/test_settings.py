"""Which of Slack's two searches serves a source, by its settings."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from connectors.slack.settings import SlackSettings
from orchestrator.assembly.sources import source_settings


@pytest.mark.parametrize(
    ("settings", "served_by"),
    [
        ({}, "slack"),
        ({"token": "xoxp-1-2"}, "slack"),
        ({"token": "xoxe.xoxp-1-2"}, "slack"),
        ({"token": "xoxb-1-2"}, "slack_rts"),
        ({"token": "xoxe.xoxb-1-2"}, "slack_rts"),
        ({"token": "xoxb-1-2", "search": "messages"}, "slack"),
        ({"token": "xoxp-1-2", "search": "realtime"}, "slack_rts"),
        ({"search": "realtime"}, "slack_rts"),
        ({"kind": "slack_rts", "token": "xoxp-1-2"}, "slack_rts"),
        ({"kind": "slack_rts", "search": "messages"}, "slack"),
    ],
)
def test_the_search_that_serves_a_source(settings: dict[str, str], served_by: str) -> None:
    """A bot can use Real-time Search alone; else what is set decides, else the kind."""
    given = {"kind": "slack", **settings}
    assert SlackSettings.model_validate(given).served_by == served_by
    made, options = source_settings("chat", given)
    assert made.manifest.name == made.manifest.dialect == served_by
    assert options.kind == given["kind"]


def test_channel_types_as_a_variable_of_the_environment_says_them() -> None:
    """A list in TOML, a text with commas in a variable."""
    said = SlackSettings.model_validate({"kind": "slack", "channel_types": "public_channel, im,"})
    assert said.channel_types == ("public_channel", "im")
    assert SlackSettings.model_validate({"kind": "slack", "channel_types": ["mpim"]}).channel_types == ("mpim",)
    for wrong in ("dm", ["public"], 7):
        with pytest.raises(ValidationError):
            SlackSettings.model_validate({"kind": "slack", "channel_types": wrong})
