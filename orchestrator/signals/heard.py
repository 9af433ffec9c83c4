"""The signals of one engine, asked one after the other, each within what time is left for it."""

from __future__ import annotations

import asyncio
from dataclasses import field
from typing import TYPE_CHECKING

from connectors.models.reranking import CHARACTERS, TOP, JudgedDocument, rerank
from connectors.passages import opening
from translators.records import record
from translators.said import Said, filled_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from connectors.models.reranking import Reranker
    from orchestrator.model import Outcome, Result
    from orchestrator.signals.meaning import Meaning
    from translators.query import Query

NOT_RERANKED = Said("reranking failed, the order is our own: {reason}")
SETTLING = 0.05  # seconds of a question's budget that ranking and answering take


async def judged(
    reranker: Reranker, question: str, results: Sequence[Result], language: str, patience: float
) -> tuple[Mapping[tuple[str, str], float] | None, str]:
    """The relevance of the first results by (source, id), ``None`` and a note in the asker's language where it failed."""
    top = results[:TOP]
    # Documents go by numbers of ours: a proxy need not learn the ids of a workplace.
    documents = [
        JudgedDocument(str(place), opening(each.hit.snippet, CHARACTERS, each.hit.title))
        for place, each in enumerate(top)
    ]
    found = await rerank(reranker, question, documents, TOP, patience=patience)
    if found.problem:
        return None, filled_in(NOT_RERANKED, language, reason=found.problem)
    return {(top[each.index].hit.source, top[each.index].hit.id): each.score for each in found.results}, ""


@record
class Heard:
    """What ranking may read, by (source, id); ``None`` where nobody was asked or nobody answered. ``notes`` say why."""

    semantic: Mapping[tuple[str, str], float] | None = field(default=None, repr=False)
    reranked: Mapping[tuple[str, str], float] | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()


NOTHING = Heard()


class Signals:
    """Whom to ask. ``budget``: seconds for meaning; ``patience``: for the reranker.

    ``wait``: the model is loaded before the first question rather than beside the second.
    """

    def __init__(
        self,
        meaning: Meaning | None = None,
        reranker: Reranker | None = None,
        *,
        budget: float = 0.15,
        patience: float = 1.0,
        wait: bool = False,
    ) -> None:
        self._meaning = meaning
        self._reranker = reranker
        self._budget = budget
        self._patience = patience
        self._wait = wait

    @property
    def reserve(self) -> float:
        """Seconds of a question's budget that must be kept for the reranker; reading meaning needs no more than ranking has."""
        return self._patience if self._reranker else 0.0

    async def prepare(self) -> None:
        """Load the model now."""
        if self._meaning:
            await self._meaning.prepare()

    async def begin(self) -> None:
        """A question is asked."""
        if self._meaning and self._wait:
            await self._meaning.prepare()
        elif self._meaning:
            self._meaning.begin()

    def arrived(self, query: Query, outcome: Outcome) -> None:
        """Begin with what is there."""
        if self._meaning:
            self._meaning.read_ahead(query.text, outcome)

    def so_far(self, query: Query, outcomes: Sequence[Outcome]) -> Heard:
        """What is known without waiting, for an answer that will be revised."""
        return Heard(self._meaning.known(query.text, outcomes)) if self._meaning else NOTHING

    async def hear(
        self,
        query: Query,
        outcomes: Sequence[Outcome],
        candidates: Callable[[Heard], Awaitable[Sequence[Result]]],
        until: float,
    ) -> Heard:
        """Everything, by ``until`` on the loop's clock. ``candidates``: the best results by what was heard so far."""
        heard = NOTHING
        if self._meaning:
            patience = min(self._budget, self._left(until))
            near = await self._meaning.nearness(query.text, outcomes, query.language, patience)
            heard = Heard(near.cosines, notes=(near.note,) if near.note else ())
        top = await candidates(heard) if self._reranker else ()
        if self._reranker and top:
            patience = max(0.0, min(self._patience, self._left(until)))
            scores, note = await judged(self._reranker, query.text, top, query.language, patience)
            heard = Heard(heard.semantic, scores, (*heard.notes, note) if note else heard.notes)
        return heard

    async def aclose(self) -> None:
        """Release threads and connections; safe to call twice."""
        if self._meaning:
            await self._meaning.aclose()
        if self._reranker:
            await self._reranker.aclose()

    @staticmethod
    def _left(until: float) -> float:
        return until - SETTLING - asyncio.get_running_loop().time()
