"""Reasons and notes of a receipt as a reader is told them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.notes import Unread
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Sequence


def said_notes(notes: Sequence[str], language: str) -> list[str]:
    """Notes on completeness in this language, as far as they are ours, each once.

    Of several that count what could not be read of the same things, the one that misses most stands for all: rungs of
    one ladder read much the same.
    """
    worst: dict[str, Unread] = {}
    for counted in (note for note in notes if isinstance(note, Unread)):
        worst[counted.kind] = max(worst.get(counted.kind, counted), counted, key=lambda each: each.missing)
    told = (worst[note.kind] if isinstance(note, Unread) else note for note in notes)
    return [said_in(note, language) for note in dict.fromkeys(told)]
