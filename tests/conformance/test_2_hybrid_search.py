"""2 Source-aware hybrid search: fusion, rerank, recency"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys

import pytest
from aiohttp import web

from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from tests.conformance.indexed import a_service, an_index, name, ranks, recency, relevance, steps
from tests.conformance.marks import requirement

pytestmark = pytest.mark.asyncio(loop_scope="module")

SECRET = "vendor-secret-0123456789"
PELICAN = "펠리컨 배포 일정"


# ---- the steps


@requirement("2.1", "Semantic and full text search of the index are fused by reciprocal rank, k = 60", where="connectors/local/pipeline.py connectors/local/pipeline.toml")  # fmt: skip
@pytest.mark.parametrize("question", [PELICAN, "heron notes"])
async def test_two_lists_are_fused_by_reciprocal_rank(index, question):
    """Each result says its place in both lists and in the fused one: computed anew, it is the same order."""
    results = (await index.ask(question, limit=100))["results"]
    places = [ranks(each) for each in results]
    assert len(places) >= 10
    assert any("meaning" in each and "words" in each for each in places)
    fused = {
        each["fused"]: math.fsum(1 / (60 + each[by]) for by in ("meaning", "words") if by in each) for each in places
    }
    in_order = [fused[place] for place in sorted(fused)]
    assert in_order == sorted(in_order, reverse=True)


@requirement("2.2", "What is meant is found without its words, and what is named without being near", where="connectors/local/retrieval.py")  # fmt: skip
@pytest.mark.parametrize("question", ["How many vacation days do employees get?", "직원 휴가 일수"])
async def test_meaning_and_words_complete_each_other(index, question):
    first = (await index.ask(question))["results"][0]
    assert name(first) == "meant"
    assert "meaning" in steps(first)


@requirement("2.3", "The order of steps: fusion, reranker, recency, then sorting", where="connectors/local/pipeline.py")
async def test_steps_follow_one_another(index):
    reply = await index.ask(PELICAN)
    for each in reply["results"]:
        made = [step for step in steps(each) if step not in {"meaning", "words"}]
        assert made == ["fused", "local", "recency"]


@requirement("2.3")
async def test_the_order_of_the_index_alone_stands(index):
    scores = [recency(each)[2] for each in (await index.ask(PELICAN))["results"]]
    assert scores == sorted(scores, reverse=True)


@requirement(
    "2.4", "The reranker judges the first 30", where="connectors/local/pipeline.toml connectors/models/reranking.py"
)
async def test_the_first_thirty_are_reranked(index):
    results = (await index.ask("heron notes", limit=100))["results"]
    judged = {ranks(each)["fused"]: "not reranked" not in each["facts"]["steps"] for each in results}
    assert len(judged) > 30
    assert all(within == (place <= 30) for place, within in judged.items())


# ---- recency

GIVEN = {
    "slack-0": (1.0, 0.6), "slack-7": (0.5, 0.6), "slack-14": (0.25, 0.6), "slack-30": (0.051, 0.6),
    "gmail-0": (1.0, 0.5), "gmail-14": (0.5, 0.5), "linear-0": (1.0, 0.4), "linear-14": (0.5, 0.4),
    "notion-0": (1.0, 0.2), "notion-30": (0.5, 0.2), "files-14": (0.5, 0.3),
}  # fmt: skip


@requirement("2.5", "Recency is e^(−λ·age), λ = ln 2 / half-life, weight and half-life by source: Slack 0.6 and 7 days, Gmail 0.5 and 14, Linear 0.4 and 14, Notion 0.2 and 30, unknown 0.3 and 14", where="connectors/local/pipeline.toml config/ranking.toml")  # fmt: skip
async def test_recency_by_source(index):
    found = {name(each): recency(each) for each in (await index.ask(PELICAN, limit=100))["results"]}
    for document, (left, weight) in GIVEN.items():
        assert found[document][:2] == (pytest.approx(left, abs=0.011), weight), document


@requirement(
    "2.6",
    "The final score is (1 − w)·relevance + w·recency",
    where="connectors/local/pipeline.py orchestrator/rank/factors.py",
    differs="so only where a question asks how things stand; else relevance × (1 + w·recency), since what is old and fits would fall behind what is new and does not.",
    setting='`sources.local.recency_form = "mix"`.',
)
async def test_relevance_and_recency_are_mixed(tmp_path_factory, indexed):
    told = {"recency_form": "mix"}
    async with an_index(tmp_path_factory.mktemp("mixed"), indexed, local=told) as served:
        results = (await served.ask(PELICAN, limit=100))["results"]
    assert len(results) >= 10
    for each in results:
        left, weight, score = recency(each)
        assert score == pytest.approx((1 - weight) * relevance(each) + weight * left, abs=0.011)


@requirement("2.7", "Without a date recency is 0.5; a date to come counts as today", where="connectors/local/pipeline.toml config/ranking.toml")  # fmt: skip
async def test_no_date_and_a_date_to_come(index):
    found = {name(each): recency(each) for each in (await index.ask(PELICAN, limit=100))["results"]}
    assert (found["undated"][0], found["future"][0]) == (0.5, 1.0)


@requirement("2.8", "Weights and half-lives can be set", where="connectors/local/settings.py")
async def test_recency_can_be_set(tmp_path_factory, indexed):
    told = {"recency": {"files": {"weight": 0.9, "half_life": 7}}}
    async with an_index(tmp_path_factory.mktemp("set"), indexed, local=told) as served:
        found = {name(each): recency(each) for each in (await served.ask(PELICAN, limit=100))["results"]}
    assert found["files-14"][:2] == (0.25, 0.9)


@requirement("2.9", "What is left of recency at 0, 1, 7, 14, 30, 60 and 90 days can be looked at, for each source, and what becomes of a relevance", where="orchestrator/surfaces/cli/recency.py")  # fmt: skip
async def test_the_decay_can_be_looked_at():
    """Slack at 7 days 0.50, 14 days 0.25, 30 days 0.05; mail and tracker at 14 days 0.50; wiki at 30 days 0.50."""
    command = [
        sys.executable,
        "-c",
        "from orchestrator.main import run; run()",
        "recency",
        "--relevance",
        "0.8",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")  # noqa: ASYNC221 - nothing else runs
    shown = {each["name"]: {at["days"]: at for at in each["ages"]} for each in json.loads(done.stdout)["sources"]}
    assert all(list(ages) == [0, 1, 7, 14, 30, 60, 90] for ages in shown.values())
    for source, days, left in (("chat", 7, 0.5), ("chat", 14, 0.25), ("chat", 30, 0.05), ("mail", 14, 0.5), ("tracker", 14, 0.5), ("wiki", 30, 0.5)):  # fmt: skip
        assert shown[source][days]["recency"] == pytest.approx(left, abs=0.002)
    assert (shown["chat"][0]["score"], shown["wiki"][0]["score"]) == (pytest.approx(0.92), pytest.approx(0.84))


# ---- the reranker, for others


@requirement("2.10", "POST /rerank takes a query, documents with id and text, and topN (20 where it is not said), and gives results with id, relevanceScore and index, best first", where="orchestrator/surfaces/http/reranking.py")  # fmt: skip
@pytest.mark.parametrize(
    ("query", "right"),
    [("환불 신청 기한", "환불은 7일 안에 신청합니다"), ("refund period", "the refund period is 7 days")],
)
async def test_documents_are_reranked(index, query, right):
    documents = [{"id": f"d{place}", "text": "점심 메뉴 lunch menu"} for place in range(40)]
    documents[33] = {"id": "right", "text": right}
    for path in ("/rerank", "/v1/rerank"):
        results = (await index.post(path, query=query, documents=documents))["results"]
        assert len(results) == 20
        assert (results[0]["id"], results[0]["index"]) == ("right", 33)
        assert [set(each) for each in results] == [{"id", "relevanceScore", "index"}] * 20
        scores = [each["relevanceScore"] for each in results]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert len((await index.post(path, query=query, documents=documents, topN=3))["results"]) == 3


def judged(body):
    """A reply as Cohere's, which prefers the last."""
    most = len(body["documents"])
    rows = [{"index": place, "relevance_score": (place + 1) / most} for place in range(most)]
    return web.json_response({"id": "1", "results": sorted(rows, key=lambda each: -each["relevance_score"])[: body["top_n"]]})  # fmt: skip


