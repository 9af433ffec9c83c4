"""Microsoft Graph, by a description derived from its own metadata."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

# What addresses of next pages carry: Graph makes them up, and describes them nowhere.
OPAQUE = frozenset({"$skiptoken"})


def validator(contracts: Path) -> Check:
    """Requests to Graph, relative to ``https://graph.microsoft.com/v1.0``."""
    described = openapi(contracts / "msgraph_search.openapi.json")

    def check(request: HttpRequest) -> None:
        described(replace(request, params={k: v for k, v in request.params.items() if k not in OPAQUE}))

    return check
