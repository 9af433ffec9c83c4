"""A JSON document on standard output, safe on a terminal. What stands in it is :mod:`orchestrator.documents`' affair."""

from __future__ import annotations

import json
import re
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.cli.failures import said_here

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

ListedRow = dict[str, "str | datetime | None"]

UNPRINTABLE = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def json_text(value: Any, *, indent: int | None = 2, ascii_only: bool = False) -> str:
    r"""JSON that is safe on a terminal: what cannot be seen stands as ``\uXXXX``, so nothing is lost either."""
    return UNPRINTABLE.sub(_escaped, json.dumps(value, ensure_ascii=ascii_only, indent=indent))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


def print_json(document: object, *, indent: int | None = 2) -> None:
    """One JSON value on standard output, without ``indent`` on one line; what the terminal's encoding lacks is escaped."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    sys.stdout.write(json_text(document, indent=indent, ascii_only=encoding not in {"utf8", "utf8sig"}) + "\n")


def print_rows(name: str, rows: Sequence[ListedRow], zone: tzinfo | None = None, *, as_json: bool, empty: str) -> None:
    """A list under its ``name`` as JSON, else as a table with moments in ``zone``; of none, on standard error, what is ``empty``, in the language of the terminal."""
    if as_json:
        print_json({name: [written(row) for row in rows]})
    elif rows:
        from orchestrator.surfaces.cli.screen import headed, show

        show([headed(rows, zone)])
    else:
        sys.stderr.write(f"{said_here(empty)}\n")


def written(row: Mapping[str, str | datetime | None]) -> dict[str, str | None]:
    """A row of a table as JSON has it: moments in ISO 8601, to the second."""
    return {
        name: told.isoformat(timespec="seconds") if isinstance(told, datetime) else told for name, told in row.items()
    }
