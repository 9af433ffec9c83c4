"""As much of a text as is read at a glance, its words of the question marked. Never any markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.plain import plain
from orchestrator.documents.view import marked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.documents.view import MarkedText

BEFORE_MATCH, LATEST_MATCH, LONGEST_SNIPPET = 60, 110, 240  # characters


def snippet(text: str, words: Sequence[str]) -> tuple[MarkedText, ...]:
    """As much of the text as is read at a glance: its beginning, or from shortly before its first marked word on."""
    pieces = marked(_tidy(plain(text)), words)
    first = next((sum(len(each.text) for each in pieces[:at]) for at, each in enumerate(pieces) if each.marked), 0)
    skipped = first - BEFORE_MATCH if first > LATEST_MATCH else 0
    shown = _from("".join(each.text for each in pieces), skipped)
    return marked(shown, words)


def _tidy(text: str) -> str:
    """Lines as they are, but no empty ones."""
    return "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))


def _from(text: str, start: int) -> str:
    if start:
        blank = text.find(" ", start)
        start = blank + 1 if 0 <= blank < start + BEFORE_MATCH else start
    shown = text[start : start + LONGEST_SNIPPET]
    return ("…" if start else "") + shown + ("…" if start + LONGEST_SNIPPET < len(text) else "")
