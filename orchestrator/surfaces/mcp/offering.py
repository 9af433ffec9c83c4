"""Tools as a server offers them: what they take is all that they take, and a call that does not fit is told what to change."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server.mcpserver import Context
    from mcp.types import CallToolResult, InputRequiredResult

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True)


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
            if not isinstance(failure.__cause__, ValidationError):
                raise
            tool = next(each for each in await self.list_tools() if each.name == name)
            raise ToolError(_advice(failure.__cause__, name, tuple(tool.input_schema["properties"]))) from None


def _advice(wrong: ValidationError, tool: str, takes: tuple[str, ...]) -> str:
    """What of a call cannot be used, never the values."""
    said = dict.fromkeys(
        f"{tool} has no argument {each['loc'][0]!r}; it takes: {', '.join(takes) or 'none'}"
        if each["type"] == "extra_forbidden"
        else f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
        for each in wrong.errors(include_url=False, include_input=False)
    )
    return "; ".join(said)
