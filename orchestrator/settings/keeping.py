"""Settings written by a program: a source's own file, and secrets, each sealed in a file of its own or in the system's keyring."""

from __future__ import annotations

import json
import os
import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from connectors.errors import Misconfigured
from orchestrator.files import PRIVATE_FOLDER, put_whole
from orchestrator.settings.found import FOLDER
from orchestrator.settings.keyrings import (
    MARK,
    KeyringSecret,
    asks_keyring,
    keyring_answers,
    put_in_keyring,
    take_from_keyring,
)
from orchestrator.settings.layers import (
    SECRETS_LAYERS,
    name_of,
    parse_source,
    read_layers,
    read_toml,
    sealing_key_of,
    secret_files,
    secret_in,
    secrets_folder,
    sources_folder,
)
from orchestrator.settings.sealed import SEALED, SealedSecret
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from orchestrator.settings.layers import Tree
    from orchestrator.settings.sealed import SealingKey

STANDS_ELSEWHERE = Said("{name} stands in {place} too, and would be asked again; it is taken away there first")
# In a file as it is; sealed, the key readable by its owner alone; sealed, and others may read the key; in the system's keyring.
SecretsKept = Literal["plain", "sealed", "open", "keyring"]


@record
class KeptSecret:
    """That a secret is kept, and ``how``; ``file`` stands for it, ``key`` opens what is sealed."""

    setting: str
    file: Path
    how: SecretsKept
    key: SealingKey


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
            raise Misconfigured(
                Said("{path} was written by hand and cannot be added to; write into it: {wanted}").filled(
                    path=path, wanted=wanted
                )
            ) from None
        put_whole(path, text)
    return path


def keep_source_text(name: str, text: str, environment: Mapping[str, str] | None = None) -> Path:
    """Write the whole file of a source, which is returned. Raises :class:`Misconfigured` for a text that is none, and ``OSError``."""
    path = sources_folder(os.environ if environment is None else environment) / f"{name}.toml"
    parse_source(text, str(path))
    put_whole(path, text)
    return path


def keep_secret(
    setting: str,
    secret: str,
    environment: Mapping[str, str] | None = None,
    arguments: Tree | None = None,
    *,
    in_keyring: bool | None = None,
) -> KeptSecret:
    """Keep a secret (``sources.slack.token``) so that no file can be read for it: in the system's keyring, else sealed in a file.

    ``in_keyring``: by default where another secret of this folder is there, or one answers. What was kept of this setting otherwise goes, once
    the new one is safe. Raises ``OSError``, and :class:`Misconfigured` where the keyring or the key cannot be used.
    """
    said = os.environ if environment is None else environment
    folder = secrets_folder(said)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(PRIVATE_FOLDER)
    plain = folder / setting.replace(".", "__")
    mark, sealed = plain.with_name(plain.name + MARK), plain.with_name(plain.name + SEALED)
    key = sealing_key_of(arguments, said)
    if in_keyring is None:
        in_keyring = asks_keyring(folder) or keyring_answers(folder)
    if in_keyring:
        put_in_keyring(folder, plain.name, secret)
        put_whole(mark, "")  # anew each time, so that whoever follows settings sees a change
    else:
        SealedSecret(sealed, key).put(secret)
        if mark.exists():
            with suppress(Misconfigured):  # it is kept elsewhere by now
                take_from_keyring(folder, plain.name)
    kept = _kept(mark if in_keyring else sealed, key)
    for other in tuple(secret_files(folder)):  # one may be spelled in capitals, and would count
        if other != kept.file and _kept(other, key).setting == kept.setting:
            other.unlink(missing_ok=True)
    return kept


