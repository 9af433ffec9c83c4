"""The parts of SearXNG's replies that are read (searx/webutils.py of https://github.com/searxng/searxng)."""

from __future__ import annotations

from connectors.web_search import Address
from connectors.wire import IfIso, Line, Text, Wire


class Result(Wire):
    """One result. ``engines`` found it; ``score`` is SearXNG's own, by how many and how high."""

    url: Address
    title: Line = ""
    content: Text = ""
    engines: tuple[Line, ...] = ()
    score: float | None = None
    publishedDate: IfIso = None  # noqa: N815 — SearXNG's spelling


class Found(Wire):
    """A page of results. ``unresponsive_engines``: pairs of an engine and why it gave nothing."""

    results: tuple[object, ...]
    unresponsive_engines: tuple[object, ...] = ()
