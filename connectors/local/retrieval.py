"""Two searches over one index: by meaning, and by words; each sees only what the asker may see."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from connectors.local import words
from connectors.local.filters import Conditions
from connectors.local.rights import seen_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from connectors.embedding import Vectors
    from connectors.local.numbers import Bm25, Candidates
    from connectors.local.vectors import Model
    from translators.translator import Json

MOST_TERMS = 100  # of a question
TOO_MANY = 2  # times ``enough``
LONGEST_TEXT = 255  # places of one term that PostgreSQL keeps: src/include/tsearch/ts_type.h
# What ts_rank makes of n equal weights: their squares' sum over that of all, src/backend/utils/adt/tsrank.c
WHOLE = 1.64493406685


@dataclass(frozen=True, slots=True)
class Scope:
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


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk that one search found. ``site``: how near its document's address is to the question, where that is known.

    ``source`` and ``happened``: of its document.
    """

    chunk: int
    document: int
    score: float
    site: float | None = None
    source: str = ""
    happened: datetime | None = None


# ---- by meaning


async def by_meaning(connection: Any, vector: Vectors, model: Model, scope: Scope, numbers: Candidates) -> list[Found]:
    """The nearest chunks, with what their address is to the question. Scores are cosines."""
    values: list[Any] = [as_text(vector), await seen_by(connection, scope.principals)]
    asked = scope.asked(values)
    judged = "" if asked == "true" else f"JOIN documents d ON d.id = e.document AND {asked}"
    near = f"e.vector::halfvec({model.dimension}) <=> $1::text::halfvec({model.dimension})"
    rows = await connection.fetch(
        f"""
        SELECT near.chunk, near.document, d.source, d.happened, 1 - (near.vector <=> $1::text::vector) AS similarity,
            1 - (p.vector <=> $1::text::vector) AS site
        FROM (
            SELECT e.chunk, e.document, e.vector FROM embeddings e {judged}
            WHERE e.model = {model.id} AND e.readers && $2::integer[]
            ORDER BY {near} LIMIT {numbers.semantic}
        ) near JOIN documents d ON d.id = near.document
            LEFT JOIN places p ON p.address = d.address AND p.model = {model.id} AND d.address <> ''
        ORDER BY similarity DESC, near.chunk
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    return [
        Found(row["chunk"], row["document"], row["similarity"], row["site"], row["source"], row["happened"])
        for row in rows
    ]


def near_address(found: Sequence[Found], weight: float) -> list[Found]:
    """``similarity + cosine(question, address) × weight``, best first: who names a site or product prefers its pages."""
    scored = [replace(each, score=each.score + weight * (each.site or 0.0)) for each in found]
    return sorted(scored, key=lambda each: (-each.score, each.chunk))


async def nearness(connection: Any, vector: Vectors, chunks: Sequence[int], model: Model) -> dict[int, float]:
    """The cosine of each of ``chunks`` that has a vector of this model."""
    rows = await connection.fetch(
        "SELECT chunk, 1 - (vector <=> $1::text::vector) AS similarity FROM embeddings WHERE model = $2 AND chunk = ANY($3::bigint[])",
        as_text(vector), model.id, list(chunks),
    )  # fmt: skip
    return {row["chunk"]: row["similarity"] for row in rows}


def as_text(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return str(vector.tolist())


# ---- by words


async def by_words(connection: Any, text: str, scope: Scope, candidates: Candidates, weights: Bm25) -> list[Found]:
    """The best chunks by BM25, among those that ``ts_rank`` puts first.

    Only the rarest words of the question are looked up, as many as it takes to find ``enough`` chunks: a word that half
    of the index holds makes looking slow and hardly changes the order. In scores, every word counts.
    """
    terms = list(dict.fromkeys(words.terms(text)))[:MOST_TERMS]
    row = await connection.fetchrow("SELECT chunks, terms FROM totals")
    rows = await connection.fetch("SELECT term, chunks FROM frequencies WHERE term = ANY($1) AND chunks > 0", terms)
    held = {each["term"]: each["chunks"] for each in rows}
    total, average = row["chunks"], row["terms"] / max(1, row["chunks"])
    if not held:
        return []
    looked_up = _rarest(held, candidates)
    known = sorted(held)
    values: list[Any] = [" | ".join(looked_up), known, await seen_by(connection, scope.principals)]
    asked = scope.asked(values)
    judged = "" if asked == "true" else f"JOIN documents d ON d.id = c.document AND {asked}"
    found = await connection.fetch(
        f"""
        SELECT best.id, best.document, d.source, d.happened, best.length, array(
            SELECT ts_rank('{{1,1,1,1}}', best.terms, each::tsquery) FROM unnest($2::text[]) WITH ORDINALITY AS t (each, place)
            ORDER BY place
        ) AS ranks
        FROM (
            SELECT c.id, c.document, c.length, c.terms FROM chunks c {judged}
            WHERE c.terms @@ $1::text::tsquery AND c.readers && $3::integer[]
            ORDER BY ts_rank(c.terms, $1::text::tsquery) DESC LIMIT {candidates.words}
        ) best JOIN documents d ON d.id = best.document
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    rarity = [math.log(1 + (total - held[term] + 0.5) / (held[term] + 0.5)) for term in known]
    scored = [
        Found(
            each["id"],
            each["document"],
            bm25(each["ranks"], rarity, each["length"] / average, weights),
            source=each["source"],
            happened=each["happened"],
        )
        for each in found
    ]
    return sorted(scored, key=lambda each: (-each.score, each.chunk))


async def newest(connection: Any, scope: Scope, limit: int) -> list[Found]:
    """The first chunk of whatever meets the condition, newest first: where there is no word to look for."""
    values: list[Any] = []
    where = scope.where(values)
    rows = await connection.fetch(
        f"""
        SELECT c.id, c.document, d.source, d.happened FROM (
            SELECT d.id, d.source, d.happened FROM documents d WHERE {where} ORDER BY d.happened DESC NULLS LAST, d.id LIMIT {limit}
        ) d JOIN chunks c ON c.document = d.id AND c.place = 0 ORDER BY d.happened DESC NULLS LAST, d.id
        """,  # noqa: S608 — numbers of ours, and names of parameters
        *values,
    )
    return [Found(row["id"], row["document"], 1.0, None, row["source"], row["happened"]) for row in rows]


def _rarest(held: Mapping[str, int], candidates: Candidates) -> list[str]:
    """The rarest terms that together find ``enough``; not one that finds far more, where there are some to weigh."""
    chosen: list[str] = []
    found = 0
    for term in sorted(held, key=lambda each: (held[each], each)):
        too_common = found >= candidates.words and found + held[term] > TOO_MANY * candidates.enough
        if found >= candidates.enough or too_common:
            break
        chosen.append(term)
        found += held[term]
    return chosen


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
