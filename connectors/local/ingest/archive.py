"""Reads zip archives without believing them: nothing is unpacked to a path, and never more than was allowed."""

from __future__ import annotations

import lzma
import stat
import zipfile
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, BinaryIO

from connectors.local.ingest.drafts import IngestLimits, Reason, Skip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PIECE = 1 << 18
SMALL = 1 << 16  # bytes up to which nothing is called a bomb, however well it was packed
ENCRYPTED = 0x1
DAMAGED = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
UTF8 = 0x800
NO_YEAR = 1980


class Budget:
    """How much may still come out of an archive and the archives within."""

    def __init__(self, limits: IngestLimits, packed: int) -> None:
        self.limits = limits
        self.left = min(limits.unpacked, int(limits.ratio * max(packed, SMALL)))

    def spend(self, count: int) -> None:
        """Raises :class:`Skip` where it is spent."""
        self.left -= count
        if self.left < 0:
            raise Skip(Reason.UNSAFE, "it unpacks to far more than it holds, as bombs do; the rest of it is left out")


class Archive:
    """A zip archive by path or open file. Raises :class:`Skip` where it is none."""

    def __init__(self, file: Path | BinaryIO, budget: Budget) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as failure:
            raise Skip(Reason.BROKEN, f"the archive is damaged ({failure})") from None
        self.budget = budget
        infos = self._zip.infolist()
        if len(infos) > budget.limits.members:
            raise Skip(Reason.TOO_BIG, f"it has {len(infos):,} members; {budget.limits.members:,} are read at most")
        self.members = {_name(info): info for info in infos if not info.is_dir()}

    def names(self, skipped: Callable[[str, Skip], None]) -> Iterator[str]:
        """The members that may be read, in order; the rest is told to ``skipped``."""
        for name, info in self.members.items():
            if (why := _unsafe(name, info)) is not None:
                skipped(name, why)
            elif not any(part.startswith((".", "__MACOSX")) for part in name.split("/")):
                yield name

    def read(self, name: str, most: int) -> bytes:
        """A member whole. Raises :class:`Skip`: closed by a password, damaged, a bomb, or more than ``most`` bytes."""
        return b"".join(self.pieces(name, most))

    def pieces(self, name: str, most: int) -> Iterator[bytes]:
        """A member bit by bit; what its header says of its size is not believed."""
        info = self.members[name]
        if info.flag_bits & ENCRYPTED:
            raise Skip(Reason.PASSWORD, "a password closes it; unpack the archive, and add what is in it")
        if info.file_size > most:
            raise Skip(Reason.TOO_BIG, f"it has {info.file_size >> 20} MB; {most >> 20} MB are read at most")
        bound, length = max(SMALL, int(self.budget.limits.ratio * max(info.compress_size, 1))), 0
        try:
            with self._zip.open(info) as opened:
                while piece := opened.read(PIECE):
                    length += len(piece)
                    if length > bound:
                        raise Skip(
                            Reason.UNSAFE, f"{info.compress_size} bytes unpack to over {bound >> 10} kB, as bombs do"
                        )
                    if length > most:
                        raise Skip(Reason.TOO_BIG, f"it has more than {most >> 20} MB")
                    self.budget.spend(len(piece))
                    yield piece
        except DAMAGED as failure:
            raise Skip(Reason.BROKEN, f"it is damaged ({failure})") from None

    def modified(self, name: str) -> datetime | None:
        """What the archive says of a member's last change; it knows no zone, and 1980 is its way to know nothing."""
        try:
            moment = datetime(*self.members[name].date_time, tzinfo=UTC)
        except ValueError:
            return None
        return moment if moment.year > NO_YEAR else None

    def close(self) -> None:
        """Let go of the file."""
        self._zip.close()


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a member. Older Windows tools in Korea write CP949 where the format knows CP437 only."""
    if info.flag_bits & UTF8:
        return info.filename
    raw = info.filename.encode("cp437", "replace")
    for charset in ("utf-8", "cp949"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return info.filename


def _unsafe(name: str, info: zipfile.ZipInfo) -> Skip | None:
    parts = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or (len(parts[0]) > 1 and parts[0][1] == ":"):
        return Skip(Reason.UNSAFE, "its path leads out of the archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        return Skip(Reason.UNSAFE, "it is a link; links in archives are not followed")
    return None
