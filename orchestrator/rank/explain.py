"""Stage: what speaks for each result, in a few words of the asker's language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.authority import authority_of
from orchestrator.rank.keywords import Match, match_keywords
from orchestrator.rank.recency import age_in_words
from orchestrator.rank.wording import say

if TYPE_CHECKING:
    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext


def explain(ranking: Ranking, context: RankContext) -> Ranking:
    """Put reasons beside what earlier stages had to say. It comes last: only what is shown needs them."""
    config = context.config
    hits = [result.hit for result in ranking.results]
    matched = match_keywords(context.query, hits, config.keywords, config.limits.text)
    explained = (_explained(result, match, context) for result, match in zip(ranking.results, matched, strict=True))
    return replace(ranking, results=tuple(explained))


def _explained(result: Result, match: Match, context: RankContext) -> Result:
    _, role = authority_of(result.hit, context)
    parts = (_words(match, context), age_in_words(result.hit, context), say(context, role) if role else "")
    return replace(result, why=(*result.why, *filter(None, parts), *_places(result, context)))


def _words(match: Match, context: RankContext) -> str:
    found = ", ".join(match.found)
    if not match.titled:
        return say(context, "matches", words=found) if found else ""
    return say(context, "titled", words=found, titled=", ".join(match.titled))


def _places(result: Result, context: RankContext) -> tuple[str, ...]:
    first = min(result.evidence, key=lambda each: (each.rung, each.rank, each.source))
    found = say(context, "found", source=context.title(first.source), rank=first.rank)
    count = len({each.source for each in result.evidence})
    return (found, say(context, "agreed", count=count)) if count > 1 else (found,)
