"""The index asked by its doors: what the address of a document counts, whichever reranker judges; how things age."""

import json
import os
import subprocess
import zipfile
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial

import pytest
from aiohttp import web

from connectors.local.documents import PUBLIC, Document
from connectors.local.numbers import Url, default_numbers
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from connectors.models import open_reranker
from connectors.models.reranking import RerankerSettings
from connectors.passages import Passage
from orchestrator.main import Root
from orchestrator.model import Ask
from orchestrator.sandbox import Sandbox, load_corpus
from orchestrator.settings import load_settings
from storage.database import Database
from tests.clock import HANGING
from tests.e2e.local_index import Hashed
from tests.e2e.program import ROOT, WARM
from tests.rooms import of_before
from translators.query import Kind

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@asynccontextmanager
async def judge_of_lengths(model):
    """A reranking service, by Cohere's and by our own contract, to which texts of one length are equally relevant."""

    async def judged(request):
        body = await request.json()
        texts = [each["text"] if isinstance(each, dict) else each for each in body["documents"]]
        ids = [each.get("id") if isinstance(each, dict) else None for each in body["documents"]]
        key = "relevance_score" if request.path.startswith("/v2") else "relevanceScore"
        results = [{"index": n, "id": ids[n], key: 1 / (1 + len(text) / 100)} for n, text in enumerate(texts)]
        return web.json_response({"results": results})

    app = web.Application()
    app.add_routes([web.post("/v2/rerank", judged), web.post("/rerank", judged)])
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    settings = RerankerSettings(model=model, base_url=f"http://127.0.0.1:{port}", api_key="secret", timeout=HANGING)
    reranker = open_reranker(settings, Hashed())
    try:
        yield reranker
    finally:
        if reranker is not None:
            await reranker.aclose()
        await runner.cleanup()


PAGES = {
    "https://blog.example/python/tasks": "blog",
    "https://docs.trio.example/reference/tasks": "trio",
    "https://wiki.example/handbook/tasks": "wiki",
    "https://portal.example/급여안내/tasks": "payroll",
    "": "file",
}
SAME = {"en": "how to run tasks concurrently", "ko": "여러 작업을 함께 처리하는 방법"}
ASKED = [
    ("en", "trio docs: how to run tasks concurrently", "trio"),
    ("ko", "급여안내 여러 작업을 함께 처리하는 방법", "payroll"),
]


def weighing(weight):
    numbers = default_numbers()
    return numbers.model_copy(update={"url": Url(weight=weight)})


@pytest.mark.parametrize("model", ["local", "none", "cohere/rerank-v3.5", "proxy"])
@pytest.mark.parametrize(("language", "question", "named"), ASKED)
async def test_the_address_decides_between_pages_of_one_text(index_url, model, language, question, named):
    """Five documents say the same: the one whose address the question names comes first, whoever judges them."""
    documents = [
        Document("web", name, "", (Passage(SAME[language]),), (PUBLIC,), url=url) for url, name in PAGES.items()
    ]
    async with judge_of_lengths(model) as reranker:
        scores, firsts = {}, {}
        for weight in (0.0, 0.5, 5.0):
            store = IndexStore(Database(index_url, 4), Hashed(), reranker, weighing(weight))
            await store.upsert(documents)
            await store.embed_waiting()
            searched = await store.search(IndexQuery(question, question, await store.scope("user:x")), NOW)
            ids = await store.database.run(lambda each: each.fetch("SELECT id, native_id FROM documents"))
            names = {row["id"]: row["native_id"] for row in ids}
            scores[weight] = {names[each.document]: round(each.score, 6) for each in searched.candidates}
            firsts[weight] = names[searched.candidates[0].document]
            steps = {names[each.document]: " | ".join(each.steps) for each in searched.candidates}
            await store.database.aclose()
            assert ("address" in steps[named].split("fused")[1]) is (weight > 0)
            assert "address" not in steps["file"]
        assert firsts[0.5] == firsts[5.0] == named
        for weight in (0.5, 5.0):
            others = sorted(set(scores[weight]) - {named})
            assert all(scores[weight][named] > scores[weight][other] for other in others)
            assert scores[weight]["file"] > min(scores[weight].values()), "what has no address is not behind for that"
        if model != "none":  # where nobody judges, places in the lists make the score, and no two share one
            assert len(set(scores[0.0].values())) == 1


