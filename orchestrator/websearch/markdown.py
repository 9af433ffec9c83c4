"""Foreign text inside Markdown: it stays text, whatever it holds. https://spec.commonmark.org/0.31.2/#backslash-escapes ."""

from __future__ import annotations

import re
from urllib.parse import quote

from connectors.text import plain_line
from orchestrator.websearch.urls import read_address

# Only what some renderer reads as markup where it stands: "2026-11-20 10:00 (v2.1)" stays as readable as it was.
MARKS = re.compile(
    r"[\\`*\[\]<]|(?<=\])\("
    r"|(?<![^\W_])_|_(?![^\W_])|~(?=\S)|(?<=\S)~"  # at the edge of a word; GitHub strikes through "16~18, 19~20"
    r"|^[-+=>#]|(?<=\s)#+$|#(?=\d)"
    r"|&(?=#?\w+;)|:(?=//)|:(?=[A-Za-z+-][\w+-]*:)|(?<=www)\.|@(?=\w)|(?<=\S)\$(?!\d)",
    re.IGNORECASE,
)
ORDERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")  # begins a list
BACKTICKS = re.compile(r"`+")
KEPT = "/:?#[]@!$&'*+,;=%~-._"  # of an address; brackets around nothing, quotes and blanks would end a link


def as_text(text: str) -> str:
    """Every mark that some renderer may read is escaped; a bare address stays text, too."""
    return ORDERED.sub(r"\1\\\2", MARKS.sub(r"\\\g<0>", plain_line(text)))


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
