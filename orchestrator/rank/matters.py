"""Stage: results of different sources that are about the same matter name each other: decided in the thread, confirmed by mail.

They stay results of their own, in their places, since each proves something; a reader sees which belong together. Two
belong together where one points at the other by address or key, or where they share rare words within some weeks. What
differs in its numbers, or takes back what the other says, is another decision or a revision, however alike the words.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.lexical import folded_words
from translators.match import HANGUL, days_between, happened
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.config import Matters
    from orchestrator.rank.stage import RankContext

NUMBER = regex(r"\d+")
BUT_DIGITS = bytes(code if chr(code).isdigit() else ord(" ") for code in range(128)).ljust(256)
ADDRESS = regex(r"https?://[^\s<>\"')\]]+")
KEY = regex(r"[A-Z](?<!\w[A-Z])[A-Z0-9]+-\d+\b")
SYLLABLES = 2  # of a Korean word that are compared: what follows is mostly inflection


@record
class Trace:
    """What of a result is compared with others."""

    source: str
    names: frozenset[str]
    points_at: frozenset[str]
    words: frozenset[str]
    numbers: frozenset[str]
    takes_back: bool
    when: datetime | None


def group_matters(ranking: Ranking, context: RankContext) -> Ranking:
    """Let the results of a matter name each other, in the order of the ranking."""
    worth = context.config.matters
    traces = [_trace(result, context) for result in ranking.results[: worth.results]]
    rarity = _rarity(traces)
    weights = [_weight(trace.words, rarity) for trace in traces]
    leader = list(range(len(traces)))
    for one, other in combinations(range(len(traces)), 2):
        smaller = min(weights[one], weights[other])
        if leader[one] != leader[other] and _same(traces[one], traces[other], rarity, smaller, worth):
            first, second = sorted((leader[one], leader[other]))
            here, there = ([traces[at] for at, led in enumerate(leader) if led == of] for of in (first, second))
            if not any(_differ(*pair) for pair in product(here, there)):  # none of a group differs from its own
                leader = [first if each == second else each for each in leader]
    return replace(ranking, results=_related(ranking.results, leader))


def _related(results: Sequence[Result], leader: Sequence[int]) -> tuple[Result, ...]:
    keys = [(result.hit.source, result.hit.id) for result in results]
    groups: dict[int, list[int]] = {}
    for place, first in enumerate(leader):
        groups.setdefault(first, []).append(place)
    named = {
        place: tuple(keys[other] for other in places if other != place)
        for places in groups.values()
        for place in places
        if len(places) > 1
    }
    return tuple(
        replace(result, related=named[place]) if place in named else result for place, result in enumerate(results)
    )


# ---- what is compared


def _trace(result: Result, context: RankContext) -> Trace:
    hit = result.hit
    most = context.config.matters.characters
    text, read = f"{hit.title}\n{hit.snippet[:most]}", context.text(hit)
    lowered, found = text.casefold(), ADDRESS.findall(text) if "://" in text else []
    addresses = frozenset(canonical_url(each.rstrip(".,;:")) for each in found)
    members = (hit, *result.also)
    names = {canonical_url(each.url) for each in members if each.url} | {each.id for each in members}
    said = {*read.title.split(), *read.body[:most].split()}.difference(*map(folded_words, found))
    words = {word if word.isascii() else _stem(word) for word in said if len(word) > 1 and not word.isdigit()}
    plain = ADDRESS.sub(" ", text) if found else text
    keys = KEY.findall(text) if "-" in text else []
    plain = KEY.sub(" ", plain) if keys else plain
    return Trace(
        hit.source,
        frozenset(names - {""}),
        addresses | frozenset(keys) - names,
        frozenset(words - context.once(asked_stems)),
        frozenset(_numbers(plain)),
        any(word in lowered for word in context.config.matters.takes_back),
        happened(hit),
    )


def _numbers(text: str) -> list[str]:
    """In ASCII blanks for all else cost a fifth of a search."""
    return text.encode().translate(BUT_DIGITS).decode().split() if text.isascii() else NUMBER.findall(text)


def asked_stems(context: RankContext) -> frozenset[str]:
    """Of the question's words: they tell no two results apart."""
    return frozenset(map(_stem, folded_words(context.query.text)))


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return word if word.isascii() or not HANGUL.match(word) else word[:SYLLABLES]


# ---- what is the same


def _rarity(traces: Sequence[Trace]) -> dict[str, float]:
    """Of the words that two texts may share; what stands in one alone counts towards its weight only."""
    known = Counter(word for trace in traces for word in trace.words)
    return {word: math.log(1 + len(traces) / count) for word, count in known.items()}


def _same(one: Trace, other: Trace, rarity: dict[str, float], smaller: float, worth: Matters) -> bool:
    """``smaller``: the lesser weight of both texts."""
    if one.source == other.source or _differ(one, other) or not _near(one, other, worth.days):
        return False
    return _points(one, other, worth) or _points(other, one, worth) or _alike(one, other, rarity, smaller, worth)


def _differ(one: Trace, other: Trace) -> bool:
    """Another decision in the same words, or a revision and its origin."""
    apart = one.numbers - other.numbers and other.numbers - one.numbers
    return bool(apart and not one.numbers & other.numbers) or one.takes_back != other.takes_back


def _near(one: Trace, other: Trace, days: float) -> bool:
    if one.when is None or other.when is None:
        return True
    return abs(days_between(one.when, other.when)) <= days


def _points(one: Trace, other: Trace, worth: Matters) -> bool:
    """A text that points at many things is a list of them, and about none."""
    return len(one.points_at) <= worth.pointers and bool(one.points_at & other.names)


def _alike(one: Trace, other: Trace, rarity: dict[str, float], smaller: float, worth: Matters) -> bool:
    shared = one.words & other.words
    if len(shared) < worth.words or _differs_in_places(one, other, worth):
        return False
    return _weight(shared, rarity) >= worth.share * smaller


def _differs_in_places(one: Trace, other: Trace, worth: Matters) -> bool:
    """The same sentence about something else: nearly all words are shared, and each says something the other does not.

    Whoever confirms a matter does so in words of their own; copies are found by :mod:`orchestrator.rank.duplicates`.
    """
    apart = one.words - other.words and other.words - one.words
    return bool(apart) and len(one.words & other.words) >= worth.template * len(one.words | other.words)


def _weight(words: frozenset[str], rarity: dict[str, float]) -> float:
    return math.fsum(rarity[word] for word in words)
