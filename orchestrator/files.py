"""Files that are written whole: for their owner alone from the first byte, and never half."""

from __future__ import annotations

import os
import secrets
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
    finally:
        unfinished.unlink(missing_ok=True)
