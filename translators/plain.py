"""Strangers' text made plain: no control characters, no direction overrides, no broken code points, no secrets."""

from __future__ import annotations

import re

# C0 and C1 but tab and line feed (a terminal obeys them), the bidirectional overrides and isolates (they make text read
# as something else: https://trojansource.codes), and the byte order mark.
UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\x85]")
SURROGATES = re.compile(r"[\ud800-\udfff]")  # JSON can say "\ud800" alone; UTF-8 cannot
BLANKS = re.compile(r"\s+")
BLANK_LINES = re.compile(r"\n\s*\n\s*\n+")
PRINTABLE = bytes(range(ord(" "), 0x7F))
MASK = "•••"
MAX_QUOTE = 200
SHORTEST_SECRET = 6


def plain_text(text: str) -> str:
    """Text that is safe to show anywhere once escaped for the place: paragraphs stay, nothing in it is obeyed."""
    if is_printable(text):  # nothing that is taken out below is, nor any blank but the plain one
        return text.strip()
    if not is_printable(text.replace("\n", "")):
        text = UNSAFE.sub("", sendable(LINE_ENDS.sub("\n", text)))
    return BLANK_LINES.sub("\n\n", text).strip()


def plain_line(text: str) -> str:
    """The same on a single line, for names and titles."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return BLANKS.sub(" ", plain_text(text)).strip()


def is_printable(text: str) -> bool:
    """What Python says of it; of a long text in ASCII, in half of the instructions."""
    return not text.encode().translate(None, PRINTABLE) if text.isascii() else text.isprintable()


def sendable(text: str) -> str:
    """``text`` without halves of surrogate pairs, which a terminal can hand us and no encoding can carry."""
    return text if text.isascii() else SURROGATES.sub("\ufffd", text)


def quote(text: object) -> str:
    """What a vendor says in an error, short and harmless enough to stand in one of ours."""
    line = plain_line(str(text))
    return line if len(line) <= MAX_QUOTE else f"{line[:MAX_QUOTE].rstrip()}…"


def masked(text: str, secret: str) -> str:
    """``text`` without ``secret``: a vendor may echo what it was sent. Secrets too short to be one are left alone."""
    return text.replace(secret, MASK) if len(secret) >= SHORTEST_SECRET else text
