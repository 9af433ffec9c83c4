"""Search tools as people write them with the SDK, each by another return type. Run with a folder, which says how it starts.

A line is written to ``starts`` each time; where the folder has a file ``wait``, nothing is said until it is gone.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

server = MCPServer("ordinary")
ROWS = [
    {"id": "p-1", "title": "배포 계획", "text": "금요일에 배포합니다", "url": "https://x.example/1"},
    {"id": "p-2", "title": "Release plan", "text": "deploy on friday", "url": ""},
]


class Files(BaseModel):
    """What the protocol's own file server returns."""

    content: str


@server.tool()
def as_text(query: str) -> str:
    """JSON in a text."""
    return json.dumps(ROWS, ensure_ascii=False)


@server.tool()
def as_object_in_text(query: str) -> str:
    """JSON in a text, as an object with a list."""
    return json.dumps({"results": ROWS})


@server.tool()
def as_markdown(query: str) -> str:
    """A Markdown list in a text."""
    return "\n".join(f"- [{row['title']}](https://x.example/{row['id']}): {row['text']}" for row in ROWS)


@server.tool()
def as_content(query: str) -> Files:
    """The same in an object with one text."""
    return Files(content=as_markdown(query))


@server.tool()
def as_typed_list(query: str) -> list[dict[str, str]]:
    """A list of objects."""
    return ROWS


@server.tool()
def as_list(query: str) -> list:  # type: ignore[type-arg]
    """A list without a type of its members: one block of text for each."""
    return ROWS


@server.tool()
def as_one(query: str) -> list:  # type: ignore[type-arg]
    """One member."""
    return ROWS[:1]


@server.tool()
def as_any(query: str) -> Any:
    """Whatever it is."""
    return {"results": ROWS}


@server.tool()
def as_lines(query: str) -> list[str]:
    """A list of texts."""
    return [f"{row['title']}\n{row['text']}" for row in ROWS]


@server.tool()
def as_nothing(query: str) -> list[dict[str, str]]:
    """An empty list."""
    return []


@server.tool()
def as_none(query: str) -> str | None:
    """Nothing at all."""
    return None


@server.tool()
def as_prose(query: str) -> str:
    """What most say where there is nothing."""
    return "No results found."


@server.tool()
def as_number(query: str) -> int:
    """What is no result."""
    return 7


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with (folder / "starts").open("a", encoding="utf-8") as starts:
        starts.write("started\n")
    while (folder / "wait").exists():
        time.sleep(0.01)
    server.run("stdio")
