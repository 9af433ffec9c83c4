"""Find sources: every folder of this package that has a manifest, and every entry point ``fedsearch.sources`` of installed packages."""

from __future__ import annotations

import importlib
import importlib.metadata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import connectors
from connectors.errors import Misconfigured
from translators.said import Said

if TYPE_CHECKING:
    from connectors.contract import Connector

ENTRY_POINTS = "fedsearch.sources"


def source_kinds() -> tuple[str, ...]:
    """Names of all kinds of source to be had, sorted; nothing is imported."""
    return tuple(sorted({*_folders(), *(point.name for point in _entry_points())}))


@cache
def load_source(kind: str) -> type[Connector]:
    """The connector class for ``kind``: ours by folder, else by entry point. Raises :class:`Misconfigured`.

    >>> load_source("linear").manifest.title
    'Linear'
    """
    if kind in _folders():
        found = getattr(importlib.import_module(f"connectors.{kind}"), "SOURCE", None)
    else:
        found = next((point.load() for point in _entry_points() if point.name == kind), None)
    if found is None:
        raise Misconfigured(
            Said("no kind of source is called {kind}; there are: {known}").filled(
                kind=repr(kind), known=", ".join(source_kinds())
            )
        )
    if not isinstance(found, type) or not hasattr(found, "manifest") or not callable(getattr(found, "search", None)):
        raise Misconfigured(Said("the source {kind} does not keep the connector contract").filled(kind=repr(kind)))
    return found


@cache
def _folders() -> frozenset[str]:
    return frozenset(path.parent.name for each in connectors.__path__ for path in Path(each).glob("*/manifest.toml"))


@cache
def _entry_points() -> tuple[importlib.metadata.EntryPoint, ...]:
    return tuple(importlib.metadata.entry_points(group=ENTRY_POINTS))
