"""A mail as people know it: who wrote it, what its headers and its parts say."""

from __future__ import annotations

import base64
import binascii
from email.message import Message as Headers
from html import unescape
from typing import TYPE_CHECKING

from connectors import mime
from connectors.markup import from_html
from connectors.text import plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.gmail.wire import Message, Part
    from translators.query import Person

DEEPEST = 20  # levels of parts; real mail has three or four


def header(message: Message, name: str) -> str:
    """The first header of that name, decoded (which Gmail has done for most); empty if there is none."""
    return mime.decoded_words(_raw_header(message, name))


def people(message: Message, name: str) -> tuple[Person, ...]:
    """The people in an address header, in order; a mailbox without a display name goes by its address."""
    return mime.people(_raw_header(message, name))


def _raw_header(message: Message, name: str) -> str:
    return next((each.value for each in message.payload.headers if each.name.lower() == name.lower()), "")


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
    except (binascii.Error, ValueError):
        return None
    decoded = mime.decoded(raw, _charset(part))
    return from_html(decoded) if part.mimeType == "text/html" else plain_text(decoded)


def _charset(part: Part) -> str:
    headers = Headers()
    headers["Content-Type"] = next((each.value for each in part.headers if each.name.lower() == "content-type"), "")
    named = headers.get_param("charset")
    return named if isinstance(named, str) else ""
