"""Gmail's JSON for messages and labels."""

from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from html import escape
from mimetypes import guess_type
from typing import Any

from orchestrator.sandbox.gmail.store import SYSTEM_LABELS, Address, Mail, Mailbox

SNIPPET = 200
"""Characters of the body that a snippet shows."""


def listed(mail: Mail) -> dict[str, str]:
    """An entry of messages.list: nothing but two ids."""
    return {"id": mail.id, "threadId": mail.thread}


def message(mail: Mail, form: str, wanted: Collection[str]) -> dict[str, Any]:
    """A message in one of the four formats; `wanted` header names apply to `metadata` only, none meaning all."""
    shown: dict[str, Any] = {
        **listed(mail),
        "labelIds": sorted(mail.labels),
        "snippet": escape(" ".join(mail.body.split())[:SNIPPET], quote=True),
        "sizeEstimate": mail.size,
        "historyId": str(mail.date // 1000 + 1),
        "internalDate": str(mail.date),
    }
    match form:
        case "full":
            shown["payload"] = _payload(mail)
        case "metadata":
            names = {name.casefold() for name in wanted}
            headers = [header for header in _headers(mail) if not names or header["name"].casefold() in names]
            shown["payload"] = {"mimeType": _mime_type(mail), "headers": headers}
        case "raw":
            shown["raw"] = _encoded(_rfc822(mail))
    return shown


def labels(mailbox: Mailbox) -> Sequence[Mapping[str, str]]:
    """labels.list."""
    system = [{"id": name, "name": name, "type": "system"} for name in SYSTEM_LABELS]
    return system + [{"id": number, "name": name, "type": "user"} for name, number in mailbox.user_labels.items()]


def _headers(mail: Mail) -> list[dict[str, str]]:
    values = {
        "From": str(mail.sender),
        "To": _joined(mail.to),
        "Cc": _joined(mail.cc),
        "Subject": mail.subject,
        "Date": format_datetime(_date(mail)),
        "Message-ID": f"<{mail.message_id}>",
        "MIME-Version": "1.0",
        "Content-Type": _mime_type(mail),
    }
    return [{"name": name, "value": value} for name, value in values.items() if value]


def _date(mail: Mail) -> datetime:
    return datetime.fromtimestamp(mail.date / 1000, UTC)


def _joined(addresses: Sequence[Address]) -> str:
    return ", ".join(str(address) for address in addresses)


def _mime_type(mail: Mail) -> str:
    return "multipart/mixed" if mail.attachments else "text/plain"


def _payload(mail: Mail) -> dict[str, Any]:
    body = mail.body.encode()
    text = {"mimeType": "text/plain", "filename": "", "body": {"size": len(body), "data": _encoded(body)}}
    if not mail.attachments:
        return {"partId": "", **text, "headers": _headers(mail)}
    header = {"name": "Content-Type", "value": "text/plain; charset=UTF-8"}
    parts = [{"partId": "0", **text, "headers": [header]}]
    parts += [_attachment(mail, number, name) for number, name in enumerate(mail.attachments, 1)]
    return {
        "partId": "",
        "mimeType": "multipart/mixed",
        "filename": "",
        "headers": _headers(mail),
        "body": {"size": 0},
        "parts": parts,
    }


def _attachment(mail: Mail, number: int, name: str) -> dict[str, Any]:
    kind = guess_type(name)[0] or "application/octet-stream"
    headers = [{"name": "Content-Disposition", "value": f'attachment; filename="{name}"'}]
    body = {"attachmentId": f"{mail.id}-{number}", "size": 30_000}
    return {"partId": str(number), "mimeType": kind, "filename": name, "headers": headers, "body": body}


def _rfc822(mail: Mail) -> bytes:
    made = EmailMessage()
    for header in _headers(mail):
        if header["name"] not in ("MIME-Version", "Content-Type"):
            made[header["name"]] = header["value"]
    made.set_content(mail.body)
    return made.as_bytes()


def _encoded(content: bytes) -> str:
    return urlsafe_b64encode(content).decode()
