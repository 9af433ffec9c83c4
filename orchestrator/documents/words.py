"""What the values in documents are called, in English and Korean, on every surface; reasons and notes of a receipt among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.notes import Unread
from translators.said import Said, said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VALUES: Mapping[str, Said] = {
    "ok": Said("ok"),
    "partial": Said("partial"),
    "empty": Said("nothing"),
    "timed out": Said("timed out"),
    "throttled": Said("throttled"),
    "denied": Said("denied"),
    "failed": Said("failed"),
    "not connected": Said("not connected"),
    "skipped": Said("not asked"),
    "decision": Said("decision"),
    "status": Said("status"),
    "document": Said("document"),
    "person": Said("person"),
    "factual": Said("factual"),
    "temporal": Said("temporal"),
    "exploratory": Said("exploratory"),
    "high": Said("high"),
    "medium": Said("medium"),
    "low": Said("low"),
    "none": Said("none"),
    "open": Said("open"),
    "done": Said("done"),
    "approximated": Said("approximated"),
    "dropped": Said("lost"),
    "checked here": Said("checked here"),
    "ordered here": Said("ordered here"),
}


def said_state(state: str | None, facts: Mapping[str, object], words: Mapping[str, str]) -> str:
    """What a thing's state is called: by its source, whose words say more (a ``Todo`` and an ``In Review`` are both open), else by us."""
    return str(facts.get("state") or "") or (words[state] if state else "")


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
