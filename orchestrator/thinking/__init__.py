"""Where a stranger's text is read: understanding, ranking and answering, in processes that can be ended.

A mistake in a pattern, or an unlucky text, costs one question and not the server (docs/adr/0016-thinking-in-processes.md).
"""

from orchestrator.thinking.nursery import NobodyRead, SharedNursery, StartsAgain, TookTooLong
from orchestrator.thinking.stages import (
    GatheredHits,
    Mind,
    aliases_in,
    answered,
    candidates,
    followed,
    mind_of,
    open_mind,
    other_spellings,
    prepare_ranking,
    understood,
)
from orchestrator.thinking.workers import Here, Thinking, Workers

__all__ = [
    "GatheredHits",
    "Here",
    "Mind",
    "NobodyRead",
    "SharedNursery",
    "StartsAgain",
    "Thinking",
    "TookTooLong",
    "Workers",
    "aliases_in",
    "answered",
    "candidates",
    "followed",
    "mind_of",
    "open_mind",
    "other_spellings",
    "prepare_ranking",
    "understood",
]
