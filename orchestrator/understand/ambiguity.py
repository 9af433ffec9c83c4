"""Whether a question is too vague, or has several fair readings that lead to different places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex

LONG = 8
"""A question of so many words says what it wants even if only one of them can be searched for."""
SHORT_FORM = regex(r"[A-Z0-9]{2}")
PROJECT = regex(r"\b[Pp]roject\s+[A-Z]|프로젝트")

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft


def is_ambiguous(draft: Draft) -> bool:
    """One word at most, and nothing else that narrows the search; or a short form with two expansions and little beside it."""
    keywords = [text for _, text in draft.keywords]
    if any(text.lower() in draft.lexicon.ambiguous for text in keywords) and len(keywords) <= 2:  # noqa: PLR2004
        return True
    if len(keywords) > 1 or (keywords and len(draft.words) >= LONG):
        return False
    if PROJECT.search(draft.text) and keywords:
        return False
    narrowed = (
        draft.author
        or draft.ids
        or draft.phrases
        or draft.mine
        or draft.window
        or draft.container
        or draft.hints
        or draft.filtered
        or draft.negated
    )
    if narrowed or draft.future:
        return False
    return not any(SHORT_FORM.search(text) for text in keywords) or not keywords
