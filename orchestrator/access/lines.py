"""Files that only grow: one JSON object a line, for the eyes of their owner."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


async def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Add ``line`` to the file, off the event loop. Raises ``OSError``.

    It is one ``write`` to a file opened for appending: several processes may share it.
    """
    await asyncio.to_thread(_append, path, json.dumps(line, ensure_ascii=False) + "\n")


def _append(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(handle, text.encode("utf-8", "replace"))
    finally:
        os.close(handle)
