"""JSON that is safe on a terminal. Rich markup is no danger there: views build ``Text`` and never parse markup."""

from __future__ import annotations

import json
import re
from typing import Any

UNPRINTABLE = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def json_text(value: Any, *, indent: int | None = 2, ascii_only: bool = False) -> str:
    r"""JSON that is safe on a terminal: what cannot be seen stands as ``\uXXXX``, so nothing is lost either."""
    return UNPRINTABLE.sub(_escaped, json.dumps(value, ensure_ascii=ascii_only, indent=indent))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
