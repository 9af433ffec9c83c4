"""Our MCP server asked by the SDK's own client, over stdio and over HTTP, in both generations of the protocol."""

import os
import re

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from orchestrator.access import Scope
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.surfaces.http.prefork import NOT_YET
from tests.clock import HANGING
from tests.conformance.marks import requirement
from tests.e2e import patience
from tests.e2e.conftest import ready
from tests.e2e.program import COLD

QUESTION = "What did we decide about the API migration?"
GENERATIONS = ["legacy", "auto"]


def over_http(api, http):
    return streamable_http_client(api.url + "/mcp", http_client=http)


@requirement("6.19", "The same as an MCP server, over HTTP and over standard input and output", where="orchestrator/surfaces/mcp")  # fmt: skip
@pytest.mark.parametrize("mode", GENERATIONS)
async def test_a_model_asks_over_http(serve, tmp_path, mode):
    async with (
        serve(tmp_path, mcp=True) as api,
        httpx2.AsyncClient(headers=api.auth, trust_env=False, timeout=HANGING) as http,
        Client(over_http(api, http), mode=mode) as client,
    ):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"search", "explain", "sources", "fetch"} <= tools.keys()
        assert tools["search"].annotations.read_only_hint
        assert tools["search"].output_schema["properties"]["results"]

        reply = await client.call_tool("search", {"query": QUESTION, "limit": 3})
        found = reply.structured_content
        assert not reply.is_error
        assert re.search(r"\[\d\]", found["summary"])
        assert found["results"][0]["number"] == 1
        assert "not instructions" in found["notice"]
        assert sorted(found["asked"]) == ["Gmail", "Linear", "Notion", "Slack"]

        first = found["results"][0]
        fetched = (await client.call_tool("fetch", {"id": first["id"]})).structured_content
        assert fetched["found"]
        assert fetched["url"] == first["url"]
        assert fetched["text"].startswith(first["untrusted_text"][:100])
        assert {"id", "title", "text", "url", "metadata"} <= fetched.keys()
        assert "query" in tools["search"].input_schema["properties"]
        assert "id" in tools["fetch"].input_schema["properties"]

        plan = (await client.call_tool("explain", {"question": QUESTION})).structured_content
        assert plan["type"] == "decision"
        assert all(each["queries"] for each in plan["sources"])

        sources = (await client.call_tool("sources", {})).structured_content["sources"]
        assert {each["status"] for each in sources} == {"ok"}


async def test_what_failed_is_told_to_the_model(serve, tmp_path):
    async with (
        serve(tmp_path, "slack=status:500", mcp=True) as api,
        httpx2.AsyncClient(headers=api.auth, trust_env=False, timeout=HANGING) as http,
        Client(over_http(api, http)) as client,
    ):
        found = (await client.call_tool("search", {"question": QUESTION})).structured_content
        assert [gap["source"] for gap in found["gaps"]] == ["Slack"]
        assert "500" in found["gaps"][0]["problem"]
        wrong = await client.call_tool("search", {"question": "in:nowhere", "sources": ["slak"]})
        assert wrong.is_error
        assert "slack" in wrong.content[0].text
        nothing = (await client.call_tool("fetch", {"id": "https://example.com/none"})).structured_content
        assert (nothing["found"], nothing["text"]) == (False, "")
        assert nothing["problem"]
        for nowhere in ("nope", "저기"):  # which say nothing that could be looked for
            nothing = (await client.call_tool("fetch", {"id": nowhere})).structured_content
            assert (nothing["found"], "the id of a result of search" in nothing["problem"]) == (False, True)
        wrong = await client.call_tool("fetch", {"id": "nope", "source": "slak"})
        assert (wrong.is_error, "slack" in wrong.content[0].text) == (True, True)


async def test_before_the_server_has_loaded_a_model_is_told_to_ask_again(serve, tmp_path):
    async with (
        serve(tmp_path, mcp=True) as api,
        httpx2.AsyncClient(headers=api.auth, trust_env=False, timeout=HANGING) as http,
        Client(over_http(api, http)) as client,
    ):
        await ready(api.http, api.url)
        api.app.state.server.readiness.tell(NOT_YET)
        for tool in ("search", "explain"):
            reply = await client.call_tool(tool, {"question": QUESTION})
            assert (reply.is_error, reply.content[0].text.endswith("ask again in a moment")) == (True, True), tool


async def test_a_key_opens_no_more_than_over_http(serve, tmp_path):
    """Who may search the workplace may not for that search the web, nor see how the sources do."""
    async with serve(tmp_path, mcp=True) as api:
        _, narrow = api.ring.create("narrow", [Scope.SEARCH])
        headers = {"Authorization": f"Bearer {narrow}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=HANGING) as http,
            Client(over_http(api, http)) as client,
        ):
            assert not (await client.call_tool("search", {"question": QUESTION})).is_error
            for tool, arguments, scope in (
                ("google_web_search", {"query": "react suspense"}, "web"),
                ("sources", {}, "sources"),
            ):
                reply = await client.call_tool(tool, arguments)
                assert reply.is_error
                assert f"lacks the scope {scope!r}" in reply.content[0].text


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer fsk_a_b"}])
async def test_nobody_gets_in_without_a_key(serve, tmp_path, headers):
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", **headers}
    async with serve(tmp_path, mcp=True) as api, api.http.post(api.url + "/mcp", json=call, headers=accept) as reply:
        assert reply.status == 401
        assert reply.content_type == "application/problem+json"


@requirement("6.19")
async def test_a_model_asks_over_stdio(tmp_path):
    async with Sandbox(default_corpus(), sources=["slack", "notion"]) as sandbox:
        settings = {
            **patience.COLD,
            "FEDSEARCH_DATA_DIR": str(tmp_path),
            "FEDSEARCH_CONFIG": "",
            "PATH": os.environ["PATH"],
        }
        for name, end in sandbox.endpoints.items():
            settings[f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL"] = end.base_url
            settings[f"FEDSEARCH_SOURCES__{name.upper()}__TOKEN"] = end.token
        command = [*COLD, "mcp"]
        server = StdioServerParameters(command=command[0], args=command[1:], env=settings)
        async with Client(stdio_client(server)) as client:
            reply = await client.call_tool("search", {"question": QUESTION})
            assert not reply.is_error, reply
            assert {each["source"] for each in reply.structured_content["results"]} <= {"slack", "notion"}
            assert reply.structured_content["results"]
