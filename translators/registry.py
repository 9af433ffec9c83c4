"""Find dialects: every folder of this package, and every entry point ``fedsearch.dialects`` of installed packages."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import sys
from functools import cache
from pathlib import Path

import translators
from translators.said import bring
from translators.translator import Translator

ENTRY_POINTS = "fedsearch.dialects"


class UnknownDialect(LookupError):
    """No dialect of that name is installed; the message lists those that are."""


def dialect_names() -> tuple[str, ...]:
    """Names of all dialects to be had, sorted; nothing is imported."""
    return tuple(sorted(_folders() | {point.name for point in _entry_points()}))


@cache
def load_dialect(name: str) -> Translator:
    """The translator called ``name``: ours by folder, else by entry point. Raises :class:`UnknownDialect`.

    >>> from translators.query import Query, Term
    >>> jql = load_dialect("jql")
    >>> print(jql.translate(Query("okta", where=Term("okta")), jql.can).native)
    text ~ "okta"
    """
    found = _from_folder(name) or _from_entry_point(name)
    if found is None:
        raise UnknownDialect(f"no search dialect is called {name!r}; there are: {', '.join(dialect_names())}")
    if not isinstance(found, Translator) or found.name != name:
        raise UnknownDialect(f"dialect {name!r} does not hold a translator whose name is {name!r}")
    bring_messages(found)
    return found


def _from_folder(name: str) -> object | None:
    if name not in _folders():
        return None
    module = importlib.import_module(f"translators.{name}")
    if not hasattr(module, "TRANSLATOR"):
        raise UnknownDialect(f"the folder translators/{name} sets no TRANSLATOR: end its __init__.py with one")
    return _instance(module.TRANSLATOR)


def _from_entry_point(name: str) -> object | None:
    point = next((point for point in _entry_points() if point.name == name), None)
    if point is None:
        return None
    try:
        return _instance(point.load())
    except (ImportError, AttributeError) as error:
        raise UnknownDialect(f"dialect {name!r} is installed as {point.value} but cannot be loaded: {error}") from error


def _instance(found: object) -> object:
    return found() if isinstance(found, type) else found


def bring_messages(dialect: Translator) -> None:
    """Know the messages of its own that a dialect has beside it, as far as it stands in a file that was imported."""
    module = sys.modules.get(type(dialect).__module__)
    if module is not None and module.__file__:
        bring(Path(module.__file__).parent)


@cache
def _folders() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(translators.__path__) if module.ispkg)


@cache
def _entry_points() -> tuple[importlib.metadata.EntryPoint, ...]:
    return tuple(importlib.metadata.entry_points(group=ENTRY_POINTS))
