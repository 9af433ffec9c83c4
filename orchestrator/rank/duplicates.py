"""Stages: results that are the same thing (one address; near-duplicates: one text in two sources) become one; all evidence is kept.

And what one source has several times, word for word, under titles of which one says that it is a copy.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.model import NAMED
from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.factors import authority, authority_of
from orchestrator.rank.lexical import MARK, folded_words
from orchestrator.rank.wording import say
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Evidence, Ranking, Result
    from orchestrator.rank.config import Twins
    from orchestrator.rank.stage import RankContext

# Of a text's words what is no digit: nothing of it is left.
NO_DIGITS = bytes(code for code in range(128) if chr(code) not in f"0123456789 {MARK}")


def merge(results: Sequence[Result], context: RankContext, last: Sequence[Hit] = ()) -> Result:
    """What the question names first, else the strictest member with the most authority; the others beside it in ``also``.

    ``last``: members that speak for the group only where it has no others.
    """
    if len(results) == 1:
        return results[0]
    members = sorted(results, key=lambda result: (result.hit in last, *_order(result, context)))
    chosen, others = members[0], members[1:]
    known = set.intersection(*(set(member.unverified) for member in members))
    sources = dict.fromkeys(evidence.source for other in others for evidence in other.evidence)
    own = {evidence.source for evidence in chosen.evidence}
    elsewhere = [context.title(source) for source in sources if source not in own]
    why = (say(context, "same", sources=", ".join(elsewhere)),) if elsewhere else ()
    return replace(
        chosen,
        evidence=best_evidence(evidence for member in members for evidence in member.evidence),
        unverified=tuple(name for name in chosen.unverified if name in known),
        also=chosen.also + tuple(hit for other in others for hit in (other.hit, *other.also)),
        why=chosen.why + why,
    )


def best_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The best place in each source, ordered by source: repeats inside one source add nothing."""
    best: dict[str, Evidence] = {}
    for each in sorted(evidence, key=lambda each: (each.source, each.rung, each.rank)):
        best.setdefault(each.source, each)
    return tuple(best.values())


def _order(result: Result, context: RankContext) -> tuple[object, ...]:
    strictest = min(result.evidence, key=lambda each: (each.rung, each.rank))
    step, _ = authority_of(result.hit, context)
    return (
        -result.factors.get(NAMED, 0.0),
        strictest.rung,
        -step,
        strictest.rank,
        result.hit.source,
        result.hit.id,
    )


def addresses(hits: Sequence[Hit], _: RankContext) -> list[object]:
    """Column: what hits of one thing have in common. A comment is not its page, which would not be read for it."""
    addresses = ("" if hit.comments_on else canonical_url(hit.url) for hit in hits)
    return [address or (hit.source, hit.id) for hit, address in zip(hits, addresses, strict=True)]


