"""The search of the local index, step by step: meaning and words, fused, reranked, boosted by recency, sorted.

A step that fails leaves what the step before it made, and says so. Every step writes down what it made of each document.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from connectors.errors import SourceError, Unavailable
from connectors.local import retrieval, vectors
from connectors.local.judging import Weighed
from connectors.local.retrieval import usual_site
from connectors.local.words import question_words
from connectors.models.reranking import CHARACTERS, rerank
from connectors.models.reranking import JudgedDocument as Judged
from connectors.models.reranking_local import LocalReranker
from connectors.passages import opening
from translators.match import days_between
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from connectors.local.numbers import Numbers
    from connectors.local.retrieval import FoundChunk, Near, RetrievalScope
    from connectors.local.shards import IndexReader
    from connectors.local.vectors import Model
    from connectors.models.embedding import Embedder, Vectors
    from connectors.models.reranking import Reranker

DATED_FROM = 0.5  # of the best score, from which on a document may be the newest or the oldest of what was found
WORDS, MEANING = Said("words"), Said("meaning")
NOT_SEARCHED = Said("could not be searched by {by}: {why}")
TEXTS = """
    SELECT p.chunk, d.title, p.body FROM passages p JOIN chunks c ON c.id = p.chunk JOIN documents d ON d.id = c.document
    WHERE p.chunk = ANY($1::bigint[])
