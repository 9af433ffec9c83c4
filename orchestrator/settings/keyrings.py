"""Secrets in the system's own keyring (Secret Service, KWallet, macOS Keychain, Windows): by the library ``keyring``, an extra.

A file of the secrets directory says that there is one, under the name of the setting, and holds nothing of it: keyrings cannot be listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from connectors.errors import Misconfigured
from storage.extras import need
from translators.records import record
from translators.said import Said, quoting

if TYPE_CHECKING:
    from pathlib import Path

MARK = ".keyring"
SAFE = 1  # the priority, in that library, from which a keyring is one; below are files that anybody can read
NO_KEYRING = Said("there is no keyring of the system here that can be opened ({said}); {instead}")
NOT_THERE = Said("the system's keyring does not hold {setting} any more; set it again, or remove {file}")
INSTEAD = Said("unlock it, or set secrets by the environment or by files of the secrets directory")


def asks_keyring(folder: Path) -> bool:
    """Whether secrets beside this folder are in the keyring: where one is, the next goes there as well."""
    return folder.is_dir() and any(each.suffix == MARK for each in folder.iterdir())


def put_in_keyring(folder: Path, name: str, secret: str) -> None:
    """Raises :class:`Misconfigured` where there is none to be opened."""
    _with_keyring("set_password", folder, name, secret)


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


def _with_keyring(action: str, folder: Path, *told: str) -> Any:
    """What the keyring says to that. Each secrets directory has its own entries there, wherever it is named from, so that two installations of one account do."""
    need("keyring")
    import keyring
    from keyring.errors import KeyringError

    try:
        found = keyring.get_keyring()
        safe = [each for each in getattr(found, "backends", (found,)) if each.priority >= SAFE]
        if not safe:
            raise Misconfigured(NO_KEYRING.filled(said=quoting(type(found).__module__), instead=INSTEAD))
        return getattr(safe[0], action)(f"fedsearch {folder.resolve()}", *told)
    except (KeyringError, RuntimeError) as failure:
        why = str(failure).partition("\n")[0] or type(failure).__name__
        raise Misconfigured(NO_KEYRING.filled(said=quoting(why), instead=INSTEAD)) from None
