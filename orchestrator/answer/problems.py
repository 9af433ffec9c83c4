"""What went wrong at a source, in the asker's language; a vendor's own words stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said, filled_in, said_in

if TYPE_CHECKING:
    from orchestrator.model import Problem
    from translators.query import Query

# What stands before a message that is a vendor's and so in one language only, by the stable code of a problem: nothing in English.
OURS = {
    "suspended": Said("{message}", context="suspended"),
    "throttled": Said("{message}", context="throttled"),
    "unavailable": Said("{message}", context="unavailable"),
    "unauthenticated": Said("{message}", context="unauthenticated"),
    "forbidden": Said("{message}", context="forbidden"),
    "rejected": Said("{message}", context="rejected"),
    "bad_reply": Said("{message}", context="bad_reply"),
    "misconfigured": Said("{message}", context="misconfigured"),
}


def problem_in_words(problem: Problem, query: Query) -> str:
    """Of a code that is not known here the message as it is."""
    if isinstance(problem.message, Said) or problem.code not in OURS:
        return said_in(problem.message, query.language)
    return filled_in(OURS[problem.code], query.language, message=problem.message)
