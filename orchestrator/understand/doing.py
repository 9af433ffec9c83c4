"""Who wrote or did what is looked for: entered as a condition, while the name goes on weighing as a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.meaning import LIKELY
from translators.query import NEARLY_TYPED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft, Word
    from translators.query import Person

DOING = 0.6
"""Who shipped or fixed it may have written of it, or been assigned it; who approved or proposed it hardly tells of it."""


def imply_person(draft: Draft, field: str, at: int, name: str, *, known: bool) -> None:
    """Say how sure the author, assignee or worker is: one whom the directory knows nearly as if typed."""
    draft.imply(field, NEARLY_TYPED if known else LIKELY, name)
    draft.lessen(at, name)


def set_worker(draft: Draft, group: Sequence[Word], person: Person, strength: float) -> None:
    """Ask for what somebody did as written by or assigned to them; a name that is not sure to be one stays a keyword."""
    if draft.worker is not None or draft.assignee is not None:
        return
    draft.worker = person
    at, last = group[0].start, group[-1].end
    draft.imply("worker", strength, person.name)
    if strength < DOING:
        return
    draft.lessen(at, person.name)
    draft.keywords = [(start, text) for start, text in draft.keywords if not at <= start < last]
    for word in group:
        word.keep = False
