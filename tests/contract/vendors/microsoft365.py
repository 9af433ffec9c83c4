"""Microsoft Graph, by a description derived from its own metadata."""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, openapi

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

# What addresses of next pages carry: Graph makes them up, and describes them nowhere.
OPAQUE = frozenset({"$skiptoken"})
# What is listed in Teams, with the parameters of OData that each list knows: the description has messages by their ids alone.
# https://learn.microsoft.com/en-us/graph/api/channel-get, …/chat-list-messages, …/channel-list-messages, …/chatmessage-list-replies
MOST = 50
TEAMS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        r"/chats/[^/]+/messages": frozenset({"$top", "$orderby", "$filter"}),
        r"/teams/[^/]+/channels/[^/]+": frozenset({"$select"}),
        r"/teams/[^/]+/channels/[^/]+/messages": frozenset({"$top", "$expand"}),
        r"/teams/[^/]+/channels/[^/]+/messages/[^/]+/replies": frozenset({"$top"}),
        r"/teams/[^/]+/channels/[^/]+/messages/[^/]+/replies/[^/]+": frozenset(),
    }
)


def validator(contracts: Path) -> Check:
    """Requests to Graph, relative to ``https://graph.microsoft.com/v1.0``."""
    described = openapi(contracts / "msgraph_search.openapi.json")

    def check(request: HttpRequest) -> None:
        known = next(
            (known for path, known in TEAMS.items() if re.fullmatch(path, f"/{request.path.removeprefix('/')}")), None
        )
        if known is not None and request.method == "GET":
            _listing(request, known)
            return
        described(replace(request, params={k: v for k, v in request.params.items() if k not in OPAQUE}))

    return check


def _listing(request: HttpRequest, known: frozenset[str]) -> None:
    """A filter counts only beside an order by the same property, and both only fall."""
    asked = request.params
    if unknown := asked.keys() - known:
        raise Invalid(f"{request.path} knows no {', '.join(sorted(unknown))}")
    if not 1 <= int(str(asked.get("$top", MOST))) <= MOST:
        raise Invalid(f"{request.path} lists at most {MOST}")
    order, condition = str(asked.get("$orderby", "")), str(asked.get("$filter", ""))
    if condition and order != f"{condition.partition(' ')[0]} desc":
        raise Invalid("a filter without an order by its property is ignored")
