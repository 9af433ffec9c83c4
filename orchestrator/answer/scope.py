"""Which results an answer may speak from: those that satisfy all that was asked, as long as any of these is on the matter."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from orchestrator.answer.cover import TermAlternatives, covered_by
from orchestrator.answer.own import SPOKEN, conversation_of, whole_of
from orchestrator.model import MEANING
from translators.query import CREDIBLE, Not

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.answer.own import ConversationKey
    from orchestrator.model import Result
    from translators.query import Query

CLEARLY_NEAR = 0.5  # of the nearest: it may be about the question without holding a word of it
HALF = 0.5  # of the question's words: what holds fewer is about something else
LOOKED_AT = 10  # results of a kind, best first, of which one must be on the matter


def within(
    results: Sequence[Result], words: Mapping[str, TermAlternatives], query: Query | None = None
) -> Sequence[Result]:
    """Those that were checked to lie inside the question; else those that may, else those outside; all where none is on it.

    What is said in a conversation that began with what is not wanted is about that. Of the words that a follow-up adds
    (``query.fresh``) a result or its conversation holds one: what holds none would answer the question before it again. Where
    it is asked what held on a day, nothing later says so.
    """
    added = {word: words[word] for word in query.fresh if word in words} if query else {}
    if added:
        told = [whole_of(each.hit) for each in results if covered_by((each,), added) or is_near(each)]
        results = [each for each in results if whole_of(each.hit) in told]
    inside = [each for each in results if each.inside]
    unwanted = (each for each in results if any(isinstance(part.clause, Not) for part in each.unmet))
    left_out = {_conversation(each) for each in unwanted} - {None}
    checked = [each for each in inside if not (each.unverified or _breaks(each) or _conversation(each) in left_out)]
    if len(checked) == len(results):
        return results
    if query and query.as_of:
        return checked or [each for each in inside if not _breaks(each)]
    outside = [each for each in results if not each.inside]
    return next((each for each in (checked, inside, outside) if _on_matter(each, words)), results)


def is_near(result: Result) -> bool:
    """In the other language its words are others."""
    return result.factors.get(MEANING, 0.0) >= CLEARLY_NEAR


def _breaks(result: Result) -> bool:
    """A condition that prose only hints at orders what is found, and silences nothing."""
    return any(each.strength >= CREDIBLE for each in result.unmet)


def _conversation(result: Result) -> ConversationKey | None:
    return conversation_of(result.hit) if result.hit.kind in SPOKEN else None


def _on_matter(results: Sequence[Result], words: Mapping[str, TermAlternatives]) -> bool:
    looked_at = islice(results, LOOKED_AT)
    return any(len(covered_by((each,), words)) >= HALF * len(words) for each in looked_at)
