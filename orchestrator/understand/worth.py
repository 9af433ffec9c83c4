"""Which keywords a search is broadened by last: the order in which they can be done without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.sought import sought
from translators.patterns import regex

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

FIGURE = regex(r"\W?\d+(?:[.,:/-]\d+)*(?:%|[가-힣]{1,3})?|[QqHh][1-4]|FY\d+|[1-4][QqHh]")
PAST = regex(r"[a-z]{2,}(?<!e)ed")


def essential(draft: Draft) -> tuple[str, ...]:
    """Keywords from least to most dispensable: ids, phrases and names, rare words, ordinary ones, general ones, what is asked for, numbers."""
    return tuple(text for _, text in sorted(draft.keywords, key=_Worth(draft)))


def _is_past(text: str) -> bool:
    return text.endswith("ed") and PAST.fullmatch(text) is not None


class _Worth:
    """How much of the question's core a keyword is; less sorts first, and what came first in the text breaks ties."""

    def __init__(self, draft: Draft) -> None:
        self._lexicon = draft.lexicon
        self._ids = {found.text.casefold() for _, found in draft.ids}
        names = (entity.name.casefold() for _, entity in draft.entities)
        self._names = {part for name in names for part in (name, *name.split())}
        self._sought = sought(draft)
        self._inside = [(start, start + len(text)) for start, text in draft.phrases]

    def __call__(self, entry: tuple[int, str]) -> tuple[int, int]:
        position, text = entry
        lower = text.casefold()
        if lower in self._ids:
            return 0, position
        if not text.isalpha() and FIGURE.fullmatch(text):
            return 6, position  # a year or an amount is found everywhere
        if self._inside and any(start <= position < end for start, end in self._inside):
            return 0, position
        if lower in self._names:
            return 1, position
        return (5 if position in self._sought else self._rarity(text, lower)), position

    def _rarity(self, text: str, lower: str) -> int:
        gerund = lower.endswith(
            "ing"
        )  # billing, recording: what the thing does, so rarer than the other nouns of asking
        lexicon = self._lexicon
        asks = any(lower in words for words in (lexicon.beside, lexicon.asking_en, lexicon.asking_ko, lexicon.vague))
        if (asks and not gerund) or _is_past(text):
            return 5
        if lower in self._lexicon.generic:
            return 4
        if lower in self._lexicon.not_projects:
            return 3  # API, QA: capitals, but no name
        return 2 if text != lower or (not text.isalpha() and any(char.isdigit() for char in text)) else 3
