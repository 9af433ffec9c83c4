"""The mailbox that a corpus makes up: messages, threads, labels, addresses."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

SYSTEM_LABELS = (
    "INBOX", "SENT", "DRAFT", "TRASH", "SPAM", "UNREAD", "STARRED", "IMPORTANT", "CHAT",
    "CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS",
)  # fmt: skip

_LINKED_ID = re.compile(r"https://mail\.google\.com/.*[/=]([0-9a-f]{16})", re.ASCII)
_PLAIN_NAME = re.compile(r"[\w .'-]+")


@dataclass(frozen=True, slots=True)
class Address:
    """A mail address with the name people see."""

    name: str
    email: str

    def __str__(self) -> str:
        if not self.name:
            return self.email
        name = self.name if _PLAIN_NAME.fullmatch(self.name) else '"' + re.sub(r'(["\\])', r"\\\1", self.name) + '"'
        return f"{name} <{self.email}>"


@dataclass(frozen=True, slots=True, eq=False)
class Mail:
    """One message; `date` in milliseconds since 1970; `labels` are ids."""

    id: str
    thread: str
    row: Row
    subject: str
    body: str
    date: int
    sender: Address
    to: Sequence[Address]
    cc: Sequence[Address]
    bcc: Sequence[Address]
    labels: frozenset[str]
    attachments: Sequence[str]

    @property
    def message_id(self) -> str:
        """The Message-ID header, without its angle brackets."""
        return f"{self.id}@mail.{DOMAIN}"

    @property
    def size(self) -> int:
        """An estimate in bytes."""
        return 600 + len(self.subject.encode()) + len(self.body.encode()) + 30_000 * len(self.attachments)


class Mailbox:
    """Everything one account may read, newest first."""

    def __init__(self, rows: Sequence[Row], people: Directory, owner: Person) -> None:
        self.owner = owner
        self._people = people
        names = sorted({name for row in rows for name in row.listed("labels") if name.upper() not in SYSTEM_LABELS})
        self.user_labels: Mapping[str, str] = {composed(name): f"Label_{n}" for n, name in enumerate(names, 1)}
        self._ids = {row.id: mail_id(row) for row in rows}
        mails = [self._mail(row) for row in rows]
        self.mails: Sequence[Mail] = sorted(mails, key=lambda mail: (-mail.date, mail.id))
        self.by_id: Mapping[str, Mail] = {mail.id: mail for mail in self.mails}

    def label(self, name: str) -> str:
        """The id of a label as people write it: no case, `-` for spaces and slashes; nothing for no such label."""
        plain = _plain_label(name)
        ids = [label for label in SYSTEM_LABELS if _plain_label(label) == plain]
        return next(iter([*ids, *(i for label, i in self.user_labels.items() if _plain_label(label) == plain)]), "")

    def _mail(self, row: Row) -> Mail:
        first = row.said("thread") or row.id
        return Mail(
            id=self._ids[row.id],
            thread=self._ids.get(first) or _hashed(first),
            row=row,
            subject=_one_line(row.title),
            body=composed(row.text),
            date=max(0, int(row.created.timestamp() * 1000)) if row.created else 0,
            sender=self._address(row.author, row.author_name),
            to=self._addresses(row.listed("to")),
            cc=self._addresses(row.listed("cc")),
            bcc=self._addresses(row.listed("bcc")),
            labels=self._labels(row),
            attachments=tuple(_one_line(name) for name in row.listed("attachments")),
        )

    def _labels(self, row: Row) -> frozenset[str]:
        sent = row.author == self.owner.id
        given = {self.user_labels.get(composed(name), name.upper()) for name in row.listed("labels")}
        return frozenset(given | ({"SENT"} if sent else set())) or frozenset({"INBOX"})

    def _addresses(self, names: Iterable[str]) -> Sequence[Address]:
        return tuple(self._address(name, "") for name in names)

    def _address(self, identity: str, name: str) -> Address:
        person = self._people.find(identity)
        if person is not None:
            return Address(_one_line(person.name), person.email)
        return Address(_one_line(name), f"unknown@{DOMAIN}")


def mail_id(row: Row) -> str:
    """The id in the mail's own link, else one derived from the row's id: 16 hexadecimal digits."""
    link = _LINKED_ID.fullmatch(row.url)
    return link[1] if link else _hashed(row.id)


def _hashed(name: str) -> str:
    return "1" + sha256(name.encode()).hexdigest()[:15]


def _one_line(text: str) -> str:
    return " ".join(composed(text).split())


def _plain_label(name: str) -> str:
    return re.sub(r"[\s/&]+", "-", composed(name).casefold())
