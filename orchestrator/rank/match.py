"""Stage: how well each result matches the words of the question, on one scale for all sources: BM25F over the candidates."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING

from orchestrator.model import KEYWORDS, MATCH
from orchestrator.rank.held import TITLE, SoughtWords, held, held_in, sought
from orchestrator.rank.lexical import spaced
from orchestrator.rank.stage import ScoredResults
from translators.match import HANGUL
from translators.query import Category
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from orchestrator.model import Ranking
    from orchestrator.rank.config import KeywordWorth
    from orchestrator.rank.held import HeldWords
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext
    from orchestrator.rank.wanted import WantedWord

NAME = 4  # words at most that a name or a mention is made of
READ = 160  # characters in which a notice has said what it is about


@record
class MatchedWords:
    """The words of the question that a text holds, and those among them in its title."""

    words: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()


def matches(rows: Sequence[HeldWords], wished: SoughtWords) -> list[float]:
    """How well each text matches, 0 for not at all; there is no upper bound. A question without words is matched by everything: 1."""
    words, pieces, worth = wished
    if not words or not rows:
        return [1.0] * len(rows)
    columns: list[Sequence[float]] = list(zip(*(row.values for row in rows), strict=True))
    norms = _norms([row.length for row in rows], worth)
    for piece, counts in zip(pieces, zip(*(row.counts for row in rows), strict=True), strict=False):
        columns.append(_saturated(counts, norms) if piece.counted else counts)
    weights = _weights((*(each.weight for each in words), *(each.weight for each in pieces)), columns)
    whole = math.fsum(weights[: len(words)])
    strengths = [sum(map(mul, row, weights)) / whole for row in zip(*columns, strict=True)]
    for each, column in zip(words, columns, strict=False):
        if each.named and any(column):  # what is about another project shares words with it, and is still another
            strengths = [
                strength if found else strength * worth.unnamed
                for strength, found in zip(strengths, column, strict=True)
            ]
    return strengths


def found_words(wanted: Sequence[WantedWord], texts: Sequence[Text], worth: KeywordWorth) -> list[MatchedWords]:
    """For people: which words each text holds, and where."""
    return [matched(row, wanted) for row in held_in(texts, SoughtWords(tuple(wanted), (), worth))]


def matched(row: HeldWords, wanted: Sequence[WantedWord]) -> MatchedWords:
    """The same of what is known of one text."""
    held = [(number, each.text) for number, each in enumerate(wanted) if row.values[number]]
    return MatchedWords(
        tuple(text for _, text in held), tuple(text for number, text in held if row.holds(number, TITLE))
    )


def _norms(lengths: Sequence[int], worth: KeywordWorth) -> list[float]:
    """How many occurrences count half in each text: more in a long one."""
    least = worth.saturation * (1.0 - worth.length)
    steep = worth.saturation * worth.length * len(lengths) / sum(lengths)
    return [least + steep * length for length in lengths]


def _saturated(counts: Sequence[int], norms: Sequence[float]) -> list[float]:
    """Of what is counted how often it is there: each further time less."""
    return [count / (count + norm) if count else 0.0 for count, norm in zip(counts, norms, strict=True)]


# ---- what it counts


def _weights(base: Sequence[float], columns: Sequence[Sequence[float]]) -> list[float]:
    """Rare words count more; one that no candidate holds tells none from another and counts least."""
    return [
        weight * _rarity(len(column) - column.count(0.0), len(column))
        for weight, column in zip(base, columns, strict=True)
    ]


def _rarity(count: int, total: int) -> float:
    return 1.0 + (math.log((total + 1) / (count + 0.5)) if count else 0.0)


def is_notice(hit: Hit, text: Text, context: RankContext) -> bool:
    """Whether one of the beginnings of ``notices.begin`` stands in a chat message, behind no more than a name."""
    if context.categories.get(hit.source) is not Category.CHAT:
        return False
    begin = text.body[:READ]
    place = hit.container.name if hit.container else ""
    for needle in _needles(context.config.notices.begin, place):
        at = begin.find(needle)
        if at >= 0 and begin.count(" ", 0, at + 1) <= NAME + 1:
            return True
    return False


@lru_cache(maxsize=256)
def _needles(begin: tuple[str, ...], place: str) -> tuple[str, ...]:
    """Without a place, a notice that names it cannot be told."""
    named = (phrase.format(place=place) for phrase in begin if place or "{" not in phrase)
    words = (spaced(phrase).strip() for phrase in named)
    return tuple(each if HANGUL.match(each) else f" {each}" for each in words)  # 님이 follows a name without a blank


def notices(hits: Sequence[Hit], context: RankContext) -> list[bool]:
    """Column: whether a chat wrote a hit by itself."""
    if not context.talks:
        return [False] * len(hits)
    return [is_notice(hit, text, context) for hit, text in zip(hits, context.texts(hits), strict=True)]


def match(ranking: Ranking, context: RankContext) -> Ranking:
    """A group is matched by the hit that speaks for it."""
    results = ScoredResults.of(ranking.results)
    hits = results.hits
    wished = context.once(sought)
    found = [
        strength * wished.worth.notice if notice else strength
        for strength, notice in zip(
            matches(context.column(held, hits), wished), context.column(notices, hits), strict=True
        )
    ]
    best = max(found, default=0.0) or 1.0
    whole = max(1.0, best)
    shares = {KEYWORDS: [strength / whole for strength in found], MATCH: [strength / best for strength in found]}
    return replace(ranking, results=results.scored(results.scores, shares))
