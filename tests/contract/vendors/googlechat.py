"""Google Chat's REST API, by Google's discovery document, and by the one in Google's client where that describes another method."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import googleapiclient.discovery_cache as packed

from tests.contract.vendors.descriptions import Invalid, discovery

if TYPE_CHECKING:
    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

LISTING = re.compile(r"/?v1/spaces/[^/]+/messages")  # of the messages of a space: the shorter document leaves it out
LONGEST = 1000  # characters of a filter, as the document says in words


def validator(contracts: Path) -> Check:
    """Requests to Google Chat, relative to ``https://chat.googleapis.com``; the fields asked for must be described."""
    path = contracts / "chat.v1.search.discovery.json"
    described, packaged = discovery(path), discovery(Path(packed.__file__).parent / "documents" / "chat.v1.json")
    schemas = json.loads(path.read_text("utf-8"))["schemas"].values()
    known = {name for schema in schemas for name in schema.get("properties", ())} | {"messages"}

    def checked(request: HttpRequest) -> None:
        (packaged if LISTING.fullmatch(request.path) else described)(request)
        if unknown := set(re.findall(r"\w+", str(request.params.get("fields", "")))) - known:
            raise Invalid(f"Google describes no field {', '.join(sorted(unknown))}")
        if isinstance(request.json, dict) and not 0 < len(str(request.json.get("filter", ""))) <= LONGEST:
            raise Invalid("a filter is required, and has 1,000 characters at most")

    return checked
