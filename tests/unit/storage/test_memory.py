"""How many pages the embedded server may keep."""

import pytest

from storage import memory

GIB = 1 << 30


@pytest.mark.parametrize(
    ("here", "container", "expected"),
    [
        (64 * GIB, "max", 2 * GIB),
        (8 * GIB, "max", GIB),
        (64 * GIB, str(4 * GIB), GIB // 2),
        (GIB, "max", GIB // 4),
        (8 * GIB, None, GIB),
        (8 * GIB, "ünlesbar", GIB),
    ],
)
def test_an_eighth_of_what_there_is_within_limits(monkeypatch, tmp_path, here, container, expected):
    limit = tmp_path / "memory.max"
    if container is not None:
        limit.write_bytes(f"{container}\n".encode("latin-1"))
    monkeypatch.setattr(memory, "LIMIT", limit)
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": here // 4096}
    monkeypatch.setattr(memory.os, "sysconf", sizes.__getitem__)
    assert memory.buffers() == expected


def test_a_system_that_does_not_tell_gets_the_least(monkeypatch):
    def untold(name):
        raise ValueError(name)

    monkeypatch.setattr(memory.os, "sysconf", untold)
    assert memory.buffers() == memory.LEAST