"""


@record
class IndexQuery:
    """What is asked: ``text`` as a person put it; ``words`` that are wanted; by whom and of what.

    ``lesser`` says of further words what they weigh beside these; ``new``: whether what is new is asked for.
    """

    text: str
    words: str
    scope: RetrievalScope
    lesser: Mapping[str, float] = field(default_factory=dict)
    new: bool = False


@record
class Candidate:
    """A document on its way through the pipeline. ``chunk``: the part of it that fits best; ``steps``: what was made of it.

    ``words``: what the question's words weigh in it.
    """

    document: int
    chunk: int
    score: float
    steps: tuple[str, ...] = ()
    source: str = ""
    happened: datetime | None = None
    words: float = 0.0
    kind: str = ""

    def then(self, score: float, step: str) -> Candidate:
        """The same after a further step."""
        return self._with(score, (*self.steps, step))

    def scored(self, score: float) -> Candidate:
        """The same with another score."""
        return self._with(score, self.steps)

    def _with(self, score: float, steps: tuple[str, ...]) -> Candidate:
        """Ten times as quick as :func:`dataclasses.replace`, for hundreds of them."""
        return Candidate(self.document, self.chunk, score, steps, self.source, self.happened, self.words, self.kind)


@dataclass
class RetrievalResult:
    """Candidates, best first, and what went wrong on the way."""

    candidates: list[Candidate] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)


class Pipeline:
    """The steps over one index. ``embedder`` and ``reranker`` may be none: then their step is left out."""

    def __init__(
        self, reader: IndexReader, numbers: Numbers, embedder: Embedder | None = None, reranker: Reranker | None = None
    ) -> None:
        self._reader = reader
        self.numbers = numbers
        self._embedder = embedder
        self._reranker = reranker
        self._model: Model | None = None
        self._unread = vectors.MissingVectors()

    async def search(self, question: IndexQuery, now: datetime) -> RetrievalResult:
        """Every candidate in its final order. Raises :class:`SourceError` only where neither search worked."""
        searched = RetrievalResult()
        vector = asyncio.ensure_future(self._embedded(question, searched))
        try:
            lexical, meant, unread = await asyncio.gather(
                self._tried(partial(self._by_words, question), WORDS, searched),
                self._tried(partial(self._by_meaning, question, vector), MEANING, searched),
                self._unread_parts(question.scope.principals),
            )
        finally:
            vector.cancel()
        meant = [] if isinstance(meant, SourceError) else meant
        if isinstance(lexical, SourceError):
            if not meant:
                raise lexical
            lexical = []
        else:
            meant = self._near_enough(meant, lexical)
        meant = retrieval.near_address(meant, self._url_weight)
        if unread:
            searched.notes.append(unread)
        searched.candidates = fused(meant, lexical, self.numbers.rrf.k)
        known = await vector if vector.done() and not vector.cancelled() else None
        await self._rerank(question, searched, known)
        boosted(searched, self.numbers, now, new=question.new)
        return searched

    # ---- searching

    async def _by_words(self, question: IndexQuery) -> list[FoundChunk]:
        if not question.words and question.scope.condition:
            return await self._reader.run(
                lambda connection: retrieval.newest(connection, question.scope, self.numbers.candidates.words)
            )
        asked = question_words(question.words or question.text, question.text, question.lesser)
        return await self._reader.run(
            lambda connection: retrieval.by_words(connection, asked, question.scope, self.numbers)
        )

    async def _by_meaning(self, question: IndexQuery, vector: asyncio.Future[Vectors | None]) -> list[FoundChunk]:
        embedded = await asyncio.shield(vector)
        if embedded is None:
            return []
        model = await self.model()
        numbers = self.numbers.candidates
        return await self._reader.run(
            lambda connection: retrieval.by_meaning(connection, embedded, model, question.scope, numbers)
        )

    def _near_enough(self, meant: Sequence[FoundChunk], lexical: Sequence[FoundChunk]) -> list[FoundChunk]:
        floor = self.numbers.nearness.floor(self._embedder.name if self._embedder else "")
        return retrieval.near_enough(meant, lexical, floor, self.numbers.candidates.words)

    @property
    def _url_weight(self) -> float:
        return self.numbers.url.of(self._embedder.name if self._embedder else "")

    async def _unread_parts(self, principals: Sequence[str]) -> Said:
        """What they may see and has no vector of the model in use, in a sentence; empty where there is nothing, or no model."""
        try:
            count = await self.unread(principals)
        except SourceError:
            return UNSAID  # the searches say what is wrong with the database
        return (
            Said("{count} parts are found by words alone until {name} has read them").filled(
                count=count, name=self._embedder.name
            )
            if count and self._embedder
            else UNSAID
        )

    async def unread(self, principals: Sequence[str]) -> int:
        """How many parts that they may see have no vector of the model in use, a few seconds ago; 0 without a model.

        0 as well where not all vectors can be counted: those that cannot are there all the same.
        """
        if self._embedder is None or self._reader.is_in_part():
            return 0
        try:
            return await self._unread.count(self._reader, await self.model(), principals)
        except Unavailable:
            if self._reader.is_in_part():
                return 0
            raise

    async def model(self) -> Model:
        """The model of the embedder as the index knows it."""
        assert self._embedder is not None
        embedder = self._embedder
        if self._model is None:
            self._model = await self._reader.run(lambda connection: vectors.known_model(connection, embedder))
        return self._model

    async def _embedded(self, question: IndexQuery, searched: RetrievalResult) -> Vectors | None:
        """The question as a vector; ``None``, and a note, where that cannot be had or says nothing."""
        text = question.text or question.words
        if self._embedder is None or not text:
            return None
        try:
            vector = (await self._embedder.embed_queries([text]))[0]
        except SourceError as failure:
            searched.notes.append(Said("searched by words only: {why}").filled(why=failure.message))
            return None
        return vector if vector.any() else None

    async def _tried(
        self, search: Callable[[], Awaitable[list[FoundChunk]]], what: Said, searched: RetrievalResult
    ) -> list[FoundChunk] | SourceError:
        """Begun here: whoever is cancelled before leaves nothing behind that was made and never awaited."""
        try:
            return await search()
        except SourceError as failure:
            searched.notes.append(NOT_SEARCHED.filled(by=what, why=failure.message))
            return failure

    # ---- reranking

    async def _rerank(self, question: IndexQuery, searched: RetrievalResult, vector: Vectors | None) -> None:
        """The best as the reranker judges them, and by their addresses; the rest in the order it had, below the last of them."""
        if not searched.candidates:
            return
        top = self.numbers.rerank.top if self._reranker else len(searched.candidates)
        best, further = searched.candidates[:top], searched.candidates[top:]
        near = await self._nearness(best, vector)
        judged = await self._judged(question, best, near, searched) if self._reranker else relative(best)
        judged = by_address(judged, near, self._url_weight)
        last = judged[-1].score
        below = [
            each.then(last * (1 - (place + 1) / (len(further) + 1)), "not reranked")
            for place, each in enumerate(further)
        ]
        searched.candidates = [*judged, *below]

    async def _judged(
        self, question: IndexQuery, best: Sequence[Candidate], near: Mapping[int, Near], searched: RetrievalResult
    ) -> list[Candidate]:
        """The best with what the reranker says of them; with 1 - i/n in their order, and a note, where it fails."""
        assert self._reranker is not None
        judge = self._informed(self._reranker, best, near)
        texts = {} if isinstance(judge, Weighed) else await self._texts(best)
        documents = [Judged(str(each.chunk), texts.get(each.chunk, "")) for each in best]
        told = await rerank(judge, question.text or question.words, documents, len(documents))
        if told.problem:
            searched.notes.append(Said("not reranked: {problem}").filled(problem=told.problem))
        return [best[each.index].then(each.score, f"{judge.name} {each.score:.2f}") for each in told.results]

    async def _texts(self, best: Sequence[Candidate]) -> dict[int, str]:
        rows = await self._reader.run(lambda connection: connection.fetch(TEXTS, [each.chunk for each in best]))
        return {row["chunk"]: opening(row["body"], CHARACTERS, row["title"]) for row in rows}

    def _informed(self, reranker: Reranker, best: Sequence[Candidate], near: Mapping[int, Near]) -> Reranker:
        """The local reranker with what the index knows, so that nothing has to be read or embedded again."""
        if not isinstance(reranker, LocalReranker):
            return reranker
        known = {chunk: each.text for chunk, each in near.items() if each.text is not None}
        unknown = min(known.values(), default=0.0)
        cosines = [known.get(each.chunk, unknown) for each in best] if near else []
        name = f"local/{self._embedder.name}" if near and self._embedder else "local"
        return Weighed(name, [each.words for each in best], cosines)

    async def _nearness(self, best: Sequence[Candidate], vector: Vectors | None) -> Mapping[int, Near]:
        """How near the best are to the question, by chunk; nothing without a vector."""
        if vector is None:
            return {}
        model, chunks = await self.model(), [each.chunk for each in best]
        return await self._reader.run(lambda connection: retrieval.nearness(connection, vector, chunks, model))


# ---- pure steps


def fused(meant: Sequence[FoundChunk], lexical: Sequence[FoundChunk], k: int) -> list[Candidate]:
    """Reciprocal rank fusion of documents, each at the place of its best chunk, which is shown."""
    candidates: dict[int, Candidate] = {}
    listed = {"meaning": _best(meant), "words": _best(lexical)}
    for name, best in listed.items():
        for rank, each in enumerate(best.values(), 1):
            weighed = listed["words"].get(each.document)
            there = candidates.get(each.document) or Candidate(
                each.document,
                each.chunk,
                0.0,
                (),
                each.source,
                each.happened,
                weighed.score if weighed else 0.0,
                each.kind,
            )
            site = "" if each.site is None else f", address {each.site:.2f}"
            around = f", around {each.around:.2f}" if each.around else ""
            candidates[each.document] = there.then(
                there.score + 1 / (k + rank), f"{name} #{rank} ({each.score:.2f}{site}{around})"
            )
    ordered = sorted(candidates.values(), key=lambda each: (-each.score, each.document))
    return [each.then(each.score, f"fused #{rank}") for rank, each in enumerate(ordered, 1)]


def _best(found: Sequence[FoundChunk]) -> dict[int, FoundChunk]:
    """The best chunk of each document, in order."""
    best: dict[int, FoundChunk] = {}
    for each in found:
        best.setdefault(each.document, each)
    return best


def relative(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Scores as shares of the best, so that they can stand beside recency."""
    best = max((each.score for each in candidates), default=1.0)
    return [each.scored(each.score / best) for each in candidates]


