"""What a declared source was seen to filter by when it was asked: an overlay over its own file, ours to write and to take away again."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = "found"  # in sources.d, where no source is looked for
DECLARED, SEEN = "declared", "seen"
INDIFFERENT = frozenset({"enabled", "title", "priority"})  # what changes nothing of how a source is asked and read
NOTHING: Mapping[str, str] = MappingProxyType({})


@record
class FoundFilters:
    """``powers``: how faithfully which condition was heeded, with the names of ``[can]``; ``arguments``: what a tool is to be given besides for it; ``times``: in which form, where that was found too."""

    powers: Mapping[str, str]
    arguments: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    times: str = ""

    def over(self, declared: Mapping[str, Any]) -> dict[str, Any]:
        """What it adds to what a source's file says."""
        from connectors.mcp_client.settings import QUERY

        told: dict[str, Any] = {"found": dict(self.powers)}
        if self.arguments:
            told["arguments"] = {**({} if "arguments" in declared else QUERY), **self.arguments}
        return {**told, "times": self.times} if self.times else told


@record
class KeptFilters:
    """What was kept of a source. ``seen``: when, and by which question; ``holds``: whether it is still declared as it was then."""

    name: str
    seen: str
    powers: Mapping[str, str]
    arguments: tuple[str, ...]
    holds: bool


def kept_filters(name: str, told: Mapping[str, Any], declared: Mapping[str, Any]) -> KeptFilters:
    """What a file of :func:`found_text` says."""
    arguments = tuple(each for each in told.get("arguments", {}) if each != "query")
    return KeptFilters(
        name, str(told.get(SEEN, "")), told.get("found", {}), arguments, told.get(DECLARED) == fingerprint(declared)
    )


def found_text(found: FoundFilters, declared: Mapping[str, Any], seen: str) -> str:
    """The file that keeps it. ``seen``: when and by which question."""
    lines = ["# What the source was seen to filter by, written by `fedsearch sources try … --filters --keep`."]
    lines += [f"{SEEN} = {_text(seen)}", f"{DECLARED} = {_text(fingerprint(declared))}"]
    for key, value in found.over(declared).items():
        table = value if isinstance(value, dict) else {}
        lines += [f"{key}.{_text(name)} = {_text(each)}" for name, each in table.items()]
        lines += [] if table else [f"{key} = {_text(value)}"] if value else []
    return "\n".join(lines) + "\n"


def found_values(text: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """What such a file adds to the settings of its source; nothing where the source is declared otherwise by now. Raises ``ValueError``."""
    from pydantic import ValidationError

    from connectors.json_api.settings import SeenFilters

    told = tomllib.loads(text)
    if told.pop(DECLARED, "") != fingerprint(declared):
        return {}
    told.pop(SEEN, "")
    try:
        SeenFilters.model_validate(told)
    except ValidationError as failure:
        first = failure.errors()[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return told


def fingerprint(declared: Mapping[str, Any]) -> str:
    """What differs as soon as a source is asked or read otherwise."""
    asked = {key: value for key, value in declared.items() if key not in INDIFFERENT}
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:16]


def _text(value: object) -> str:
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
