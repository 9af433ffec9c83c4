"""How much memory this machine, or the container we are in, has; and how much of it the embedded server may keep pages in."""

from __future__ import annotations

import os
from pathlib import Path

LEAST, MOST = 256 << 20, 2 << 30
SHARE = 8
"""One part in so many. The kernel keeps pages as well, so more than a quarter is of no use (PostgreSQL manual, 19.4.1), and others live here too."""
LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container: https://docs.kernel.org/admin-guide/cgroup-v2.html


def buffers() -> int:
    """Bytes for ``shared_buffers``. They are taken as pages come in, so a small index never uses them all.

    The graph over vectors wants to be in them: a new vector looks at a thousand others, and each page that is not
    there is copied in and another one out.
    """
    return max(LEAST, min(MOST, _memory() // SHARE))


def _memory() -> int:
    try:
        here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):  # not told on every system
        return LEAST
    try:
        told = LIMIT.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return here
    return min(here, int(told)) if told.isdigit() else here
