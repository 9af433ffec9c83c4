"""Files that only grow: one JSON object a line, for the eyes of their owner."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        with _alone(handle):
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            try:
                _write(handle, b"\n" * torn + text.encode("utf-8", "replace"))
            except OSError:
                os.ftruncate(handle, size)
                raise
    finally:
        os.close(handle)


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
