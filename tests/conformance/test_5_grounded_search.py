"""5 Grounded web search tool"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
import pytest_asyncio
from aiohttp import web
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.clock import HANGING
from tests.conformance.company import a_company
from tests.conformance.indexed import a_service
from tests.conformance.marks import requirement

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.types import CallToolResult

pytestmark = pytest.mark.asyncio(loop_scope="module")

PAGES = [
    ("kubernetes.io", "https://kubernetes.io/ko/docs/home/"),
    ("위키백과", "https://ko.wikipedia.org/wiki/쿠버네티스"),
]
KOREAN = ["쿠버네티스는 컨테이너를 관리한다.", "배포를 자동화한다 🚢.", "출처가 없는 문장이다."]
ENGLISH = ["Kubernetes manages containers.", "It automates deployment.", "This rests on nothing."]


def grounded(sentences: list[str], supports: list[tuple[int, list[int]]]) -> dict[str, Any]:
    """A reply as Gemini gives it: of each sentence the bytes that it takes, and the pages that bear it out."""
    text, segments = " ".join(sentences), []
    for place, pages in supports:
        start = len(" ".join([*sentences[:place], ""]).encode())
        end = start + len(sentences[place].encode())
        segment = {"endIndex": end, "text": sentences[place], **({"startIndex": start} if start else {})}
        segments.append({"segment": segment, "groundingChunkIndices": pages})
    chunks = [{"web": {"uri": uri, "title": title}} for title, uri in PAGES]
    metadata = {"webSearchQueries": ["q"], "groundingChunks": chunks, "groundingSupports": segments}
    return {"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": "STOP", "index": 0, "groundingMetadata": metadata}]}  # fmt: skip


class Gemini:
    """What Gemini is to reply, and what it was asked."""

    def __init__(self) -> None:
        self.reply: dict[str, Any] = {}
        self.came: list[Any] = []


@asynccontextmanager
async def a_model(company) -> AsyncIterator[Client]:
    """A language model's client of our MCP server."""
    async with (
        httpx2.AsyncClient(headers=company.api.auth, trust_env=False, timeout=HANGING) as http,
        Client(streamable_http_client(company.api.url + "/mcp", http_client=http)) as client,
    ):
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory):
    """An API before a pretend Gemini, and that."""
    gemini = Gemini()
    async with a_service(
        "/v1beta/models/gemini-2.5-flash:generateContent", lambda _: web.json_response(gemini.reply)
    ) as (url, gemini.came):
        source = {"base_url": url, "token": "AIza-pretend-key-00000", "rate": 100_000}
        folder = tmp_path_factory.mktemp("gemini")
        async with a_company(folder, [], settings={"sources": {"gemini": source}}) as company:
            yield company, gemini


async def call(served, query: str, reply: dict[str, Any]) -> CallToolResult:
    """What a model gets from the tool when Gemini replies so."""
    company, gemini = served
    gemini.came.clear()
    gemini.reply = reply
    async with a_model(company) as client:
        return await client.call_tool("google_web_search", {"query": query})


@requirement("5.1", "The tool `google_web_search` is declared to language models with a JSON schema of its one argument, `query`", where="orchestrator/websearch/grounding.py orchestrator/surfaces/mcp/server.py")  # fmt: skip
async def test_the_tool_is_declared(served):
    async with a_model(served[0]) as client:
        (tool,) = (each for each in (await client.list_tools()).tools if each.name == "google_web_search")
    assert tool.description
    assert tool.input_schema["properties"]["query"]["type"] == "string"
    assert tool.input_schema["required"] == ["query"]


@requirement("5.1")
async def test_the_tool_is_declared_with_its_limits(served):
    async with a_model(served[0]) as client:
        (tool,) = (each for each in (await client.list_tools()).tools if each.name == "google_web_search")
    query = tool.input_schema["properties"]["query"]
    assert query.get("minLength") == 1
    assert query.get("maxLength", 0) >= 1000


@requirement("5.2", "An empty query is refused", where="orchestrator/websearch/grounding.py")
@pytest.mark.parametrize("query", ["", "  ", "\n\t"])
async def test_an_empty_query_is_refused(served, query):
    reply = await call(served, query, {})
    assert reply.is_error
    assert served[1].came == []


@requirement("5.3", "Gemini is asked with its Google-search grounding", where="connectors/gemini orchestrator/websearch/facade.py")  # fmt: skip
@pytest.mark.parametrize("query", ["What does Kubernetes do?", "쿠버네티스는 무엇을 하나요?"])
async def test_gemini_is_asked_to_search(served, query):
    await call(served, query, grounded(ENGLISH, []))
    (_, body), *_ = served[1].came
    assert body["tools"] == [{"googleSearch": {}}]
    assert query in body["contents"][0]["parts"][0]["text"]


@requirement("5.4", "Markers like [1][2] stand at the end of each segment that Google grounded; offsets count UTF-8 bytes, so that they stand right in Korean", where="orchestrator/websearch/grounding.py")  # fmt: skip
@requirement("5.5", "A list of sources follows: `[1] Title - URI`", where="orchestrator/websearch/grounding.py")
@pytest.mark.parametrize("sentences", [KOREAN, ENGLISH], ids=["ko", "en"])
async def test_each_segment_is_cited_where_it_ends(served, sentences):
    reply = await call(served, "쿠버네티스", grounded(sentences, [(0, [0]), (1, [0, 1])]))
    first, second, third = sentences
    pages = "\n".join(f"[{number}] {title} - {uri}" for number, (title, uri) in enumerate(PAGES, 1))
    assert reply.structured_content["untrusted_text"] == f"{first}[1] {second}[1][2] {third}\n\nSources:\n{pages}"
    assert [each["url"] for each in reply.structured_content["sources"]] == [uri for _, uri in PAGES]


@requirement("5.6", "Without grounding it is the plain answer", where="orchestrator/websearch/grounding.py")
@pytest.mark.parametrize("sentences", [KOREAN, ENGLISH], ids=["ko", "en"])
async def test_without_grounding_the_answer_is_plain(served, sentences):
    reply = grounded(sentences, [])
    del reply["candidates"][0]["groundingMetadata"]
    said = await call(served, "쿠버네티스", reply)
    assert said.structured_content["untrusted_text"] == " ".join(sentences)
    assert said.structured_content["sources"] == []


@requirement("5.7", "Without text there is a clear message", where="orchestrator/websearch/grounding.py")
@pytest.mark.parametrize(
    ("query", "message"), [("kubernetes", "brought no answer"), ("쿠버네티스", "답을 얻지 못했습니다")]
)
async def test_without_text_it_says_so(served, query, message):
    said = await call(
        served, query, {"candidates": [{"content": {"parts": [], "role": "model"}, "finishReason": "STOP"}]}
    )
    assert not said.is_error
    assert message in said.structured_content["untrusted_text"]
    assert query in said.structured_content["untrusted_text"]
