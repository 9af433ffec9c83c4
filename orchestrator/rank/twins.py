"""Stage: the same text in two sources (an announcement in chat and by mail) is one result.

Near-identical means a Jaccard similarity of three-word shingles, found without comparing all pairs by prefix filtering
(Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007). Numbers must be equal too: a revision repeats
its origin word for word but for the date.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import folded_words
from orchestrator.rank.merge import merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Print:
    """What of a text is compared: its numbers, and the hashes of its shingles (none: it cannot have a twin)."""

    source: str
    title: str
    numbers: frozenset[str]
    shingles: frozenset[int]


def merge_twins(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge results of different sources that say the same in the same words."""
    similarity = context.config.twins.similarity
    prints = _prints(ranking.results, context)
    leader = list(range(len(prints)))
    for first, second in sorted(_candidates(prints, similarity)):
        if _same(prints[first], prints[second], similarity):
            _join(leader, first, second)
    groups: dict[int, list[Result]] = {}
    for index, result in enumerate(ranking.results):
        groups.setdefault(_root(leader, index), []).append(result)
    return replace(ranking, results=tuple(merge(group, context) for group in groups.values()))


def _prints(results: Sequence[Result], context: RankContext) -> list[Print]:
    """Shingles are made only of texts whose numbers occur in another source too: most have no twin, and it is soon told."""
    texts = [result.hit.snippet[: context.config.limits.text] for result in results]
    numbers = [frozenset(NUMBER.findall(text)) for text in texts]
    sources: dict[frozenset[str], set[str]] = {}
    for result, each in zip(results, numbers, strict=True):
        sources.setdefault(each, set()).add(result.hit.source)
    least = context.config.twins.words
    return [
        Print(
            result.hit.source, result.hit.title, each, shingles(text, least) if len(sources[each]) > 1 else frozenset()
        )
        for result, text, each in zip(results, texts, numbers, strict=True)
    ]


def shingles(text: str, least: int) -> frozenset[int]:
    """Hashes of every three words in a row; none of a text of fewer than ``least`` words."""
    words = folded_words(text)
    return frozenset(map(hash, zip(words, words[1:], words[2:], strict=False))) if len(words) >= least else frozenset()


def _candidates(prints: list[Print], similarity: float) -> Iterator[tuple[int, int]]:
    """Pairs that share one of their rarest shingles; no other pair can be similar enough."""
    known = Counter(shingle for each in prints for shingle in each.shingles)
    places: dict[int, list[int]] = {}
    for index, each in enumerate(prints):
        shared = _shared_prefix(each.shingles, known, similarity)
        partners = {other for shingle in shared for other in places.get(shingle, ())}
        yield from ((other, index) for other in partners)
        for shingle in shared:
            places.setdefault(shingle, []).append(index)


def _shared_prefix(shingles: frozenset[int], known: Counter[int], similarity: float) -> list[int]:
    """The rarest shingles, as many as two similar texts cannot all differ in, without those that stand alone."""
    size = len(shingles) - math.ceil(similarity * len(shingles)) + 1
    shared = [shingle for shingle in shingles if known[shingle] > 1]
    size -= len(shingles) - len(shared)
    return sorted(shared, key=lambda shingle: (known[shingle], shingle))[:size] if size > 0 else []


def _same(one: Print, other: Print, similarity: float) -> bool:
    if one.source == other.source or one.numbers != other.numbers:
        return False
    if len(one.shingles & other.shingles) < similarity * len(one.shingles | other.shingles):
        return False
    titles = set(folded_words(one.title)), set(folded_words(other.title))
    return not all(titles) or bool(titles[0] & titles[1])


def _root(leader: list[int], index: int) -> int:
    while leader[index] != index:
        index = leader[index]
    return index


def _join(leader: list[int], first: int, second: int) -> None:
    one, other = sorted((_root(leader, first), _root(leader, second)))
    leader[other] = one
