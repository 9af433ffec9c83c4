"""A mark beside the data that something is in the index, so that nobody has to start a database to find out."""

from __future__ import annotations

import os
from pathlib import Path

from storage.logs import log_of

log = log_of(__name__)

NAME = "index-holds-documents"
EMPTY = b"no"


def holds_something(data_dir: str) -> bool | None:
    """Whether something was in the index of this folder when it was last written or opened; ``None`` where nobody has said."""
    if not data_dir:
        return False
    try:
        with open(os.path.expanduser(f"{data_dir}/{NAME}"), "rb") as file:  # noqa: PTH111, PTH123 — with every question
            return file.read() != EMPTY
    except OSError:
        return None


def put_mark(data_dir: str, *, holds: bool) -> None:
    """Say whether something is in the index. What cannot be written here is logged: the documents are safe all the same."""
    if not data_dir or holds_something(data_dir) is holds:
        return
    file = _file(data_dir)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"" if holds else EMPTY)
    except OSError as failure:
        log.warning("index not marked", file=str(file), error=failure.strerror)


def _file(data_dir: str) -> Path:
    return Path(data_dir).expanduser() / NAME
