"""Declarations of MCP servers: what is wrong with one is said by its key."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.contract import Call
from connectors.errors import Misconfigured, Unauthenticated
from connectors.mcp_client import McpSource
from connectors.mcp_client.settings import McpSettings
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import source_settings
from orchestrator.settings import load_settings
from translators.translator import NativeQuery


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"command": ["x"], "base_url": "https://x.example/mcp"}, "command: a server is either run or reached"),
        ({"token_env": "TOKEN"}, "token_env: there is no command"),
        ({"command": ["x"], "token_env": "TO KEN"}, "token_env: must match"),
        ({"command": "npx server"}, "command: must be a list"),
        ({"arguments": {"query": "{asked}"}}, "arguments.query: there is no placeholder {asked}"),
        ({"arguments": {"limit": "{limit}"}}, "arguments: nothing in it holds {text}"),
        ({"arguments": {"query": "{text}", "asked": "{question}"}}, "can.meaning: say it where"),
        ({"can": {"term": "approximate", "meaning": True}}, "can.meaning: say it where"),
        (
            {"arguments": {"query": "{text} {question}"}, "can": {"term": "exact", "meaning": True}},
            "to stand by itself",
        ),
        ({"arguments": {"query": "{text}", "from": "{since}"}}, "{since} would never be filled in; say can.time"),
        ({"tool": ""}, "tool: must have at least 1 characters"),
        ({"hit": {"id": "id["}}, "hit.id: 'id[' is no JSONPath"),
    ],
)
def test_a_wrong_declaration_is_refused_by_its_key(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(Misconfigured) as caught:
        source_settings("wiki", {"kind": "mcp_client", **wrong})
    assert said in caught.value.message


def test_what_is_not_said_is_as_tools_have_it() -> None:
    made = McpSettings.model_validate({"kind": "mcp_client", "reply": {"next": "$.n"}, "hit": {"id": "$.key"},
                                       "arguments": {"query": "{text}", "after": "{cursor}"}})  # fmt: skip
    assert (made.reply.items, made.reply.total) == ("$.results", "")
    assert (made.hit.id, made.hit.title, made.hit.author) == ("$.key", "$.title", "")


@pytest.mark.parametrize(
    ("declared", "missing"),
    [
        ({"command": ["server"]}, False),
        ({"command": ["server"], "token_env": "TOKEN"}, True),
        ({"base_url": "https://x.example/mcp"}, True),
        ({"base_url": "https://x.example/mcp", "open": True}, False),
    ],
)
def test_a_token_is_missed_where_one_is_needed(declared: dict[str, Any], missing: bool) -> None:
    settings = load_settings({"sources": {"wiki": {"kind": "mcp_client", "title": "위키", **declared}}}, {})
    (profile,) = build_engine(settings).profiles
    assert (bool(profile.missing), profile.title) == (missing, "위키")


@pytest.mark.parametrize(
    ("declared", "error", "said"),
    [
        ({}, Misconfigured, "set base_url, the address of the server, or command"),
        ({"base_url": "https://x.example/mcp"}, Unauthenticated, "no token for mine: set its token"),
    ],
)
def test_what_is_not_set_is_told_before_anything_is_sent(
    declared: dict[str, Any], error: type[Exception], said: str, in_virtual_time: Any
) -> None:
    made = McpSource("mine", McpSettings.model_validate({"kind": "mcp_client", **declared}))
    with pytest.raises(error, match=said):
        in_virtual_time(made.search(NativeQuery("words", "plan"), Call()))
