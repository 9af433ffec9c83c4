"""The search of the local index, step by step: meaning and words, fused, reranked, boosted by recency, sorted.

A step that fails leaves what the step before it made, and says so. Every step writes down what it made of each document.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.errors import SourceError
from connectors.local import retrieval, vectors
from connectors.local.judging import Weighed
from connectors.reranking import Document as Judged
from connectors.reranking import document_text, rerank
from connectors.reranking_local import LocalReranker
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from connectors.embedding import Embedder, Vectors
    from connectors.local.database import Database
    from connectors.local.numbers import Numbers
    from connectors.local.retrieval import Found, Scope
    from connectors.local.vectors import Model
    from connectors.reranking import Reranker

DAY = 86_400.0
WORDS, MEANING = Said("words", "낱말"), Said("meaning", "뜻")
NOT_SEARCHED = Said("could not be searched by {by}: {why}", "검색하지 못함({by}): {why}")
TEXTS = """
    SELECT p.chunk, d.title, p.body FROM passages p JOIN chunks c ON c.id = p.chunk JOIN documents d ON d.id = c.document
    WHERE p.chunk = ANY($1::bigint[])
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: ``text`` as a person put it, for meaning; ``words`` that are wanted; by whom and of what."""

    text: str
    words: str
    scope: Scope


@dataclass(frozen=True, slots=True)
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

    def then(self, score: float, step: str) -> Candidate:
        """The same after a further step."""
        return Candidate(self.document, self.chunk, score, (*self.steps, step), self.source, self.happened, self.words)

    def scored(self, score: float) -> Candidate:
        """The same with another score; ten times as quick as :func:`dataclasses.replace`, for hundreds of them."""
        return Candidate(self.document, self.chunk, score, self.steps, self.source, self.happened, self.words)


@dataclass
class Searched:
    """Candidates, best first, and what went wrong on the way."""

    candidates: list[Candidate] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)


class Pipeline:
    """The steps over one database. ``embedder`` and ``reranker`` may be none: then their step is left out."""

    def __init__(
        self, database: Database, numbers: Numbers, embedder: Embedder | None = None, reranker: Reranker | None = None
    ) -> None:
        self._database = database
        self.numbers = numbers
        self._embedder = embedder
        self._reranker = reranker
        self._model: Model | None = None
        self._unread = vectors.Unread()

    async def search(self, question: Question, now: datetime) -> Searched:
        """Every candidate in its final order. Raises :class:`SourceError` only where neither search worked."""
        searched = Searched()
        vector = asyncio.ensure_future(self._embedded(question, searched))
        try:
            lexical, meant, unread = await asyncio.gather(
                self._tried(self._by_words(question), WORDS, searched),
                self._tried(self._by_meaning(question, vector), MEANING, searched),
                self._unread_parts(),
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
        meant = retrieval.near_address(meant, self.numbers.url.weight)
        if unread:
            searched.notes.append(unread)
        searched.candidates = fused(meant, lexical, self.numbers.rrf.k)
        known = await vector if vector.done() and not vector.cancelled() else None
        await self._rerank(question, searched, known)
        boosted(searched, self.numbers, now)
        return searched

    # ---- searching

    async def _by_words(self, question: Question) -> list[Found]:
        if not question.words and question.scope.condition:
            return await self._database.run(
                lambda connection: retrieval.newest(connection, question.scope, self.numbers.candidates.words)
            )
        text = question.words or question.text
        return await self._database.run(
            lambda connection: retrieval.by_words(connection, text, question.scope, self.numbers)
        )

    async def _by_meaning(self, question: Question, vector: asyncio.Future[Vectors | None]) -> list[Found]:
        embedded = await asyncio.shield(vector)
        if embedded is None:
            return []
        model = await self.model()
        numbers = self.numbers.candidates
        return await self._database.run(
            lambda connection: retrieval.by_meaning(connection, embedded, model, question.scope, numbers)
        )

    def _near_enough(self, meant: Sequence[Found], lexical: Sequence[Found]) -> list[Found]:
        floor = self.numbers.nearness.floor(self._embedder.name if self._embedder else "")
        return retrieval.near_enough(meant, lexical, floor, self.numbers.candidates.words)

    async def _unread_parts(self) -> Said:
        """What has no vector of the model in use, in a sentence; empty where there is nothing, or no model."""
        if self._embedder is None:
            return UNSAID
        try:
            model = await self.model()
            count = await self._unread.count(self._database, model)
        except SourceError:
            return UNSAID  # the searches say what is wrong with the database
        return (
            Said(
                "{count} parts are found by words alone until {name} has read them",
                "{count}개 부분은 {name} 모델이 읽기 전까지 낱말로만 찾습니다",
            ).filled(count=count, name=model.name)
            if count
            else UNSAID
        )

    async def model(self) -> Model:
        """The model of the embedder as the index knows it."""
        assert self._embedder is not None
        embedder = self._embedder
        if self._model is None:
            self._model = await self._database.run(lambda connection: vectors.known_model(connection, embedder))
        return self._model

    async def _embedded(self, question: Question, searched: Searched) -> Vectors | None:
        """The question as a vector; ``None``, and a note, where that cannot be had or says nothing."""
        text = question.text or question.words
        if self._embedder is None or not text:
            return None
        try:
            vector = (await self._embedder.embed_queries([text]))[0]
        except SourceError as failure:
            searched.notes.append(
                Said("searched by words only: {why}", "낱말로만 검색함: {why}").filled(why=failure.message)
            )
            return None
        return vector if vector.any() else None

    async def _tried(self, search: object, what: Said, searched: Searched) -> list[Found] | SourceError:
        try:
            return await search  # type: ignore[misc, no-any-return]
        except SourceError as failure:
            searched.notes.append(NOT_SEARCHED.filled(by=what, why=failure.message))
            return failure

    # ---- reranking

    async def _rerank(self, question: Question, searched: Searched, vector: Vectors | None) -> None:
        """The best as the reranker judges them; what it does not see follows in the order it had, below the last."""
        best = searched.candidates[: self.numbers.rerank.top]
        if self._reranker is None or not best:
            relative(searched)
            return
        judge = await self._informed(self._reranker, best, vector)
        texts = {} if isinstance(judge, Weighed) else await self._texts(best)
        documents = [Judged(str(each.chunk), texts.get(each.chunk, "")) for each in best]
        judged = await rerank(judge, question.text or question.words, documents, len(documents))
        if judged.problem:
            searched.notes.append(
                Said("not reranked: {problem}", "다시 순위를 매기지 못함: {problem}").filled(problem=judged.problem)
            )
        order = [best[each.index].then(each.score, f"{judge.name} {each.score:.2f}") for each in judged.results]
        last = min((each.score for each in order), default=1.0)
        further = searched.candidates[len(best) :]
        order += [
            each.then(last * (1 - (place + 1) / (len(further) + 1)), "not reranked")
            for place, each in enumerate(further)
        ]
        searched.candidates = order

    async def _texts(self, best: Sequence[Candidate]) -> dict[int, str]:
        rows = await self._database.run(lambda connection: connection.fetch(TEXTS, [each.chunk for each in best]))
        return {row["chunk"]: document_text(row["title"], row["body"]) for row in rows}

    async def _informed(self, reranker: Reranker, best: Sequence[Candidate], vector: Vectors | None) -> Reranker:
        """The local reranker with what the index knows, so that nothing has to be read or embedded again."""
        if not isinstance(reranker, LocalReranker):
            return reranker
        near, name = await self._nearness(best, vector)
        return Weighed(f"local/{name}" if name else "local", [each.words for each in best], near)

    async def _nearness(self, best: Sequence[Candidate], vector: Vectors | None) -> tuple[list[float], str]:
        """How near the best are to the question, and by which model; nothing, and none, without a vector."""
        if vector is None:
            return [], ""
        model, chunks = await self.model(), [each.chunk for each in best]
        near = await self._database.run(lambda connection: retrieval.nearness(connection, vector, chunks, model))
        unknown = min(near.values(), default=0.0)
        return [near.get(chunk, unknown) for chunk in chunks], model.name


# ---- pure steps


def fused(meant: Sequence[Found], lexical: Sequence[Found], k: int) -> list[Candidate]:
    """Reciprocal rank fusion of documents, each at the place of its best chunk, which is shown."""
    candidates: dict[int, Candidate] = {}
    listed = {"meaning": _best(meant), "words": _best(lexical)}
    for name, best in listed.items():
        for rank, each in enumerate(best.values(), 1):
            weighed = listed["words"].get(each.document)
            there = candidates.get(each.document) or Candidate(
                each.document, each.chunk, 0.0, (), each.source, each.happened, weighed.score if weighed else 0.0
            )
            site = "" if each.site is None else f", address {each.site:.2f}"
            around = f", around {each.around:.2f}" if each.around else ""
            candidates[each.document] = there.then(
                there.score + 1 / (k + rank), f"{name} #{rank} ({each.score:.2f}{site}{around})"
            )
    ordered = sorted(candidates.values(), key=lambda each: (-each.score, each.document))
    return [each.then(each.score, f"fused #{rank}") for rank, each in enumerate(ordered, 1)]


def _best(found: Sequence[Found]) -> dict[int, Found]:
    """The best chunk of each document, in order."""
    best: dict[int, Found] = {}
    for each in found:
        best.setdefault(each.document, each)
    return best


def relative(searched: Searched) -> None:
    """Scores as shares of the best, so that they can stand beside recency."""
    best = max((each.score for each in searched.candidates), default=1.0)
    searched.candidates = [each.scored(each.score / best) for each in searched.candidates]


def boosted(searched: Searched, numbers: Numbers, now: datetime) -> None:
    """Relevance and recency as :meth:`Recency.final` says, each source with its own weight and half-life; then sorted."""
    boosts: list[Candidate] = []
    for each in searched.candidates:
        decay = numbers.recency.decay(each.source)
        age = None if each.happened is None else (now - each.happened).total_seconds() / DAY
        recency = numbers.recency.missing if age is None else decay.recency(age)
        score = numbers.recency.final(each.score, recency, decay.weight)
        boosts.append(each.then(score, f"recency {recency:.2f} × {decay.weight:g} = {score:.3f}"))
    searched.candidates = sorted(boosts, key=lambda each: (-each.score, each.document))


def by_date(candidates: Sequence[Candidate], *, newest: bool) -> list[Candidate]:
    """In the order of when they happened; what has no date comes last."""
    dated = [(each.happened, each) for each in candidates if each.happened is not None]
    ordered = sorted(dated, key=lambda pair: pair[0], reverse=newest)
    return [*(each for _, each in ordered), *(each for each in candidates if each.happened is None)]
