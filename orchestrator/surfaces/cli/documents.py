"""A JSON document on standard output. What stands in it is :mod:`orchestrator.documents`' affair."""

from __future__ import annotations

import sys

from orchestrator.surfaces.cli.plain import json_text


def print_json(document: object, *, indent: int | None = 2) -> None:
    """One JSON value on standard output, without ``indent`` on one line; what the terminal's encoding lacks is escaped."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    sys.stdout.write(json_text(document, indent=indent, ascii_only=encoding not in {"utf8", "utf8sig"}) + "\n")
