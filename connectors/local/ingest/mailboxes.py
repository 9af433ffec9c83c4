"""Mail from files: mbox (as Gmail's Takeout writes it), Maildir, and single messages."""

from __future__ import annotations

import mailbox
import re
from email import policy
from email.errors import MessageError
from email.parser import BytesParser
from typing import TYPE_CHECKING, Protocol

from connectors.local.ingest.decoding import moment_of
from connectors.local.ingest.drafts import DocumentDraft, Reason, Skip
from connectors.markup import from_html
from connectors.mime import decoded, decoded_words, people
from connectors.passages import DocumentSection
from connectors.text import plain_line, plain_text
from translators.query import Container, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from email.message import Message
    from pathlib import Path

    from connectors.contract import Fact

MESSAGE_ID = re.compile(r"<([^<>\s]+)>")
LABELS = "X-Gmail-Labels"  # what Takeout adds: https://support.google.com/accounts/answer/3024190
THREAD = "X-GM-THRID"
LONGEST_MESSAGE = 64 << 20
MANY_PARTS = 200
PARSER = BytesParser(policy=policy.compat32)  # the newer policies raise on headers that real mail has


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def read_mbox(path: Path, skipped: Callable[[str, Skip], None]) -> Iterator[DocumentDraft]:
    """Every message of an mbox; one that cannot be read is told to ``skipped``."""
    box = mailbox.mbox(path, create=False)
    seen: dict[str, int] = {}
    try:
        for number, key in enumerate(box.iterkeys(), 1):
            name = f"message {number}"
            try:
                draft = read_message(_bounded(box.get_file(key)), name)
            except Skip as skip:
                skipped(name, skip)
                continue
            # A message may be there twice, once for each folder that it was in.
            seen[draft.key] = seen.get(draft.key, 0) + 1
            if seen[draft.key] == 1:
                yield draft
    finally:
        box.close()


def read_message(raw: bytes, name: str) -> DocumentDraft:
    """One message: headers, words, and the names of what is attached. Raises :class:`Skip`."""
    try:
        message = PARSER.parsebytes(raw)
        text, attached = _body(message)
    except (MessageError, ValueError, LookupError, RecursionError) as failure:
        raise Skip(Reason.BROKEN, f"the message is damaged ({type(failure).__name__})") from None
    authors = people(_header(message, "From"))
    if not authors and not message["Date"] and not message["Subject"]:
        raise Skip(Reason.WRONG_TYPE, "it is no mail: it has neither a sender, a date nor a subject")
    subject = decoded_words(_header(message, "Subject"))
    told = (text, f"Attachments: {', '.join(attached)}" if attached else "")
    own, thread = _ids(message)
    labels = [plain_line(each) for each in decoded_words(_header(message, LABELS)).split(",") if each.strip()]
    to = tuple(str(who) for name in ("To", "Cc") for who in people(_header(message, name)))
    facts: dict[str, Fact] = {"thread": thread, "to": to, "labels": tuple(labels), "attachments": tuple(attached)}
    return DocumentDraft(
        subject or name,
        (DocumentSection("\n\n".join(filter(None, told)) or subject or name),),
        key=own or name,
        kind=Kind.MAIL,
        author=authors[0] if authors else None,
        container=Container(labels[0]) if labels else None,
        created=moment_of(_header(message, "Date")),
        facts={key: value for key, value in facts.items() if value},
    )


def _ids(message: Message) -> tuple[str, str]:
    """The id of a message and that of its thread: what Gmail says, else the first message that it refers to."""
    own = next(iter(MESSAGE_ID.findall(_header(message, "Message-ID"))), "")
    told = _header(message, "References") or _header(message, "In-Reply-To")
    return plain_line(own), plain_line(_header(message, THREAD) or next(iter(MESSAGE_ID.findall(told)), own))


def _header(message: Message, name: str) -> str:
    """A header's text; bytes that are no ASCII are read as what they most likely are."""
    said = str(message[name] or "") if not _is_odd(message, name) else _raw(message, name)
    return " ".join(said.split())


def _is_odd(message: Message, name: str) -> bool:
    return any(key.lower() == name.lower() and any("\udc80" <= each <= "\udcff" for each in value)
               for key, value in message.raw_items())  # fmt: skip


def _raw(message: Message, name: str) -> str:
    value = next(value for key, value in message.raw_items() if key.lower() == name.lower())
    return decoded(value.encode("utf-8", "surrogateescape"), "utf-8")


def _body(message: Message) -> tuple[str, list[str]]:
    """Text (plain where there is any, else of HTML) and names of attachments."""
    plain: list[str] = []
    html: list[str] = []
    attached: list[str] = []
    for number, part in enumerate(message.walk()):
        if number > MANY_PARTS:
            break
        if part.is_multipart():
            continue
        name = decoded_words(part.get_filename() or "")
        if name or part.get_content_disposition() == "attachment":
            attached.append(name or part.get_content_type())
        elif part.get_content_type() in {"text/plain", "text/html"}:
            raw = part.get_payload(decode=True)
            text = decoded(raw if isinstance(raw, bytes) else b"", part.get_content_charset() or "")
            (html if part.get_content_subtype() == "html" else plain).append(text)
    written = plain_text("\n\n".join(plain))
    return written or from_html("\n".join(html)), attached


def _bounded(file: _Readable) -> bytes:
    raw = file.read(LONGEST_MESSAGE + 1)
    if len(raw) > LONGEST_MESSAGE:
        raise Skip(Reason.TOO_BIG, f"the message has more than {LONGEST_MESSAGE >> 20} MB")
    return raw
