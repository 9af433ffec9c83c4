"""Weights of the signs that tell projects from other capitals, made by ``python -m tests.train_projects``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Odds:
    """Weights of signs, by language of the question (``en``, ``ko``); more than zero says project."""

    def __init__(self, packed: bytes) -> None:
        """Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``AttributeError`` for what is no file of weights."""
        tables = json.loads(packed)
        self._tables: Mapping[str, Mapping[str, float]] = {
            name: {str(sign): float(weight) for sign, weight in tables[name].items()} for name in ("en", "ko")
        }

    def of(self, signs: Iterable[str], language: str) -> float:
        """The log odds that a word with these signs names a project."""
        table = self._tables[language]
        return sum(table.get(sign, 0.0) for sign in signs)


NOTHING_KNOWN = Odds(
    b'{"en": {"always": 1, "customer": -2, "place": -2}, "ko": {"always": 1, "customer": -2, "place": -2}}'
)
"""Where there is no table: a capital is a name unless it is that of a customer or a place."""
