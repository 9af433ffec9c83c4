"""Secrets in sealed files of the secrets directory (encryption). The key that opens them lies elsewhere: where whoever starts us puts it, else in the data folder."""

from __future__ import annotations

import base64
import binascii
import os
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured
from orchestrator.files import made_once, put_whole
from storage.places import SEALING_KEY
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from orchestrator.sealing import Seal

SEALED = ".sealed"
KEY_VARIABLE = "FEDSEARCH_SEALING_KEY_FILE"
KEY_FILE = SEALING_KEY
PURPOSE = "setting"
OTHERS = 0o077
NO_KEY_THERE = Said(
    "{file} opens with the key in {key}, which cannot be read ({why}); put that key there, or set {setting} again"
)
ANOTHER_KEY = Said(
    "{file} does not open with the key in {key}: put the key there that sealed it, or set {setting} again"
)
UNREADABLE = Said("{file} cannot be read: {why}")
CANNOT_SEAL = Said("{variable} names {key}, which cannot be read ({why})")


@record
class SealingKey:
    """The file of the key. ``given``: somebody else puts it there, and it is never made here."""

    path: Path
    given: bool

    @property
    def is_private(self) -> bool:
        """Whether nobody but its owner (and root) may read it; not known, and so not so, where modes mean nothing or it cannot be looked at."""
        try:
            mode = self.path.stat().st_mode
        except OSError:
            return False
        return os.name == "posix" and S_ISREG(mode) and not mode & OTHERS

    def read(self) -> Seal:
        """Raises :class:`Misconfigured` and ``OSError``."""
        return self._of(self.path.read_bytes())

    def made(self) -> Seal:
        """The same, with a key made where there is none yet. Raises :class:`Misconfigured` and ``OSError``."""
        from orchestrator.sealing import new_key

        if not self.given:
            return self._of(made_once(self.path, f"{new_key()}\n".encode()))
        try:
            return self.read()
        except OSError as failure:
            told = CANNOT_SEAL.filled(variable=KEY_VARIABLE, key=self.path, why=failure.strerror)
            raise Misconfigured(told) from None

    def _of(self, held: bytes) -> Seal:
        from orchestrator.sealing import Seal, keys_of

        place = str(self.path)
        return Seal(keys_of(held.decode("utf-8", "replace"), place), place)


def sealing_key(environment: Mapping[str, str], data: Path) -> SealingKey:
    """Where the key is, with the data folder ``data``."""
    named = environment.get(KEY_VARIABLE)
    return SealingKey(Path(named).expanduser(), given=True) if named else SealingKey(data / KEY_FILE, given=False)


@record
class SealedSecret:
    """A secret that ``file`` holds, sealed together with the name of its setting."""

    file: Path
    key: SealingKey

    @property
    def setting(self) -> str:
        return self.file.name.removesuffix(SEALED).lower().replace("__", ".")

    def put(self, secret: str) -> None:
        """Raises :class:`Misconfigured` and ``OSError``."""
        sealed = self.key.made().seal(secret.encode("utf-8", "replace"), PURPOSE, self.setting)
        put_whole(self.file, base64.b64encode(sealed).decode("ascii") + "\n")

    def read(self) -> str:
        """The secret. Raises :class:`Misconfigured`."""
        from orchestrator.sealing import CannotOpen

        held = self._held()
        try:
            return self.key.read().open(held, PURPOSE, self.setting).decode()
        except OSError as failure:
            told = NO_KEY_THERE.filled(file=self.file, key=self.key.path, why=failure.strerror, setting=self.setting)
            raise Misconfigured(told) from None
        except (CannotOpen, ValueError):
            told = ANOTHER_KEY.filled(file=self.file, key=self.key.path, setting=self.setting)
            raise Misconfigured(told) from None

    def is_newest(self) -> bool:
        """Whether the newest key sealed it. Raises :class:`Misconfigured`."""
        held = self._held()
        try:
            return self.key.read().is_newest(held)
        except OSError:
            return False

    def _held(self) -> bytes:
        try:
            return base64.b64decode(self.file.read_bytes().strip(), validate=True)
        except OSError as failure:
            raise Misconfigured(UNREADABLE.filled(file=self.file, why=failure.strerror)) from None
        except binascii.Error:
            return b""  # which no key opens
