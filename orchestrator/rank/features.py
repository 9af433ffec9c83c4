"""What can be said of a result beside the others: named pure functions, each from the pool to a column of numbers from 0 to 1.

None knows a source, a company or a product by name. What each is worth is learnt (``[learned]`` in ``config/ranking.toml``);
the direction in which it may count is fixed by sense (:class:`orchestrator.rank.config.FeatureWeights`).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from heapq import nlargest
from types import MappingProxyType
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import folded_words
from orchestrator.rank.match import notices

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from orchestrator.model import Evidence
    from orchestrator.rank.pool import CandidatePool
    from orchestrator.rank.stage import Column

    Feature = Callable[[CandidatePool], Column]

RIVAL = 0.6  # of the best match, from which on a result is compared by its age
EARLY = 9.0  # places of a list that count little less than the first
BROADER = 0.7  # what a list keeps for each rung further from the question as asked
BEST = 5  # results of a place, and
SAID = 3  # of a conversation, that speak for it
QUESTION_MARKS = ("?", "？")


# ---- what the formula has found


def formula(pool: CandidatePool) -> Column:
    """The score of the formula, as a share of the best: what the others stand beside."""
    return _shares(pool.scores)


def match(pool: CandidatePool) -> Column:
    """How well it matches, surroundings and meaning included, as a share of the best."""
    return pool.matches


def keywords(pool: CandidatePool) -> Column:
    """How well its own words match, as a share of a whole match."""
    return pool.own_matches


def fused(pool: CandidatePool) -> Column:
    """Its places in the lists, each weighted by what the list holds."""
    return pool.column("fused")


def freshness(pool: CandidatePool) -> Column:
    """How recent it is, by the half-life of its kind of source."""
    return pool.column("freshness")


def authority(pool: CandidatePool) -> Column:
    """The step on which it stands for this type of question."""
    return pool.column("authority")


def completeness(pool: CandidatePool) -> Column:
    """How much is there of what makes it readable."""
    return pool.column("completeness")


def around(pool: CandidatePool) -> Column:
    """How much of the conversation around it was found, where its place is named for the question."""
    return pool.column("around")


def meaning(pool: CandidatePool) -> Column:
    """How near a text in the other language is in meaning."""
    return pool.column("meaning")


# ---- words


def coverage(pool: CandidatePool) -> Column:
    """How many of the question's words it holds, all counting alike."""
    held = Counter(at for word in pool.words for at in word.anywhere)
    return [held[at] / max(1, len(pool.words)) for at in range(len(pool))]


def rare_words(pool: CandidatePool) -> Column:
    """How much of the question's words it holds, the rare ones counting most."""
    return pool.held(word.anywhere for word in pool.words)


def rare_words_in_title(pool: CandidatePool) -> Column:
    """The same of its title."""
    return pool.held(word.titles for word in pool.words)


def rarest(pool: CandidatePool) -> Column:
    """Whether it holds the rarest of the question's words."""
    best = max(pool.words, key=lambda word: word.weight, default=None)
    return [float(best is not None and at in best.anywhere) for at in range(len(pool))]


def names_held(pool: CandidatePool) -> Column:
    """How many of the question's names it holds; all, where the question has none."""
    named = [word for word in pool.words if word.named]
    held = Counter(at for word in named for at in word.anywhere)
    return [held[at] / len(named) if named else 1.0 for at in range(len(pool))]


def precise(pool: CandidatePool) -> Column:
    """How much of its title is the question's words."""
    said = set(folded_words(pool.context.query.text))
    titles = (set(text.title.split()) for text in pool.texts)
    return [len(said & title) / len(title) if title else 0.0 for title in titles]


# ---- place and conversation


def place_named(pool: CandidatePool) -> Column:
    """How much of the question's words the name of its place holds, the rare ones counting most."""
    return pool.held(word.places for word in pool.words)


def place_match(pool: CandidatePool) -> Column:
    """How well the best five of its place match, as a share of the best place."""
    members: defaultdict[Hashable, list[float]] = defaultdict(list)
    for place, value in zip(pool.places, pool.own_matches, strict=True):
        members[place].append(value)
    best = {place: math.fsum(nlargest(BEST, each)) for place, each in members.items() if place is not None}
    return _shares([best.get(place, 0.0) for place in pool.places])


