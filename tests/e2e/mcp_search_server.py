"""A small MCP server with search tools over a file of rows: run with ``stdio`` or ``http`` (it prints its port) and the file."""

from __future__ import annotations

import json
import os
import socket
import sys
from datetime import date
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent

server = MCPServer("corpus")
ROWS: list[dict[str, Any]] = []


def found(query: str, since: str = "") -> list[dict[str, Any]]:
    return [
        {"id": row["id"], "title": row["title"], "text": row["text"], "url": row["url"], "updated": row["updated"]}
        for row in ROWS
        if all(word.strip('"').casefold() in f"{row['title']} {row['text']}".casefold() for word in query.split())
        and row["updated"] >= since
    ]


@server.tool()
def search(query: str, since: str = "", limit: int = 10, offset: int = 0) -> dict[str, Any]:
    """Rows that hold every word."""
    every = found(query, since)
    return {"results": every[offset : offset + limit], "total": len(every)}


@server.tool()
def search_written(query: str, owner: str = "", created_by: str = "", from_date: str = "") -> dict[str, Any]:
    """Rows of one author since a day; whose they are besides is not heeded."""
    since = date.fromisoformat(from_date).isoformat() if from_date else ""
    rows = [row for row in ROWS if created_by in row["author"] and row["updated"] >= since]
    return {
        "results": [{**row, "owner": owner} for row in rows if query.split(maxsplit=1)[0].strip('"') in row["text"]]
    }


@server.tool()
def search_markdown(query: str) -> CallToolResult:
    """The same as a Markdown list."""
    lines = [f"- [{row['title']}]({row['url']})\n  {row['text']}" for row in found(query)]
    return CallToolResult(content=[TextContent(type="text", text="\n".join(lines) or "Nothing was found.")])


@server.tool()
def fail(query: str) -> str:
    """Always an error."""
    raise ValueError(f"no index for {query}")


@server.tool()
async def hang(query: str) -> str:
    """Never an answer."""
    await anyio.sleep_forever()
    return query


@server.tool()
def environment(query: str) -> dict[str, Any]:
    """What the server was given."""
    return {"results": [{"id": name, "title": os.environ[name]} for name in sorted(os.environ)]}


class Announced(uvicorn.Server):
    """Says its port once it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        assert sockets
        print(sockets[0].getsockname()[1], flush=True)


if __name__ == "__main__":
    ROWS += [json.loads(line) for line in Path(sys.argv[-1]).read_text("utf-8").splitlines()]
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        config = uvicorn.Config(server.streamable_http_app(), log_level="error")
        Announced(config).run(sockets=[socket.create_server(("127.0.0.1", 0))])
