"""Large memory that loading fills and few questions read, left in a file: the system holds what is read, once for all processes, and may let it go.

The morphology of Korean is such: a quarter of its tables is read by most texts, half of them by none.
"""

from __future__ import annotations

import ctypes
import os
from array import array
from contextlib import suppress
from itertools import groupby
from mmap import MAP_PRIVATE, PAGESIZE, PROT_READ, PROT_WRITE
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE = 32 << 20
"""Bytes from which on the C library gives a piece of memory a mapping of its own, whatever it has learnt (DEFAULT_MMAP_THRESHOLD_MAX,
https://man7.org/linux/man-pages/man3/mallopt.3.html)."""
OWN_MAPPING = 0b010
"""The bit beside the size of such a piece, which says so (https://sourceware.org/glibc/wiki/MallocInternals)."""
FLAGS = 0b111
ARENA = 1 << 30
"""Bytes that the morphology's allocator reserves at once (https://microsoft.github.io/mimalloc/environment.html); Python reserves a thousandth."""
PRESENT = 63  # the bit of a page that is in memory (https://docs.kernel.org/admin-guide/mm/pagemap.html)
MAP_FIXED = 0x10
NAMELESS = 3  # words about a mapping that is no file's, behind its place and rights
MAPS, PAGES = Path("/proc/self/maps"), Path("/proc/self/pagemap")


def leave_in_file(folder: Path) -> int:
    """How many bytes now are in a file of ``folder`` that has no name and goes with the last process that maps it.

    Python's own objects never are in what is moved, so that nothing changes there between reading and mapping; whoever else
    uses it, in threads, must stand still. Where the system is another, or the folder or its disk has no room, all stays as it is.
    """
    with suppress(OSError):
        runs = [run for start, size in _large() for run in _in_memory(start, size)]
        if runs:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with TemporaryFile(dir=folder) as file:
                for start, size in runs:
                    file.write((ctypes.c_char * size).from_address(start))
                file.flush()
                os.fdatasync(file.fileno())  # what could not be written is found out now, and not when it is wanted
                _map(file.fileno(), runs)
        return sum(size for _, size in runs)
    return 0


def _large() -> Iterator[tuple[int, int]]:
    """Where large pieces begin, and their sizes."""
    for line in MAPS.read_text("ascii", "replace").splitlines() if MAPS.exists() else ():
        span, rights, *rest = line.split()
        start, end = (int(place, 16) for place in span.split("-"))
        if rights != "rw-p" or len(rest) > NAMELESS or end - start < LARGE:
            continue
        beside = ctypes.c_size_t.from_address(start + ctypes.sizeof(ctypes.c_size_t)).value
        if beside & FLAGS == OWN_MAPPING and LARGE <= beside - OWN_MAPPING <= end - start:
            yield start, beside - OWN_MAPPING
        elif end - start >= ARENA:
            yield start, end - start


def _in_memory(start: int, size: int) -> Iterator[tuple[int, int]]:
    """The pages that have been written to, side by side; the rest is no memory's."""
    entries = array("Q")
    with PAGES.open("rb") as pages:
        pages.seek(start // PAGESIZE * entries.itemsize)
        entries.frombytes(pages.read(size // PAGESIZE * entries.itemsize))
    for present, run in groupby(range(len(entries)), lambda page: entries[page] >> PRESENT):
        if present:
            places = list(run)
            yield start + places[0] * PAGESIZE, len(places) * PAGESIZE


def _map(file: int, runs: list[tuple[int, int]]) -> None:
    """The same bytes at the same places, from the file, which nobody else writes to."""
    mapped = ctypes.CDLL(None, use_errno=True).mmap
    mapped.restype = ctypes.c_void_p
    mapped.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long
    offset = 0
    for start, size in runs:
        if mapped(start, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, offset) != start:
            raise OSError(ctypes.get_errno(), "memory cannot be mapped")
        offset += size
