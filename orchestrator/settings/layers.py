"""Layers of settings: defaults → what was tuned → site file → sources.d → sealed secrets → keyring → secrets directory → environment → arguments; and what was meant by one that there is none of."""

from __future__ import annotations

import os
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from platformdirs import user_config_path
from pydantic import BaseModel, ValidationError

from connectors.errors import Misconfigured
from orchestrator.packaged import config_dir
from orchestrator.settings.fields import field_problem
from orchestrator.settings.found import FOLDER, found_values
from orchestrator.settings.keyrings import MARK, KeyringSecret
from orchestrator.settings.sealed import SEALED, SealedSecret, SealingKey, sealing_key
from orchestrator.settings.sections import Settings, Storage
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ENV_PREFIX = "FEDSEARCH_"
SITE_FILE_VARIABLE = "FEDSEARCH_CONFIG"
SECRETS_VARIABLE = "FEDSEARCH_SECRETS_DIR"
DATA_VARIABLE = "FEDSEARCH_DATA_DIR"
FILES, FINDINGS = "source_files", "unread_findings"
SECRET_NAMES = frozenset(
    {
        "token",
        "app_token",
        "signing_secret",
        "secret",
        "page_secret",
        "password",
        "api_key",
        "client_secret",
        "refresh_token",
        "service_account",
        "uri",
        "database_url",
    }
)
Tree = dict[str, Any]


def no_such_setting(model: type[BaseModel], place: Sequence[str | int]) -> Said:
    """The message for an unknown key at ``place`` (pydantic's ``loc``) in ``model``."""
    *above, name = place
    found: type[BaseModel] | None = model
    for part in above:
        found = _inside(found, str(part)) if found is not None else None
    near = get_close_matches(str(name), found.model_fields, 1) if found is not None else []
    return NO_SUCH_BUT.filled(near=near[0]) if near else NO_SUCH


def _inside(model: type[BaseModel], name: str) -> type[BaseModel] | None:
    """The table of settings called ``name``; ``None`` where there is none, or people name its keys themselves."""
    field = model.model_fields.get(name)
    kinds = (field.annotation, *get_args(field.annotation)) if field is not None else ()
    return next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)), None)


TABLE = Said("must be a table")
PATTERN = Said("must match {pattern}")
NO_SUCH = Said("there is no such setting")
NO_SUCH_BUT = Said("there is no such setting; did you mean {near}?")
WRONG = Said("setting {key}: {said}")
WRONG_FROM = Said("setting {key} (from {origin}): {said}")
DEFAULTS, ENVIRONMENT, ARGUMENTS = Said("built-in defaults"), Said("environment"), Said("arguments")
PLAIN, SEALED_ONES, IN_KEYRING = SECRETS_LAYERS = (
    Said("secrets directory"),
    Said("sealed secrets"),
    Said("the system's keyring"),
)


@record
class Layer:
    """One place settings come from; ``origin`` is what a person would look for."""

    origin: str
    values: Tree


@record
class Setting:
    """One effective value and the layer it came from. Secrets are already masked."""

    key: str
    value: str
    origin: str