def cohere(url: str) -> dict[str, object]:
    """Settings of a reranker at Cohere's."""
    return {"model": "cohere/rerank-v3.5", "base_url": url, "api_key": SECRET, "timeout": 20.0}


@requirement("2.11", "Behind it is Cohere's Rerank (v2) or one of our own; clients never hold the vendor's key", where="connectors/models/reranking_remote.py connectors/models/reranking_local.py")  # fmt: skip
@requirement("2.12", "Of each document title and content are sent, cut at 1,000 characters", where="connectors/models/reranking.py")  # fmt: skip
async def test_the_vendor_judges_and_the_server_holds_the_key(tmp_path_factory, indexed):
    async with a_service("/v2/rerank", judged) as (url, came):
        told = {"ranking": {"semantic": "off", "reranker": cohere(url)}}
        async with an_index(tmp_path_factory.mktemp("cohere"), indexed, **told) as served:
            documents = [{"id": "a", "text": "가" * 3000}, {"id": "b", "text": "짧은 글"}]
            reply = await served.post("/rerank", query="환불", documents=documents)
            assert [each["id"] for each in reply["results"]] == ["b", "a"]
            assert SECRET not in json.dumps(reply)
            headers, body = came[0]
            assert headers["Authorization"] == f"Bearer {SECRET}"
            assert (body["model"], body["query"]) == ("rerank-v3.5", "환불")
            assert [len(each) for each in body["documents"]] == [1000, 4]
            came.clear()
            await served.ask("how to run tasks concurrently")
            sent = came[0][1]["documents"]
            assert any(each.startswith("how to run tasks concurrently") for each in sent)
            assert all(len(each) <= 1000 for each in sent)
            assert len(sent) <= 30


