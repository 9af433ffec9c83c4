"""Addresses and short names of things on GitHub, and what has to be fetched for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from translators.emit import as_typed

if TYPE_CHECKING:
    from translators.query import Identifier
    from translators.translator import Json

OWNER, NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38})", r"(?!\.{1,2}(?![\w.-]))[A-Za-z0-9_.-]{1,100}"
REPOSITORY = re.compile(rf"{OWNER}/{NAME}")
SHORT = re.compile(rf"(?P<repo>{OWNER}/{NAME})#(?P<number>[0-9]{{1,9}})")
# github.com, data residency (https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency), and servers of
# one's own by their usual names. Whoever fetches compares the host of what comes back.
HOST = r"https?://(?:www\.)?(?P<host>github\.com|[a-z0-9-]+\.ghe\.com|github\.[a-z0-9.-]+)"
NUMBERED = re.compile(
    rf"{HOST}/(?P<repo>{OWNER}/{NAME})/(?:issues|pull|discussions)/(?P<number>[0-9]{{1,9}})(?:[/?#]\S*)?", re.IGNORECASE
)
FILE = re.compile(
    rf"{HOST}/(?P<repo>{OWNER}/{NAME})/blob/(?P<ref>[^/?#\s]+)/(?P<path>[^?#\s]+)(?:[?#]\S*)?", re.IGNORECASE
)
NO_OWNERS = frozenset({"orgs", "enterprises", "users", "settings", "sponsors", "topics", "search"})


def fetchable(thing: Identifier) -> dict[str, Json] | None:
    """Which thing an identifier names: ``repo`` with ``number``, or with ``ref`` and ``path``; ``None`` if none.

    ``host`` is there where an address named one.
    """
    text = as_typed(thing.text)
    found = SHORT.fullmatch(text) or NUMBERED.fullmatch(text) or FILE.fullmatch(text)
    if found is None or found["repo"].partition("/")[0].casefold() in NO_OWNERS:
        return None
    said = found.groupdict()
    named: dict[str, Json] = {"host": said["host"].casefold()} if "host" in said else {}
    if "number" in said:
        return {**named, "repo": said["repo"], "number": int(said["number"])}
    ref, path = _decoded(said["ref"]), _decoded(said["path"])
    return {**named, "repo": said["repo"], "ref": ref, "path": path} if ref and path else None


def _decoded(part: str) -> str:
    """A part of an address as people write it; empty where it is not one that leads to a file."""
    text = unquote(part, errors="replace")
    ways = text.split("/")
    return text if as_typed(text) == text and "\ufffd" not in text and not {"", ".", ".."} & set(ways) else ""
