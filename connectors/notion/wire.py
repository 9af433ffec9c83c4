"""The parts of Notion's replies that we read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from connectors.wire import IsoInstant, Line, Url, Wire

Id = Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{32,36}$")]  # it becomes part of a path


class PersonDetails(Wire):
    """Present if the connection may read addresses."""

    email: Line = ""


class User(Wire):
    """Often only an id: names need the capability to read user information."""

    id: Line
    name: Line = ""
    type: Line = ""
    person: PersonDetails | None = None


class Parent(Wire):
    """Where a page stands: one of these, or at the top of the workspace."""

    page_id: Line = ""
    data_source_id: Line = ""
    database_id: Line = ""
    block_id: Line = ""


class Found(Wire):
    """A page or a data source (a database's table)."""

    what: Line = Field(alias="object")
    id: Id
    url: Url = ""
    created_time: IsoInstant | None = None
    last_edited_time: IsoInstant | None = None
    created_by: User | None = None
    last_edited_by: User | None = None
    parent: Parent | None = None
    properties: Mapping[str, object] = {}
    title: object = None
    description: object = None
    in_trash: bool = False


class RequestStatus(Wire):
    """Whether the list is all there is: https://developers.notion.com/reference/intro."""

    type: Line = ""
    incomplete_reason: Line = ""


class Listing(Wire):
    """A page of anything; each result is read by itself, so that one bad one costs only itself."""

    results: tuple[object, ...]
    next_cursor: str | None = None
    has_more: bool = False
    request_status: RequestStatus | None = None


class Markdown(Wire):
    """A page's text; ``unknown_block_ids`` are parts that could not be told."""

    markdown: str
    truncated: bool = False
    unknown_block_ids: tuple[object, ...] = ()


class Workspace(Wire):
    """What a connection belongs to."""

    workspace_name: Line = ""


class Me(Wire):
    """The connection itself."""

    name: Line = ""
    bot: Workspace | None = None
