"""Whether a question is too vague, or has several fair readings that lead to different places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.patterns import regex
from translators.query import EntityKind

LONG = 8
"""A question of so many words says what it wants even if only one of them can be searched for."""
SHORT_FORM = regex(r"[A-Z0-9]{2}")
PROJECT = regex(r"\b[Pp]roject\s+[A-Z]|프로젝트")
POINTED = regex(
    r"(?:that|the) (?:guy|person|woman|man|one|thing)\b|(?:그|저번|지난번|그때)\s(?:그\s)?\S+\s?(?:\S+)?[?!.]*$", 2
)
"""That guy from the call, 그 업체 이름: known to who asks and to nobody else."""
CHOICE = regex(r"\S+ (?:vs\.?|or|versus) \S+[?!.]*$")
"""Two names and nothing that is asked of them."""
COMPOUND = regex(r"[가-힣]{5,}")
"""A Korean compound of so many syllables is several words."""
FEW = 2

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft


def is_ambiguous(draft: Draft) -> bool:
    """One word at most, and nothing else that narrows the search; or a short form with two expansions and little beside it."""
    keywords = [text for _, text in draft.keywords]
    if len(keywords) <= FEW and any(text.lower() in draft.lexicon.ambiguous for text in keywords):
        return True
    people = {entity.name for _, entity in draft.entities if entity.kind is EntityKind.PERSON}
    if any(text in draft.lexicon.hindrances for text in keywords):
        return False  # what is blocked
    if _narrowed(draft) or (people and len(draft.words) > 1):
        return False
    text = draft.text.strip()
    if len(keywords) == FEW and (POINTED.match(text) or (CHOICE.match(text) and len(draft.entities) == FEW)):
        return True
    if len(keywords) > 1 or (keywords and (len(draft.words) >= LONG or PROJECT.search(draft.text))):
        return False
    return not any(SHORT_FORM.search(text) or COMPOUND.fullmatch(text) for text in keywords)


def _narrowed(draft: Draft) -> bool:
    """Whether anything but words narrows the search."""
    return bool(
        draft.author
        or draft.ids
        or draft.phrases
        or draft.mine
        or draft.window
        or draft.container
        or draft.hints
        or draft.filtered
        or draft.kinds
        or draft.negated
        or draft.future
    )
