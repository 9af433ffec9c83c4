"""What receipts put together on every surface: conditions of one fate, and what broader questions brought."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Fate = tuple[str, tuple[str, ...], str]


def fates(losses: Iterable[tuple[str, str, str]]) -> list[Fate]:
    """What became of conditions that a source cannot take as they are meant; those of one fate stand together, each once.

    >>> fates([("dropped", "state", "no states"), ("dropped", "kind", "no states"), ("dropped", "state", "no states")])
    [('dropped', ('state', 'kind'), 'no states')]
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for kind, what, why in losses:
        found.setdefault((kind, why), {})[what] = None
    return [(kind, tuple(named), why) for (kind, why), named in found.items()]


def widened(asked: Iterable[tuple[str, int, int]]) -> dict[str, int]:
    """Hits by what was given up for them, those of all variants together. ``asked``: a rung's label, its number, its hits.

    >>> widened([("as asked", 0, 2), ("without dates", 1, 3), ("without dates", 1, 1)])
    {'without dates': 4}
    """
    found: dict[str, int] = {}
    for label, rung, hits in asked:
        if rung:
            found[label] = found.get(label, 0) + hits
    return found
