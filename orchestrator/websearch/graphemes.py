"""Cuts text where a reader sees a gap: between words if possible, never inside what looks like one character."""

from __future__ import annotations

import unicodedata

JOINER = "\u200d"
ELLIPSIS = "…"
# Hangul may be written with a letter for each sound (a Mac's file names are); medial and final ones never begin a syllable.
JAMO_INSIDE = range(0x1160, 0x1200)
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
TAGS = range(0xE0020, 0xE0080)  # of a flag like Scotland's


def boundary_before(text: str, at: int) -> int:
    """The last gap between visible characters that is not behind ``at``."""
    while 0 < at < len(text) and _inside(text, at):
        at -= 1
    return max(0, min(at, len(text)))


def boundary_after(text: str, at: int) -> int:
    """The first gap between visible characters that is not before ``at``."""
    while 0 < at < len(text) and _inside(text, at):
        at += 1
    return max(0, min(at, len(text)))


def _inside(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` would part one visible character (after UAX #29, without its rarer scripts)."""
    before, after = text[at - 1], text[at]
    code = ord(after)
    if unicodedata.category(after) in {"Mn", "Me", "Mc"} or JOINER in {before, after}:
        return True
    if code in JAMO_INSIDE or code in SKIN_TONES or code in TAGS or (before, after) == ("\r", "\n"):
        return True
    return code in FLAG_LETTERS and _flag_letters_before(text, at) % 2 == 1


def _flag_letters_before(text: str, at: int) -> int:
    """Two letters make a flag, so a third begins the next one."""
    start = at
    while start and ord(text[start - 1]) in FLAG_LETTERS:
        start -= 1
    return at - start


def clipped(text: str, most: int) -> str:
    """At most ``most`` characters (code points), ended at a word and with ``…`` if something was left out.

    A run without blanks (Chinese, Japanese, a long address) is cut between visible characters.
    """
    if len(text) <= most:
        return text
    room = most - len(ELLIPSIS)
    head = text[: room + 1].rpartition(" ")[0].rstrip()
    if len(head) < room // 2:  # one very long word: a stub of what stands before it would tell nothing
        head = text[: boundary_before(text, room)].rstrip()
    return f"{head}{ELLIPSIS}" if head else ""
