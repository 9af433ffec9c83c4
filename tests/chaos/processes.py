"""Processes of the world: started, killed, frozen, looked at, and gone with whoever started them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PR_SET_PDEATHSIG = 1  # https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
_LIBC = ctypes.CDLL(None)


def _ends_with_us() -> None:
    _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Child:
    """One program that is to run. ``pid`` is 0 while it does not."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self._command, self._environment = list(command), dict(environment)
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=_ends_with_us,  # noqa: PLW1509 — it calls the kernel and nothing else
            )  # fmt: skip

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None and self._process.poll() is None else 0

    @property
    def ended(self) -> int | None:
        """What it ended with; ``None`` while it runs."""
        return None if self._process is None else self._process.poll()

    def kill(self) -> None:
        """It and all that it started, without a word."""
        for pid in family(self.pid):
            _signal(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def stop(self) -> None:
        """Politely, then not."""
        if self._process is None or not self.pid:
            return
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()


def freeze(pids: Sequence[int]) -> None:
    for pid in pids:
        _signal(pid, signal.SIGSTOP)


def thaw(pids: Sequence[int]) -> None:
    for pid in pids:
        _signal(pid, signal.SIGCONT)


def kill(pids: Sequence[int]) -> None:
    for pid in pids:
        _signal(pid, signal.SIGKILL)


def family(pid: int) -> list[int]:
    """A process and all below it, itself first."""
    if not pid:
        return []
    parents = dict(_parents())
    found = [pid]
    for member in found:
        found += [each for each, parent in parents.items() if parent == member and each not in found]
    return found


def figures(pids: Sequence[int]) -> dict[str, Any]:
    """What processes hold together: memory in MB that is theirs alone or shared in proportion, file handles, sockets among them.

    ``threads``: those beside the first of each, which is counted as a process. ``most``: the handles of the one that has most.
    """
    memory = threads = handles = sockets = most = 0
    for pid in pids:
        try:
            rolled = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
            memory += next(int(line.split()[1]) for line in rolled.splitlines() if line.startswith("Pss:"))
            status = Path(f"/proc/{pid}/status").read_text("utf-8")
            threads += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads:")) - 1
            held = [str(handle.readlink()) for handle in Path(f"/proc/{pid}/fd").iterdir()]
            handles += len(held)
            sockets += sum(each.startswith("socket:") for each in held)
            most = max(most, len(held))
        except (OSError, StopIteration):  # it has just ended
            continue
    return {
        "memory": memory >> 10,
        "threads": threads,
        "handles": handles,
        "sockets": sockets,
        "most": most,
        "processes": len(pids),
    }


def cpu(pids: Sequence[int]) -> float:
    """Seconds of a processor that processes have used, with all their threads."""
    found = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            told = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            found += sum(map(int, told[11:13])) / os.sysconf("SC_CLK_TCK")
    return found


def waited(pids: Sequence[int]) -> float:
    """Seconds that the first threads of processes, which do what somebody waits for, have been ready to run without a core: https://docs.kernel.org/scheduler/sched-stats.html ."""
    found = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            found += int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[1]) / 1e9
    return found


def _parents() -> list[tuple[int, int]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                told = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            except OSError:
                continue
            found.append((int(entry.name), int(told[1])))
    return found


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
