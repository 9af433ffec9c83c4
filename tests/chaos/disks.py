"""Small disks that can be filled: a file system of its own in memory where this machine lets us mount one."""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = 1 << 20


class Disk:
    """A folder with so much room. Where none can be mounted it is an ordinary folder, and ``is_small`` says so."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
        try:
            self.is_small = subprocess.run(command, check=False, capture_output=True).returncode == 0
        except OSError:
            self.is_small = False

    @property
    def _ballast(self) -> Path:
        return self.folder / "ballast"

    def fill(self) -> None:
        """Up to the last byte."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (BLOCK, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"\0" * size):
                        os.fsync(file.fileno())

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.folder)], check=False, capture_output=True)
