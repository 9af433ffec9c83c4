"""Google Chat's REST API, by Google's discovery document."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, discovery

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

LONGEST = 1000  # characters of a filter, as the document says in words


def validator(contracts: Path) -> Check:
    """Requests to Google Chat, relative to ``https://chat.googleapis.com``; the fields asked for must be described."""
    path = contracts / "chat.v1.search.discovery.json"
    check = discovery(path)
    schemas = json.loads(path.read_text("utf-8"))["schemas"].values()
    known = {name for schema in schemas for name in schema.get("properties", ())}

    def checked(request: HttpRequest) -> None:
        check(request)
        if unknown := set(re.findall(r"\w+", str(request.params.get("fields", "")))) - known:
            raise Invalid(f"Google describes no field {', '.join(sorted(unknown))}")
        if isinstance(request.json, dict) and not 0 < len(str(request.json.get("filter", ""))) <= LONGEST:
            raise Invalid("a filter is required, and has 1,000 characters at most")

    return checked
