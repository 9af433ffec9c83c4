"""Markdown and HTML as a person reads them, lightly: marks go, words and the addresses of links stay."""

from __future__ import annotations

import re
from html import unescape

from connectors.structure import OPEN_BOX, TICKED_BOX, StructuredText
from connectors.text import plain_text

# Tags that Notion's Markdown and pasted HTML use. Others stay: in a tracker, List<String> is a word and not markup.
INLINE_TAG = re.compile(
    r"</?(?:span|u|b|i|em|s|strong|a|sub|sup|kbd|code|font|mention-[a-z-]+)(?:[ \t/][^<>]*)?>", re.IGNORECASE
)
BLOCK_TAG = re.compile(
    r"</?(?:callout|page|database|data-source|br|hr|table|colgroup|col|thead|tbody|tr|t[dh]|columns?|details|summary|toggle|"
    r"synced_block[a-z_]*|empty-block|table_of_contents|unknown|file|pdf|video|audio|img|p|div|pre|center|h[1-6]|ul|ol|li|"
    r"script|style)(?:[ \t/][^<>]*)?>",
    re.IGNORECASE,
)
# Text without any of these, and with no line that a dash or a plus begins, has no markup at all. One search for each
# takes a tenth of the time that a look at every character would.
MARKS = tuple("<\\`*_~#>|[")
# Behind a line feed, which is quickly found: a search for a line's beginning would stop at every character.
LISTED = re.compile(r"\n[ \t]*[-+]")
FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
RULE = re.compile(r"^[ \t]*(?:[-*_][ \t]*){3,}$", re.MULTILINE)
TABLE_RULE = re.compile(r"^[ \t]*+\|?(?:[ \t]*+:?-++:?[ \t]*+\|)+(?:[ \t]*+:?-++:?)?[ \t]*+$", re.MULTILINE)
LEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+)+", re.MULTILINE)
# Behind the dash of an item: a box that is ticked, or is not. That is what a checklist says.
BOX = re.compile(r"^([ \t]*(?:>[ \t]?)*[-*+][ \t]+)\[([ xX])\][ \t]+", re.MULTILINE)
BOXES = {" ": OPEN_BOX, "x": TICKED_BOX, "X": TICKED_BOX}
LINK = re.compile(r"!?\[([^\[\]]*)\]\(<?([^()\s<>]*)>?(?:[ \t]+\"[^\"]*\")?\)")
AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
# Emphasis only where no Latin letter or digit touches it from outside: snake_case and 2*3*4 survive, and a Korean
# particle may follow. Lengths are bounded: without a bound, a text of opening marks alone takes quadratic time.
EMPHASIS = re.compile(r"(?<![A-Za-z0-9*\\])(\*{1,3})(?=\S)([^\n]{1,200}?)(?<![\s\\])\1(?![A-Za-z0-9*])")
UNDERLINE = re.compile(r"(?<![A-Za-z0-9_\\])(_{1,2})(?=\S)([^_\n]{1,200}?)(?<![\s\\])\1(?![A-Za-z0-9_])")
CODE = re.compile(r"(`{1,16})([^`\n]+)\1")
BLANKS = re.compile(r"\s+")
UNSEEN = re.compile(r"<(script|style|title|template|noscript)\b", re.IGNORECASE)
BLOCK = re.compile(r"</?(?:p|div|br|tr|li|ul|ol|h[1-6]|table|blockquote|pre|hr)\b[^<>]*>", re.IGNORECASE)
HTML_TAG = re.compile(r"<[!/?a-zA-Z][^<>]*>")
START = re.compile(r"\bstart=\"?(\d{1,6})", re.IGNORECASE)
TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})\b([^<>]*)>")
STRUCK_TAGS = frozenset({"del", "s", "strike"})
# Confluence's items of a task list: https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html
TASK = re.compile(r"\bdata-inline-task-id\b", re.IGNORECASE)
TICKED = re.compile(r"\bclass=\"[^\"]{0,200}\bchecked\b", re.IGNORECASE)
ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!~|<>])")


