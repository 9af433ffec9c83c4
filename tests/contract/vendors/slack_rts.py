"""Slack's Real-time Search, by the same description as the rest of its Web API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

MOST = 20  # results a page: the description says so in words alone


def validator(contracts: Path) -> Check:
    """Requests to Slack, relative to ``https://slack.com/api``; the description leaves their bodies open, so they are closed here."""
    path = contracts / "slack_search_2026.openapi.json"
    described = openapi(path)
    paths = json.loads(path.read_text("utf-8"))["paths"]
    context = paths["/assistant.search.context"]["post"]["requestBody"]["content"]["application/json"]["schema"]

    def check(request: HttpRequest) -> None:
        described(request)
        if request.path.lstrip("/") != "assistant.search.context" or not isinstance(request.json, dict):
            return
        if unknown := request.json.keys() - context["properties"].keys():
            raise Invalid(f"assistant.search.context knows no {', '.join(sorted(unknown))}")
        limit = request.json.get("limit", MOST)
        if not isinstance(limit, int) or not 1 <= limit <= MOST:
            raise Invalid(f"assistant.search.context gives at most {MOST} results, not {limit}")

    return check
