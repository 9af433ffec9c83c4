"""Two searches over one index: by meaning, and by words; each sees only what the asker may see.

What words weigh is BM25 from what PostgreSQL's ``ts_rank`` tells, with pairs of words and the messages around a message.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import cache
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any

from connectors.local.counting import chunks_seen, counted
from connectors.local.filters import Conditions
from connectors.local.rights import seen_by
from connectors.local.vectors import as_text
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from connectors.local.numbers import Bm25, Candidates, ConversationWeights, Numbers
    from connectors.local.vectors import Model
    from connectors.local.words import QuestionWords
    from connectors.models.embedding import Vectors
    from translators.translator import Json


@record
class FoundChunk:
    """A chunk that one search found. ``site``: how near its document's address is to the question, where that is known.

    ``around``: what of its score it owes to the messages around it. ``source``, ``happened`` and ``kind``: of its document.
    """

    chunk: int
    document: int
    score: float
    site: float | None = None
    source: str = ""
    happened: datetime | None = None
    around: float = 0.0
    kind: str = ""


HOUR = 3600.0
LONGEST_TEXT = 255  # places of one term that PostgreSQL keeps: src/include/tsearch/ts_type.h
# What ts_rank makes of n equal weights: their squares' sum over that of all, src/backend/utils/adt/tsrank.c
WHOLE = 1.64493406685


def bm25(ranks: Sequence[float], rarity: Sequence[float], length: float, weights: Bm25) -> float:
    """BM25 of a chunk from what ``ts_rank`` says of each term; ``length`` is measured in average ones."""
    enough = weights.saturation * (1 - weights.length + weights.length * length)
    score = 0.0
    for rank, worth in zip(ranks, rarity, strict=True):
        if rank > 0.0:
            count = occurrences(rank)
            score += worth * count * (weights.saturation + 1) / (count + enough)
    return score


def occurrences(rank: float) -> int:
    """How often a term occurs of which ``ts_rank``, with all weights 1, is ``rank``: it grows with each occurrence."""
    steps = _steps()
    return min(bisect_left(steps, rank - 1e-6) + 1, len(steps))


@cache
def _steps() -> list[float]:
    total, steps = 0.0, []
    for count in range(1, LONGEST_TEXT + 1):
        total += 1 / (count * count)
        steps.append(total / WHOLE)
    return steps


def side_by_side(terms: Sequence[str], rarity: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The neighbours among a question's terms that the index knows, and the rarity of the commoner one of each pair.

    The sequential dependence of terms (Metzler, Croft, SIGIR 2005), found or not; of Korean it makes words out of pairs
    of syllables.
    """
    pairs = ((one, other) for one, other in pairwise(terms) if one != other)
    return {(one, other): min(rarity[one], rarity[other]) for one, other in pairs if one in rarity and other in rarity}


def in_conversation(scored: Iterable[tuple[FoundChunk, int | None]], numbers: ConversationWeights) -> list[FoundChunk]:
    """Messages with a share of the best one around them; what has no conversation (``None``), or no time, as it was."""
    found: list[FoundChunk] = []
    talks: dict[int, list[FoundChunk]] = {}
    for each, talk in scored:
        if talk is None or each.happened is None:
            found.append(each)
        else:
            talks.setdefault(talk, []).append(each)
    reach = numbers.hours * HOUR
    for said in talks.values():
        timed = sorted(((each.happened.timestamp(), each) for each in said if each.happened), key=lambda pair: pair[0])
        times, scores = [time for time, _ in timed], [each.score for _, each in timed]
        for place, (time, each) in enumerate(timed):
            before, after = bisect_left(times, time - reach), bisect_right(times, time + reach)
            around = numbers.share * max([*scores[before:place], *scores[place + 1 : after]], default=0.0)
            found.append(replace(each, score=each.score + around, around=around) if around else each)
    return found


def rarity(held: int, total: int) -> float:
    """How much it says that a term is there, which ``held`` of ``total`` chunks hold (Lucene's idf, never negative)."""
    return math.log(1 + (total - held + 0.5) / (held + 0.5))


NEARNESS = """
    SELECT c.id, 1 - (e.vector <=> $1::text::vector) AS text, 1 - (p.vector <=> $1::text::vector) AS site
    FROM chunks c JOIN documents d ON d.id = c.document LEFT JOIN embeddings e ON e.chunk = c.id AND e.model = $2
        LEFT JOIN places p ON p.address = d.address AND p.model = $2 AND d.address <> ''
    WHERE c.id = ANY($3::bigint[])
"""
TOO_MANY = 2  # times ``enough``


