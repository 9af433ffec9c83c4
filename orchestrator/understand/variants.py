"""Other names a keyword goes by; marked as variants, never replacing a phrase or an identifier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.keyboard import repair

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
        if text.casefold() in ids or any(start <= position < end for start, end in inside):
            continue
        others = dict.fromkeys(draft.lexicon.variants.get(text.casefold(), ()))
        if meant := repair(text, draft.lexicon):
            others = {meant: None, **dict.fromkeys(draft.lexicon.variants.get(meant.casefold(), ())), **others}
        if split := _compound(position, text, morphs):
            others[split] = None
        others.pop(text, None)
        if others:
            found.append((text, tuple(others)))
    return tuple(found)


def _compound(position: int, text: str, morphs: Sequence[Morph]) -> str | None:
    """결제서비스 as 결제 서비스, where morphology finds two nouns of two syllables or more in one unbroken word."""
    parts = [morph for morph in morphs if position <= morph.start and morph.end <= position + len(text)]
    if len(parts) < 2 or any(part.tag not in {"NNG", "NNP", "SL"} or len(part.form) < 2 for part in parts):  # noqa: PLR2004
        return None
    return " ".join(part.form for part in parts)