@requirement(
    "2.13", "No documents give no results; a blank query leaves their order", where="connectors/models/reranking.py"
)
async def test_nothing_to_judge(index):
    documents = [{"id": each, "text": f"글 {each}"} for each in "abcd"]
    assert await index.post("/rerank", query="환불", documents=[]) == {"results": []}
    results = (await index.post("/rerank", query="  ", documents=documents))["results"]
    assert [(each["id"], each["relevanceScore"]) for each in results] == [
        ("a", 1.0),
        ("b", 0.75),
        ("c", 0.5),
        ("d", 0.25),
    ]


@requirement("2.14", "On any failure of a reranker the original order stands, with 1 − i/n; it is logged, and no error to a person", where="connectors/models/reranking.py orchestrator/signals/heard.py")  # fmt: skip
@pytest.mark.parametrize("reply", [lambda _: web.Response(status=500), lambda _: web.Response(text="<html>")])
async def test_a_failing_reranker_changes_nothing(tmp_path_factory, indexed, reply, capsys):
    async with a_service("/v2/rerank", reply) as (url, came):
        told = {"ranking": {"semantic": "off", "reranker": cohere(url)}}
        async with an_index(tmp_path_factory.mktemp("failing"), indexed, **told) as served:
            documents = [{"id": each, "text": f"글 {each}"} for each in "abcd"]
            results = (await served.post("/rerank", query="환불", documents=documents))["results"]
            assert [(each["id"], each["relevanceScore"]) for each in results] == [("a", 1.0), ("b", 0.75), ("c", 0.5), ("d", 0.25)]  # fmt: skip
            answer = await served.ask(PELICAN)
            assert answer["results"]
    assert len(came) >= 2
    said = "".join(capsys.readouterr())
    assert re.search(r"warning.*rerank", said)
    assert SECRET not in said


# ---- what is embedded


@requirement("2.15", "Embedding keeps case, and reads up to 2,000 characters", where="connectors/models/embedding.py connectors/models/embedding_remote.py")  # fmt: skip
async def test_what_the_embedding_service_is_sent():
    def vectors(body):
        texts = body["input"]
        return web.json_response({"data": [{"index": place, "embedding": [1.0] * 8} for place in range(len(texts))]})

    async with a_service("/embeddings", vectors) as (url, came):
        settings = EmbedderSettings(model="openai/some-model", base_url=url, api_key=SECRET, dimension=8)
        embedder = open_embedder(settings)
        try:
            await embedder.embed_passages(["McKinsey와 결제API " + "가나다" * 1000])
            await embedder.embed_queries(["Where is McKinsey?"])
        finally:
            await embedder.aclose()
    sent = [text for _, body in came for text in body["input"]]
    assert sent[0].startswith("McKinsey와 결제API 가나다")
    assert len(sent[0]) == 2000
    assert sent[1] == "Where is McKinsey?"


@requirement("2.15")
async def test_what_the_index_finds_by_case(index):
    """Case is kept in what is found and shown."""
    assert "Mitarbeiter" in (await index.ask("Mitarbeiter Urlaubstage"))["results"][0]["snippet"]
