"""Settings written by a program: a source's own file, and a file for each secret that nobody but its owner may read."""

from __future__ import annotations

import json
import os
import tomllib
from typing import TYPE_CHECKING, Any

from connectors.errors import Misconfigured
from orchestrator.files import PRIVATE_FOLDER, put_whole
from orchestrator.settings.keyrings import MARK, asks_keyring, put_in_keyring
from orchestrator.settings.layers import parse_source, read_toml, secrets_folder, sources_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OTHERS = 0o077


def keep_source(name: str, values: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Path:
    """Write ``values`` into the file of a source, which is returned; what else somebody wrote there stays as it stands.

    Keys go before all that is there, since TOML has them before tables. A key that the file has is written anew on its line.
    Raises :class:`Misconfigured` where the file is there and cannot be read, and ``OSError``.
    """
    path = sources_folder(os.environ if environment is None else environment) / f"{name}.toml"
    before = path.read_text("utf-8") if path.is_file() else ""
    told = read_toml(path) if before else {}
    new = {key: value for key, value in values.items() if told.get(key) != value}
    if new or not before:
        text = _with(new, before)
        try:
            tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            wanted = "; ".join(_lines(new))
            raise Misconfigured(f"{path} was written by hand and cannot be added to; write into it: {wanted}") from None
        put_whole(path, text)
    return path


def keep_source_text(name: str, text: str, environment: Mapping[str, str] | None = None) -> Path:
    """Write the whole file of a source, which is returned. Raises :class:`Misconfigured` for a text that is none, and ``OSError``."""
    path = sources_folder(os.environ if environment is None else environment) / f"{name}.toml"
    parse_source(text, str(path))
    put_whole(path, text)
    return path


def keep_secret(
    setting: str, secret: str, environment: Mapping[str, str] | None = None, *, in_keyring: bool = False
) -> Path:
    """Write a secret (``sources.slack.token``) into a file that only its owner may read, and return that; or put it into the system's keyring.

    There it goes where that is wanted or another secret has gone there; the file says so then. Raises ``OSError``, and :class:`Misconfigured` where there is no keyring.
    """
    path = secrets_folder(os.environ if environment is None else environment) / setting.replace(".", "__")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(PRIVATE_FOLDER)
    if not (in_keyring or asks_keyring(path.parent)):
        put_whole(path, f"{secret}\n")
        return path
    mark = path.with_name(path.name + MARK)
    put_in_keyring(path.parent, path.name, secret)
    put_whole(mark, "")  # anew each time, so that whoever follows settings sees a change
    path.unlink(missing_ok=True)
    return mark


def is_in_keyring(kept: Path) -> bool:
    """Whether the secret for which this file stands is in the system's keyring, and not in it."""
    return kept.suffix == MARK


def is_private(path: Path) -> bool:
    """Whether nobody but its owner (and root) may read a file; not known, and so not so, where modes mean nothing."""
    return os.name == "posix" and not path.stat().st_mode & OTHERS


def _with(new: Mapping[str, Any], before: str) -> str:
    """``new`` before all that is there; lines that said something else of it, which stand above the first table, go."""
    there = before.splitlines()
    tables = next((at for at, line in enumerate(there) if line.lstrip().startswith("[")), len(there))
    kept = [line for line in there[:tables] if line.partition("=")[0].strip() not in new]
    return "\n".join([*_lines(new), *kept, *there[tables:]]) + "\n"


def _lines(new: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_written(value)}" for key, value in new.items()]


def _written(value: Any) -> str:
    """A value as TOML has it; strings of JSON are strings of TOML."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list() | tuple():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            return f"{{ {', '.join(f'{key} = {_written(inner)}' for key, inner in value.items())} }}"
        case _:
            raise TypeError(f"{type(value).__name__} is no value of a setting")
