"""The parts of SearXNG's replies that are read (searx/webutils.py of https://github.com/searxng/searxng)."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from connectors.web_search import Address
from connectors.wire import IsoInstant, Line, Text, Wire


def _if_iso(value: object) -> object:
    """An engine may hand on a date that it could not read; that costs the date, not the result."""
    return value if isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-" else None


class Result(Wire):
    """One result. ``engines`` found it; ``score`` is SearXNG's own, by how many and how high."""

    url: Address
    title: Line = ""
    content: Text = ""
    engines: tuple[Line, ...] = ()
    score: float | None = None
    publishedDate: Annotated[IsoInstant | None, BeforeValidator(_if_iso)] = None  # noqa: N815 — SearXNG's spelling


class Found(Wire):
    """A page of results. ``unresponsive_engines``: pairs of an engine and why it gave nothing."""

    results: tuple[object, ...]
    unresponsive_engines: tuple[object, ...] = ()
