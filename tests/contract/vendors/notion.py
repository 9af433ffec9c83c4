"""Notion's REST API, by its own description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import openapi

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.vendors.descriptions import Check


def validator(contracts: Path) -> Check:
    """Requests to Notion, relative to ``https://api.notion.com``."""
    return openapi(contracts / "notion_search.openapi.json")