def talk(pool: CandidatePool) -> Column:
    """How much of the question's words a message and what was said within the hour around it hold together."""
    together = list(rare_words(pool))
    for members in pool.conversations:
        inside = frozenset(members)
        said = [word.weight for word in pool.words if not inside.isdisjoint(word.anywhere)]
        share = math.fsum(said) / (math.fsum(word.weight for word in pool.words) or 1.0)
        for at in members:
            together[at] = share
    return together


def talk_match(pool: CandidatePool) -> Column:
    """How well the best three of its conversation match, as a share of the best."""
    values = list(pool.own_matches)
    for members in pool.conversations:
        mean = math.fsum(nlargest(SAID, (pool.own_matches[at] for at in members))) / SAID
        for at in members:
            values[at] = mean
    return _shares(values)


# ---- where it was found


def native_rank(pool: CandidatePool) -> Column:
    """Its best place in a list, reciprocal."""
    return [(EARLY + 1.0) / (EARLY + _best_rank(result.evidence)) for result in pool.results]


def as_asked(pool: CandidatePool) -> Column:
    """Whether it was found as asked, less for each broader question."""
    return [max(BROADER**each.rung for each in result.evidence) for result in pool.results]


def sources(pool: CandidatePool) -> Column:
    """Whether several sources have it; three are many."""
    return [min(1.0, (len({each.source for each in result.evidence}) - 1) / 2) for result in pool.results]


def source_best(pool: CandidatePool) -> Column:
    """How well the best of its source matches, as a share of the best of all."""
    best = _best_by_source(pool)
    return _shares([best[result.hit.source] for result in pool.results])


def best_in_source(pool: CandidatePool) -> Column:
    """How well it matches, as a share of the best of its source."""
    best = _best_by_source(pool)
    pairs = zip(pool.results, pool.matches, strict=True)
    return [value / (best[result.hit.source] or 1.0) for result, value in pairs]


# ---- what it is


def newest(pool: CandidatePool) -> Column:
    """How many of those that match nearly as well it is newer than."""
    fresh = freshness(pool)
    rivals = sorted(own for own, value in zip(fresh, pool.matches, strict=True) if value >= RIVAL)
    return [bisect_left(rivals, own) / max(1, len(rivals)) for own in fresh]


def asks(pool: CandidatePool) -> Column:
    """Whether it ends with a question of its own."""
    return [float(result.hit.snippet.rstrip().endswith(QUESTION_MARKS)) for result in pool.results]


def notice(pool: CandidatePool) -> Column:
    """Whether a chat wrote it by itself."""
    return [*map(float, pool.context.column(notices, pool.hits))]


def strange(pool: CandidatePool) -> Column:
    """Whether it breaks a condition that the question seems to set."""
    return [float(bool(result.unmet)) for result in pool.results]


FEATURES: Mapping[str, Feature] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            match, keywords, fused, freshness, authority, completeness, around, meaning,
            coverage, rare_words, rare_words_in_title, rarest, names_held, precise,
            place_named, place_match, talk, talk_match,
            native_rank, as_asked, sources, source_best, best_in_source,
            newest, asks, notice, strange,
        )
    }
)  # fmt: skip


def _best_rank(evidence: Sequence[Evidence]) -> int:
    """Most have been found once."""
    return evidence[0].rank if len(evidence) == 1 else min(each.rank for each in evidence)


def _shares(values: Sequence[float]) -> Column:
    """As shares of the largest."""
    best = max(values, default=0.0)
    return [value / best for value in values] if best > 0.0 else [0.0] * len(values)


def _best_by_source(pool: CandidatePool) -> Mapping[str, float]:
    best: dict[str, float] = {}
    for result, value in zip(pool.results, pool.matches, strict=True):
        source = result.hit.source
        if value > best.get(source, 0.0) or source not in best:
            best[source] = max(value, 0.0)
    return best