async def test_an_address_lifts_nothing_out_of_zero_to_one(index_url):
    documents = [Document("web", name, "", (Passage(SAME["en"]),), (PUBLIC,), url=url) for url, name in PAGES.items()]
    store = IndexStore(Database(index_url, 4), Hashed(), None, weighing(50.0))
    await store.upsert(documents)
    await store.embed_waiting()
    searched = await store.search(IndexQuery("trio docs tasks", "tasks", await store.scope("user:x")), NOW)
    await store.aclose()
    assert len(searched.candidates) == len(PAGES)
    assert all(0.0 <= each.score <= 1.0 for each in searched.candidates)


# ---- recency, by what a thing is


MAIL = """From minsu@example.com Tue Nov 17 09:00:00 2026
From: Minsu Kim <minsu@example.com>
Subject: Rollout 환불 배포
Date: {date}
Message-ID: <1@example.com>

The rollout of 환불 배포 is on Friday.
"""
ISSUES = "Issue key,Summary,Status,Updated\nPAY-1,Rollout 환불 배포,Open,{date}\n"


def exported(folder, when):
    """A backup of several tools under one name that tells of none of them, and notes called like a tool; all of one moment."""
    said = {"type": "message", "user": "U1", "ts": f"{when.timestamp():.6f}", "text": "Rollout 환불 배포 on Friday"}
    backup, notes = folder / "2026 백업", folder / "slack"
    for each in (backup, notes):
        each.mkdir()
    members = {
        "users.json": [{"id": "U1", "profile": {"real_name": "김민수"}}],
        "channels.json": [{"id": "C1", "name": "release", "members": ["U1"]}],
        "release/2026-11-17.json": [said],
    }
    with zipfile.ZipFile(backup / "export.zip", "w") as packed:
        for name, told in members.items():
            packed.writestr(name, json.dumps(told))
    (backup / "old.mbox").write_text(MAIL.format(date=format_datetime(when)), encoding="utf-8")
    (backup / "issues.csv").write_text(ISSUES.format(date=when.isoformat()), encoding="utf-8")
    (backup / "page.html").write_text(
        "<html><head><title>Rollout 환불 배포</title></head><body><p>Rollout 환불 배포 is described here.</p></body></html>"
    )
    (notes / "plan.md").write_text("Rollout 환불 배포 plan", encoding="utf-8")
    return backup, notes


