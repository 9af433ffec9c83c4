"""The files of a folder, in order: no hidden ones, no caches, no way out of the folder and none in circles."""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from connectors.local.ingest.drafts import Reason, Skip
from connectors.local.ingest.making import spelled
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.local.ingest.drafts import IngestLimits

IGNORED = frozenset({"node_modules", "__pycache__", "venv", "site-packages", "target", "$RECYCLE.BIN", "Thumbs.db"})
MAILDIR = frozenset({"cur", "new", "tmp"})
PIECE = 1 << 20  # bytes
FLAGS = ":2,"  # what a mail program adds to a name: https://cr.yp.to/proto/maildir.html


@record
class FoundFile:
    """A file: where it lies, what it is called from the folder on, and the stamp by which a change is noticed.

    ``key``: its name as the index keeps it.
    """

    path: Path
    name: str
    size: int
    modified: int
    is_mail: bool = False

    @property
    def key(self) -> str:
        return spelled(self.name)

    def digest(self, limits: IngestLimits) -> bytes:
        """A digest of its bytes; none of one that is too big to be read at all. Raises :class:`Skip`."""
        if self.size > limits.container:
            return b""
        told = hashlib.blake2b(digest_size=16)
        try:
            with self.path.open("rb") as file:
                while piece := file.read(PIECE):
                    told.update(piece)
        except OSError as failure:
            raise Skip(Reason.UNREADABLE, f"it cannot be read ({failure.strerror or failure})") from None
        return told.digest()


@dataclass(slots=True)
class Walk:
    """A walk over ``root``. After it, ``skipped`` holds what could not be looked at."""

    root: Path
    ignored: Sequence[str] = ()
    skipped: list[tuple[str, Skip]] = field(default_factory=list)

    def files(self) -> Iterator[FoundFile]:
        """Every file. Raises ``OSError`` where the root itself cannot be read."""
        if not self.root.is_dir():
            yield self._found(self.root, readable(self.root.name), self.root.stat())
            return
        next(self.root.iterdir(), None)  # an unreadable root is no empty one
        yield from self._under(self.root, "")

    def is_unseen(self, key: str) -> bool:
        """Whether a file lies where this walk could not look; it is not gone."""
        return any(
            key == where or key.startswith(f"{where}/")
            for where, skip in self.skipped
            if skip.reason == Reason.UNREADABLE
        )

    def _under(self, top: Path, above: str) -> Iterator[FoundFile]:
        waiting = [(top, above)]
        while waiting:
            folder, prefix = waiting.pop()
            try:
                with os.scandir(folder) as entries:
                    listed = sorted(entries, key=lambda entry: entry.name)
            except OSError as failure:
                self._skip(prefix.rstrip("/"), Reason.UNREADABLE, f"the folder cannot be read ({failure.strerror})")
                continue
            is_maildir = {entry.name for entry in listed} >= MAILDIR
            below: list[tuple[Path, str]] = []
            for entry, called in zip(listed, names([each.name for each in listed]), strict=True):
                name = prefix + called
                if self._is_ignored(entry, name) or (is_maildir and entry.name == "tmp"):
                    continue
                if entry.is_symlink():
                    self._link(entry, name)
                elif entry.is_dir(follow_symlinks=False):
                    below.append((Path(entry.path), f"{name}/"))
                elif (found := self._file(entry, name, _in_maildir(folder))) is not None:
                    yield found
            waiting += reversed(below)

    def _file(self, entry: os.DirEntry[str], name: str, is_mail: bool) -> FoundFile | None:  # noqa: FBT001
        try:
            known = entry.stat(follow_symlinks=False)
        except OSError as failure:
            self._skip(name, Reason.UNREADABLE, f"it cannot be looked at ({failure.strerror})")
            return None
        if not stat.S_ISREG(known.st_mode):
            self._skip(name, Reason.WRONG_TYPE, "it is no file but a device, a pipe or a socket")
            return None
        # A mail moves from new to cur when it is seen, and its name changes with its flags: it stays the same mail.
        told = name.partition(FLAGS)[0].replace("/new/", "/cur/") if is_mail else name
        return self._found(Path(entry.path), told, known, is_mail=is_mail)

    @staticmethod
    def _found(path: Path, name: str, known: os.stat_result, *, is_mail: bool = False) -> FoundFile:
        return FoundFile(path, name, known.st_size, known.st_mtime_ns, is_mail)

    def _is_ignored(self, entry: os.DirEntry[str], name: str) -> bool:
        if entry.name in IGNORED or any(fnmatch(name, each) or fnmatch(entry.name, each) for each in self.ignored):
            return True
        # Maildir keeps folders of folders as ".Sent".
        return entry.name.startswith(".") and not (entry.is_dir(follow_symlinks=False) and _is_maildir(entry.path))

    def _link(self, entry: os.DirEntry[str], name: str) -> None:
        """Links are not followed: what they lead to is read where it lies, or is none of this folder's."""
        try:
            target = Path(entry.path).resolve(strict=True)
        except (OSError, RuntimeError):
            self._skip(name, Reason.BROKEN, "the link leads nowhere, or in a circle")
            return
        if not target.is_relative_to(self.root.resolve()):
            self._skip(name, Reason.UNSAFE, "the link leads out of the folder; add what it leads to by itself")

    def _skip(self, name: str, reason: Reason, detail: str) -> None:
        self.skipped.append((spelled(name), Skip(reason, detail)))


def names(listed: Sequence[str]) -> list[str]:
    """What the entries of one folder are called: as people read them, or exactly where another is read alike."""
    taken = {each for each in listed if each == readable(each)}
    called: list[str] = []
    for each in listed:
        name = readable(each)
        if each != name:
            name = each if name in taken else name
            taken.add(name)
        called.append(name)
    return called


def readable(name: str) -> str:
    """A file's name as text: composed (macOS takes Hangul apart), and without bytes that are none."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _is_maildir(path: str) -> bool:
    return all(os.path.isdir(os.path.join(path, each)) for each in MAILDIR)  # noqa: PTH112, PTH118 — asked for every hidden folder


def _in_maildir(folder: Path) -> bool:
    return folder.name in {"cur", "new"} and _is_maildir(str(folder.parent))
