"""People in the question, who wrote what is looked for, and whether it is the asker's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand import people_en, people_ko
from orchestrator.understand.mine import read_mine
from orchestrator.understand.negation import WANTED
from orchestrator.understand.work import read_work
from translators.query import Entity, EntityKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph


def read_people(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find people; an author is taken out of the keywords, anybody else named is a topic and stays."""
    for start, text in draft.negated:
        _excluded(draft, start, text)
    people_en.read(draft, morphs)
    people_ko.read(draft, morphs)
    read_work(draft)
    read_mine(draft, morphs)


def _unknown(draft: Draft, lower: str) -> bool:
    lexicon = draft.lexicon
    return not any(
        lower in words
        for words in (lexicon.tools, lexicon.not_projects, lexicon.ordinary, lexicon.places, lexicon.generic)
    )


def _excluded(draft: Draft, start: int, text: str) -> None:
    """An excluded person is a person too."""
    family, _, title = text.partition(" ")
    titled = family in draft.lexicon.surnames and title in draft.lexicon.titles_ko
    found = draft.directory.person(text, fuzzy=False)
    korean = people_ko.is_full_name(draft, text) and draft.text[start + len(text) :].lstrip().startswith(
        draft.lexicon.titles_ko
    )
    named = (
        text[:1].isupper() and " " not in text and WANTED.search(draft.text.lower()) and _unknown(draft, text.lower())
    )
    if found or korean or titled or named or (text[:1].isupper() and text.lower() in draft.lexicon.given):
        name = found[0].name if found else (family if titled else text)
        if all(entity.name != name for _, entity in draft.entities):
            draft.entities.append((start, Entity(EntityKind.PERSON, name, found[1] if found else 0.8)))
