"""Content, spaces and people in the shape of Confluence's replies."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from html import escape
from itertools import count
from typing import Any

from markdown_it import MarkdownIt

from orchestrator.sandbox.confluence.grammar import Needle
from orchestrator.sandbox.confluence.store import SITE, Item, Space, account_id
from orchestrator.sandbox.corpus import Person

SHOWN = 320
"""Characters of an excerpt."""

_BEFORE = 80
_BOX = re.compile(r"<li>\s*(?:<p>)?\[([ xX])\] ")
_TICKED = ' class="checked"'
_WORD = re.compile(r"\w+")
_MARKS = re.compile(r"^[ \t]*(?:#{1,6}|>|[-*+](?: \[[ xX]\])?)[ \t]+|^[ \t]*\|[-:| ]+\|[ \t]*$|\*\*|`", re.MULTILINE)
_BLOCK = re.compile(
    r"[ \t]*(?:([-*+]|\d+[.)])[ \t]|(\|))|[ \t]+\S"
)  # an item of a list, or what goes on with it; a row of a table


def result(item: Item, excerpt: str, title: str) -> dict[str, Any]:
    """One search result with space and history expanded."""
    parent = item.parent
    container = {"resultParentContainer": {"title": parent.title, "displayUrl": parent.url}} if parent else {}
    return {
        "content": content(item),
        "title": title,
        "excerpt": excerpt,
        "url": item.url,
        **container,
        "resultGlobalContainer": {"title": item.space.name, "displayUrl": f"/spaces/{item.space.key}"},
        "breadcrumbs": [],
        "entityType": "content",
        "iconCssClass": f"aui-icon content-type-{item.type}",
        "lastModified": stamp(item.updated),
        "friendlyLastModified": f"{item.updated:%b %d, %Y}",
        "score": 0.0,
    }


def content(item: Item) -> dict[str, Any]:
    """The content of a result."""
    history: dict[str, Any] = {"latest": True, "createdDate": stamp(item.created), "_expandable": {}, "_links": {}}
    if item.author is not None:
        history["createdBy"] = user(item.author)
    return {
        "id": item.id,
        "type": item.type,
        "status": "current",
        "title": item.title,
        "space": space(item.space),
        "history": history,
        "_expandable": {"body": "", "version": "", "ancestors": ""},
        "_links": {"webui": item.url, "self": f"{SITE}/rest/api/content/{item.id}"},
    }


def space(found: Space) -> dict[str, Any]:
    """A space as the older API gives it."""
    return {
        "id": found.number,
        "key": found.key,
        "name": found.name,
        "type": "global",
        "status": "current",
        "_expandable": {},
        "_links": {"webui": f"/spaces/{found.key}"},
    }


def listed_space(found: Space) -> dict[str, Any]:
    """A space as the newer API lists it."""
    return {
        "id": str(found.number),
        "key": found.key,
        "name": found.name,
        "type": "global",
        "status": "current",
        "_links": {"webui": f"/spaces/{found.key}"},
    }


def page(item: Item, *, with_text: bool) -> dict[str, Any]:
    """A page or blog post as the newer API gives it."""
    return {
        "id": item.id,
        "status": "current",
        "title": item.title,
        "spaceId": str(item.space.number),
        **({"authorId": account_id(item.author)} if item.author else {}),
        "createdAt": stamp(item.created),
        "version": {"createdAt": stamp(item.updated), "number": 1, "minorEdit": False},
        "body": {"view": {"representation": "view", "value": view(item.text)}} if with_text else {},
        "_links": {"webui": item.url},
    }


def view(text: str) -> str:
    """A text as Confluence shows it: headings, lists, tables, and tasks by their ids."""
    html: str = _renderer().render(_apart(text))
    numbers = count(1)
    return _BOX.sub(lambda box: f'<li{_TICKED if box[1] in "xX" else ""} data-inline-task-id="{next(numbers)}">', html)


def _apart(text: str) -> str:
    """With a blank line around lists and tables and between paragraphs, which corpora write on lines of their own."""
    lines: list[str] = []
    for line in text.split("\n"):
        before, here = _BLOCK.match(lines[-1]) if lines else None, _BLOCK.match(line)
        goes_on = before and here and bool(here[2]) == bool(before[2])
        lines += [line] if goes_on or not line.strip() else ["", line]
    return "\n".join(lines)


@cache
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])


def plain(text: str) -> str:
    """A text without the marks of Markdown, in which corpora are written and which Confluence does not keep."""
    return _MARKS.sub("", text)


def user(person: Person) -> dict[str, Any]:
    """A person, as the owner's account may see them."""
    return {
        "type": "known",
        "accountId": account_id(person),
        "accountType": "atlassian",
        "email": person.email,
        "publicName": person.handle,
        "displayName": person.name,
        "_expandable": {},
        "_links": {},
    }


def found_user(person: Person) -> dict[str, Any]:
    """A person as a search result."""
    return {
        "user": user(person),
        "title": person.name,
        "excerpt": "",
        "url": f"/people/{account_id(person)}",
        "breadcrumbs": [],
        "entityType": "user",
        "iconCssClass": "aui-icon content-type-profile",
        "lastModified": "1970-01-01T00:00:00.000Z",
    }


def stamp(at: datetime) -> str:
    """A moment in milliseconds."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def highlighted(text: str, wanted: Sequence[Needle], *, escaped: bool) -> str:
    """A text with what matched between marks."""
    pattern = _pattern(wanted)
    clean = (lambda part: escape(part, quote=True)) if escaped else str
    if pattern is None:
        return clean(text)
    parts: list[str] = []
    place = 0
    for found in pattern.finditer(text):
        parts += [clean(text[place : found.start()]), "@@@hl@@@", clean(found[0]), "@@@endhl@@@"]
        place = found.end()
    return "".join((*parts, clean(text[place:])))


def around(text: str, wanted: Sequence[Needle]) -> str:
    """The part of a text about the first match, cut between words and marked where something is left out."""
    pattern = _pattern(wanted)
    flat = " ".join(plain(text).split())
    found = pattern.search(flat) if pattern else None
    start = max(0, found.start() - _BEFORE) if found else 0
    start = 0 if start == 0 else flat.find(" ", start) + 1
    end = len(flat) if len(flat) - start <= SHOWN else max(flat.rfind(" ", start, start + SHOWN), start + SHOWN // 2)
    return f"{'... ' if start else ''}{flat[start:end]}{' ...' if end < len(flat) else ''}"


def _pattern(wanted: Sequence[Needle]) -> re.Pattern[str] | None:
    """Whatever a needle's words begin."""
    spelled: Mapping[str, None] = dict.fromkeys(
        re.escape(word) + r"\w*" for needle in wanted for word in _WORD.findall(needle.text)
    )
    return re.compile(rf"\b(?:{'|'.join(spelled)})", re.IGNORECASE) if spelled else None
