"""The parts of Notion's replies that we read, and what stands on a page: from the Markdown endpoint, or from its blocks where the API version has none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from connectors.http import HttpRequest, Reply
from connectors.markup import from_markdown
from connectors.structure import STRUCK, box
from connectors.text import clip, plain_text
from connectors.wire import IsoInstant, Line, Url, Wire, read

MARKDOWN_SINCE = "2026-03-11"
BLOCKS = "100"


def text_request(page_id: str, version: str) -> HttpRequest:
    """The request for the text of a page: https://developers.notion.com/reference/retrieve-page-markdown."""
    if version >= MARKDOWN_SINCE:
        return HttpRequest("GET", f"/v1/pages/{page_id}/markdown")
    return HttpRequest("GET", f"/v1/blocks/{page_id}/children", {"page_size": BLOCKS})


def text_of(reply: Reply, limit: int) -> tuple[str, bool]:
    """The text in a reply to :func:`text_request`, at most ``limit`` characters, and whether that is all of the page.

    Raises :class:`connectors.errors.BadReply`.
    """
    if isinstance(reply.data, Mapping) and "results" in reply.data:
        return _from_blocks(read(Listing, reply.data, "Notion"), limit)
    page = read(Markdown, reply.data, "Notion")
    raw, within = clip(page.markdown, 2 * limit)  # marks take room as well
    text, whole = clip(from_markdown(raw), limit)
    return text, within and whole and not page.truncated and not page.unknown_block_ids


def _from_blocks(listing: Listing, limit: int) -> tuple[str, bool]:
    lines = [_line(block) for block in listing.results]
    text, whole = clip(plain_text("\n".join(line or "" for line in lines)), limit)
    return text, whole and not listing.has_more and None not in lines


def _line(block: object) -> str | None:
    """The text of one block, ``None`` if there may be more to it: nested blocks, pictures, tables, other pages."""
    if not isinstance(block, Mapping) or block.get("has_children") is True:
        return None
    if block.get("type") == "divider":
        return ""
    content = block.get(block.get("type"))
    runs = content.get("rich_text") if isinstance(content, Mapping) else None
    if not isinstance(content, Mapping) or not isinstance(runs, list):
        return None
    mark = f"{box(ticked=content.get('checked') is True)} " if block.get("type") == "to_do" else ""
    return mark + plain_text(marked_runs(runs))


def marked_runs(runs: Iterable[object]) -> str:
    """What runs of rich text say as it stands, with marks around what is struck out."""
    return "".join(_struck(run) if _is_struck(run) else _said(run) for run in runs)


def plain_runs(runs: object) -> str:
    """Rich text (a list of runs, each with ``plain_text``) as plain text; whatever is not a run is passed over."""
    return plain_text("".join(map(_said, runs if isinstance(runs, list) else ())))


def _said(run: object) -> str:
    said = run.get("plain_text") if isinstance(run, Mapping) else None
    return said if isinstance(said, str) else ""


def _struck(run: object) -> str:
    return f"{STRUCK}{said}{STRUCK}" if (said := _said(run)) else ""


def _is_struck(run: object) -> bool:
    style = run.get("annotations") if isinstance(run, Mapping) else None
    return isinstance(style, Mapping) and style.get("strikethrough") is True


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
