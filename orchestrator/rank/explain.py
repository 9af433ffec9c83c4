"""Stage: what speaks for each result, in a few words of the asker's language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.contract import Hit
from connectors.text import plain_line
from orchestrator.model import AROUND
from orchestrator.rank.factors import age_in_words, authority_of
from orchestrator.rank.held import held, sought
from orchestrator.rank.lexical import Text, purposes_of
from orchestrator.rank.match import found_words, matched
from orchestrator.rank.wording import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.match import MatchedWords
    from orchestrator.rank.stage import RankContext
    from orchestrator.rank.wanted import WantedWord


SHOWN = 120  # characters of what a hit is for
TALKED = 0.5  # of ``around``: as much as one other message of the same moment


def explain(ranking: Ranking, context: RankContext) -> Ranking:
    """Put reasons beside what earlier stages had to say. It comes last: only what is shown needs them."""
    wanted = context.once(sought).words
    rows = context.column(held, [result.hit for result in ranking.results])
    explained = (
        _explained(result, matched(row, wanted), wanted, context)
        for result, row in zip(ranking.results, rows, strict=True)
    )
    return replace(ranking, results=tuple(explained))


def _explained(result: Result, found: MatchedWords, wanted: Sequence[WantedWord], context: RankContext) -> Result:
    _, role = authority_of(result.hit, context)
    parts = (
        _words(found, context),
        say(context, "around") if result.factors.get(AROUND, 0.0) >= TALKED else "",
        _purpose(result.hit, wanted, context),
        age_in_words(result.hit, context),
        say(context, role) if role else "",
    )
    return replace(result, why=(*result.why, *filter(None, parts), *_places(result, context)))


def _purpose(hit: Hit, wanted: Sequence[WantedWord], context: RankContext) -> str:
    """Of what the hit says that it is for, the sentence that holds most of the question's words; nothing where none does."""
    told = [(len(_found(each, hit, wanted, context)), each) for each in purposes_of(hit)]
    most, best = max(told, key=lambda pair: pair[0], default=(0, ""))
    short = best if len(best) <= SHOWN else f"{best[:SHOWN].rstrip()}…"
    return say(context, "purpose", purpose=plain_line(short)) if most else ""


def _found(text: str, hit: Hit, wanted: Sequence[WantedWord], context: RankContext) -> Sequence[str]:
    words = Text.of(Hit(hit.source, "", hit.kind, snippet=text), context.config.limits.text)
    return found_words(wanted, (words,), context.config.keywords)[0].words


def _words(found: MatchedWords, context: RankContext) -> str:
    meant: dict[str, str] = {}
    for word, other in context.query.respelt:
        meant[word] = f"{meant[word]}/{other}" if word in meant else other
    shown, titled = (
        ", ".join(f"{word} → {meant[word]}" if word in meant else word for word in found_there)
        for found_there in (found.words, found.titled)
    )
    if not titled:
        return say(context, "matches", words=shown) if shown else ""
    return say(context, "titled", words=shown, titled=titled)


def _places(result: Result, context: RankContext) -> tuple[str, ...]:
    first = min(result.evidence, key=lambda each: (each.rung, each.rank, each.source))
    found = say(context, "found", source=context.title(first.source), rank=first.rank)
    count = len({each.source for each in result.evidence})
    return (found, say(context, "agreed", count=count)) if count > 1 else (found,)
