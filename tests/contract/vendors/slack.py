"""Slack's Web API, by a description derived from its reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import openapi

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.vendors.descriptions import Check


def validator(contracts: Path) -> Check:
    """Requests to Slack, relative to ``https://slack.com/api``."""
    return openapi(contracts / "slack_search_2026.openapi.json")
