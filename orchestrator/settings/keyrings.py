"""Secrets in the system's own keyring (Secret Service, KWallet, macOS Keychain, Windows): by the library ``keyring``, an extra.

A file of the secrets directory says that there is one, under the name of the setting, and holds nothing of it: keyrings cannot be listed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from connectors.errors import Misconfigured
from storage.loading import is_installed, need
from translators.records import record
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MARK = ".keyring"
SAFE = 1  # the priority, in that library, from which a keyring is one; below are files that anybody can read
NO_KEYRING = Said("there is no keyring of the system here that can be opened ({said}); {instead}")
NOT_THERE = Said("the system's keyring does not hold {setting} any more; set it again, or remove {file}")
SILENT = Said("it did not answer in {seconds:.0f} s")
PATIENCE = 60.0  # seconds: it may have to be unlocked by whoever sits there, and may stand still
UNASKED = 5.0  # seconds, where nobody said that it shall be used
INSTEAD = Said("unlock it, or set secrets by the environment or by files of the secrets directory")


def asks_keyring(folder: Path) -> bool:
    """Whether secrets beside this folder are in the keyring: where one is, the next goes there as well."""
    return folder.is_dir() and any(each.suffix == MARK for each in folder.iterdir())


def keyring_answers(folder: Path) -> bool:
    """Whether there is one that is open, or is opened at once."""
    if not is_installed("keyring"):
        return False
    try:
        _with_keyring("get_password", folder, "", patience=UNASKED)
    except Misconfigured:
        return False
    return True


def put_in_keyring(folder: Path, name: str, secret: str) -> None:
    """Raises :class:`Misconfigured` where there is none to be opened."""
    _with_keyring("set_password", folder, name, secret)


def take_from_keyring(folder: Path, name: str) -> None:
    """Remove it there, if it is there. Raises :class:`Misconfigured` where nobody can say."""
    if _with_keyring("get_password", folder, name) is not None:
        _with_keyring("delete_password", folder, name)


@record
class KeyringSecret:
    """A secret for which the file ``mark`` stands."""

    mark: Path

    def read(self) -> str:
        """The secret. Raises :class:`Misconfigured`."""
        name = self.mark.name.removesuffix(MARK)
        found = _with_keyring("get_password", self.mark.parent, name)
        if found is None:
            raise Misconfigured(NOT_THERE.filled(setting=name.replace("__", "."), file=self.mark))
        return str(found)


def _with_keyring(action: str, folder: Path, *told: str, patience: float | None = None) -> Any:
    """What the keyring says to that. Each secrets directory has its own entries there, wherever it is named from, so that two installations of one account do."""
    need("keyring")
    from keyring.errors import KeyringError

    try:
        return _in_time(
            lambda: getattr(_safe_keyring(), action)(f"fedsearch {folder.resolve()}", *told), patience or PATIENCE
        )
    except (KeyringError, RuntimeError, OSError, ValueError) as failure:  # of the library, and of what carries it there
        why = str(failure).partition("\n")[0] or type(failure).__name__
        raise Misconfigured(NO_KEYRING.filled(said=quoting(why), instead=INSTEAD)) from None


def _safe_keyring() -> Any:
    """The one to use; to look which there is asks them over their bus, too. Raises :class:`Misconfigured`."""
    import keyring

    found = keyring.get_keyring()
    safe = [each for each in getattr(found, "backends", (found,)) if each.priority >= SAFE]
    if not safe:
        raise Misconfigured(NO_KEYRING.filled(said=quoting(type(found).__module__), instead=INSTEAD))
    return safe[0]


def _in_time(ask: Callable[[], Any], patience: float) -> Any:
    """What it says, if it says something in time: the library waits for ever. Raises :class:`Misconfigured`, and what asking raises."""
    told: list[Any] = []
    failures: list[Exception] = []

    def asked() -> None:
        try:
            told.append(ask())
        except Exception as failure:  # noqa: BLE001 - it is raised where it is waited for
            failures.append(failure)

    waiting = threading.Thread(target=asked, daemon=True)  # which no end of the process waits for
    waiting.start()
    waiting.join(patience)
    if failures:
        raise failures[0]
    if not told:
        raise Misconfigured(NO_KEYRING.filled(said=SILENT.filled(seconds=patience), instead=INSTEAD))
    return told[0]