@record
class RetrievalScope:
    """What may be found: by whom, and under which condition of the dialect. ``own``: ids and addresses of the asker."""

    principals: tuple[str, ...]
    condition: Json = None
    own: tuple[str, ...] = ()

    def asked(self, values: list[Any]) -> str:
        """The condition as SQL over a document ``d``, ``true`` for none; its parameters are added to ``values``."""
        return Conditions(values, self.own).of(self.condition)

    def where(self, values: list[Any]) -> str:
        """The condition, and that the document may be seen. Whoever is nobody sees nothing."""
        asked = self.asked(values)
        values.append(list(self.principals))
        return f"d.principals && ${len(values)}::text[] AND {asked}"


# ---- by meaning


async def by_meaning(
    connection: Any, vector: Vectors, model: Model, scope: RetrievalScope, numbers: Candidates
) -> list[FoundChunk]:
    """The nearest chunks, with what their address is to the question. Scores are cosines.

    They are found by the graph, or exactly where ``exactly`` chunks may be seen at most: then nothing of what others have
    bears on which are found.
    """
    readers = await seen_by(connection, scope.principals)
    values: list[Any] = [as_text(vector), readers]
    asked = scope.asked(values)
    judged = "" if asked == "true" else f"JOIN documents d ON d.id = e.document AND {asked}"
    near = f"e.vector::halfvec({model.dimension}) <=> $1::text::halfvec({model.dimension})"
    if await chunks_seen(connection, readers) <= numbers.exactly:
        near = "e.vector <=> $1::text::vector, e.chunk"  # of which there is no graph
    rows = await connection.fetch(
        f"""
        SELECT near.chunk, near.document, d.source, d.happened, d.kind, 1 - (near.vector <=> $1::text::vector) AS similarity,
            1 - (p.vector <=> $1::text::vector) AS site
        FROM (
            SELECT e.chunk, e.document, e.vector FROM embeddings e {judged}
            WHERE e.model = {model.id} AND e.readers && $2::integer[]
            ORDER BY {near} LIMIT {numbers.semantic}
        ) near JOIN documents d ON d.id = near.document
            LEFT JOIN places p ON p.address = d.address AND p.model = {model.id} AND d.address <> ''
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    found = (
        FoundChunk(
            row["chunk"],
            row["document"],
            row["similarity"],
            row["site"],
            row["source"],
            row["happened"],
            kind=row["kind"],
        )
        for row in rows
    )
    return sorted(found, key=lambda each: (-each.score, each.chunk))[: numbers.semantic]


def near_address(found: Sequence[FoundChunk], weight: float) -> list[FoundChunk]:
    """``similarity + cosine(question, address) × weight``, best first: who names a site or product prefers its pages.

    What has no address counts as if it had one as near as they are on average, so that it neither gains nor loses by it.
    """
    usual = usual_site([each.site for each in found])
    scored = [replace(each, score=each.score + weight * (usual if each.site is None else each.site)) for each in found]
    return sorted(scored, key=lambda each: (-each.score, each.chunk))


def usual_site(sites: Sequence[float | None]) -> float:
    """How near those addresses that are known are to the question on average; 0 where none is."""
    known = [site for site in sites if site is not None]
    return math.fsum(known) / len(known) if known else 0.0


def near_enough(
    meant: Sequence[FoundChunk], lexical: Sequence[FoundChunk], floor: float, most: int
) -> list[FoundChunk]:
    """What was found by meaning, but for what is merely the nearest there is: below ``floor``, and without one of the words.

    A document whose address is near stays. Where words find ``most``, not everything that holds them is listed, and nothing
    is left out.
    """
    if len(lexical) >= most:
        return list(meant)
    worded = {each.document for each in lexical}
    return [
        each
        for each in meant
        if each.document in worded or max(each.score, -1.0 if each.site is None else each.site) >= floor
    ]


@record
class Near:
    """How near a chunk's text and its document's address are to a question, as cosines; ``None`` without a vector."""

    text: float | None = None
    site: float | None = None


async def nearness(connection: Any, vector: Vectors, chunks: Sequence[int], model: Model) -> dict[int, Near]:
    """What the vectors of this model say of each of ``chunks``, however it was found."""
    rows = await connection.fetch(NEARNESS, as_text(vector), model.id, list(chunks))
    return {row["id"]: Near(row["text"], row["site"]) for row in rows}


# ---- by words


async def by_words(connection: Any, asked: QuestionWords, scope: RetrievalScope, numbers: Numbers) -> list[FoundChunk]:
    """The best chunks by BM25, by words side by side, and by what was said around, of those ``weighed``.

    Only the rarest of the words that are wanted are looked up, as many as it takes to find ``enough`` chunks: a word that half
    of the index holds makes looking slow and hardly changes the order. In scores, every word counts its share
    (:class:`~connectors.local.words.QuestionWords`). Rare is what is rare in what the asker may see.
    """
    candidates, weights = numbers.candidates, numbers.bm25
    shares = asked.shares
    readers = await seen_by(connection, scope.principals)
    counts = await counted(connection, readers, list(shares))
    held = {term: count for term, count in counts.holding.items() if term in asked.wanted}
    if not held:
        return []
    worth = {term: shares[term] * rarity(count, counts.chunks) for term, count in counts.holding.items()}
    pairs = side_by_side(asked.typed, worth) | side_by_side(asked.translated, worth)
    average, rare, together = counts.terms / counts.chunks, list(worth.values()), list(pairs.values())
    scored: list[tuple[FoundChunk, int | None]] = []
    looked_up = WantedChunks(_rarest(held, candidates), scope, readers)
    for each in await _holding(connection, looked_up, candidates.weighed, (list(worth), pairs)):
        score = bm25(each["ranks"], rare, each["length"] / average, weights)
        score += weights.pairs * sum(compress(together, each["beside"]))
        found = FoundChunk(
            each["id"], each["document"], score, source=each["source"], happened=each["happened"], kind=each["kind"]
        )
        scored.append((found, each["talk"]))
    best = sorted(in_conversation(scored, numbers.conversation), key=lambda each: (-each.score, each.chunk))
    return best[: candidates.words]


@record
class WantedChunks:
    """Chunks with any of ``terms``, within a scope; ``readers``: the numbers of the audiences that its asker belongs to."""

    terms: Sequence[str]
    scope: RetrievalScope
    readers: Sequence[int]


async def _holding(
    connection: Any, wanted: WantedChunks, limit: int, asked: tuple[Sequence[str], Iterable[tuple[str, str]]]
) -> Sequence[Any]:
    """The chunks that ``ts_rank`` puts first of those ``wanted``: what it says of each of the words that are ``asked``
    for, and whether they have each of its pairs.

    Each word is a parameter of its own: read once and not for every chunk, which halves the time. Of equals the one that
    was taken in first goes first, wherever they lie among those of others.
    """
    values: list[Any] = [" | ".join(wanted.terms), wanted.readers]
    condition = wanted.scope.asked(values)
    judged = "" if condition == "true" else f"JOIN documents d ON d.id = c.document AND {condition}"

    def word(query: str) -> str:
        values.append(query)
        return f"${len(values)}::text::tsquery"

    ranks = ", ".join(f"ts_rank('{{1,1,1,1}}', best.terms, {word(each)})" for each in asked[0])
    beside = ", ".join(f"best.terms @@ {word(f'{one} <-> {other}')}" for one, other in asked[1])
    rows: Sequence[Any] = await connection.fetch(
        f"""
        SELECT best.id, best.document, d.source, d.happened, d.kind, d.talk, best.length, best.first, ARRAY[{ranks}]::real[] AS ranks,
            ARRAY[{beside}]::boolean[] AS beside
        FROM (
            SELECT c.id, c.document, c.length, c.terms, ts_rank(c.terms, $1::text::tsquery) AS first FROM chunks c {judged}
            WHERE c.terms @@ $1::text::tsquery AND c.readers && $2::integer[]
            ORDER BY first DESC, c.id LIMIT {limit}
        ) best JOIN documents d ON d.id = best.document
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    if len(rows) > limit:  # of several servers, each of which was asked for as many
        return sorted(rows, key=lambda row: (-row["first"], row["id"]))[:limit]
    return rows


async def newest(connection: Any, scope: RetrievalScope, limit: int) -> list[FoundChunk]:
    """The first chunk of whatever meets the condition, newest first: where there is no word to look for."""
    values: list[Any] = []
    where = scope.where(values)
    rows = await connection.fetch(
        f"""
        SELECT c.id, c.document, d.source, d.happened, d.kind FROM (
            SELECT d.id, d.source, d.happened, d.kind FROM documents d WHERE {where} ORDER BY d.happened DESC NULLS LAST, d.id LIMIT {limit}
        ) d JOIN chunks c ON c.document = d.id AND c.place = 0
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    found = (
        FoundChunk(row["id"], row["document"], 1.0, None, row["source"], row["happened"], kind=row["kind"])
        for row in rows
    )
    return sorted(found, key=_newest_first)


def _newest_first(found: FoundChunk) -> tuple[float, int]:
    return (math.inf if found.happened is None else -found.happened.timestamp(), found.document)


def _rarest(held: Mapping[str, int], candidates: Candidates) -> list[str]:
    """The rarest terms that together find ``enough``; not one that finds far more, where there are some to weigh."""
    chosen: list[str] = []
    found = 0
    for term in sorted(held, key=lambda each: (held[each], each)):
        too_common = found >= candidates.weighed and found + held[term] > TOO_MANY * candidates.enough
        if found >= candidates.enough or too_common:
            break
        chosen.append(term)
        found += held[term]
    return chosen
