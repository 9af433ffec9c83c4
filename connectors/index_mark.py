"""A mark beside the data that something is in the index, so that nobody has to start a database to find out."""

from __future__ import annotations

from pathlib import Path

from storage.logs import log_of

log = log_of(__name__)

NAME = "index-holds-documents"


def holds_something(data_dir: str) -> bool:
    """Whether something was in the index of this folder when it was last written or opened."""
    return bool(data_dir) and _file(data_dir).is_file()


def put_mark(data_dir: str, *, holds: bool) -> None:
    """Say whether something is in the index. What cannot be written here is logged: the documents are safe all the same."""
    if not data_dir or holds_something(data_dir) == holds:
        return
    file = _file(data_dir)
    try:
        if holds:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        else:
            file.unlink(missing_ok=True)
    except OSError as failure:
        log.warning("index not marked", file=str(file), error=failure.strerror)


def _file(data_dir: str) -> Path:
    return Path(data_dir).expanduser() / NAME
