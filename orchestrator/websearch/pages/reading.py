"""The main text of a page, without its menus and footers, by trafilatura. Runs in a process of its own (``worker.py``).

Bytes become text by the character set (encoding) that the page names, as far as that holds; then it is sniffed.
"""

from __future__ import annotations

import codecs
import logging
import re
from copy import deepcopy
from typing import Any

from connectors.markup import from_html
from connectors.text import plain_line, plain_text
from translators.records import record

HEAD = 4096  # bytes in which a page declares its encoding (a browser reads 1024; not every page keeps to that)
SNIFFED = 32 * 1024
DECLARED = re.compile(
    rb"<meta[^>]{0,400}?charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.-]{2,40})|<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})",
    re.IGNORECASE,
)
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Labels as the web uses them (https://encoding.spec.whatwg.org/#names-and-labels): who writes EUC-KR means CP949, who writes
# Latin-1 means Windows-1252. No other codec of Python's is ever looked up by a name that a page gives.
CODECS = {
    **dict.fromkeys(("utf-8", "utf8", "unicode-1-1-utf-8"), "utf-8"),
    **dict.fromkeys(("euc-kr", "euckr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "cp949", "ms949", "uhc", "windows-949", "x-windows-949", "korean"), "cp949"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "cp932"), "cp932"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "x-gbk", "chinese"), "gb18030"),
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "ascii", "us-ascii", "windows-1252", "cp1252"), "cp1252"),
    "euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "iso-2022-kr": "iso2022_kr", "big5": "big5hkscs", "big5-hkscs": "big5hkscs",
    "utf-16": "utf-16-le", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "iso-8859-2": "iso8859_2", "iso-8859-15": "iso8859_15",
    "windows-1250": "cp1250", "windows-1251": "cp1251", "koi8-r": "koi8_r", "johab": "johab",
}  # fmt: skip
ANYTHING = frozenset(
    {"cp1252", "iso8859_2", "iso8859_15", "cp1250", "cp1251", "koi8_r"}
)  # can read nearly any bytes, so it proves nothing
EAST_ASIAN = {
    "euc_kr": "cp949", "cp949": "cp949", "johab": "johab", "shift_jis": "cp932", "cp932": "cp932", "euc_jp": "euc_jp",
    "gb2312": "gb18030", "gbk": "gb18030", "gb18030": "gb18030", "big5": "big5hkscs", "big5hkscs": "big5hkscs",
}  # fmt: skip
ESCAPED = frozenset({"iso2022_kr", "iso2022_jp"})  # of 7-bit characters, and so valid UTF-8 as well


def decoded(body: bytes, header: str = "") -> str:
    """The text of ``body``; ``header``: the charset of its Content-Type. What cannot be read becomes ``U+FFFD``."""
    for mark, codec in MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    labels = (label.strip("\"' ").casefold() for label in (header, _declared(body)))
    declared = [CODECS[label] for label in labels if label in CODECS]
    sure = [codec for codec in declared if codec in ESCAPED or codec.startswith("utf-16")]
    # Text that is not UTF-8 is next to never valid UTF-8, whatever was declared.
    for codec in (*sure, "utf-8", *(each for each in declared if each not in ANYTHING)):
        try:
            return body.decode(codec)
        except UnicodeDecodeError:
            continue
    return body.decode(_closest(body, declared), "replace")


def _declared(body: bytes) -> str:
    found = DECLARED.search(body[:HEAD])
    return (found[1] or found[2]).decode("ascii") if found else ""


def _closest(body: bytes, declared: list[str]) -> str:
    """A declared encoding with few faults, else the one that the bytes look like, if they look like East Asian text."""
    head = body[:SNIFFED]
    for codec in declared:
        if codec not in ANYTHING and head.decode(codec, "replace").count("\ufffd") <= len(head) // 200:
            return codec
    from charset_normalizer import from_bytes

    best = from_bytes(head).best()
    if best is not None and best.encoding in EAST_ASIAN:
        return EAST_ASIAN[best.encoding]
    return next((codec for codec in declared if codec in ANYTHING), "cp1252")


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
