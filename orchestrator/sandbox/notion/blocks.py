"""Markdown as Notion's blocks: one flat list, inline marks left as they are written."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID, uuid5

MAX_TEXT = 2000
"""Characters in one rich text item."""

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