def from_markdown(markdown: str) -> str:
    """Plain text of Markdown as Notion and Linear write it, HTML-like tags (``<callout>``) included."""
    if not is_marked(markdown):
        return plain_text(markdown)
    text = markdown
    if "<" in text:
        text = AUTOLINK.sub(lambda match: match[1].removeprefix("mailto:"), _without_comments(text))
        text = INLINE_TAG.sub("", BLOCK_TAG.sub("\n", text))
    if "[" in text:
        text = BOX.sub(lambda match: f"{match[1]}{BOXES[match[2]]} ", text)
    for marks in (FENCE, RULE, TABLE_RULE, LEADING):
        text = marks.sub("", text)
    if "](" in text:
        text = LINK.sub(lambda match: _link(match[1], match[2]), text)
    for pair in (CODE, EMPHASIS, UNDERLINE):
        text = pair.sub(r"\2", text)
    return plain_text(ESCAPE.sub(r"\1", text) if "\\" in text else text)


def is_marked(markdown: str) -> bool:
    """Whether anything in it may be markup."""
    for mark in MARKS:  # a loop: half of the time that any() would take, for every hit of every question
        if mark in markdown:
            return True
    return LISTED.search(f"\n{markdown}") is not None


def _without_comments(markup: str) -> str:
    kept: list[str] = []
    start = 0
    while (opening := markup.find("<!--", start)) >= 0 and (closing := markup.find("-->", opening)) >= 0:
        kept.append(markup[start:opening])
        start = closing + len("-->")
    return "".join((*kept, markup[start:]))


def _link(label: str, address: str) -> str:
    return f"{label} ({address})" if label and address and label != address else label or address


def from_html(html: str) -> str:
    """Plain text of an HTML mail: scripts, styles and tags dropped, blocks on lines of their own.

    Not :mod:`html.parser`, which takes quadratic time on a text of opening brackets alone (minutes for 100 kB).
    """
    text = BLANKS.sub(" ", _without_unseen(_without_comments(html)))
    return _untagged(BLOCK.sub("\n", text))


def _untagged(html: str) -> str:
    """Plain text of what has its line ends already."""
    lines = unescape(HTML_TAG.sub("", html)).split("\n")
    return plain_text("\n".join(BLANKS.sub(" ", line).strip() for line in lines))


def from_page(html: str) -> str:
    """Plain text of a page of a wiki: as :func:`from_html`, and its structure as its author sees it.

    Rows of tables have their cells between bars, items of numbered lists their number, tasks a box that is ticked or is not
    (☑, ☐), and what is struck out stays so (``~~1 May~~``). For what is laid out in tables, as mails are, it is not meant.
    """
    text = BLANKS.sub(" ", _without_unseen(_without_comments(html)))
    told, start = StructuredText(), 0
    for tag in TAG.finditer(text):
        told.say(text[start : tag.start()])
        start = tag.end()
        _tell(told, tag, tag[2].lower(), closes=bool(tag[1]))
    told.say(text[start:])
    return _untagged(told.text())


def _tell(told: StructuredText, tag: re.Match[str], name: str, *, closes: bool) -> None:
    match name, closes:
        case (("td" | "th"), False):
            told.begin_cell()
        case (("td" | "th"), True):
            told.end_cell()
        case "tr", False:
            told.row()
        case (("ul" | "ol"), True):
            told.end_list()
        case (("ul" | "ol"), False):
            first = START.search(tag[3])
            told.begin_list(None if name == "ul" else int(first[1]) if first else 1)
        case "li", False:
            told.item(ticked=bool(TICKED.search(tag[3])) if TASK.search(tag[3]) else None)
        case (("tr" | "li"), True):
            pass
        case _ if name in STRUCK_TAGS:
            told.struck()
        case _ if BLOCK.match(tag[0]):
            told.block()


def _without_unseen(html: str) -> str:
    """Without the elements that a browser does not show, the rest of the page where one is never closed."""
    kept: list[str] = []
    start = 0
    while opening := UNSEEN.search(html, start):
        kept.append(html[start : opening.start()])
        closing = re.compile(f"</{opening[1]}", re.IGNORECASE).search(html, opening.end())
        if closing is None:
            return "".join(kept)
        start = closing.start()
    return "".join((*kept, html[start:]))
