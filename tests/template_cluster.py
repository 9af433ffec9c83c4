"""The embedded PostgreSQL in tests: its data is copied from what `initdb` has made once a run, which takes a tenth of that."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.account import OsUser
    from storage.supervisor import Cluster

FOLDER = "FEDSEARCHTEST_CLUSTER"
"""The variable by which the processes of a run know where it lies."""


@contextmanager
def template_folder() -> Iterator[None]:
    """For all processes of a run; the server's OS user may enter it."""
    made = os.environ[FOLDER] = tempfile.mkdtemp(prefix="fedsearch-test-")
    Path(made).chmod(0o755)
    try:
        yield
    finally:
        del os.environ[FOLDER]
        shutil.rmtree(made)


@contextmanager
def from_template() -> Iterator[None]:
    """Whatever this process makes meanwhile is a copy. What `initdb` does for real is for tests/e2e/test_local_supervisor.py and cold processes."""
    from storage.supervisor import Cluster

    before = Cluster._make
    make = getattr(before, "__wrapped__", before)  # one inside another would wait for a lock of its own

    @wraps(make)
    def copied(self: Cluster, account: OsUser, binaries: Path) -> None:
        if FOLDER not in os.environ:
            make(self, account, binaries)
            return
        template = Cluster(Path(os.environ[FOLDER]), durable=False)
        with (template.folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not template._data.exists():
                make(template, account, binaries)
        unfinished = self.folder / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        for name, copy in (("data", unfinished), ("password", self.folder / "password")):
            subprocess.run(["cp", "-a", template.folder / name, copy], check=True)
        unfinished.rename(self._data)

    Cluster._make = copied  # type: ignore[method-assign]
    try:
        yield
    finally:
        Cluster._make = before  # type: ignore[method-assign]
