"""Bytes of a file as text, whatever character set they were written in; Korean ones before guesses."""

from __future__ import annotations

import codecs

from connectors.local.ingest.drafts import Reason, Skip
from connectors.mime import KOREAN

MARKED = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LOOKED_AT = 1 << 16
HANGUL = range(0xAC00, 0xD7A4)
ENOUGH_HANGUL = 0.5  # of what is not ASCII: bytes of other character sets read as CP949 give rare Chinese characters


def text_of(raw: bytes) -> str:
    """``raw`` as text: by its byte order mark, as UTF-8, as EUC-KR/CP949 where that gives Hangul, else the likeliest.

    Raises :class:`Skip` for what is no text in any character set.
    """
    for mark, charset in MARKED:
        if raw.startswith(mark):
            return raw.decode(charset, "replace")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _korean(raw) or _guessed(raw)
    if "\0" in text[:LOOKED_AT]:
        raise Skip(Reason.WRONG_TYPE, "it holds bytes that no text has")
    return text


def _korean(raw: bytes) -> str | None:
    try:
        text = raw.decode(KOREAN)
    except UnicodeDecodeError:
        return None
    foreign = [letter for letter in text[:LOOKED_AT] if not letter.isascii()]
    hangul = sum(ord(letter) in HANGUL for letter in foreign)
    return text if foreign and hangul >= ENOUGH_HANGUL * len(foreign) else None


def _guessed(raw: bytes) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:LOOKED_AT]).best()
    if best is None or "\0" in str(best):
        raise Skip(Reason.WRONG_TYPE, "it is no text in any character set that is known")
    return raw.decode(best.encoding, "replace")
