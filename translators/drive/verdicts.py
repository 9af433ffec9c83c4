"""How well Google Drive's query language can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_text, plain, utc
from translators.match import HANGUL, WORD
from translators.query import (
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf, Value

SHARED_DRIVE = "drive:"  # before the id of a shared drive, which is asked for in another way than a folder
ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+")
FOLDER_ID = re.compile(r"[\w-]{10,100}", re.ASCII)
# Ids of files as they stand by themselves: of things made in Drive, of uploads, of those of the first years.
FILE_ID = re.compile(r"1[\w-]{43}|1[\w-]{32}|0[AB][\w-]{14,40}", re.ASCII)
FILE_ADDRESS = re.compile(
    r"https?://(?:docs|drive)\.google\.com/(?:[\w.-]+/)*(?:d|folders)/([\w-]{10,100})(?:[/?#].*)?"
    r"|https?://drive\.google\.com/(?:[\w.-]+/)*(?:open|uc)\?(?:[\w.=-]*&)*id=([\w-]{10,100})(?:[&#].*)?",
    re.ASCII,
)
# Collections that every account has, by the names that people type; anything else is a folder or a shared drive.
COLLECTIONS = {
    "shared with me": "sharedWithMe = true", "공유 문서함": "sharedWithMe = true",
    "starred": "starred = true", "중요 문서함": "starred = true",
}  # fmt: skip
EPOCH = datetime(1970, 1, 2, tzinfo=UTC)


def judge(leaf: Leaf, drive: Leaf | None = None) -> Verdict:
    """How well Drive can say one leaf; ``drive`` is the shared drive that the whole question is about."""
    match leaf:
        case Term(text) | Phrase(text):
            if HANGUL.search(text):  # tokens end at blanks, and Korean particles are written on to them
                return Verdict(
                    Fidelity.APPROXIMATE,
                    Said("Drive finds Korean words inside files only without particles"),
                )
            return judge_text(leaf)
        case Prefix():
            found = judge_text(leaf)
            return (
                found
                if found.why
                else Verdict(
                    Fidelity.APPROXIMATE,
                    Said("Drive completes words in names of files only"),
                )
            )
        case Compare(Field.ASSIGNEE):
            return Verdict(Fidelity.NONE, Said("files are assigned to nobody"))
        case Compare():
            return _judge_field(leaf.value, asked=leaf == drive)
        case _:
            assert_never(leaf)


def _judge_field(value: Value, *, asked: bool) -> Verdict:
    match value:
        case Person():
            return _judge_owner(value)
        case Container():
            return _judge_container(value, asked=asked)
        case Kind():
            return Verdict() if value is Kind.FILE else Verdict(Fidelity.NONE, Said("Drive holds files only"))
        case State():
            return Verdict(Fidelity.NONE, Said("files are neither open nor done"))
        case datetime():
            return _judge_instant(value)
        case Identifier():
            return _judge_id(value)
        case _:
            assert_never(value)


def _judge_owner(who: Person) -> Verdict:
    if who.me or address(who):
        return Verdict(
            Fidelity.APPROXIMATE,
            Said("asked as the owner, whom files in shared drives do not have"),
        )
    return Verdict(
        Fidelity.NONE,
        Said("Drive finds owners by mail address, and none is known"),
    )


def _judge_container(where: Container, *, asked: bool) -> Verdict:
    if shared_drive(where):
        if asked:
            return Verdict(negates=False)
        return Verdict(
            Fidelity.APPROXIMATE,
            Said("a shared drive is searched by itself and not as one of several conditions"),
        )
    if folder(where):
        return Verdict(
            Fidelity.APPROXIMATE,
            Said("asked for what lies in the folder itself, not in folders below it"),
        )
    if collection(where):
        return Verdict(negates=False)
    return Verdict(
        Fidelity.NONE,
        Said("Drive finds folders by id, and none is known by this name"),
    )


def _judge_instant(instant: datetime) -> Verdict:
    if utc(instant) <= EPOCH:
        return Verdict(Fidelity.NONE, Said("no file is older than 1970"))
    return Verdict(Fidelity.WIDER, Said("asked by whole seconds")) if instant.microsecond else Verdict()


def _judge_id(thing: Identifier) -> Verdict:
    if thing.kind is IdKind.FILE_NAME:
        return judge_text(Term(thing.text))
    if file_id(thing):
        return Verdict()
    return Verdict(
        Fidelity.NONE,
        Said("this is neither the id nor the address of a file in Google Drive"),
    )


def address(who: Person) -> str:
    """The person's mail address, or nothing where none is known that could be sent as it stands."""
    return next((text for text in (who.email, who.native_id) if text and ADDRESS.fullmatch(text)), "")


def shared_drive(where: Container) -> str:
    """The id of a shared drive, nothing for any other place."""
    kind, _, native_id = (where.native_id or "").partition(":")
    return native_id if f"{kind}:" == SHARED_DRIVE and FOLDER_ID.fullmatch(native_id) else ""


def folder(where: Container) -> str:
    """The id of a folder, nothing for any other place."""
    return where.native_id if where.native_id and FOLDER_ID.fullmatch(where.native_id) else ""


def collection(where: Container) -> str:
    """The condition for a collection such as "shared with me", nothing for any other place."""
    return COLLECTIONS.get(" ".join(WORD.findall(plain(where.name).casefold())), "")


def file_id(thing: Identifier) -> str:
    """The id in an address of Google's editors or of Drive, or an id by itself; nothing for anything else."""
    if thing.kind is IdKind.FILE_NAME:
        return ""
    if found := FILE_ADDRESS.fullmatch(thing.text):
        return found[1] or found[2]
    return thing.text if FILE_ID.fullmatch(thing.text) else ""
