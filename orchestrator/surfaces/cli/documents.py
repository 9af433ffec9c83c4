"""A JSON document on standard output. What stands in it is :mod:`orchestrator.documents`' affair."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from orchestrator.surfaces.cli.plain import json_text

if TYPE_CHECKING:
    from collections.abc import Mapping


def print_json(document: object, *, indent: int | None = 2) -> None:
    """One JSON value on standard output, without ``indent`` on one line; what the terminal's encoding lacks is escaped."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    sys.stdout.write(json_text(document, indent=indent, ascii_only=encoding not in {"utf8", "utf8sig"}) + "\n")


def written(row: Mapping[str, str | datetime | None]) -> dict[str, str | None]:
    """A row of a table as JSON has it: moments in ISO 8601, to the second."""
    return {
        name: told.isoformat(timespec="seconds") if isinstance(told, datetime) else told for name, told in row.items()
    }
