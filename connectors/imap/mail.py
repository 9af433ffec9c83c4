"""A mail as it was written (RFC 5322, MIME): who, what, when, and its text; the end may be missing."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from connectors import mime
from connectors.markup import from_html
from connectors.text import plain_line, plain_text
from connectors.wire import FIRST_YEAR, LAST_YEAR
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from translators.query import Person

HEADERS = ("DATE", "FROM", "TO", "CC", "SUBJECT", "MESSAGE-ID", "IN-REPLY-TO", "REFERENCES")
MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
DEEPEST = 20  # levels of parts; real mail has three or four


@record
class Mail:
    """What a mail says of itself. ``whole``: ``text`` is all that is in it. ``elsewhere``: what its addresses hold."""

    subject: str
    author: Person | None
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    sent: datetime | None
    message_id: str
    thread: str
    text: str = ""
    whole: bool = False
    attachments: tuple[str, ...] = ()

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody in its headers."""
        return (*([self.author] if self.author else []), *self.to, *self.cc)


def read(raw: bytes, *, cut: bool = False) -> Mail:
    """A mail or its headers alone; ``cut`` says that more of it was not fetched. Raises ``RecursionError`` on an abyss."""
    message = BytesParser(policy=compat32).parsebytes(raw)
    headers = {name.upper(): value for name, value in reversed(list(message.raw_items()))}
    ids = [*MESSAGE_ID.findall(_raw(headers, "REFERENCES")), *MESSAGE_ID.findall(_raw(headers, "IN-REPLY-TO"))]
    own = MESSAGE_ID.search(_raw(headers, "MESSAGE-ID"))
    text, whole, attachments = _content(message)
    return Mail(
        subject=mime.decoded_words(_raw(headers, "SUBJECT")),
        author=next(iter(mime.people(_raw(headers, "FROM"))), None),
        to=mime.people(_raw(headers, "TO")),
        cc=mime.people(_raw(headers, "CC")),
        sent=moment(_raw(headers, "DATE")),
        message_id=own[0] if own else "",
        thread=ids[0] if ids else own[0] if own else "",
        text=text,
        whole=whole and not cut,
        attachments=attachments,
    )


def moment(written: str) -> datetime | None:
    """A date as mails and servers write it, in UTC; nothing for one that is none or out of reason."""
    try:
        found = parsedate_to_datetime(written)
        found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
    return found if FIRST_YEAR <= found.year <= LAST_YEAR else None


def _raw(headers: Mapping[str, object], name: str) -> str:
    """A header unfolded; bytes that RFC 5322 does not allow are read as what they most likely are."""
    value = str(headers.get(name, ""))
    if not value.isascii():
        value = mime.decoded(value.encode("utf-8", "surrogateescape"), "")
    return " ".join(value.split())


def _content(message: Message) -> tuple[str, bool, tuple[str, ...]]:
    """The text, whether that is all of the mail's content, and the names of attached files.

    Plain parts are taken, else HTML parts as plain text.
    """
    everything = list(_leaves(message))
    names = tuple(name for part in everything if (name := _file_name(part)))
    leaves = [part for part in everything if part.get_content_maintype() == "text" and not _is_attached(part)]
    plain = [part for part in leaves if part.get_content_type() == "text/plain"]
    chosen = plain or [part for part in leaves if part.get_content_type() == "text/html"]
    whole = bool(chosen) and not any(_is_attached(part) or part.is_multipart() for part in everything)
    return "\n\n".join(filter(None, map(_text, chosen))), whole, names


def _leaves(part: Message, depth: int = 0) -> Iterator[Message]:
    """Parts without parts; a mail within a mail is one, and so is what lies too deep."""
    inner = part.get_payload() if part.get_content_maintype() == "multipart" and depth < DEEPEST else None
    if isinstance(inner, list):
        for each in inner:
            if isinstance(each, Message):
                yield from _leaves(each, depth + 1)
    else:
        yield part


def _is_attached(part: Message) -> bool:
    return bool(_file_name(part)) or part.get_content_disposition() == "attachment"


def _file_name(part: Message) -> str:
    try:
        return plain_line(mime.decoded_words(part.get_filename() or ""))
    except (ValueError, LookupError):
        return ""


def _text(part: Message) -> str:
    encoding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    payload = part.get_payload()
    if encoding == "base64" and isinstance(payload, str):
        letters = NOT_BASE64.sub(b"", payload.encode("ascii", "ignore"))
        raw = base64.b64decode(letters + b"=" * (-len(letters) % 4) if len(letters) % 4 != 1 else letters[:-1])
    else:
        found = part.get_payload(decode=True)
        raw = found if isinstance(found, bytes) else b""
    charset = part.get_param("charset", "")
    text = mime.decoded(raw, charset if isinstance(charset, str) else "")
    return from_html(text) if part.get_content_type() == "text/html" else plain_text(text)
