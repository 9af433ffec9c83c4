"""Files that only grow: whole lines or none, whatever the disk takes and whoever is killed."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator import lines as module
from orchestrator.access import AuditLog, NotKept, append_line

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]


def nearly_full(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """A disk that takes ``room`` bytes more, the last of them without complaint."""
    real, left = os.write, [room]

    def write(handle: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[: left[0]])
        left[0] -= done
        return done

    monkeypatch.setattr(module, "os", SimpleNamespace(**{**vars(os), "write": write}))


async def test_a_full_disk_takes_no_part_of_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "audit.jsonl"
    await append_line(path, {"at": "월요일", "number": 1})
    with monkeypatch.context() as full:
        nearly_full(full, 7)
        with pytest.raises(OSError, match="No space left"):
            await append_line(path, {"at": "화요일", "number": 2})
    await append_line(path, {"at": "수요일", "number": 3})
    assert [each["number"] for each in read(path)] == [1, 3]


async def test_a_disk_that_takes_it_in_parts_gets_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    few = SimpleNamespace(**{**vars(os), "write": lambda handle, data: real(handle, data[:3])})
    monkeypatch.setattr(module, "os", few)
    await append_line(tmp_path / "audit.jsonl", {"at": "월요일"})
    assert read(tmp_path / "audit.jsonl") == [{"at": "월요일"}]


async def test_a_line_that_somebody_left_torn_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"number": 1}\n{"at": "2026-11-2', "utf-8")
    await append_line(path, {"number": 3})
    assert path.read_text("utf-8") == '{"number": 1}\n{"at": "2026-11-2\n{"number": 3}\n'


async def test_what_cannot_be_accounted_for_is_refused(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, lambda: datetime.now(UTC), texts=False)  # a folder takes no lines
    with pytest.raises(NotKept, match=r"audit log \(Is a directory\)"):
        await log.noted("kim", "connected", "slack", datetime.now(UTC), "r-1")


def is_kims(row: Any) -> bool:
    return row.get("who") == "kim"


def test_lines_of_one_person_are_taken_out_and_all_others_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    others = b'{"who": "lee"}\n{"who": "kim\n[1]\n' + b'{"who":' * 5000 + b"\n"
    path.write_bytes(b'{"who": "kim"}\n' + others + b'{"who": "kim", "said": "\\n"}\n{"who": "lee"}')
    path.chmod(0o600)
    assert module.count_lines(path, is_kims) == 2
    assert module.drop_lines(path, is_kims) == 2
    assert path.read_bytes() == others + b'{"who": "lee"}'
    assert [each.name for each in tmp_path.iterdir()] == ["log.jsonl"]
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.stat().st_ino
    assert module.drop_lines(path, is_kims) == 0
    assert path.stat().st_ino == before, "a file without any is not written anew"
    assert module.drop_lines(tmp_path / "none.jsonl", is_kims) == 0


async def test_what_is_appended_while_lines_are_taken_out_is_lost_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    async def append(who: str) -> None:
        for number in range(60):
            await append_line(path, {"who": who, "n": number})

    async def drop() -> None:
        for _ in range(40):
            await asyncio.to_thread(module.drop_lines, path, is_kims)

    await asyncio.gather(append("lee"), append("kim"), append("park"), drop(), drop())
    module.drop_lines(path, is_kims)
    assert sorted((row["who"], row["n"]) for row in read(path)) == [
        (who, n) for who in ("lee", "park") for n in range(60)
    ]


def test_what_somebody_who_was_killed_left_behind_is_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"who": "kim"}\n{"who": "lee"}\n')
    (tmp_path / ".log.jsonl.kept").write_bytes(b'{"who": "ki')
    assert module.drop_lines(path, is_kims) == 1
    assert read(path) == [{"who": "lee"}]
