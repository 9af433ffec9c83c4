"""What a model is told that calls a tool in a way that does not fit."""

from __future__ import annotations

from typing import Annotated

import pytest
from mcp import Client
from pydantic import AliasChoices, Field, TypeAdapter

from orchestrator.surfaces.mcp.offering import WorkplaceServer, offered

Wanted = Annotated[int, Field(ge=1, le=50, validation_alias=AliasChoices("limit", "max_results"))]


async def look(query: str, wanted: Wanted = 8) -> dict[str, int]:
    """Look for it.

    To go on, look again.
    """
    return {query: wanted}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"query": "okta", "limit": 51}, "limit: Input should be less than or equal to 50"),
        ({"limit": 5}, "query: Field required"),
        ({"query": "okta", "source": "slack-secret"}, "look has no argument 'source'; it takes: query, limit"),
    ],
)
async def test_a_call_that_does_not_fit_is_told_what_to_change(arguments: dict[str, object], told: str) -> None:
    """In no library's words, and without what was sent."""
    async with Client(WorkplaceServer("test", tools=[offered(look, "Look")])) as client:
        reply = await client.call_tool("look", arguments)
        assert (reply.is_error, reply.content[0].text) == (True, told)  # type: ignore[union-attr]


async def test_of_names_that_there_are_not_a_few_are_told_no_longer_than_names_are() -> None:
    async with Client(WorkplaceServer("test", tools=[offered(look, "Look")])) as client:
        reply = await client.call_tool("look", {"query": "okta", **{f"{at}{'x' * 10_000}": 1 for at in range(1000)}})
        assert reply.is_error
        assert len(reply.content[0].text) < 300  # type: ignore[union-attr]


async def test_what_breaks_within_a_tool_is_not_told_as_an_argument() -> None:
    """Even if what found it also looks at arguments."""

    async def breaks() -> dict[str, int]:
        """Break."""
        return TypeAdapter(dict[str, int]).validate_python({"inner": "secret"})

    async with Client(WorkplaceServer("test", tools=[offered(breaks, "Break")])) as client:
        reply = await client.call_tool("breaks", {})
        assert (reply.is_error, reply.content[0].text) == (True, "Error executing tool breaks")  # type: ignore[union-attr]


async def test_a_tool_says_all_that_it_takes() -> None:
    """Other spellings are taken as well, and the text is without the indentation of our code."""
    async with Client(WorkplaceServer("test", tools=[offered(look, "Look")])) as client:
        (tool,) = (await client.list_tools()).tools
        assert tool.description == "Look for it.\n\nTo go on, look again."
        assert tool.input_schema["additionalProperties"] is False
        reply = await client.call_tool("look", {"query": "okta", "max_results": 3})
        assert reply.structured_content == {"okta": 3}