def load_settings(arguments: Tree | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Merge all layers and validate. Raises :class:`Misconfigured` with the key and where it was set.

    ``arguments`` stand above all other layers; ``environment`` is the process's own by default.

    >>> settings = load_settings({"search": {"limit": 5}}, {"FEDSEARCH_LOCALE__ZONE": "Asia/Seoul"})
    >>> settings.search.limit, settings.locale.zone
    (5, 'Asia/Seoul')
    """
    return settings_from(read_layers(arguments, environment))


def settings_from(layers: list[Layer]) -> Settings:
    """Validate merged layers."""
    merged: Tree = {}
    for layer in layers:
        for key in _no_tables(layer.values, Settings):
            raise Misconfigured(
                Said("setting {key} (from {origin}): a table is due here, and no value").filled(
                    key=key, origin=layer.origin
                )
            )
        _merge(merged, layer.values)
    sources = merged.get("sources")
    for name, raw in sources.items() if isinstance(sources, dict) else ():
        try:
            _read_secrets(raw)
        except Misconfigured as failure:
            _merge(merged, {FILES: {name: failure.message}})
    files = merged.get(FILES)
    for name, wrong in files.items() if isinstance(files, dict) else ():
        if wrong:
            merged["sources"] = {key: each for key, each in merged.get("sources", {}).items() if key != name}
    _read_secrets(merged)
    try:
        return Settings.model_validate(merged)
    except ValidationError as failure:
        raise Misconfigured(_explain(failure, layers)) from None


def read_layers(arguments: Tree | None = None, environment: Mapping[str, str] | None = None) -> list[Layer]:
    """Every layer that exists, weakest first. ``environment`` defaults to the process's own."""
    env = os.environ if environment is None else environment
    layers = [Layer(DEFAULTS, read_toml(config_dir() / "defaults.toml"))]
    site = site_file(env)
    if site.is_file():
        layers.append(_toml_layer(site))
    elif env.get(SITE_FILE_VARIABLE):
        raise Misconfigured(
            Said("{variable} names {site}, which does not exist").filled(variable=SITE_FILE_VARIABLE, site=site)
        )
    for path in sorted(sources_folder(env).glob("*.toml")):
        layers += _source_layers(path)
    above = (
        Layer(PLAIN, _secrets(env)),  # what lies there as it is was put there by hand, since
        Layer(ENVIRONMENT, _from_environment(env)),
        Layer(ARGUMENTS, arguments or {}),
    )
    storage = _storage_of([*layers, *above])
    layers.append(Layer(SEALED_ONES, _sealed(env, sealing_key(env, storage.path))))
    layers.append(Layer(IN_KEYRING, _in_keyring(env)))
    tuned = _tuned_layer(storage.tuned)
    return [layer for layer in (layers[0], tuned, *layers[1:], *above) if layer.values]


def sealing_key_of(arguments: Tree | None, environment: Mapping[str, str]) -> SealingKey:
    """Where the key of sealed secrets is. Raises :class:`Misconfigured`."""
    return sealing_key(environment, _storage_of(read_layers(arguments, environment)).path)


def effective(layers: list[Layer]) -> Iterator[Setting]:
    """Each effective value with its origin, sorted by key, secrets masked."""
    flat: dict[str, Setting] = {}
    for layer in layers:
        for key, value in _flatten(
            {name: each for name, each in layer.values.items() if name not in {FILES, FINDINGS}}
        ):
            secret = key.rsplit(".", 1)[-1] in SECRET_NAMES
            flat[key] = Setting(key, "•••" if secret else str(value), layer.origin)
    yield from (flat[key] for key in sorted(flat))


def site_file(environment: Mapping[str, str]) -> Path:
    """Where this installation's own settings live, whether or not the file exists."""
    named = environment.get(SITE_FILE_VARIABLE)
    return Path(named).expanduser() if named else user_config_path("fedsearch") / "fedsearch.toml"


def sources_folder(environment: Mapping[str, str]) -> Path:
    """Where each source has a file of its own, whether or not the folder exists."""
    return site_file(environment).parent / "sources.d"


def secrets_folder(environment: Mapping[str, str]) -> Path:
    """Where secrets lie, a file for each, whether or not the folder exists."""
    named = environment.get(SECRETS_VARIABLE)
    return Path(named).expanduser() if named else user_config_path("fedsearch") / "secrets"


# ---- layers


def _source_layers(path: Path) -> Iterator[Layer]:
    """A source of its own, and what was found of it by asking; a file that is broken costs this source and no other, and what was found no more than itself."""
    name, seen = name_of(path), found_file(path)
    try:
        values = read_source(path)
    except Misconfigured as failure:
        yield Layer(str(path), {FILES: {name: failure.message}})
        return
    yield Layer(str(path), {"sources": {name: values}, FILES: {name: ""}})
    try:
        more = found_values(_read(seen), values) if seen.is_file() else {}
    except Misconfigured as failure:
        yield Layer(str(seen), {FINDINGS: {name: failure.message}})
        return
    except ValueError as failure:
        yield Layer(str(seen), {FINDINGS: {name: f"{seen}: {failure}"}})
        return
    if more:
        yield Layer(str(seen), {"sources": {name: more}})


def found_file(path: Path) -> Path:
    """Where it is kept what was found of a source, beside its own file."""
    return path.parent / FOLDER / f"{name_of(path)}.toml"


def name_of(path: Path) -> str:
    """The name of the source that a file describes."""
    return path.stem.replace("-", "_")


def read_source(path: Path) -> Tree:
    """What a file says of its source. Raises :class:`Misconfigured`, for a secret in it as well."""
    return _toml_layer(path).values


def _storage_of(layers: Sequence[Layer]) -> Storage:
    """The data folder, wherever layers say that this is."""
    told = [value for layer in layers for key, value in _flatten(layer.values) if key == "storage.data_dir"]
    return Storage(data_dir=str(told[-1]))


def _tuned_layer(path: Path) -> Layer:
    """What `fedsearch tune` has written there; numbers of ranking and nothing else."""
    if not path.is_file():
        return Layer(str(path), {})
    numbers = read_toml(path).get("ranking", {}).get("numbers", {})
    return Layer(str(path), {"ranking": {"numbers": numbers}})


def parse_source(text: str, where: str) -> Tree:
    """The same of a text, which is said to stand ``where``."""
    try:
        return _without_secrets(tomllib.loads(text), where)
    except tomllib.TOMLDecodeError as failure:
        raise Misconfigured(Said("{path} is not valid TOML: {failure}").filled(path=where, failure=failure)) from None


def _toml_layer(path: Path) -> Layer:
    return Layer(str(path), _without_secrets(read_toml(path), str(path)))


def _without_secrets(values: Tree, where: str) -> Tree:
    """``values``. Raises :class:`Misconfigured` where one is a secret."""
    for key, _ in _flatten(values):
        if key.rsplit(".", 1)[-1] in SECRET_NAMES:
            raise Misconfigured(
                Said(
                    "{where}: {key} is a secret and does not belong in a settings file; put it in the environment ({prefix}…) or in a file of the secrets directory"
                ).filled(where=where, key=key, prefix=ENV_PREFIX)
            )
    return values


def read_toml(path: Path) -> Tree:
    """The tables of a file. Raises :class:`Misconfigured`."""
    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as failure:
        raise Misconfigured(Said("{path} is not valid TOML: {failure}").filled(path=path, failure=failure)) from None


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as failure:
        raise Misconfigured(
            Said("{path} is not UTF-8: {reason} at byte {start}").filled(
                path=path, reason=failure.reason, start=failure.start
            )
        ) from None
    except OSError as failure:
        raise Misconfigured(Said("{path} cannot be read: {why}").filled(path=path, why=failure.strerror)) from None


def _from_environment(environment: Mapping[str, str]) -> Tree:
    """``FEDSEARCH_SOURCES__SLACK__TOKEN=…`` becomes ``sources.slack.token``; of single-level names only the data folder is one."""
    pairs = [
        (name.removeprefix(ENV_PREFIX), value) for name, value in environment.items() if name.startswith(ENV_PREFIX)
    ]
    pairs += [("STORAGE__DATA_DIR", environment[DATA_VARIABLE])] if environment.get(DATA_VARIABLE) else []
    return nested((name.lower().split("__"), value) for name, value in pairs if "__" in name)


def _secrets(environment: Mapping[str, str]) -> Tree:
    """One file a secret, named like the variable without its prefix (``sources__slack__token``)."""
    folder = secrets_folder(environment)
    if not folder.is_dir():
        if environment.get(SECRETS_VARIABLE):
            raise Misconfigured(
                Said("{variable} names {folder}, which is not a folder").filled(
                    variable=SECRETS_VARIABLE, folder=folder
                )
            )
        return {}
    plain = (path for path in secret_files(folder) if path.suffix not in {MARK, SEALED})
    return nested((path.name.lower().split("__"), secret_in(path)) for path in plain)


@record
class UnreadSecret:
    """One that is not to be had, and ``why``."""

    why: str

    def read(self) -> str:
        """Raises :class:`Misconfigured`."""
        raise Misconfigured(self.why)


def secret_in(path: Path) -> str | UnreadSecret:
    """What a file holds as it is."""
    try:
        return _read(path).strip()
    except Misconfigured as failure:
        return UnreadSecret(failure.message)


def _sealed(environment: Mapping[str, str], key: SealingKey) -> Tree:
    """Sealed files of the same folder, as :class:`SealedSecret`: opened where nothing stronger says otherwise."""
    files = (path for path in secret_files(secrets_folder(environment)) if path.suffix == SEALED)
    return nested((path.stem.lower().split("__"), SealedSecret(path, key)) for path in files)


def _in_keyring(environment: Mapping[str, str]) -> Tree:
    """What files of the same folder say to be there, as :class:`KeyringSecret`: read where nothing stronger says otherwise."""
    marks = (path for path in secret_files(secrets_folder(environment)) if path.suffix == MARK)
    return nested((path.stem.lower().split("__"), KeyringSecret(path)) for path in marks)


def _read_secrets(tree: Any) -> None:
    """Put secrets in the place of what says where they are. Raises :class:`Misconfigured`."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if isinstance(value, KeyringSecret | SealedSecret | UnreadSecret):
            tree[key] = value.read()
        else:
            _read_secrets(value)


def secret_files(folder: Path) -> Iterator[Path]:
    """Each stands for one secret; nothing where there is no such folder."""
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if path.is_file() and "__" in path.name)


def nested(pairs: Iterable[tuple[Sequence[str], object]]) -> Tree:
    """Tables in tables, from values by the names that lead to each."""
    tree: Tree = {}
    for keys, value in pairs:
        branch: Tree = {keys[-1]: value}
        for key in reversed(keys[:-1]):
            branch = {key: branch}
        _merge(tree, branch)
    return tree


def _merge(into: Tree, values: Tree) -> None:
    """Tables are copied at every depth: a layer stays what it was, and can be left out of another merge."""
    for key, value in values.items():
        if isinstance(value, dict):
            if not isinstance(into.get(key), dict):
                into[key] = {}
            _merge(into[key], value)
        else:
            into[key] = value


def _no_tables(values: Tree, model: type[BaseModel]) -> Iterator[str]:
    """Keys that have a value where a table is due: it would be gone without a word once a stronger layer has that table."""
    for name, value in values.items():
        field = model.model_fields.get(name)
        if isinstance(value, dict):
            inner = _inside(model, name)
            yield from (f"{name}.{key}" for key in _no_tables(value, inner)) if inner else ()
        elif field is not None and _is_table(field.annotation):
            yield name


def _is_table(kind: Any) -> bool:
    plain = get_origin(kind) or kind
    return isinstance(plain, type) and issubclass(plain, BaseModel | dict)


def _flatten(values: Tree, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _explain(failure: ValidationError, layers: list[Layer]) -> Said:
    first = failure.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    origins = {setting.key: setting.origin for setting in effective(layers)}
    where = origins.get(key) or next((origin for name, origin in origins.items() if name.startswith(f"{key}.")), "")
    return wrong_setting(key, Settings, first, where)


def wrong_setting(key: str, model: type[BaseModel], error: Any, origin: str = "") -> Said:
    """What pydantic found wrong with a setting of ``model``."""
    match error["type"]:
        case "extra_forbidden":
            said = no_such_setting(model, error["loc"])
        case "dict_type" | "model_type":
            said = TABLE
        case "string_pattern_mismatch":
            said = PATTERN.filled(pattern=error["ctx"]["pattern"])
        case _:
            said = field_problem(error)
    return WRONG_FROM.filled(key=key, origin=origin, said=said) if origin else WRONG.filled(key=key, said=said)
