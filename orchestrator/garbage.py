"""When Python's collector looks for circles among objects: seldom, and not among those that are there to stay.

What a question makes goes when nothing refers to it; the few circles among it can wait.
"""

from __future__ import annotations

import gc

YOUNG = 10_000
"""Objects made and not yet gone, at which the collector looks: one source makes the 700 of Python."""


def keep_what_is_there() -> None:
    """All that is loaded now stays: looking through it would stop every question for a tenth of a second, now and then, and write to memory that processes share."""
    gc.collect()
    gc.freeze()
    gc.collect()  # how soon the next is due goes by how much the last one found, which now is next to nothing
    gc.set_threshold(YOUNG)