def by_address(judged: Sequence[Candidate], near: Mapping[int, Near], weight: float) -> list[Candidate]:
    """``relevance + (cosine(question, address) - its mean) × weight``, best first, whoever judged relevance; from 0 to 1.

    Without the mean, relevance would lose its scale before recency; what has no address keeps its relevance. Where a
    sum leaves 0 to 1, all are drawn into it.
    """
    sites = [near[each.chunk].site if each.chunk in near and weight else None for each in judged]
    usual = usual_site(sites)
    scores = [
        each.score if site is None else each.score + weight * (site - usual)
        for each, site in zip(judged, sites, strict=True)
    ]
    least, most = min(0.0, *scores), max(1.0, *scores)
    drawn = [(score - least) / (most - least) for score in scores]
    placed = [
        each.scored(score) if site is None else each.then(score, f"address {site:.2f} × {weight:g} = {score:.3f}")
        for each, site, score in zip(judged, sites, drawn, strict=True)
    ]
    return sorted(placed, key=lambda each: -each.score)


def boosted(searched: RetrievalResult, numbers: Numbers, now: datetime, *, new: bool = False) -> None:
    """Relevance and recency as :meth:`Recency.final` says, each sort of thing with its own weight and half-life; then sorted."""
    boosts: list[Candidate] = []
    for each in searched.candidates:
        decay = numbers.recency.decay(each.source, each.kind)
        age = None if each.happened is None else days_between(each.happened, now)
        recency = numbers.recency.missing if age is None else decay.recency(age)
        score = numbers.recency.final(each.score, recency, decay.weight, new=new)
        boosts.append(each.then(score, f"recency {recency:.2f} × {decay.weight:g} = {score:.3f}"))
    searched.candidates = sorted(boosts, key=lambda each: -each.score)


def by_date(candidates: Sequence[Candidate], *, newest: bool, dated_from: float = DATED_FROM) -> list[Candidate]:
    """Those that fit half as well as the best or better, in the order of when they happened, then the others; each time what has no date comes last.

    An order is read out of prose, and every document is listed that holds one word of it. ``dated_from``: 0 where no
    word was asked for, since then nothing fits better than the rest.
    """
    enough = dated_from * max((each.score for each in candidates), default=0.0)
    near = [each for each in candidates if each.score >= enough]
    return [*_dated(near, newest=newest), *_dated([each for each in candidates if each.score < enough], newest=newest)]


def _dated(candidates: Sequence[Candidate], *, newest: bool) -> list[Candidate]:
    dated = [(each.happened, each) for each in candidates if each.happened is not None]
    ordered = sorted(dated, key=lambda pair: pair[0], reverse=newest)
    return [*(each for _, each in ordered), *(each for each in candidates if each.happened is None)]
