"""Bytes of a page to text: what the page says of itself is believed as far as it holds, then it is sniffed."""

from __future__ import annotations

import codecs
import re

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