def forget_source(
    name: str, environment: Mapping[str, str] | None = None, arguments: Tree | None = None
) -> tuple[Path, ...]:
    """Take away its secrets, what was found of a source, and its file last; the files that are gone.

    Raises as :func:`files_of_source` does, :class:`Misconfigured` for a keyring that cannot be opened as well, and ``OSError``.
    """
    gone = files_of_source(name, environment, arguments)
    for path in gone:
        if path.suffix == MARK:
            take_from_keyring(path.parent, path.name.removesuffix(MARK))
    for path in gone:
        path.unlink(missing_ok=True)
    return gone


def files_of_source(
    name: str, environment: Mapping[str, str] | None = None, arguments: Tree | None = None
) -> tuple[Path, ...]:
    """All that is kept of a source, its secrets first and its own file last, so that what is left behind halfway can be seen and taken away.

    Raises :class:`Misconfigured` where something else speaks of it, so that it would be asked again.
    """
    said = os.environ if environment is None else environment
    folder = sources_folder(said)
    secrets = (each.file for each in kept_secrets(said, arguments) if each.setting.startswith(f"sources.{name}."))
    # Found by its name: one that is typed as a path leads out of the folder.
    own = (path for path in (*(folder / FOLDER).glob("*.toml"), *folder.glob("*.toml")) if name_of(path) == name)
    kept = (*secrets, *own)
    passing = {*map(str, kept), *SECRETS_LAYERS}
    for layer in read_layers(arguments, said):
        if name in layer.values.get("sources", {}) and layer.origin not in passing:
            raise Misconfigured(STANDS_ELSEWHERE.filled(name=name, place=layer.origin))
    return kept


def kept_secrets(environment: Mapping[str, str] | None = None, arguments: Tree | None = None) -> Iterator[KeptSecret]:
    """Every secret that there is a file for. Raises :class:`Misconfigured`."""
    said = os.environ if environment is None else environment
    key = sealing_key_of(arguments, said)
    for path in secret_files(secrets_folder(said)):
        yield _kept(path, key)


def seal_kept(
    environment: Mapping[str, str] | None = None, *, in_keyring: bool | None = None
) -> tuple[tuple[KeptSecret, ...], tuple[str, ...]]:
    """Keep what lies there in plain files, or sealed with an older key, as it would be kept now; what was, and why others could not be.

    ``in_keyring``: all of it goes into the system's keyring, or none of it stays there. Raises :class:`Misconfigured` and ``OSError``.
    """
    done: list[KeptSecret] = []
    failed: list[str] = []
    for kept in sorted(kept_secrets(environment), key=_counting):
        try:
            if not kept.file.exists() or _stays(kept, in_keyring=in_keyring):
                continue  # one of the same setting, which counts, may have taken its place
            done.append(keep_secret(kept.setting, _read(kept), environment, in_keyring=in_keyring))
        except Misconfigured as failure:
            failed.append(failure.message)
    return tuple(done), tuple(failed)


def _counting(kept: KeptSecret) -> tuple[str, int, bool]:
    """Of one setting first what counts, as layers have it; of two spellings that is the one in small letters."""
    name = kept.file.name
    return kept.setting, {"plain": 0, "keyring": 1}.get(kept.how, 2), name != name.lower()


def _stays(kept: KeptSecret, *, in_keyring: bool | None) -> bool:
    if kept.how == "keyring":
        return in_keyring is not False
    return kept.how != "plain" and not in_keyring and SealedSecret(kept.file, kept.key).is_newest()


def _read(kept: KeptSecret) -> str:
    if kept.how == "keyring":
        return KeyringSecret(kept.file).read()
    found = secret_in(kept.file) if kept.how == "plain" else SealedSecret(kept.file, kept.key)
    return found if isinstance(found, str) else found.read()


def _kept(path: Path, key: SealingKey) -> KeptSecret:
    suffix = path.suffix if path.suffix in {MARK, SEALED} else ""
    how: SecretsKept = "keyring" if suffix == MARK else "plain"
    if suffix == SEALED:
        how = "sealed" if key.is_private else "open"
    return KeptSecret(path.name.removesuffix(suffix).lower().replace("__", "."), path, how, key)


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
