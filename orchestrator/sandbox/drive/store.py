"""The files that a corpus makes up: folders, shared drives, owners and who may see what."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from mimetypes import guess_type

from orchestrator.sandbox.corpus import DOMAIN, Directory, Person, Row
from orchestrator.sandbox.index import composed

EDITORS = "application/vnd.google-apps."
DOCUMENT, SPREADSHEET, PRESENTATION, FOLDER = (
    f"{EDITORS}{kind}" for kind in ("document", "spreadsheet", "presentation", "folder")
)
TRASHED = "trashed"
"""The `state` of a row that lies in the trash."""

_KINDS = {
    "spreadsheet": SPREADSHEET, "sheet": SPREADSHEET, "presentation": PRESENTATION, "slides": PRESENTATION,
    "deck": PRESENTATION, "folder": FOLDER,
}  # fmt: skip
_LINKED_ID = re.compile(r"https://(?:docs|drive)\.google\.com/.*/d/([\w-]{10,100})(?:/.*)?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LINKS = {
    DOCUMENT: "https://docs.google.com/document/d/{}/edit?usp=drivesdk",
    SPREADSHEET: "https://docs.google.com/spreadsheets/d/{}/edit?usp=drivesdk",
    PRESENTATION: "https://docs.google.com/presentation/d/{}/edit?usp=drivesdk",
    FOLDER: "https://drive.google.com/drive/folders/{}",
}


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """One file or folder. `owner` is nobody for what lies in a shared drive; folders of a corpus have no row."""

    id: str
    name: str
    mime: str
    created: datetime
    modified: datetime
    text: str = ""
    description: str = ""
    parents: Sequence[str] = ()
    drive: str = ""
    owner: Person | None = None
    changed_by: Person | None = None
    writers: frozenset[str] = frozenset()
    readers: frozenset[str] = frozenset()
    starred: bool = False
    trashed: bool = False
    shared: bool = False
    row: Row | None = field(default=None, repr=False)

    @property
    def link(self) -> str:
        """Where a browser opens it."""
        return _LINKS.get(self.mime, "https://drive.google.com/file/d/{}/view?usp=drivesdk").format(self.id)

    @property
    def size(self) -> int:
        """Bytes of its text."""
        return len(self.text.encode())


class Library:
    """Everything one account may see: its own files, those shared with it, and all shared drives."""

    def __init__(self, rows: Sequence[Row], people: Directory, account: Person) -> None:
        self.account = account
        self.root = _made_id("0A", "root")
        self._people = people
        drives = dict.fromkeys(composed(name) for row in rows if (name := row.said("team")))
        self.drives: Mapping[str, str] = {_made_id("0A", f"drive {name}"): name for name in drives}
        self._drive_ids = {name: drive for drive, name in self.drives.items()}
        self._folders: dict[str, File] = {}
        seen = [self._file(row) for row in rows if self._may_see(row)]
        self.files: Sequence[File] = sorted(
            [*seen, *self._folders.values()], key=lambda file: (-file.modified.timestamp(), file.id)
        )
        self.by_id: Mapping[str, File] = {file.id: file for file in self.files}

    def _may_see(self, row: Row) -> bool:
        mine = {self.account.id, self.account.email}
        return not row.flagged("private") or bool(mine & {row.author, *row.listed("to"), *row.listed("cc")})

    def _file(self, row: Row) -> File:
        drive = self._drive_ids.get(composed(row.said("team")), "")
        author = self._people.find(row.author)
        created = row.created or row.updated or _EPOCH
        mine = author is not None and author.id == self.account.id
        return File(
            id=file_id(row),
            name=_one_line(row.title) or row.id,
            mime=_mime(row),
            created=created,
            modified=max(created, row.updated or created),
            text=composed(row.text),
            description=composed(row.said("description")),
            parents=self._parents(row, drive, mine=mine),
            drive=drive,
            owner=None if drive else author,
            changed_by=author,
            writers=frozenset(self._addresses([row.author, *row.listed("to")])),
            readers=frozenset(self._addresses([row.author, *row.listed("to"), *row.listed("cc")])),
            starred=row.flagged("saved"),
            trashed=row.said("state") == TRASHED,
            shared=not drive and not mine,
            row=row,
        )

    def _parents(self, row: Row, drive: str, *, mine: bool) -> Sequence[str]:
        """The folder, which is made at its first file; what others share shows its folder as well if it has a name."""
        name = _one_line(row.container)
        if not name:
            return (drive,) if drive else (self.root,) if mine else ()
        folder = _made_id("1", f"folder {drive} {name}")
        if folder not in self._folders:
            owner = None if drive else self.account
            self._folders[folder] = File(
                folder, name, FOLDER, _EPOCH, _EPOCH, parents=(drive or self.root,), drive=drive, owner=owner
            )
        return (folder,)

    def _addresses(self, names: Iterable[str]) -> Iterable[str]:
        for name in names:
            person = self._people.find(name)
            yield person.email if person else name if "@" in name else f"unknown@{DOMAIN}"


def file_id(row: Row) -> str:
    """The id in the file's own link, else one derived from the row's id, as long as Drive's are."""
    link = _LINKED_ID.fullmatch(row.url)
    return link[1] if link else _made_id("1", row.id)


def _made_id(start: str, name: str) -> str:
    length = {"1": 33, "0A": 19}[start]
    return start + sha256(name.encode()).hexdigest()[: length - len(start)]


def _mime(row: Row) -> str:
    kind = row.kind.casefold().rstrip("s")
    by_kind = _KINDS.get(kind) or _KINDS.get(row.kind.casefold())
    return by_kind or guess_type(_one_line(row.title))[0] or DOCUMENT


def _one_line(text: str) -> str:
    return " ".join(composed(text).split())
