"""Jira Cloud's REST API, by Atlassian's own description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

REMOVED = ("rest/api/3/search", "rest/api/2/search")  # still described, answered with HTTP 410


def validator(contracts: Path) -> Check:
    """Requests to Jira, relative to the address of a site; what is described but removed is refused."""
    described = openapi(contracts / "jira_search.openapi.json")

    def check(request: HttpRequest) -> None:
        if request.path.strip("/") in REMOVED:
            raise Invalid(f"{request.path} was removed (CHANGE-2046)")
        body = request.json if isinstance(request.json, dict) else {}
        jql = str(body.get("jql", ""))
        if "jql" in body and (not jql.strip() or jql.lower().lstrip().startswith("order by")):
            raise Invalid(f"an unbounded query is refused: {jql!r}")
        described(request)

    return check
