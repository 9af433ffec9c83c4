"""Conversational search: a question that goes on from the one before it is made whole, the same for every door.

Nothing of an answer is kept: a turn is the question in the asker's own words, and digests of what they were led to.
"""

from orchestrator.dialogue.followup import follow, goes_on, has_subject, has_topic, subject_of, weighed
from orchestrator.dialogue.turns import (
    LONGEST_TOKEN,
    ConversationTokens,
    taken_as,
    turn_from,
    turn_of,
    turn_text,
    unwanted,
)

__all__ = [
    "LONGEST_TOKEN",
    "ConversationTokens",
    "follow",
    "goes_on",
    "has_subject",
    "has_topic",
    "subject_of",
    "taken_as",
    "turn_from",
    "turn_of",
    "turn_text",
    "unwanted",
    "weighed",
]
