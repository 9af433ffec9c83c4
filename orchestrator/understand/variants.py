"""Other names a keyword goes by; marked as variants, never replacing a phrase or an identifier."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import has_hangul
from orchestrator.understand.keyboard import repair
from orchestrator.understand.patterns import regex
from translators.query import EntityKind

MOST = 3
"""Each variant may cost a request."""
NUMBERED = regex(r"(SEV|PRIO|TIER|LEVEL|PHASE|STAGE|LV|PG)(-?)(\d{1,3})", re.IGNORECASE)
"""Degrees and versions that people write with a hyphen or without, and that are no tickets."""
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
    listed = [
        *_numbered(text),
        *_other_name(draft, position, text),
        *_other_script_first(text, _listed(draft, text.casefold())),
    ]
    split = _compound(position, text, morphs)
    meant = repair(text, draft.lexicon)
    repaired = [meant, *draft.lexicon.variants.get(meant.casefold(), ())] if meant else []
    return [*repaired, *([split] if split else []), *listed]


def _numbered(text: str) -> list[str]:
    """SEV1 for SEV-1 and the other way: to a source that compares words these are two."""
    match = NUMBERED.fullmatch(text)
    return [f"{match[1]}{'' if match[2] else '-'}{match[3]}"] if match else []


def _listed(draft: Draft, text: str) -> Sequence[str]:
    """What the lists say of a word, or of its singular: refunds is 환불 as refund is."""
    forms = (text, text.removesuffix("s"), text.removesuffix("es"), text.removesuffix("ies") + "y")
    return next((names for form in forms if (names := draft.lexicon.variants.get(form))), ())


def _other_name(draft: Draft, position: int, text: str) -> list[str]:
    """The given name of somebody whom the directory writes in the other script: David for 데이빗, 서연 for Seoyeon."""
    for start, entity in draft.entities:
        if start == position and entity.kind is EntityKind.PERSON and has_hangul(entity.name) != has_hangul(text):
            return [entity.name[1:] if has_hangul(entity.name) else entity.name.split()[0]]
    return []


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
    if NUMBERED.fullmatch(one):
        return one.casefold() == other.casefold()
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
