"""The best of a list put in order by a model that reads question and text together; the list as it was if that fails."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, PositiveFloat, SecretStr

from connectors.errors import BadReply, SourceError
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TOP = 30  # documents of a ranking that are reranked; further ones are not sent
CHARACTERS = 1000  # of a document that are sent
TOP_N = 20  # results where the caller does not say


@record
class JudgedDocument:
    """What is judged: its id, and what is read of it, at most ``CHARACTERS`` (:func:`connectors.passages.opening`)."""

    id: str
    text: str


@record
class RelevanceScore:
    """A judged document: its id, its relevance from 0 to 1, and its place (from 0) among the documents given."""

    id: str
    score: float
    index: int


@record
class Reranking:
    """Documents, best first. ``problem`` says why they stand in their original order; empty where they were judged."""

    results: tuple[RelevanceScore, ...] = ()
    problem: str = ""


@runtime_checkable
class Reranker(Protocol):
    """Judges documents against a question. ``name``: maker and model, for logs and receipts."""

    name: str

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        """At most ``top_n`` of ``documents`` in any order; neither argument is empty. Raises :class:`SourceError`."""
        ...

    async def aclose(self) -> None:
        """Release connections; safe to call twice."""
        ...


class RerankerSettings(BaseModel):
    """Which reranker, and where it is.

    ``model``: ``none``, ``local``, ``cohere/MODEL`` or ``proxy`` (a server with our own ``POST /rerank``, at
    ``base_url``). ``timeout``: seconds for everything; after that the original order stands.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: str = "none"
    base_url: str = ""
    api_key: SecretStr | None = None
    timeout: PositiveFloat = 1.0


async def rerank(
    reranker: Reranker,
    query: str,
    documents: Sequence[JudgedDocument],
    top_n: int = TOP_N,
    *,
    most: int = TOP,
    patience: float = 10.0,
) -> Reranking:
    """The first ``most`` documents judged, best first, ``top_n`` of them at most. Raises nothing but cancellation.

    No documents give no results; a blank question, and any failure, the original order with the scores 1 - i/n. A
    failure is logged. ``patience``: seconds.
    """
    import asyncio

    judged = documents[:most]
    if not judged or not query.strip():
        return Reranking(_as_given(judged, top_n), "" if not judged else "the question is blank")
    try:
        async with asyncio.timeout(patience):
            results = _checked(await reranker.judge(query, judged, min(top_n, len(judged))), judged)
    except TimeoutError:
        problem = f"no answer within {patience:g} s"
    except SourceError as failure:
        problem = failure.message
    except Exception as failure:  # noqa: BLE001 — a bug in a reranker must not cost a person the answer
        problem = f"{type(failure).__name__} in the reranker"
    else:
        return Reranking(results[:top_n])
    _log(reranker.name, problem)
    return Reranking(_as_given(judged, top_n), problem)


def _as_given(documents: Sequence[JudgedDocument], top_n: int) -> tuple[RelevanceScore, ...]:
    count = len(documents)
    scored = (RelevanceScore(each.id, 1 - index / count, index) for index, each in enumerate(documents))
    return tuple(scored)[:top_n]


def _checked(results: Iterable[RelevanceScore], documents: Sequence[JudgedDocument]) -> tuple[RelevanceScore, ...]:
    """Best first. What does not fit the documents is a :class:`BadReply`: an order that is half wrong helps nobody."""
    found = list(results)
    indices = [each.index for each in found]
    if not found or len(set(indices)) < len(indices):
        raise BadReply("the reranker judged nothing, or something twice")
    if not all(0 <= index < len(documents) for index in indices):
        raise BadReply("the reranker judged a document that it was not given")
    if any(documents[each.index].id != each.id for each in found):
        raise BadReply("the reranker called a document by the id of another")
    if not all(math.isfinite(each.score) and 0.0 <= each.score <= 1.0 for each in found):
        raise BadReply("the reranker gave a relevance that is not between 0 and 1")
    return tuple(sorted(found, key=lambda each: (-each.score, each.index)))


def _log(name: str, problem: str) -> None:
    from storage.logs import log_of

    log_of(__name__).warning("reranking failed; the original order stands", reranker=name, problem=problem)