def fedsearch(home, url, *arguments, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    told = {
        "HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "120",
        "FEDSEARCH_INDEX__DATABASE_URL": url, "FEDSEARCH_INDEX__EMBEDDER__MODEL": "none",
        "FEDSEARCH_RANKING__SEMANTIC": "off", "FEDSEARCH_SOURCES__LOCAL__ENABLED": "true",
    }  # fmt: skip
    done = subprocess.run(
        [*WARM, *arguments], env={**kept, **told, **more}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("question", ["환불 배포 rollout", "the rollout of 환불 배포"])
def test_documents_age_by_what_they_are_under_any_name(tmp_path, index_url, question):
    """What `fedsearch recency` shows is what the steps of each hit say: a Slack export decays as chat, notes called slack do not."""
    ask = partial(fedsearch, tmp_path, index_url)
    ask("index", "add", *map(str, exported(tmp_path, datetime.now(UTC) - timedelta(days=7))))
    table = json.loads(ask("recency", "--json"))["indexes"][0]
    weights = {kind: each["weight"] for each in table["things"] for kind in each["kinds"]}
    hits = json.loads(ask("search", question, "--json"))["results"]
    recency = {each["kind"]: next(s for s in each["facts"]["steps"] if s.startswith("recency")) for each in hits}
    assert recency.keys() == {"message", "mail", "issue", "page", "file"}
    assert recency["message"].startswith("recency 0.50 × 0.6 = ")
    assert recency["mail"].startswith("recency 0.71 × 0.5 = ")
    assert recency["issue"].startswith("recency 0.71 × 0.4 = ")
    assert " × 0.2 = " in recency["page"]
    assert " × 0.3 = " in recency["file"], "a folder called slack holds no chat for that"
    assert (weights["message"], weights["mail"], weights["issue"], weights["page"]) == (0.6, 0.5, 0.4, 0.2)


def test_the_table_shown_is_the_one_that_settings_make(tmp_path, index_url):
    settings = {
        "FEDSEARCH_SOURCES__LOCAL__RECENCY__CHAT__WEIGHT": "0.1",
        "FEDSEARCH_SOURCES__LOCAL__RECENCY__CHAT__HALF_LIFE": "3",
        "FEDSEARCH_SOURCES__LOCAL__RECENCY_FORM": "boost",
    }
    (table,) = json.loads(fedsearch(tmp_path, index_url, "recency", "--json", **settings))["indexes"]
    chat = next(each for each in table["things"] if each["name"] == "chat")
    assert (table["form"], chat["weight"], chat["half_life"], chat["kinds"]) == ("boost", 0.1, 3, ["message", "thread"])


async def test_an_index_of_before_ages_by_what_its_documents_are(empty_url):
    """The kind was kept with each document from the start: nothing has to be read again."""
    owner = await of_before(empty_url, 11)
    await owner.close()
    store = IndexStore(Database(empty_url, 4), Hashed(), None)
    week = NOW - timedelta(days=7)
    kinds = (Kind.MESSAGE, Kind.FILE)
    await store.upsert(
        [Document("slack", str(kind), "", (Passage("배포"),), (PUBLIC,), kind=kind, created=week) for kind in kinds]
    )
    searched = await store.search(IndexQuery("배포", "배포", await store.scope("user:x")), NOW)
    await store.aclose()
    assert {each.kind: each.steps[-1].split(" =")[0] for each in searched.candidates} == {
        "message": "recency 0.50 × 0.6",
        "file": "recency 0.71 × 0.3",
    }


# ---- asked alone, and among others


def own_order(results):
    """The scores that the last step of the index gave, in the order that is shown."""
    return [float(each.hit.facts["steps"][-1].rpartition("= ")[2]) for each in results]


@pytest.mark.parametrize("question", ["환불 배포 일정", "refund rollout plan"])
async def test_the_order_of_the_index_stands_alone_and_is_explained_among_others(tmp_path, index_url, question):
    """Alone, nothing ranks anew: what is newest by the index's recency goes first though an old page is more official."""
    now = datetime.now(UTC)
    kinds = (Kind.MESSAGE, Kind.PAGE, Kind.FILE, Kind.ISSUE, Kind.MAIL)
    documents = [
        Document(
            "backup", f"{kind}-{days}", f"환불 배포 refund rollout {days}", (Passage("환불 배포 일정 refund rollout plan " * (1 + days % 3)),), ("user:local",),
            kind=kind, created=now - timedelta(days=days), updated=now - timedelta(days=days),
        )
        for kind in kinds
        for days in (0, 5, 20, 60)
    ]  # fmt: skip
    told = {
        "index": {"database_url": index_url, "embedder": {"model": "none"}, "worker": False},
        "ranking": {"semantic": "off"},
    }
    alone = load_settings({**told, "sources": {"local": {"enabled": True}}}, {})
    async with Root().ingest(alone) as ingest:
        await ingest.index.upsert(documents)
    async with Root().engine(alone) as engine:
        results = (await engine.search(Ask(question, now, budget=HANGING))).results
        assert len(results) == 10
        assert own_order(results) == sorted(own_order(results), reverse=True)
        assert [each.score for each in results] == pytest.approx(own_order(results), abs=0.001)
        assert not any("its place in" in why or "순서보다" in why for each in results for why in each.why)
    async with Sandbox(load_corpus(corpus(tmp_path))) as served:
        end = served.endpoints["slack"]
        both = {"local": {"enabled": True}, "slack": {"base_url": end.base_url, "token": end.token}}
        said = ("순서보다", "답에") if question.startswith("환불") else ("its place in", "like the answer")
        for profile in ("formula", "factors"):
            ranking = {**told["ranking"], "profile": profile}
            async with Root().engine(load_settings({**told, "ranking": ranking, "sources": both}, {})) as engine:
                results = (await engine.search(Ask(question, now, budget=HANGING))).results
            its = [each for each in results if each.hit.source == "local"]
            ranks = [each.evidence[0].rank for each in its]
            assert ranks != sorted(ranks), "the four factors order otherwise"
            for at, each in enumerate(its):
                moved = any(rank < ranks[at] for rank in ranks[at:]) or any(rank > ranks[at] for rank in ranks[:at])
                told_why = any(phrase in why for why in each.why for phrase in said)
                # What sentences have moved may stand again where the index had it, and tells both moves.
                assert told_why if moved else profile == "factors" or not told_why, (each.hit.id, each.why)


def corpus(folder):
    row = {
        "id": "C1-1", "source": "slack", "kind": "message", "container": "release", "author": "U1", "author_name": "김민수",
        "created": "2026-11-20T09:00:00+09:00", "title": "", "text": "환불 배포 refund rollout plan",
    }  # fmt: skip
    (folder / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    return folder
