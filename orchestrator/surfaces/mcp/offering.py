"""Tools as a server offers them: what they take is all that they take, and a call that does not fit is told what to change."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import Context
    from mcp.types import CallToolResult, InputRequiredResult

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)
LONGEST_NAME, MOST_NAMES = 40, 3  # of arguments that there are not, as they are told


def offered(does: Callable[..., Any], title: str) -> Tool:
    """A method as a tool that reads. An argument that it does not know is refused: a condition left out would widen what is asked."""
    tool = Tool.from_function(does, title=title, description=cleandoc(does.__doc__ or ""), annotations=READS)
    taken = tool.fn_metadata.arg_model
    taken.model_config["extra"] = "forbid"
    taken.model_rebuild(force=True)
    tool.parameters = taken.model_json_schema(by_alias=True)
    return tool


class WorkplaceServer(MCPServer):
    """The SDK's server, but for its words about arguments: those quote what was sent, and lead to the pages of a library."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as failure:
            if isinstance(failure, UnexpectedToolError) or not isinstance(failure.__cause__, ValidationError):
                raise  # what breaks within a tool is none of the caller's, whatever found it
            tool = next(each for each in await self.list_tools() if each.name == name)
            raise ToolError(_advice(failure.__cause__, name, tuple(tool.input_schema["properties"]))) from None


def _advice(wrong: ValidationError, tool: str, takes: tuple[str, ...]) -> str:
    """What of a call cannot be used, never the values; of names that do not exist the first, no longer than names are."""
    said: list[str] = []
    unknown: list[str] = []
    for each in wrong.errors(include_url=False, include_input=False):
        place = ".".join(map(str, each["loc"]))
        if each["type"] == "extra_forbidden":
            unknown.append(repr(place[:LONGEST_NAME]))
        else:
            said.append(f"{place}: {each['msg']}")
    if unknown:
        named = ", ".join(unknown[:MOST_NAMES])
        said.append(f"{tool} has no argument {named}; it takes: {', '.join(takes) or 'none'}")
    return "; ".join(said)
