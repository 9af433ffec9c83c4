"""Pages in an answer of the Gemini CLI: it has markers and a list of sources, and no structure for either.

``packages/core/src/tools/web-search.ts`` of https://github.com/google-gemini/gemini-cli gives the model
``[1] Title (address)`` lines; what the model makes of them is its own affair, so links in Markdown are read as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.text import absolute_url, clip, plain_line
from connectors.web_search import MAX_TEXT, page_hit
from translators.query import Container

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.contract import Hit

LISTED = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?\[?(\d{1,3})[\].)]+[ \t]*(.*)$")
LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\(<?(https?://[^()\s<>]+)>?\)")
BARE = re.compile(r"https?://[^\s<>()\[\]\"'`*|]+")
MARKER = re.compile(r"[ \t]?\[(\d{1,3}(?:\s*,\s*\d{1,3}){0,9})\](?!\()")
# To a full stop with the markers behind it, else to the end of the line.
SENTENCE = re.compile(r"[^\n]*?[.!?。][\"')\]]*(?:\s?\[[\d, ]+\])*(?=\s|$)|[^\n]+", re.MULTILINE)
TRAILING = ".,;:!?"
REDIRECTS = "vertexaisearch.cloud.google.com"


def pages(answer: str) -> tuple[Hit, ...]:
    """Each page once, in the order in which the answer names them, with the sentences that bear its number."""
    found: dict[str, tuple[str, str]] = {}
    prose: list[str] = []
    for line in answer.splitlines():
        named = list(_named(line))
        for number, title, url in named:
            found.setdefault(url, (number, title))
        if not (named and LISTED.match(line)):
            prose.append(LINK.sub(r"\1", line))
    sentences = [part.strip() for part in SENTENCE.findall("\n".join(prose))]
    return tuple(_hit(url, title, _about(number, sentences)) for url, (number, title) in found.items())


def _named(line: str) -> Iterator[tuple[str, str, str]]:
    """Number (empty outside a list), title and address of each page that a line names."""
    listed = LISTED.match(line)
    number = listed[1] if listed else ""
    rest = listed[2] if listed else line
    for link in LINK.finditer(rest):
        yield number, plain_line(link[1]), link[2]
    for bare in BARE.finditer(LINK.sub(" ", rest)):
        url = bare[0].rstrip(TRAILING)
        if absolute_url(url):
            title = rest[: rest.find(url)].strip(" \t-–—:(*_") if number else ""
            yield number, plain_line(title), url


def _about(number: str, sentences: list[str]) -> str:
    marked = [each for each in sentences if number and number in _numbers(each)]
    return clip("\n".join(MARKER.sub("", each).strip() for each in marked), MAX_TEXT)[0]


def _numbers(sentence: str) -> frozenset[str]:
    return frozenset(part.strip() for found in MARKER.finditer(sentence) for part in found[1].split(","))


def _hit(url: str, title: str, text: str) -> Hit:
    hit = page_hit(url, title, text)
    if (urlsplit(url).hostname or "") != REDIRECTS:
        return hit
    place = Container(title.removeprefix("www.")) if "." in title and " " not in title else None
    return replace(hit, title=title or "a page without a title", container=place)
