"""Files that are written whole, or once: for their owner alone from the first byte, and never half."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE, PRIVATE_FOLDER = 0o600, 0o700


def put_whole(path: Path, text: str) -> None:
    """Put a file in place; whoever is stopped leaves what was there. Its folder is made where there is none. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    unfinished = path.with_name(f".{secrets.token_hex(8)}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as failure:
        failure.filename = str(path)  # that of the unfinished one, or none, says nothing to whoever is told
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def made_once(path: Path, content: bytes) -> bytes:
    """What a file holds, made with ``content`` the first time; whoever else makes it at the same moment gets the same. Raises ``OSError``."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(beside, path)  # unlike a rename it does not replace what another process has just made
        _settle(path.parent)  # it cannot be made again, and what it opens may lie on another disk
    except FileExistsError:
        pass
    finally:
        beside.unlink(missing_ok=True)
    return path.read_bytes()


def _settle(folder: Path) -> None:
    """See to it that what a folder names is on the disk, where it can be asked for that: not on Windows, nor over every network."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
