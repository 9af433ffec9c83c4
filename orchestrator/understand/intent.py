"""Which of the seven types of answer is wanted, with a score per type and the words that decided it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.query import Category, IdKind, QueryType, TypeScore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft

PRIOR = {QueryType.EXPLORATORY: 0.5}
"""A question without any cue is a topic to explore."""
SUPPORT = 0.3
"""How much each further cue of a type adds."""
ORDER = {kind: position for position, kind in enumerate(QueryType)}


def read_intent(draft: Draft) -> tuple[TypeScore, ...]:
    """Scores of all types, best first; they sum to 1."""
    text = draft.text.lower().replace("’", "'")
    found: dict[QueryType, list[tuple[float, str]]] = {kind: [] for kind in QueryType}
    for cue in draft.lexicon.cues_ko if draft.hangul else draft.lexicon.cues_en:
        if match := cue.pattern.search(text):
            found[cue.type].append((cue.weight, match.group().strip()))
    for kind, weight, why in _context(draft):
        found[kind].append((weight, why))
    raw = {kind: _strength(cues) + PRIOR.get(kind, 0.0) for kind, cues in found.items()}
    total = sum(raw.values())
    ordered = sorted(QueryType, key=lambda kind: (-raw[kind], ORDER[kind]))
    return tuple(
        TypeScore(kind, round(raw[kind] / total, 4), tuple(word for _, word in found[kind])) for kind in ordered
    )


def _strength(cues: list[tuple[float, str]]) -> float:
    """The best cue decides and the others support it: many weak words must not outvote a clear one."""
    weights = sorted((weight for weight, _ in cues), reverse=True)
    return weights[0] + SUPPORT * sum(weights[1:]) if weights else 0.0


def _context(draft: Draft) -> Iterator[tuple[QueryType, float, str]]:
    """What is asked for where no word says it: a file name or somebody's mail is a document, a tracker tells status."""
    kinds = {found.kind for _, found in draft.ids}
    if IdKind.FILE_NAME in kinds:
        yield QueryType.DOCUMENT, 3.0, "(file name)"
    if IdKind.ERROR_CODE in kinds:
        yield QueryType.FACTUAL, 2.0, "(error code)"
    if draft.assignee is not None:
        yield QueryType.STATUS, 3.0, "(assignee)"
    hints = {hint for _, hint in draft.hints}
    if hints & {Category.MAIL, Category.DRIVE}:
        yield QueryType.DOCUMENT, 1.0, "(mail or drive)"
    if hints & {Category.TRACKER, Category.CODE}:
        yield QueryType.STATUS, 1.0, "(tracker or code)"
