"""Meaning, a reranker and the other profile through the whole path: real sockets, the real model, the sandbox."""

import math
from contextlib import nullcontext
from datetime import datetime

import pytest
from aiohttp import web
from blockbuster import blockbuster_ctx

from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.conformance.marks import requirement

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
SECRET = "proxy-secret-0123456789"


@pytest.fixture(scope="session")
def corpus():
    return default_corpus()


async def asked(corpus, text=QUESTION, times=1, **ranking):
    """The last of several answers to one question, each from a fresh sandbox of the vendors."""
    async with Sandbox(corpus) as sandbox:
        sources = {
            name: {"kind": name, "base_url": end.base_url, "token": end.token}
            for name, end in sandbox.endpoints.items()
        }
        async with build_engine(load_settings({"sources": sources, "ranking": ranking}, {})) as engine:
            answers = [await engine.search(Ask(text, NOW, limit=30, budget=HANGING)) for _ in range(times - 1)]
            with blockbuster_ctx() if times > 1 else nullcontext() as watch:  # what is loaded once is loaded
                if watch is not None:
                    watch.functions["threading.Lock.acquire"].deactivate()  # coverage takes one on every new thread
                return (*answers, await engine.search(Ask(text, NOW, limit=30, budget=HANGING)))[-1]


def order(answer):
    return [(result.hit.source, result.hit.id) for result in answer.results]


async def test_meaning_is_read_and_said_in_the_factors(corpus):
    """Embedding does not stop the event loop."""
    enough = {"semantic": {"budget": 20.0}}  # seconds: what is read must not turn on how busy the machine is
    answer = await asked(corpus, "온콜 정책", semantic="wait", times=2, numbers=enough)
    assert any(result.factors.get("meaning", 0.0) > 0.0 for result in answer.results)
    assert answer.notes == ()


async def test_one_switch_turns_it_off(corpus):
    answer = await asked(corpus, semantic="off")
    assert not any("meaning" in result.factors for result in answer.results)
    assert answer.notes == ()


async def test_the_first_question_of_a_process_does_not_wait_for_a_model(corpus):
    answer = await asked(corpus)
    assert answer.notes == ("의미는 비교하지 못했습니다: 모델을 아직 불러오지 못했습니다",)
    assert order(answer) == order(await asked(corpus, semantic="off"))


async def test_results_about_one_matter_name_each_other(corpus):
    answer = await asked(corpus, semantic="off")
    listed = set(order(answer))
    related = {(result.hit.source, result.hit.id): set(result.related) for result in answer.results}
    assert any(others & listed for others in related.values())
    for one, others in related.items():
        assert all(one in related[other] for other in others & listed), "what is named names back"
        assert one not in others


@requirement(
    "2.16",
    "Results of all sources: rank fusion, reranker, recency by source, sorted, and nothing else",
    where="orchestrator/rank/fuse.py orchestrator/rank/__init__.py",
    differs="they are weighed by the four factors of system 1, in which recency is freshness, by kind of question.",
    setting='`ranking.profile = "recency_boost"`.',
)
async def test_the_other_profile_is_fusion_reranker_and_recency(corpus):
    """RRF, the original order as relevance where nobody reranks, recency by source, sorted."""
    answer = await asked(corpus, profile="recency_boost")
    weights = {"slack": 0.6, "gmail": 0.5, "linear": 0.4, "notion": 0.2}
    half_lives = {"slack": 7, "gmail": 14, "linear": 14, "notion": 30}
    assert len(answer.results) >= 3
    for result in answer.results:
        hit = result.hit
        chat_or_mail = hit.source in {"slack", "gmail"}
        when = hit.created if chat_or_mail else hit.updated or hit.created
        days = max(0.0, (NOW - when).total_seconds() / 86400)
        recency = math.exp(-math.log(2) / half_lives[hit.source] * days)
        weight = weights[hit.source]
        assert result.score == pytest.approx((1 - weight) * result.factors["relevance"] + weight * recency, abs=1e-9)
    scores = [result.score for result in sorted(answer.results, key=lambda each: -each.score)]
    assert scores[0] == max(scores)
    relevances = sorted((result.factors["relevance"] for result in answer.results), reverse=True)
    assert relevances[0] <= 1.0


async def serve_reranker(answer):
    """``POST /rerank`` on a loopback socket; what it was sent."""
    sent = []

    async def handle(request):
        body = await request.json()
        sent.append((request.headers.get("Authorization"), body))
        return answer(body)

    app = web.Application()
    app.router.add_post("/rerank", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return runner, {"model": "proxy", "base_url": f"http://127.0.0.1:{runner.addresses[0][1]}", "api_key": SECRET}, sent


@requirement("2.4")
async def test_a_reranker_has_the_say_over_the_best_thirty(corpus):
    """It prefers what names the Norvale stores; the results follow."""

    def judge(body):
        rows = [
            {"id": each["id"], "index": index, "relevanceScore": 0.99 if "Norvale" in each["text"] else 0.01}
            for index, each in enumerate(body["documents"])
        ]
        return web.json_response({"results": rows[: body["topN"]]})

    runner, settings, sent = await serve_reranker(judge)
    answer = await asked(corpus, semantic="off", reranker=settings)
    await runner.cleanup()
    key, body = sent[0]
    assert key == f"Bearer {SECRET}"
    assert body["query"] == QUESTION
    assert 0 < len(body["documents"]) <= 30
    assert all(len(each["text"]) <= 1000 for each in body["documents"])
    assert answer.results[0].factors["reranked"] == 0.99
    assert answer.notes == ()


async def test_a_reranker_that_fails_leaves_our_order(corpus):
    runner, settings, _ = await serve_reranker(lambda _: web.Response(status=500, text=SECRET))
    answer = await asked(corpus, semantic="off", reranker=settings)
    await runner.cleanup()
    assert order(answer) == order(await asked(corpus, semantic="off"))
    assert len(answer.notes) == 1
    assert answer.notes[0].startswith("재순위에 실패")
    assert SECRET not in answer.notes[0]
