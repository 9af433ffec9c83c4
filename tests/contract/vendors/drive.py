"""Google Drive's REST API, by Google's discovery document."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import Invalid, discovery

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check


def validator(contracts: Path) -> Check:
    """Requests to Drive, relative to ``https://www.googleapis.com``; the document's paths begin after the service's.

    The fields that are asked for must be some that the document describes.
    """
    path = contracts / "drive.v3.search.discovery.json"
    check = discovery(path)
    schemas = json.loads(path.read_text("utf-8"))["schemas"].values()
    known = {name for schema in schemas for name in schema.get("properties", ())}

    def checked(request: HttpRequest) -> None:
        check(replace(request, path=request.path.lstrip("/").removeprefix("drive/v3/")))
        if unknown := set(re.findall(r"\w+", str(request.params.get("fields", "")))) - known:
            raise Invalid(f"Google describes no field {', '.join(sorted(unknown))}")

    return checked
