"""Makes text from anywhere safe to show: no escape sequence, no hidden direction change, no unchecked link.

Everything a source returns is hostile (a message may hold ``ESC ] 0 ; …`` or a right-to-left override that makes
``exe.txt`` of ``txt.exe``), on a terminal and in a browser alike.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, urlsplit

LONGEST_LINK = 2000  # characters; longer ones are shown, but not made clickable

# ECMA-48: control sequences, and operating-system commands that are closed. What is left of them goes with CONTROL.
SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x90\x98\x9c-\x9f]*(?:\x07|\x1b\\|\x9c)"
)
BLANK = re.compile("[\t\v\f\r\x85\u2028\u2029\u3164\uffa0\u115f\u1160]")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")
# Bidirectional controls (UAX #9), zero-width and tag characters. Joiners stay: emoji and Indic scripts need them.
HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
SURROGATE = re.compile("[\ud800-\udfff]")
STACKED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff]{3})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u20d0-\u20ff]+"
)


def plain(text: str) -> str:
    """``text`` with line feeds but nothing else that moves a cursor, hides, or turns the direction of reading."""
    shown = CONTROL.sub("", BLANK.sub(" ", SEQUENCE.sub("", text)))
    shown = SURROGATE.sub("\ufffd", HIDDEN.sub("", shown))
    return STACKED.sub(r"\1", unicodedata.normalize("NFC", shown))


def one_line(text: str) -> str:
    """The same on one line, runs of blanks made one."""
    return " ".join(plain(text).split())


def safe_link(url: str) -> str | None:
    """``url`` if it may be made clickable: http or https, a host, printable ASCII, of sane length."""
    if len(url) > LONGEST_LINK or not url.isascii() or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname and "@" not in parts.netloc else None


def link_of(url: str) -> str:
    """The address if a browser may be led there: http or https, no password in it, a host as it is spelled; else nothing."""
    try:
        link = safe_link(quote(url, safe="!#$%&'()*+,/:;=?@[]~")) or ""
    except UnicodeEncodeError:
        return ""
    return link if link and "%" not in urlsplit(link).netloc else ""


def shortened(text: str, most: int) -> str:
    """At most so many characters, the last of which says that there was more."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