def dedupe(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge by address; a hit without one stands for itself."""
    groups: dict[object, list[Result]] = {}
    hits = [result.hit for result in ranking.results]
    context.column(authority, hits)  # orders what is merged: a look at all costs a fraction of a look at each
    for result, address in zip(ranking.results, context.column(addresses, hits), strict=True):
        groups.setdefault(address, []).append(result)
    merged = [merge(group, context) if len(group) > 1 else group[0] for group in groups.values()]
    return replace(ranking, results=tuple(merged))


@record
class Print:
    """What of a text is compared: the hashes of its shingles (none: it cannot have a twin)."""

    source: str
    title: str
    shingles: frozenset[int]


def merge_twins(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge results of different sources that say the same in the same words."""
    same = sorted(_twins([result.hit for result in ranking.results], context))
    if not same:
        return ranking
    leader = list(range(len(ranking.results)))
    for first, second in same:
        _join(leader, first, second)
    groups: dict[int, list[Result]] = {}
    for index, result in enumerate(ranking.results):
        groups.setdefault(_root(leader, index), []).append(result)
    return replace(ranking, results=tuple(merge(group, context) for group in groups.values()))


def _twins(hits: Sequence[Hit], context: RankContext) -> Iterator[tuple[int, int]]:
    """Pairs of places. Only texts with the same numbers are compared: most have no twin, and it is soon told."""
    similarity = context.config.twins.similarity
    alike: dict[frozenset[bytes], list[int]] = {}
    for at, numbers in enumerate(context.column(said_numbers, hits)):
        alike.setdefault(numbers, []).append(at)
    for places in alike.values():
        if len({hits[at].source for at in places}) > 1:
            prints = context.column(printed, [hits[at] for at in places])
            yield from (
                (places[one], places[other])
                for one, other in _candidates(prints, similarity)
                if _same(prints[one], prints[other], similarity)
            )


def printed(hits: Sequence[Hit], context: RankContext) -> list[Print]:
    """Column: what of each text is compared."""
    least, texts = context.config.twins.words, context.texts(hits)
    return [
        Print(hit.source, hit.title, shingles(text.body.split(), least)) for hit, text in zip(hits, texts, strict=True)
    ]


def said_numbers(hits: Sequence[Hit], context: RankContext) -> list[frozenset[bytes]]:
    """Column: the digits of each word in the text of each hit. They are ASCII: to leave all else out of all texts at once costs a twentieth of a search in each."""
    texts = [text.body for text in context.texts(hits)]
    digits = MARK.join(texts).encode("ascii", "replace").translate(None, NO_DIGITS)
    return [frozenset(each.split()) for each in digits.split(MARK.encode())] if texts else []


def shingles(words: Sequence[str], least: int) -> frozenset[int]:
    """Hashes of every three words in a row; none of a text of fewer than ``least`` words."""
    return frozenset(map(hash, zip(words, words[1:], words[2:], strict=False))) if len(words) >= least else frozenset()


def _candidates(prints: list[Print], similarity: float) -> Iterator[tuple[int, int]]:
    """Pairs that share one of their rarest shingles; no other pair can be similar enough."""
    if len(prints) == 2 and prints[0].shingles and prints[1].shingles:  # noqa: PLR2004 - as most are
        yield 0, 1
        return
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
    if one.source == other.source:
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


def merge_copies(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge copies with what they were made of, which speaks for them.

    The same words alone are no proof: a report that is written by a template says the same each week, and a program tells every
    channel alike.
    """
    least = context.config.twins.words
    bodies = [text.body for text in context.texts([result.hit for result in ranking.results])]
    if len(set(bodies)) == len(bodies):
        return ranking
    alike: dict[tuple[str, str] | int, list[Result]] = {}
    for at, (result, text) in enumerate(zip(ranking.results, bodies, strict=True)):
        body = text if result.hit.title else ""
        key = (result.hit.source, body) if body.count(" ") > least else at
        alike.setdefault(key, []).append(result)
    if len(alike) == len(ranking.results):
        return ranking
    merged = (each for group in alike.values() for each in _copies(group, context))
    return replace(ranking, results=tuple(merged))


def _copies(alike: list[Result], context: RankContext) -> Iterator[Result]:
    """Of results with the same words, those that are copies as one."""
    if len(alike) == 1:
        yield alike[0]
        return
    named: dict[str, list[tuple[bool, Result]]] = {}
    for result in alike:
        original, is_copy = original_title(result.hit.title, context.config.twins)
        named.setdefault(original, []).append((is_copy, result))
    for members in named.values():
        if any(is_copy for is_copy, _ in members):
            yield merge([each for _, each in members], context, last=[each.hit for is_copy, each in members if is_copy])
        else:
            yield from (each for _, each in members)


def original_title(title: str, worth: Twins) -> tuple[str, bool]:
    """The words of a title without what says that this is a copy, and whether anything says so."""
    numbered, _, number = title.rstrip().removesuffix(")").rpartition("(")
    is_numbered = title.rstrip().endswith(")") and number.isdecimal() and bool(numbered.strip())
    said = " ".join(folded_words(numbered if is_numbered else title))
    for mark in worth.copies_begin:
        if said.startswith(f"{mark} "):
            return said.removeprefix(f"{mark} "), True
    for mark in worth.copies_end:
        if said.endswith(mark) and len(said) > len(mark):
            return said.removesuffix(mark).rstrip(), True
    return said, is_numbered
