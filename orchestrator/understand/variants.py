"""Other names a keyword goes by; marked as variants, never replacing a phrase or an identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import has_hangul
from orchestrator.understand.keyboard import repair

MOST = 3
"""Each variant may cost a request."""
SUFFIXES = frozenset({"s", "es", "ment", "ing", "ed", "line", "lines"})

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph


def read_variants(draft: Draft, morphs: Sequence[Morph]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each keyword with alternatives, those alternatives, best first."""
    ids = {found.text.casefold() for _, found in draft.ids}
    inside = [(start, start + len(text)) for start, text in draft.phrases]
    found: list[tuple[str, tuple[str, ...]]] = []
    for position, text in draft.keywords:
        if text.casefold() in ids or (inside and any(start <= position < end for start, end in inside)):
            continue
        names = _alternatives(draft, position, text, morphs)
        if names and (others := _useful(text, names)):
            found.append((text, others))
    return tuple(found)


def _alternatives(draft: Draft, position: int, text: str, morphs: Sequence[Morph]) -> list[str]:
    listed = _other_script_first(text, draft.lexicon.variants.get(text.casefold(), ()))
    split = _compound(position, text, morphs)
    meant = repair(text, draft.lexicon)
    repaired = [meant, *draft.lexicon.variants.get(meant.casefold(), ())] if meant else []
    return [*repaired, *([split] if split else []), *listed]


def _other_script_first(text: str, names: Sequence[str]) -> Sequence[str]:
    """A colleague who writes the other language is missed for sure; a synonym may turn up beside the word anyway."""
    korean = has_hangul(text)
    return names and sorted(names, key=lambda name: has_hangul(name) == korean)


def _useful(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """At most three, without the word itself and without what any source finds by the same search."""
    kept = [text]
    for name in names:
        if len(kept) <= MOST and not any(_alike(name, other) for other in kept):
            kept.append(name)
    return tuple(kept[1:])


def _alike(one: str, other: str) -> bool:
    """Payment and payments, deploy and deployment, on-call and oncall: stemming and folding in the source find both."""
    left, right = one.casefold().replace("-", ""), other.casefold().replace("-", "")
    if left == right:
        return True
    if len(left) > len(right):
        left, right = right, left
    return left.isascii() and right.startswith(left) and right[len(left) :] in SUFFIXES


def _compound(position: int, text: str, morphs: Sequence[Morph]) -> str | None:
    """결제서비스 as 결제 서비스, where morphology finds two nouns of two syllables or more in one unbroken word."""
    parts = [morph for morph in morphs if position <= morph.start and morph.end <= position + len(text)]
    if len(parts) < 2 or any(part.tag not in {"NNG", "NNP", "SL"} or len(part.form) < 2 for part in parts):  # noqa: PLR2004
        return None
    return " ".join(part.form for part in parts)
