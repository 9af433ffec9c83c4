"""Confluence Cloud's REST API, by Atlassian's own descriptions: the older version searches, the newer lists spaces."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

NEWER = "wiki/api/v2/"


def validator(contracts: Path) -> Check:
    """Requests to Confluence, relative to a site's address; the description of the newer version begins behind its own."""
    older = openapi(contracts / "confluence_v1_search.openapi.json")
    newer = openapi(contracts / "confluence_v2.openapi.json")

    def check(request: HttpRequest) -> None:
        path = request.path.lstrip("/")
        if path.startswith(NEWER):
            newer(replace(request, path=path.removeprefix(NEWER)))
        else:
            older(request)

    return check
