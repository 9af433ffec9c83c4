"""Mail as it is written: words and addresses of headers, bytes in whatever character set they are said to be in."""

from __future__ import annotations

import codecs
from email.errors import HeaderParseError
from email.header import decode_header
from email.utils import getaddresses

from connectors.text import plain_line
from translators.query import Person

CHARSETS = ("utf", "us-ascii", "ascii", "iso-", "iso8859", "iso2022", "latin", "windows-", "cp", "euc", "ks_c", "ksc", "johab",
            "big5", "gb", "hz", "shift", "koi8", "mac")  # fmt: skip
# Mailers that call it by these names write its superset: https://encoding.spec.whatwg.org/#names-and-labels
WANSUNG = ("euc-kr", "euc_kr", "euckr", "ks_c", "ksc")
KOREAN = "cp949"
PLAIN = ("", "ascii", "utf-8")
THREE_BYTES = "\u0800"  # from here on UTF-8 takes three bytes, which text in no other character set looks like


def decoded(raw: bytes, charset: str) -> str:
    """Text from ``raw``, which is said to be in ``charset``: if that cannot be, in what it most likely is.

    Bytes that end within a character lose that character: mails are read up to a limit.
    """
    said = _known(charset)
    text = _strictly(raw, "utf-8")
    if text is not None and (said in PLAIN or max(text, default="") >= THREE_BYTES):
        return text
    tried = (_strictly(raw, name) for name in (said or "utf-8", KOREAN))
    return next((text for text in tried if text is not None), None) or raw.decode(said or "utf-8", "replace")


def _known(charset: str) -> str:
    """The declared one, if it is one that mail is written in: Python knows others, some of them slow or no text."""
    name = charset.strip().strip("\"'").lower()
    if name.startswith(WANSUNG):
        return KOREAN
    try:
        return codecs.lookup(name).name if name.startswith(CHARSETS) else ""
    except (LookupError, ValueError):
        return ""


def _strictly(raw: bytes, charset: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(charset)("strict").decode(raw, final=False)
    except (UnicodeError, LookupError):
        return None


def decoded_words(raw: str) -> str:
    """A header as people read it: RFC 2047 words decoded, on one line."""
    if "=?" not in raw:
        return plain_line(raw)
    try:
        parts = decode_header(raw)
    except (HeaderParseError, ValueError):
        return plain_line(raw)
    if any(name and not _known(name) for _, name in parts):
        return plain_line(raw)
    return plain_line("".join(part if isinstance(part, str) else decoded(part, name or "") for part, name in parts))


def people(raw: str) -> tuple[Person, ...]:
    """The people in an address header, in order; a mailbox without a display name goes by its address."""
    if raw and "@" not in raw:
        return (Person(decoded_words(raw)),)
    # Addresses first, words after: a comma that was encoded belongs to a name.
    found = ((decoded_words(who), plain_line(address)) for who, address in getaddresses([raw]))
    return tuple(Person(who or address, email=address or None) for who, address in found if who or address)
