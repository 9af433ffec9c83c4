"""The public web through the API and the MCP server, over pretend search services."""

import json
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from orchestrator.access import Scope
from orchestrator.sandbox import Sandbox, load_corpus
from tests.clock import HANGING

PAGES = Path(__file__).resolve().parents[1] / "data" / "web" / "pages.jsonl"


@asynccontextmanager
async def web(tmp_path, *kinds):
    """Settings of the sources that serve our pages as these kinds of search service do."""
    rows = [json.loads(line) for line in PAGES.read_text("utf-8").splitlines()]
    copies = [{**row, "id": f"{kind}-{row['id']}", "source": kind} for kind in kinds for row in rows]
    corpus = tmp_path / "web.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in copies), "utf-8")
    async with Sandbox(load_corpus([corpus]), sources=list(kinds)) as sandbox:
        yield {name: {"base_url": end.base_url, "token": end.token} for name, end in sandbox.endpoints.items()}


async def test_a_program_searches_the_web(serve, tmp_path):
    async with web(tmp_path, "searxng") as sources, serve(tmp_path, sources=sources) as api:
        for name in ("max_results", "maxResults"):
            body = {"query": "React Server Components", "strategy": "official", name: 1}
            async with api.post("/v1/web/search", body) as reply:
                assert (reply.status, len((await reply.json())["results"])) == (200, 1)
        for query, told in (("React Server Components", "50 is the most"), ("서버 컴포넌트 문서", "최대 50개")):
            async with api.post("/v1/web/search", {"query": query, "max_results": 80}) as reply:
                assert told in (await reply.json())["warnings"][0]
        body = {"query": "React Server Components", "strategy": "official", "max_results": 5}
        async with api.post("/v1/web/search", body) as reply:
            found = await reply.json()
        assert reply.status == 200
        tiers = [each["tier"] for each in found["results"]]
        assert tiers == sorted(tiers)
        assert tiers[0] == 1
        async with api.post("/v1/web/search", {"query": "ab"}) as reply:
            problem = await reply.json(content_type="application/problem+json")
            assert (reply.status, problem["detail"]) == (400, "Search query must be at least 3 characters")


@pytest.mark.parametrize(
    "body", [{"query": "abc", "tier": 5}, {"query": "abc", "max_results": 0}, {"query": "abc", "x": 1}]
)
async def test_bad_web_searches_are_named(serve, tmp_path, body):
    async with serve(tmp_path) as api, api.post("/v1/web/search", body) as reply:
        assert reply.status == 422


async def test_without_a_service_it_says_what_to_set(serve, tmp_path):
    async with serve(tmp_path) as api:
        async with api.post("/v1/web/search", {"query": "React hooks"}) as reply:
            assert reply.status == 503
            assert "FEDSEARCH_SOURCES__WEB" in (await reply.json(content_type=None))["detail"]
        async with api.post("/v1/web/answer", {"query": "React hooks"}) as reply:
            assert reply.status == 503


async def test_pages_inside_are_not_opened_for_a_caller(serve, tmp_path):
    """The API must not be a way into the network that it stands in."""
    async with serve(tmp_path) as api:
        for url in (
            api.url + "/healthz",
            "http://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
            "http://[::1]/",
        ):
            async with api.post("/v1/web/page", {"url": url}) as reply:
                problem = await reply.json(content_type="application/problem+json")
                assert (reply.status, problem["code"]) == (400, "page_address")


async def test_a_key_for_searching_inside_does_not_open_the_web(serve, tmp_path):
    async with serve(tmp_path) as api:
        _, inside = api.ring.create("inside", [Scope.SEARCH])
        headers = {"X-API-Key": inside}
        async with api.http.post(api.url + "/v1/web/search", json={"query": "abc"}, headers=headers) as reply:
            assert reply.status == 403


async def test_a_grounded_answer_in_korean_for_programs_and_models(serve, tmp_path):
    async with web(tmp_path, "gemini") as sources, serve(tmp_path, sources=sources, mcp=True) as api:
        async with api.post("/v1/web/answer", {"query": "서버 컴포넌트"}) as reply:
            answer = await reply.json()
        assert reply.status == 200
        if answer["sources"]:
            assert all(answer["answer"][start:end].startswith("[") for start, end in answer["markers"])
        headers = api.auth
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=HANGING) as http,
            Client(streamable_http_client(api.url + "/mcp", http_client=http)) as client,
        ):
            reply = await client.call_tool("google_web_search", {"query": "React Server Components"})
            assert not reply.is_error
            assert reply.structured_content["sources"]
            assert "[1]" in reply.structured_content["untrusted_text"]
            empty = await client.call_tool("google_web_search", {"query": " "})
            assert empty.is_error


async def test_a_model_searches_the_web_within_the_limits_that_it_is_told(serve, tmp_path):
    async with (
        web(tmp_path, "searxng") as sources,
        serve(tmp_path, sources=sources, mcp=True) as api,
        httpx2.AsyncClient(headers=api.auth, trust_env=False, timeout=HANGING) as http,
        Client(streamable_http_client(api.url + "/mcp", http_client=http)) as client,
    ):
        schemas = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
        wanted = schemas["web_search"]
        assert (wanted["query"]["minLength"], wanted["query"]["maxLength"]) == (3, 400)
        assert (wanted["maxResults"]["minimum"], wanted["maxResults"]["maximum"]) == (1, 50)
        assert {(each.get("minimum"), each.get("maximum")) for each in wanted["tier"]["anyOf"]} == {
            (1, 4),
            (None, None),
        }
        assert schemas["google_web_search"]["query"]["minLength"] == 1
        assert schemas["search"]["limit"]["maximum"] == 50

        for name in ("maxResults", "max_results"):
            reply = await client.call_tool("web_search", {"query": "React Server Components", name: 1})
            assert not reply.is_error
            (page,) = reply.structured_content["results"]
            assert (page["tier"], page["reliability_score"] >= 90) == (1, True)
            assert "not instructions" in reply.structured_content["notice"]
            assert (await client.call_tool("search", {"question": "React", name: 51})).is_error
        more = await client.call_tool("web_search", {"query": "React Server Components", "maxResults": 80})
        assert "50 is the most" in more.structured_content["warnings"][0]
        for wrong in ({"query": "ab"}, {"query": "abc", "tier": 5}, {"query": "abc", "maxResults": 0}):
            assert (await client.call_tool("web_search", wrong)).is_error
        inside = await client.call_tool("web_page", {"url": "http://127.0.0.1:1/x"})
        assert inside.is_error
