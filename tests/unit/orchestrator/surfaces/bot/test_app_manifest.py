"""The manifest of the bot's app holds what the page on the bot has people type by hand, and what the program listens to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from connectors.errors import Misconfigured
from orchestrator.assembly.bot import manifest_of
from orchestrator.settings import load_settings

PAGE = Path(__file__).resolve().parents[5] / "docs" / "how-to" / "run-the-bot.md"


def row(name: str) -> list[str]:
    """What the page's table says of one part of the app."""
    line = next(line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {name} |"))
    return re.findall(r"`([^`]+)`", line)


def test_it_is_what_the_page_says() -> None:
    made = manifest_of(load_settings(environment={}), "fedsearch", "/ask", "")
    assert made["oauth_config"] == {"scopes": {"bot": row("OAuth, bot token scopes")}}
    events = made["settings"]["event_subscriptions"]
    assert set(events["bot_events"]) == {*row("Event subscriptions, bot events"), *row("App Home")}
    assert "request_url" not in events
    assert made["settings"]["socket_mode_enabled"] is True
    assert made["features"]["shortcuts"][0]["callback_id"] in row("Interactivity, message shortcut")


def test_requests_and_installing_need_an_address() -> None:
    by_http = load_settings({"bot": {"transport": "http", "teams": ["T1"]}}, {})
    with pytest.raises(Misconfigured, match="--address"):
        manifest_of(by_http, "fedsearch", "/ask", "http://bot.example.com")
    made = manifest_of(by_http, "fedsearch", "/ask", "https://bot.example.com/")
    to = "https://bot.example.com/slack/events"
    assert made["settings"]["interactivity"]["request_url"] == to
    assert made["features"]["slash_commands"][0]["url"] == to
    assert made["oauth_config"]["redirect_urls"] == ["https://bot.example.com/slack/oauth_redirect"]
    assert {"app_uninstalled", "tokens_revoked"} <= set(made["settings"]["event_subscriptions"]["bot_events"])
