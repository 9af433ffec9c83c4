"""Foreign text inside Markdown: it stays text, whatever it holds. https://spec.commonmark.org/0.31.2/#backslash-escapes ."""

from __future__ import annotations

import re
from urllib.parse import quote

from connectors.text import plain_line
from orchestrator.websearch.urls import read_address

PUNCTUATION = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&:@$^=])")
BACKTICKS = re.compile(r"`+")
KEPT = "/:?#[]@!$&'*+,;=%~-._"  # of an address; brackets around nothing, quotes and blanks would end a link


def as_text(text: str) -> str:
    """Every mark that some renderer may read is escaped; a bare address stays text, too."""
    return PUNCTUATION.sub(r"\\\1", plain_line(text))


def as_link(title: str, url: str) -> str:
    """A link if ``url`` is an address, else the title alone."""
    if read_address(url) is None:
        return as_text(title)
    return f"[{as_text(title)}](<{quote(url, safe=KEPT)}>)"


def as_code(text: str) -> str:
    """As typed, between enough backticks."""
    line = plain_line(text)
    fence = "`" * (max(map(len, BACKTICKS.findall(line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"
