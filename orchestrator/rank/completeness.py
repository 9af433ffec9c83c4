"""How much of an answer can be read from a result as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.match import happened

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.rank.config import Completeness


def completeness_of(hit: Hit, worth: Completeness) -> float:
    """Between 0 and 1: the length of the text, and whether title, date, author (or assignee) and address are known."""
    share = worth.length * min(1.0, len(hit.snippet) / worth.enough)
    if hit.title or hit.container:  # a message's place says what a title says
        share += worth.titled
    if happened(hit) is not None:
        share += worth.dated
    if hit.author or hit.assignee:
        share += worth.authored
    if hit.url:
        share += worth.linked
    return min(1.0, share)
