"""How well Google Drive's query language can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Verdict
from translators.emit import as_typed, judge_text, mail_address, utc
from translators.match import WORD
from translators.query import Field, IdKind, Kind, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused, wider

if TYPE_CHECKING:
    from translators.query import Container, Identifier, Person, Prefix

SHARED_DRIVE = "drive:"  # before the id of a shared drive, which is asked for in another way than a folder
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


ALONE = Verdict(negates=False)  # of the shared drive that the whole question is about

WITHOUT_PARTICLES = Said("Drive finds Korean words inside files only without particles")
IN_NAMES = Said("Drive completes words in names of files only")
NO_ASSIGNEE = Said("files are assigned to nobody")
NO_STATE = Said("files are neither open nor done")
ONLY_FILES = Said("Drive holds files only")
AS_OWNER = Said("asked as the owner, whom files in shared drives do not have")
NOBODY = Said("Drive finds owners by mail address, and none is known")
BY_ITSELF = Said("a shared drive is searched by itself and not as one of several conditions")
ITSELF_ONLY = Said("asked for what lies in the folder itself, not in folders below it")
NO_FOLDER = Said("Drive finds folders by id, and none is known by this name")
TOO_OLD = Said("no file is older than 1970")
WHOLE_SECONDS = Said("asked by whole seconds")
NO_FILE = Said("this is neither the id nor the address of a file in Google Drive")


class DriveVerdicts(Verdicts):
    """Tokens end at blanks, and Korean particles are written on to them."""

    lacks: ClassVar = {Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.FILE: EXACT}
    no_kind = ONLY_FILES
    korean = approximate(WITHOUT_PARTICLES)

    def prefix(self, leaf: Prefix) -> Verdict:
        found = judge_text(leaf)
        return found if found.why else approximate(IN_NAMES)

    def person(self, who: Person) -> Verdict:
        return approximate(AS_OWNER) if who.me or mail_address(who) else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        if shared_drive(where):
            return approximate(BY_ITSELF)
        if folder(where):
            return approximate(ITSELF_ONLY)
        return Verdict(negates=False) if collection(where) else refused(NO_FOLDER)

    def instant(self, instant: datetime) -> Verdict:
        if utc(instant) <= EPOCH:
            return refused(TOO_OLD)
        return wider(WHOLE_SECONDS) if instant.microsecond else EXACT

    def identifier(self, thing: Identifier) -> Verdict:
        return judge_text(Term(thing.text)) if thing.kind is IdKind.FILE_NAME else provided(file_id(thing), NO_FILE)


def shared_drive(where: Container) -> str:
    """The id of a shared drive, nothing for any other place."""
    kind, _, native_id = (where.native_id or "").partition(":")
    return native_id if f"{kind}:" == SHARED_DRIVE and FOLDER_ID.fullmatch(native_id) else ""


def folder(where: Container) -> str:
    """The id of a folder, nothing for any other place."""
    return where.native_id if where.native_id and FOLDER_ID.fullmatch(where.native_id) else ""


def collection(where: Container) -> str:
    """The condition for a collection such as "shared with me", nothing for any other place."""
    return COLLECTIONS.get(" ".join(WORD.findall(as_typed(where.name).casefold())), "")


def file_id(thing: Identifier) -> str:
    """The id in an address of Google's editors or of Drive, or an id by itself; nothing for anything else."""
    if thing.kind is IdKind.FILE_NAME:
        return ""
    if found := FILE_ADDRESS.fullmatch(thing.text):
        return found[1] or found[2]
    return thing.text if FILE_ID.fullmatch(thing.text) else ""


judge = DriveVerdicts()
