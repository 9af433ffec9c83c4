"""The MCP server: language models ask with the same engine, rights and receipt as people."""

from orchestrator.surfaces.mcp.server import ToolServices, make_server

__all__ = ["ToolServices", "make_server"]
