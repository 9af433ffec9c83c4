"""The main text of a page, without its menus and footers, by trafilatura. Runs in a process of its own (``worker.py``)."""

from __future__ import annotations

import logging
import re
from copy import deepcopy
from typing import Any

from connectors.markup import from_html
from connectors.text import plain_line, plain_text
from orchestrator.websearch.pages.charset import decoded
from translators.records import record

LONGEST = 200_000  # characters of main text that are kept
LONGEST_TITLE = 300
LONGEST_DESCRIPTION = 500
SHORTEST = 80  # characters of main text; with less, the page is read whole
TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,1000})", re.IGNORECASE)
TITLE_WITHIN = 64 * 1024
# What a browser does not show is written for programs, and often to mislead them.
UNSHOWN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])", re.IGNORECASE
)
NEVER_TEXT = frozenset({"script", "style", "noscript", "template", "svg", "iframe", "object"})


@record
class MainText:
    """``text``: plain, paragraphs on lines of their own. ``published``: a day, ``YYYY-MM-DD``, where the page tells one.

    ``description``: as its head says, on one line.
    """

    title: str
    text: str
    published: str = ""
    description: str = ""


def main_text(body: bytes, kind: str, charset: str, url: str) -> MainText:
    """Blocking, and on a page made for that purpose it takes minutes. A page without main text is read whole."""
    markup = decoded(body, charset)
    if kind in {"text/plain", "text/markdown"}:
        text = plain_text(markup)
        return MainText(plain_line(text.partition("\n")[0])[:LONGEST_TITLE], text[:LONGEST])
    title, text, published, description = _extracted(markup, url)
    named = plain_line(title or _title(markup))[:LONGEST_TITLE]
    return MainText(named, plain_text(text)[:LONGEST], published, plain_line(description)[:LONGEST_DESCRIPTION])


def _extracted(markup: str, url: str) -> tuple[str, str, str, str]:
    """Title, text, day and description."""
    from trafilatura import bare_extraction, html2txt, load_html

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports every odd page as an error
    tree = load_html(markup)
    if tree is None:
        return "", plain_text(from_html(markup)), "", ""
    for element in [each for each in tree.iter() if _is_hidden(each)]:
        if element.getparent() is not None:
            element.drop_tree()
    whole = html2txt(deepcopy(tree))
    found = bare_extraction(tree, url=url, include_comments=False, include_tables=True, with_metadata=True)
    if found is None or isinstance(found, dict):
        return "", whole, "", ""
    text = found.text or ""
    return (
        found.title or "",
        text if len(text) >= SHORTEST else max(text, whole, key=len),
        found.date or "",
        found.description or "",
    )


def _is_hidden(element: Any) -> bool:
    """Comments and processing instructions have a function for a tag."""
    if not isinstance(element.tag, str):
        return True
    return (
        element.tag in NEVER_TEXT
        or "hidden" in element.attrib
        or element.get("aria-hidden", "").casefold() == "true"
        or UNSHOWN.search(element.get("style", "")[:1000]) is not None
    )


def _title(markup: str) -> str:
    from html import unescape

    found = TITLE.search(markup[:TITLE_WITHIN])
    return unescape(found[1]) if found else ""
