"""Markdown and plain text as sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.local.ingest.decoding import moment_of
from connectors.local.ingest.drafts import DocumentDraft
from connectors.local.ingest.purpose import fields_of, purpose_of
from connectors.markup import from_markdown
from connectors.passages import DocumentSection
from connectors.text import plain_line
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
HEADING = re.compile(r"^(#{1,6})[ \t]+(\S.*)$")  # what closes it is taken off by hand: a pattern takes quadratic time
FENCE = re.compile(r"^[ \t]*(```+|~~~+)")
LONGEST_HEADING = 200  # characters; more is a paragraph that begins with a mark


def read_markdown(text: str, name: str) -> DocumentDraft:
    """A document of Markdown; of its front matter title, author, dates, and what the document is for are heard."""
    front = FRONT.match(text)
    fields = fields_of(front[1]) if front else {}
    told = {key: values[0] for key, values in fields.items() if values}
    description, examples = purpose_of(fields)
    sections = tuple(_sections(text[front.end() :] if front else text))
    top = next((each.path[0] for each in sections if each.path), "")
    return DocumentDraft(
        told.get("title") or top or name,
        sections,
        author=Person(told["author"]) if told.get("author") else None,
        created=moment_of(told.get("date", "") or told.get("created", "")),
        updated=moment_of(told.get("updated", "") or told.get("lastmod", "")),
        description=description,
        examples=examples,
    )


def read_text(text: str, name: str) -> DocumentDraft:
    """A document of plain text, named like its file."""
    return DocumentDraft(name, (DocumentSection(text),))


def _sections(text: str) -> Iterator[DocumentSection]:
    """What stands between headings. A heading inside a fence is a comment in code."""
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        if mark := FENCE.match(line):
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        heading = None if fence or len(line) > LONGEST_HEADING else HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        level = len(heading[1])
        yield _section(lines, path, level)
        title = plain_line(from_markdown(heading[2].rstrip().rstrip("#")))
        path = [*(each for each in path if each[0] < level), (level, title)]
        lines = []
    yield _section(lines, path, 0)


def _section(lines: list[str], path: list[tuple[int, str]], then: int) -> DocumentSection:
    """``then``: the level of the next heading. One that nothing stands under is text itself, or it would be lost."""
    text = from_markdown("\n".join(lines))
    if not text and path and then <= path[-1][0]:
        text = path[-1][1]
    return DocumentSection(text, tuple(title for _, title in path))
