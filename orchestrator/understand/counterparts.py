"""What the keywords of a question are called in the other language: names never, the longest words side by side first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft

CAPITAL = regex(r"[A-Z][a-z]+")
GROUP = 3  # words side by side that may have one counterpart together
SPELLINGS = 2  # of what words have for a counterpart together; the rest of the room is for their own
NAMES = frozenset({EntityKind.PERSON, EntityKind.PROJECT, EntityKind.TOOL})
"""What goes by its own name in every language."""


def counterparts(draft: Draft) -> dict[int, tuple[str, ...]]:
    """What the keywords are called in the other language, by where they stand; the longest words side by side first, names never."""
    entities = (entity.name.casefold() for _, entity in draft.entities if entity.kind in NAMES)
    names = {part for name in entities for part in (name, *name.split())}
    known = draft.lexicon.bilingual
    words = [
        (position, text)
        for position, text in sorted(draft.keywords)
        if text.casefold() not in names and not (_is_capital(draft, position, text) and not known.is_name(text))
    ]
    found: dict[int, tuple[str, ...]] = {}
    for at, (position, _) in enumerate(words):
        for length in range(GROUP, 1, -1):
            group = words[at : at + length]
            if position in found or len(group) < length or not _side_by_side(draft.text, group):
                continue
            if together := known.together(" ".join(text for _, text in group)):
                found |= {start: together[:SPELLINGS] for start, _ in group}
    for position, text in words:
        found[position] = (*found.get(position, ()), *known.counterparts(text))
    return found


def _is_capital(draft: Draft, position: int, text: str) -> bool:
    """Whether a capital inside a sentence makes a name of a word: Harvest."""
    return position > 0 and not draft.title_case and CAPITAL.fullmatch(text) is not None


def _side_by_side(text: str, words: Sequence[tuple[int, str]]) -> bool:
    """With nothing but a blank or a hyphen between each and the next."""
    ends = [start + len(word) for start, word in words]
    return all(text[end:start] in {" ", "-"} for end, (start, _) in zip(ends, words[1:], strict=False))
