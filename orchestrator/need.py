"""Something large that a process loads when a question first needs it, and that the next process loads before it is ready."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Need:
    """``mark``: the file that says it was needed here; without one everything counts as needed."""

    def __init__(self, mark: Path | None = None) -> None:
        self._mark = mark
        self._noted = False

    @property
    def is_known(self) -> bool:
        """Whether a question has needed it, in this process or one before it."""
        return self._mark is None or self._noted or self._mark.exists()

    def note(self) -> None:
        """A question needs it. A folder that cannot be written costs the next process a moment."""
        if self._mark is None or self._noted:
            return
        self._noted = True
        with suppress(OSError):
            self._mark.parent.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._mark.parent.mkdir(exist_ok=True, mode=0o700)
            self._mark.touch()


ALWAYS = Need()
