"""Rows as mails (RFC 5322, MIME), written in the ways that mail programs differ in."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape
from zlib import crc32

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

INBOX, SENT, ARCHIVE, DRAFTS, JUNK, TRASH = "INBOX", "Sent", "Archive", "Drafts", "Junk", "Trash"
BY_LABEL = {"SENT": SENT, "DRAFT": DRAFTS, "SPAM": JUNK, "TRASH": TRASH, "INBOX": INBOX}
PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
UNFIT = re.compile(r"[\x00-\x1f\x7f/]|^[.~]+|^(?:cur|new|tmp)$", re.IGNORECASE)
"""What no name of a mailbox may hold, be or begin with: it becomes that of a folder."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail: the mailbox it lies in, when it came (seconds since 1970), and its bytes."""

    mailbox: str
    received: float
    raw: bytes


def message_id(row_id: str) -> str:
    """The Message-ID of a row, with its angle brackets."""
    plain = row_id if PLAIN_ID.fullmatch(row_id) else f"row-{crc32(row_id.encode()):08x}"
    return f"<{plain}@mail.{DOMAIN}>"


def letter(row: Row, people: Directory, owner: Person) -> Letter:
    """A row as a mail in the owner's account."""
    made = EmailMessage(policy=SMTP)
    made["From"] = _address(row.author, row.author_name, people)
    for name in ("to", "cc"):
        if listed := [_address(identity, "", people) for identity in row.listed(name)]:
            made[name.title()] = listed
    made["Subject"] = _one_line(row.title)
    made["Message-ID"] = message_id(row.id)
    if first := row.said("thread"):
        made["In-Reply-To"] = made["References"] = message_id(first)
    moment = row.created
    if moment is not None:
        made["Date"] = format_datetime(moment)
    _write(made, composed(row.text), crc32(row.id.encode()))
    for name in row.listed("attachments"):
        made.add_attachment(b"attached", maintype="application", subtype="octet-stream", filename=_one_line(name))
    return Letter(mailbox_of(row, owner), _seconds(moment), made.as_bytes())


def mailbox_of(row: Row, owner: Person) -> str:
    """Where a mail lies: where the row says, else by its labels and its sender."""
    if named := UNFIT.sub("-", _one_line(row.container)):
        return named
    labels = {label.upper() for label in row.listed("labels")}
    known = [place for label, place in BY_LABEL.items() if label in labels]
    if known or row.author in (owner.id, owner.email):
        return known[0] if known else SENT
    return ARCHIVE if labels else INBOX


def _write(made: EmailMessage, text: str, number: int) -> None:
    """Each mail program has its ways; a number says whose, so that the same row is always the same mail."""
    match number % 4:
        case 0 if _is_wansung(text):
            made.set_content(text, charset="euc-kr", cte="base64")
        case 1:
            made.set_content(text, cte="quoted-printable")
        case 2:
            made.set_content(text)
            html = "".join(f"<p>{escape(line)}</p>\n" for line in text.split("\n"))
            made.add_alternative(f"<html><body>{html}</body></html>", subtype="html")
        case _:
            made.set_content(text, cte="base64")


def _is_wansung(text: str) -> bool:
    try:
        text.encode("euc-kr")
    except UnicodeEncodeError:
        return False
    return True


def _address(identity: str, name: str, people: Directory) -> Address:
    person = people.find(identity)
    shown = person.name if person else name or identity
    at = person.email if person else f"unknown@{DOMAIN}"
    user, _, domain = at.rpartition("@")
    try:
        return Address(_one_line(shown), user or "unknown", domain if user else DOMAIN)
    except ValueError:  # an address that no mail can bear
        return Address(_one_line(shown), "unknown", DOMAIN)


def _seconds(moment: datetime | None) -> float:
    return max(0.0, moment.timestamp()) if moment else 0.0


def _one_line(text: str) -> str:
    return " ".join(composed(text).split())


def in_order(letters: Iterable[Letter]) -> Sequence[Letter]:
    """As they came."""
    return sorted(letters, key=lambda each: each.received)
