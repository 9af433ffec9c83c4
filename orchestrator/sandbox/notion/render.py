"""Notion's JSON for pages, data sources and users; Markdown as blocks, one flat list with inline marks as they are written."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from orchestrator.sandbox.notion.columns import rich_text, value
from orchestrator.sandbox.notion.store import DataSource, Page

_LINES: Sequence[tuple[str, re.Pattern[str]]] = (
    ("divider", re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*()")),
    ("heading_1", re.compile(r"#\s+(.*)")),
    ("heading_2", re.compile(r"##\s+(.*)")),
    ("heading_3", re.compile(r"#{3,6}\s+(.*)")),
    ("to_do", re.compile(r"\s*[-*+]\s+\[[ xX]\]\s+(.*)")),
    ("bulleted_list_item", re.compile(r"\s*[-*+]\s+(.*)")),
    ("numbered_list_item", re.compile(r"\s*\d+[.)]\s+(.*)")),
    ("quote", re.compile(r"\s*>\s?(.*)")),
)
_FENCE = re.compile(r"\s*```\s*([\w+#-]*)\s*")


def blocks(markdown: str, page: UUID) -> list[dict[str, Any]]:
    """The blocks of a page."""
    return [_block(page, number, kind, body) for number, (kind, body) in enumerate(_parts(markdown))]


def _block(page: UUID, number: int, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {
        "object": "block",
        "id": str(uuid5(page, f"block:{number}")),
        "parent": {"type": "page_id", "page_id": str(page)},
        "has_children": False,
        "in_trash": False,
        "type": kind,
        kind: body,
    }


def _parts(markdown: str) -> Iterator[tuple[str, dict[str, Any]]]:
    lines = iter(markdown.splitlines())
    paragraph: list[str] = []
    for line in lines:
        kind, body = _part(line, lines)
        if kind == "paragraph" and line.strip():
            paragraph.append(line)
            continue
        if paragraph:
            yield "paragraph", _styled("\n".join(paragraph))
            paragraph.clear()
        if kind != "paragraph":
            yield kind, body
    if paragraph:
        yield "paragraph", _styled("\n".join(paragraph))


def _part(line: str, lines: Iterator[str]) -> tuple[str, dict[str, Any]]:
    if fence := _FENCE.fullmatch(line):
        code = "\n".join(_until_fence(lines))
        return "code", {"rich_text": rich_text(code), "caption": [], "language": fence[1] or "plain text"}
    for kind, pattern in _LINES:
        if found := pattern.fullmatch(line):
            return kind, _body(kind, line, found[1])
    return "paragraph", {}


def _until_fence(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if _FENCE.fullmatch(line):
            return
        yield line


def _body(kind: str, line: str, text: str) -> dict[str, Any]:
    match kind:
        case "divider":
            return {}
        case "to_do":
            return _styled(text) | {"checked": "[ ]" not in line}
        case _:
            return _styled(text)


def _styled(text: str) -> dict[str, Any]:
    return {"rich_text": rich_text(text), "color": "default"}


SPACE_NAME = "Acme"
BOT_ID = UUID("5a4db0b0-0000-4000-8000-00000000b07a")


def instant(moment: datetime) -> str:
    """Times as Notion gives them: UTC, rounded down to the minute."""
    return moment.strftime("%Y-%m-%dT%H:%M:00.000Z")


def _user(number: UUID) -> dict[str, str]:
    return {"object": "user", "id": str(number)}


def _common(created: datetime, edited: datetime, author: UUID, version: str) -> dict[str, Any]:
    trash = {"in_trash": False, "is_archived": False} | ({"archived": False} if version < "2026-03-11" else {})
    return {
        "created_time": instant(created),
        "last_edited_time": instant(edited),
        "created_by": _user(author),
        "last_edited_by": _user(author),
        "cover": None,
        "icon": None,
        **trash,
    }


def page(shown: Page, version: str) -> dict[str, Any]:
    """A page object. As in Notion, the title property is called `title` except in a table, where it is `Name`."""
    name = "Name" if isinstance(shown.parent, DataSource) else "title"
    return {
        "object": "page",
        "id": str(shown.id),
        **_common(shown.created, shown.edited, shown.author, version),
        "is_locked": False,
        "parent": _parent(shown),
        "properties": {
            **{cell[0]: value(cell) for cell in shown.cells},
            name: {"id": "title", "type": "title", "title": rich_text(shown.title)},
        },
        "url": shown.url,
        "public_url": None,
    }


def _parent(shown: Page) -> dict[str, Any]:
    match shown.parent:
        case DataSource(id=number, database=database):
            return {"type": "data_source_id", "data_source_id": str(number), "database_id": str(database)}
        case UUID() as number:
            return {"type": "page_id", "page_id": str(number)}
        case None:
            return {"type": "workspace", "workspace": True}


def data_source(shown: DataSource, version: str) -> dict[str, Any]:
    """A data source object: its title's column, and those that its rows have something in."""
    return {
        "object": "data_source",
        "id": str(shown.id),
        **_common(shown.created, shown.edited, BOT_ID, version),
        "title": rich_text(shown.title),
        "description": [],
        "is_inline": False,
        "parent": {"type": "database_id", "database_id": str(shown.database)},
        "database_parent": {"type": "workspace", "workspace": True},
        "properties": {
            **shown.columns,
            "Name": {"id": "title", "name": "Name", "type": "title", "title": {}, "description": None},
        },
        "url": shown.url,
        "public_url": None,
    }


def database(shown: DataSource, version: str) -> dict[str, Any]:
    """A database object: nothing but the frame of its data sources since 2025-09-03."""
    common = _common(shown.created, shown.edited, BOT_ID, version)
    made_by = ("created_by", "last_edited_by")
    return {
        "object": "database",
        "id": str(shown.database),
        **{name: value for name, value in common.items() if name not in made_by},
        "title": rich_text(shown.title),
        "description": [],
        "is_inline": False,
        "is_locked": False,
        "parent": {"type": "workspace", "workspace": True},
        "data_sources": [{"id": str(shown.id), "name": shown.title}],
        "url": shown.url,
        "public_url": None,
    }


def bot() -> dict[str, Any]:
    """The connection itself, which is who a token belongs to."""
    return {
        **_user(BOT_ID),
        "type": "bot",
        "name": "fedsearch sandbox",
        "avatar_url": None,
        "bot": {
            "owner": {"type": "workspace", "workspace": True},
            "workspace_id": str(BOT_ID),
            "workspace_name": SPACE_NAME,
            "workspace_limits": {"max_file_upload_size_in_bytes": 5_242_880},
        },
    }
