"""The columns of a data source, and what a row has in them: as a corpus says, in Notion's shapes of property values.

Manual: https://developers.notion.com/reference/page-property-values, https://developers.notion.com/reference/property-object .
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from orchestrator.sandbox.corpus import Row

MAX_TEXT = 2000
"""Characters in one rich text item."""
DONE = frozenset({"done", "complete", "completed", "closed", "canceled", "완료", "종료", "취소"})
NOT_BEGUN = frozenset({"not started", "to do", "todo", "backlog", "open", "시작 전", "할 일"})
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
Cell = tuple[str, str, object]
"""A column's name, its type, and the value."""


def cells(row: Row, assignee: Mapping[str, Any] | None) -> Iterator[Cell]:
    """What a corpus row says in columns; `assignee`: that user as Notion gives it."""
    if assignee:
        yield "Owner", "people", [assignee]
    if row.said("state"):
        yield "Status", "status", _option(row.said("state"))
    if row.said("due"):
        yield "Due", "date", {"start": row.said("due"), "end": None, "time_zone": None}
    if row.listed("labels"):
        yield "Labels", "multi_select", [_option(label) for label in row.listed("labels")]
    for name, said in row.named("fields").items():
        yield name, *_typed(said)


def value(cell: Cell) -> dict[str, Any]:
    """A property of a page."""
    name, kind, content = cell
    return {"id": column_id(name), "type": kind, kind: content}


def schema(rows: Sequence[Sequence[Cell]]) -> dict[str, Any]:
    """The columns that rows have something in, as their data source describes them."""
    found: dict[str, list[Cell]] = {}
    for cell in (cell for row in rows for cell in row):
        found.setdefault(cell[0], []).append(cell)
    return {
        name: {"id": column_id(name), "name": name, "type": held[0][1], "description": None, held[0][1]: _told(held)}
        for name, held in found.items()
    }


def column_id(name: str) -> str:
    """Some letters, as Notion percent-encodes them."""
    return quote(uuid5(NAMESPACE_URL, f"column:{name}").hex[:4])


def rich_text(text: str) -> list[dict[str, Any]]:
    """Plain text as rich text items of at most 2000 characters."""
    annotations = dict.fromkeys(("bold", "italic", "strikethrough", "underline", "code"), False)
    return [
        {
            "type": "text",
            "text": {"content": part, "link": None},
            "annotations": {**annotations, "color": "default"},
            "plain_text": part,
            "href": None,
        }
        for part in (text[start : start + MAX_TEXT] for start in range(0, len(text), MAX_TEXT))
    ]


def _option(name: str) -> dict[str, str]:
    return {"id": str(uuid5(NAMESPACE_URL, f"option:{name}")), "name": name, "color": "default"}


def _typed(said: object) -> tuple[str, object]:
    """The type that a column has of which a corpus gives a value alone."""
    match said:
        case bool():
            return "checkbox", said
        case int() | float():
            return "number", said
        case list():
            return "multi_select", [_option(str(each)) for each in said]
        case str() if _DAY.fullmatch(said):
            return "date", {"start": said, "end": None, "time_zone": None}
        case str() if said.startswith(("https://", "http://")):
            return "url", said
        case _:
            return "rich_text", rich_text(str(said))


def _told(held: Sequence[Cell]) -> dict[str, Any]:
    match held[0][1]:
        case "number":
            return {"format": "number"}
        case "multi_select":
            return {"options": _options(each for _, _, many in held if isinstance(many, list) for each in many)}
        case "status":
            options = _options(one for _, _, one in held)
            return {"options": options, "groups": _groups(options)}
        case _:
            return {}


def _options(chosen: Any) -> list[dict[str, Any]]:
    return list({each["id"]: {**each, "description": None} for each in chosen}.values())


def _groups(options: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The three that every status has."""
    ids: dict[str, list[str]] = {"To-do": [], "In progress": [], "Complete": []}
    for option in options:
        name = option["name"].casefold()
        ids["Complete" if name in DONE else "To-do" if name in NOT_BEGUN else "In progress"].append(option["id"])
    return [
        {"id": str(uuid5(NAMESPACE_URL, f"group:{name}")), "name": name, "color": "default", "option_ids": held}
        for name, held in ids.items()
    ]
