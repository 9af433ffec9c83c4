"""Notion's JSON for pages, data sources and users."""

from datetime import datetime
from typing import Any
from uuid import UUID

from orchestrator.sandbox.notion.blocks import rich_text
from orchestrator.sandbox.notion.store import DataSource, Page, user_id
from orchestrator.sandbox.people import Person

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
        "properties": {name: {"id": "title", "type": "title", "title": rich_text(shown.title)}},
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
    """A data source object with nothing but a title column."""
    return {
        "object": "data_source",
        "id": str(shown.id),
        **_common(shown.created, shown.edited, BOT_ID, version),
        "title": rich_text(shown.title),
        "description": [],
        "is_inline": False,
        "parent": {"type": "database_id", "database_id": str(shown.database)},
        "database_parent": {"type": "workspace", "workspace": True},
        "properties": {"Name": {"id": "title", "name": "Name", "type": "title", "title": {}, "description": None}},
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


def person(shown: Person) -> dict[str, Any]:
    """A member of the workspace."""
    contact = {"email": shown.email}
    return {**_user(user_id(shown)), "type": "person", "name": shown.name, "avatar_url": None, "person": contact}


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
