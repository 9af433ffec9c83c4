"""Large memory that is left in a file is no longer the process's own, and still says what it said."""

from __future__ import annotations

import ctypes
import re
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from orchestrator.thinking.paging import LARGE, leave_in_file
from orchestrator.understand.korean import analyse, warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is read from /proc")
SAID = b"what loading has written "
TEXT = "지난주 결제 이전 일정이 어떻게 결정됐나요?"


@pytest.fixture
def large():
    """Memory that the C library has given, full of words."""
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    library.free.argtypes = [ctypes.c_void_p]
    place = library.malloc(LARGE)
    memory = (ctypes.c_char * LARGE).from_address(place)
    memory[:] = SAID * (LARGE // len(SAID)) + b" " * (LARGE % len(SAID))
    yield memory
    library.free(place)


def own() -> int:
    """Bytes of this process that no file has."""
    told = Path("/proc/self/smaps_rollup").read_text("ascii")
    return int(re.search(r"Anonymous: +(\d+) kB", told)[1]) * 1024


def test_it_stays_what_it_was_and_can_be_written_to(large, tmp_path):
    before, said = own(), hash(bytes(large))
    assert leave_in_file(tmp_path) >= LARGE
    assert own() < before - LARGE // 2
    assert not list(tmp_path.iterdir())
    assert hash(bytes(large)) == said
    large[:4] = b"WHAT"
    assert bytes(large[:8]) == b"WHAT loa"


def morphology_left_in(folder):
    """Bytes, whether less is the process's own, and what was read before and after; in a process where nothing was left before."""
    warm()
    before, read = own(), analyse(TEXT)
    left = leave_in_file(folder)
    return left, own() < before, read == analyse(TEXT)


def test_the_morphology_reads_as_before(tmp_path):
    with get_context("spawn").Pool(1) as fresh:
        left, less, same = fresh.apply(morphology_left_in, (tmp_path / "not made yet",))
    assert left > 0
    assert less
    assert same


def test_it_stays_where_it_is_where_there_is_no_room(large, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file and no folder", "utf-8")
    before = own()
    assert leave_in_file(taken) == 0
    assert own() >= before - LARGE // 2
    assert large[: len(SAID)] == SAID
