"""Files that only grow: one JSON object a line, for the eyes of their owner."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import contextmanager, suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

BLOCK = 64 * 1024  # bytes read at a time
LONGEST_LINE = 8 * 1024 * 1024  # bytes; a longer one is none of ours, and would fill the memory


async def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add ``line`` to the file, whole or not at all, off the event loop. Raises ``OSError``.

    Several processes may share the file. A line that another left torn (it was killed) stays by itself.
    """
    await asyncio.to_thread(_append, path, json.dumps(line, ensure_ascii=False) + "\n")


def _append(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _held(path, os.O_RDWR | os.O_CREAT | os.O_APPEND) as handle:
        size = os.fstat(handle).st_size
        torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
        try:
            _write(handle, b"\n" * torn + text.encode("utf-8", "replace"))
        except OSError as failure:
            failure.filename = str(path)  # a handle has no name, and whoever is told needs one
            with suppress(OSError):  # not of a device
                os.ftruncate(handle, size)
            raise


def drop_lines(path: Path, is_theirs: Callable[[Mapping[str, Any]], bool]) -> int:
    """Take lines out of the file for good, and say how many: those of which ``is_theirs`` says so. Reads and writes disks. Raises ``OSError``.

    The file is replaced whole or not at all, and whoever appends meanwhile waits and writes into the new one. A line that is
    no JSON object stays, for it says whose it is to nobody.
    """
    if not count_lines(path, is_theirs):
        return 0  # most files hold nothing of one person, and stay as they are
    with _held(path, os.O_RDWR) as handle:
        dropped, made = 0, path.with_name(f".{path.name}.kept")
        with suppress(FileNotFoundError):
            made.unlink()  # of somebody who was killed
        with os.fdopen(handle, "rb", closefd=False) as file, _for_its_owner(made) as kept:
            for line in _pieces(file):
                if is_theirs(_object(line)):
                    dropped += 1
                else:
                    kept.write(line)
            kept.flush()
            os.fsync(kept.fileno())
        made.replace(path)
    return dropped


def count_lines(path: Path, is_theirs: Callable[[Mapping[str, Any]], bool]) -> int:
    """How many lines of the file are somebody's, by the same rule. Reads disks. Raises ``OSError``."""
    try:
        with path.open("rb") as file:
            return sum(is_theirs(_object(line)) for line in _pieces(file))
    except FileNotFoundError:
        return 0


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """Lines with their ends; of one that is none of ours, pieces."""
    while line := file.readline(LONGEST_LINE):
        yield line


def _object(line: bytes) -> Mapping[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


def _for_its_owner(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextmanager
def _held(path: Path, flags: int) -> Iterator[int]:
    """A handle of the file that stands there, to ourselves: another process may replace it while we wait."""
    while True:
        handle = os.open(path, flags, 0o600)
        try:
            with _alone(handle):
                if _is_at(path, handle):
                    yield handle
                    return
        finally:
            os.close(handle)


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _write(handle: int, data: bytes) -> None:
    """All of it: a disk that is nearly full takes a part without complaint."""
    while data:
        data = data[os.write(handle, data) :]


@contextmanager
def _alone(handle: int) -> Iterator[None]:
    """The file to ourselves, among all processes, until the context or this process ends."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)  # closing the file gives it back
    yield


def newest_first(path: Path) -> Iterator[bytes | None]:
    """The lines of a file from its last to its first, without their ends; ``None`` for one of over :data:`LONGEST_LINE` bytes.

    What is added meanwhile is not seen. Never more than a line and a block are held. Raises ``OSError``.
    """
    with path.open("rb") as file:
        later: list[bytes] = []  # pieces of the line whose beginning is not reached yet, the last piece first
        held = 0
        for block in _blocks(file):
            *before, last = reversed(block.split(b"\n"))
            for piece in before:
                later.append(piece)
                yield _whole(later, held + len(piece))
                later, held = [], 0
            held += len(last)
            if held <= LONGEST_LINE:
                later.append(last)
            else:
                later.clear()
        if held:
            yield _whole(later, held)


def _whole(later: list[bytes], size: int) -> bytes | None:
    return b"".join(reversed(later)) if size <= LONGEST_LINE else None


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    end = file.seek(0, os.SEEK_END)
    while end:
        start = max(0, end - BLOCK)
        file.seek(start)
        yield file.read(end - start)
        end = start


class DayFiles:
    """A folder of such files, one a day. ``keep``: days that are kept, after which they are deleted whole; 0 writes nothing. ``clock`` is aware."""

    def __init__(self, folder: Path, clock: Callable[[], datetime], keep: int) -> None:
        self._folder = folder
        self._clock = clock
        self.keep = keep
        self._cleared: date | None = None

    async def count(self, is_theirs: Callable[[Mapping[str, Any]], bool]) -> int:
        """How many lines of all days are somebody's. Raises ``OSError``."""
        return await asyncio.to_thread(lambda: sum(count_lines(path, is_theirs) for path, _ in days_in(self._folder)))

    async def drop(self, is_theirs: Callable[[Mapping[str, Any]], bool]) -> int:
        """Take them out of all days. Raises ``OSError``."""
        return await asyncio.to_thread(lambda: sum(drop_lines(path, is_theirs) for path, _ in days_in(self._folder)))

    async def append(self, row: Mapping[str, Any]) -> None:
        """Add a line to today's. Raises ``OSError``."""
        today = self._clock().date()
        if not self.keep:
            return
        if self._cleared != today:
            await asyncio.to_thread(clear_days, self._folder, today - timedelta(days=self.keep))
            self._cleared = today
        await append_line(self._folder / f"{today.isoformat()}.jsonl", row)


def clear_days(folder: Path, first: date) -> None:
    """Delete the days before ``first``. Raises ``OSError``."""
    for path, day in days_in(folder):
        if day < first:
            path.unlink(missing_ok=True)


def days_in(folder: Path) -> Iterator[tuple[Path, date]]:
    """The files that are ours, by day."""
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*.jsonl")):
        try:
            yield path, date.fromisoformat(path.stem)
        except ValueError:
            continue
