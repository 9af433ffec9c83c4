"""Stage: the same text in two sources (an announcement in chat and by mail) is one result.

Near-identical means a Jaccard similarity of three-word shingles, found without comparing all pairs by prefix filtering
(Bayardo, Ma, Srikant: Scaling Up All Pairs Similarity Search, WWW 2007). Numbers must be equal too: a revision repeats
its origin word for word but for the date.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orchestrator.rank.lexical import HIT, folded_words
from orchestrator.rank.merge import merge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.stage import RankContext

# Bytes to bytes: what is no digit and no mark is a blank.
BUT_DIGITS = bytes(code if chr(code).isdigit() or chr(code) == HIT else ord(" ") for code in range(128)).ljust(256)


@dataclass(frozen=True, slots=True)
class Print:
    """What of a text is compared: its numbers, and the hashes of its shingles (none: it cannot have a twin)."""

    source: str
    title: str
    numbers: frozenset[bytes]
    shingles: frozenset[int]


def merge_twins(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge results of different sources that say the same in the same words."""
    similarity = context.config.twins.similarity
    prints = _prints(ranking.results, context)
    places = list(prints)
    pairs = _candidates([prints[place] for place in places], similarity)
    found = [(places[one], places[other]) for one, other in sorted(pairs)]
    same = [pair for pair in found if _same(prints[pair[0]], prints[pair[1]], similarity)]
    if not same:
        return ranking
    leader = list(range(len(ranking.results)))
    for first, second in same:
        _join(leader, first, second)
    groups: dict[int, list[Result]] = {}
    for index, result in enumerate(ranking.results):
        groups.setdefault(_root(leader, index), []).append(result)
    return replace(ranking, results=tuple(merge(group, context) for group in groups.values()))


def _prints(results: Sequence[Result], context: RankContext) -> dict[int, Print]:
    """By place. Only of texts whose numbers occur in another source too: most have no twin, and it is soon told."""
    texts = [text.body for text in context.texts([result.hit for result in results])]
    numbers = _numbers(texts)
    sources: dict[frozenset[bytes], str] = {}
    shared = set()
    for result, each in zip(results, numbers, strict=True):
        source = result.hit.source
        if sources.setdefault(each, source) != source:
            shared.add(each)
    if not shared:
        return {}
    return {
        at: Print(
            result.hit.source, result.hit.title, numbers[at], shingles(texts[at].split(), context.config.twins.words)
        )
        for at, result in enumerate(results)
        if numbers[at] in shared
    }


def _numbers(texts: Sequence[str]) -> list[frozenset[bytes]]:
    """Of folded texts, whose digits are ASCII. Blanks for all else, in all texts at once, cost a tenth of a search in each."""
    digits = HIT.join(texts).encode("ascii", "replace").translate(BUT_DIGITS)
    return [frozenset(each.split()) for each in digits.split(HIT.encode())] if texts else []


def shingles(words: Sequence[str], least: int) -> frozenset[int]:
    """Hashes of every three words in a row; none of a text of fewer than ``least`` words."""
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
