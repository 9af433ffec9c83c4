"""fedsearch as a library: one engine over your sources, one question, one cited answer.

::

    from datetime import datetime
    from fedsearch import Ask, open_engine

    async with open_engine({"sources": {"notion": {"token": "ntn_…"}}}) as engine:
        answer = await engine.search(Ask("who owns the Okta rollout?", datetime.now().astimezone()))
        print(answer.summary)

What is listed in ``__all__`` is the public API; everything else may change between versions. Names are imported when they are
first used, so ``import fedsearch`` itself costs nothing. Against a running server: :mod:`fedsearch.client`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from connectors.contract import Hit
    from connectors.errors import Misconfigured
    from orchestrator.documents.answer import answer_document
    from orchestrator.engine import Engine
    from orchestrator.events import Answered, Arrived, Event, GatheringDone, Planned, Revised
    from orchestrator.model import (
        Answer,
        Ask,
        BadAsk,
        Citation,
        Confidence,
        NoSources,
        Outcome,
        Plan,
        Principal,
        Result,
        Statement,
        Status,
    )
    from orchestrator.settings import Settings
    from translators.query import Query

__all__ = [
    "Answer",
    "Answered",
    "Arrived",
    "Ask",
    "BadAsk",
    "Citation",
    "Confidence",
    "Engine",
    "Event",
    "GatheringDone",
    "Hit",
    "Misconfigured",
    "NoSources",
    "Outcome",
    "Plan",
    "Planned",
    "Principal",
    "Query",
    "Result",
    "Revised",
    "Settings",
    "Statement",
    "Status",
    "answer_document",
    "open_engine",
]

_PLACES = {
    "connectors.contract": ("Hit",),
    "connectors.errors": ("Misconfigured",),
    "orchestrator.documents.answer": ("answer_document",),
    "orchestrator.engine": ("Engine",),
    "orchestrator.events": ("Answered", "Arrived", "Event", "GatheringDone", "Planned", "Revised"),
    "orchestrator.model": (
        "Answer",
        "Ask",
        "BadAsk",
        "Citation",
        "Confidence",
        "NoSources",
        "Outcome",
        "Plan",
        "Principal",
        "Result",
        "Statement",
        "Status",
    ),
    "orchestrator.settings": ("Settings",),
    "translators.query": ("Query",),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}


def open_engine(settings: Mapping[str, Any] | None = None, *, environment: Mapping[str, str] | None = None) -> Engine:
    """Every configured source behind one question; nothing is sent yet. Use it as a context, or close it with ``aclose``.

    ``settings``: as tables of ``fedsearch.toml``, secrets too; they stand above the files and the environment of this machine.
    ``environment`` stands in for the process's own: with ``{"FEDSEARCH_CONFIG": …}`` alone nothing else of the machine counts.
    Raises :class:`Misconfigured`.

    >>> engine = open_engine({"sources": {"wiki": {"kind": "notion", "token": "ntn_example"}}}, environment={})
    >>> [(each.name, each.title) for each in engine.profiles]
    [('wiki', 'Notion (wiki)')]
    """
    from orchestrator.assembly.searching import build_engine
    from orchestrator.settings import load_settings

    return build_engine(load_settings(dict(settings or {}), environment))


def __getattr__(name: str) -> object:
    """A public name, from where it is defined (PEP 562)."""
    if name not in _PLACE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_PLACE_OF[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
