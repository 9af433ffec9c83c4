"""Something large that a process loads when a question first needs it, and that the next process loads before it is ready.

When Python's collector looks for circles among objects: seldom, and not among those that are there to stay.

What a question makes goes when nothing refers to it; the few circles among it can wait.
"""

from __future__ import annotations

import gc
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

YOUNG = 10_000
"""Objects made and not yet gone, at which the collector looks: one source makes the 700 of Python."""


def keep_what_is_there() -> None:
    """All that is loaded now stays: looking through it would stop every question for a tenth of a second, now and then, and write to memory that processes share."""
    gc.collect()
    gc.freeze()
    gc.collect()  # how soon the next is due goes by how much the last one found, which now is next to nothing
    gc.set_threshold(YOUNG)


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
