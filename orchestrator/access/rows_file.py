"""Rows in one JSON file, for its owner alone: written whole by one process at a time, and seen by all others at once."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from connectors.errors import Misconfigured
from orchestrator.files import PRIVATE, PRIVATE_FOLDER, put_whole
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

RowT = TypeVar("RowT")


class RowsFile(Generic[RowT]):
    """``path``: where they are, under the name ``called``. ``read``: a row of what stands there, with its id; ``written``: what stands there of a row."""

    def __init__(
        self,
        path: Path,
        called: str,
        read: Callable[[Mapping[str, Any]], tuple[str, RowT]],
        written: Callable[[RowT], Mapping[str, Any]],
    ) -> None:
        self._path = path
        self._called = called
        self._read_row = read
        self._written = written
        self._known: tuple[tuple[int, int, int], dict[str, RowT]] = ((0, 0, 0), {})

    def read(self) -> Mapping[str, RowT]:
        """The rows by their ids. The file is read again only when it has changed: a request must not wait for a disk. Raises :class:`Misconfigured`."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return {}
        stamp = (found.st_mtime_ns, found.st_size, found.st_ino)
        if stamp != self._known[0]:
            self._known = (stamp, self._load())
        return self._known[1]

    @contextmanager
    def changing(self) -> Iterator[dict[str, RowT]]:
        """The rows to change, kept whole unless an exception ends it: one process at a time, and never a file half written."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = self._load() if self._path.exists() else {}
            yield rows
            told = {self._called: [self._written(each) for each in rows.values()]}
            put_whole(self._path, json.dumps(told, ensure_ascii=False, indent=1))
        finally:
            os.close(lock)

    def _load(self) -> dict[str, RowT]:
        try:
            return dict(map(self._read_row, json.loads(self._path.read_text("utf-8"))[self._called]))
        except (ValueError, KeyError, TypeError) as failure:
            raise Misconfigured(
                Said("{path} does not hold {called} ({kind}); restore it, or move it away").filled(
                    path=self._path, called=self._called, kind=type(failure).__name__
                )
            ) from None
