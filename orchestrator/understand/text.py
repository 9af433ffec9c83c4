"""Makes any string safe to read: composed Hangul, letters of plain width, no control characters, a bounded length; says what it changed."""

from __future__ import annotations

import unicodedata

from orchestrator.understand.draft import INVISIBLE, TOO_LONG
from translators.patterns import regex
from translators.query import Doubt

LONGEST = 2_000
"""Most characters of a question that are read; people who paste a page get its beginning understood."""

CONTROL = regex(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffc\ud800-\udfff]"
)
SPACE = regex(r"[\t\n\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

WIDE = regex(r"[\uff01-\uff5e]")
NARROW = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Letters, digits and signs as wide as a Hangul syllable, which an input method leaves behind: ＰＡＹ－１４２."""


def clean(text: str) -> tuple[str, list[Doubt]]:
    """The readable text and the doubts about it. Length is cut first, so cost does not grow with the input."""
    doubts: list[Doubt] = []
    if len(text) > LONGEST:
        doubts.append(Doubt("too_long", TOO_LONG.filled(read=LONGEST, given=len(text))))
        text = text[:LONGEST]
    if text.isascii() and text.isprintable():
        return text, doubts
    if CONTROL.search(text):
        doubts.append(Doubt("control_characters", INVISIBLE))
        text = CONTROL.sub(" ", text)
    text = SPACE.sub(" ", text)
    if WIDE.search(text):
        text = text.translate(NARROW)
    return (text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)), doubts
