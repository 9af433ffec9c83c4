"""A mail as people know it: who wrote it, what its headers and its parts say."""

from __future__ import annotations

import base64
import binascii
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message as Headers
from email.utils import getaddresses
from html import unescape
from typing import TYPE_CHECKING

from connectors.markup import from_html
from connectors.text import plain_line, plain_text
from translators.query import Person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.gmail.wire import Message, Part

CHARSETS = ("utf", "us-ascii", "ascii", "iso-", "iso8859", "iso2022", "latin", "windows-", "cp", "euc", "ks_c", "ksc", "johab",
            "big5", "gb", "hz", "shift", "koi8", "mac")  # fmt: skip
DEEPEST = 20  # levels of parts; real mail has three or four


def header(message: Message, name: str) -> str:
    """The first header of that name, decoded; empty if there is none."""
    return _decoded_words(_raw_header(message, name))


def people(message: Message, name: str) -> tuple[Person, ...]:
    """The people in an address header, in order; a mailbox without a display name goes by its address."""
    raw = _raw_header(message, name)
    if raw and "@" not in raw:
        return (Person(_decoded_words(raw)),)
    # Addresses first, words after: a comma that was encoded belongs to a name.
    found = ((_decoded_words(who), plain_line(address)) for who, address in getaddresses([raw]))
    return tuple(Person(who or address, email=address or None) for who, address in found if who or address)


def _raw_header(message: Message, name: str) -> str:
    return next((each.value for each in message.payload.headers if each.name.lower() == name.lower()), "")


def _decoded_words(raw: str) -> str:
    """RFC 2047 words decoded, which Gmail has done for most headers."""
    if "=?" not in raw:
        return raw
    try:
        return plain_line(str(make_header(decode_header(raw))))
    except (HeaderParseError, LookupError, ValueError):
        return raw


def snippet(message: Message) -> str:
    """Google's own excerpt, which comes escaped for HTML."""
    return plain_text(unescape(message.snippet))


def text(message: Message) -> tuple[str, bool]:
    """The text of a whole message, and whether that is all that Gmail searches: it looks into attachments as well.

    Plain parts are taken, else HTML parts as plain text.
    """
    everything = list(_leaves(message.payload))
    leaves = [part for part in everything if part.mimeType.startswith("text/") and not part.filename]
    plain = [part for part in leaves if part.mimeType == "text/plain"]
    chosen = plain or [part for part in leaves if part.mimeType == "text/html"]
    texts = [_text(part) for part in chosen]
    whole = bool(texts) and None not in texts and not any(part.filename or part.parts for part in everything)
    return "\n\n".join(text for text in texts if text), whole


def attachments(message: Message) -> tuple[str, ...]:
    """Names of attached files."""
    return tuple(part.filename for part in _leaves(message.payload) if part.filename)


def _leaves(part: Part, depth: int = 0) -> Iterator[Part]:
    if not part.parts or depth == DEEPEST:
        yield part
    else:
        for inner in part.parts:
            yield from _leaves(inner, depth + 1)


def _text(part: Part) -> str | None:
    """The text of a part, ``None`` if it is kept elsewhere or cannot be decoded."""
    if part.body.attachmentId:
        return None
    try:
        raw = base64.urlsafe_b64decode(part.body.data + "=" * (-len(part.body.data) % 4))
        decoded = raw.decode(_charset(part), errors="replace")
    except (binascii.Error, LookupError, ValueError):
        return None
    return from_html(decoded) if part.mimeType == "text/html" else plain_text(decoded)


def _charset(part: Part) -> str:
    """The declared one, if it is one that mail is written in: Python knows others, some of them slow or no text."""
    headers = Headers()
    headers["Content-Type"] = next((each.value for each in part.headers if each.name.lower() == "content-type"), "")
    named = headers.get_param("charset")
    return named if isinstance(named, str) and named.lower().startswith(CHARSETS) else "utf-8"
