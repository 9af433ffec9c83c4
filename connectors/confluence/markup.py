"""Titles and excerpts of search results as plain text: highlights are marked, and the rest is HTML."""

from __future__ import annotations

import re
from html import unescape

from connectors.markup import from_html
from connectors.text import plain_line, plain_text

HIGHLIGHT = re.compile(r"@@@(?:end)?hl@@@")
# An ampersand that was escaped twice, as some excerpts are, is an entity still.
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|hellip|#39|#x27);")


def excerpt(marked: str) -> str:
    """An excerpt as a person reads it."""
    return _unescaped_twice(from_html(HIGHLIGHT.sub("", marked)))


def title(marked: str) -> str:
    """A title on one line; what looks like a tag in it is a word."""
    return plain_line(_unescaped_twice(unescape(HIGHLIGHT.sub("", marked))))


def _unescaped_twice(text: str) -> str:
    return plain_text(ENTITY.sub(lambda match: unescape(match[0]), text))
