"""What the trained part of the type reads of a question: its words, and what the other steps have found in it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from orchestrator.understand.patterns import regex
from translators.query import EntityKind

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

TOKEN = regex(r"⟨\w+⟩|[a-z]+(?:'[a-z]+)?|\d+|[가-힣]+|[?!]")
TAIL = regex(r"(?<=[A-Za-z0-9])[가-힣]+$|(?:이|가|은|는|을|를|의|한테|이랑|랑)$")
MOST = 40
"""Words of a question that are read."""


def tokens(draft: Draft) -> list[str]:
    """The lower-cased words, with names, periods, places and the like each as one mark: what they are, not which."""
    named = {start: entity.kind for start, entity in draft.entities}
    text, parts, at = draft.text, list[str](), 0
    for word in draft.words:
        kind: str | None = word.role or named.get(word.start)
        if kind is None or kind is Role.NOISE or word.start < at:
            continue
        tail = None
        if word.role is None:
            kind = "person" if kind is EntityKind.PERSON else "project"
            tail = TAIL.search(word.text) if word.hangul else None
        parts += (text[at : word.start], f" ⟨{kind}⟩{tail.group() if tail else ''} ")
        at = word.end
    parts.append(text[at:])
    found = TOKEN.findall("".join(parts).lower().replace("’", "'"))[:MOST]
    numbered = ["0" if word.isdigit() else word for word in found]
    return [word for before, word in pairwise(["", *numbered]) if word != before or not word.startswith("⟨")]


def marks(draft: Draft) -> list[str]:
    """What the other steps found, as features."""
    flags = {
        "window": draft.window,
        "future": draft.future,
        "author": draft.author,
        "container": draft.container,
        "mine": draft.mine,
    }
    found = [name for name, value in flags.items() if value]
    found += [str(hint) for _, hint in draft.hints] + [str(item.kind) for _, item in draft.ids]
    found += [str(entity.kind) for _, entity in draft.entities]
    return [f"g:{name}" for name in dict.fromkeys(found)]
