"""Layered settings: defaults → site file → sources.d → secrets directory → environment → arguments.

Read once by the composition root. No other module looks at the environment.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    IPvAnyNetwork,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    ValidationError,
    field_validator,
)

from connectors.embedding import EmbedderSettings
from connectors.errors import Misconfigured
from connectors.reranking import RerankerSettings
from connectors.wording import WriterSettings
from orchestrator.packaged import config_dir
from orchestrator.settings_bot import Bot
from orchestrator.settings_digests import DigestSettings, Scheduled, SearchSettings, Smtp
from orchestrator.settings_identity import Accounts, Oidc, Proxy
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import tzinfo

ENV_PREFIX = "FEDSEARCH_"
SITE_FILE_VARIABLE = "FEDSEARCH_CONFIG"
SECRETS_VARIABLE = "FEDSEARCH_SECRETS_DIR"
DATA_VARIABLE = "FEDSEARCH_DATA_DIR"
SECRET_NAMES = frozenset(
    {
        "token",
        "app_token",
        "signing_secret",
        "secret",
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


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Search(_Section):
    """How a question is asked; times in seconds."""

    budget: PositiveFloat
    reserve: NonNegativeFloat
    minimum: PositiveFloat
    hits_per_source: PositiveInt = Field(le=100)
    limit: PositiveInt = Field(le=100)
    enough: PositiveInt
    max_variants: PositiveInt = Field(le=5)
    max_text: PositiveInt = Field(le=2000)
    ahead: NonNegativeInt = Field(le=5)
    hedge: bool


class Shared(_Section):
    """What several processes keep together: ``uri`` of a Redis or Valkey server, empty for a process that is alone."""

    uri: SecretStr


class Cache(_Section):
    """How long replies are remembered; seconds, 0 for not at all."""

    results: NonNegativeFloat


class Locale(_Section):
    """Where the asker is. ``zone``: an IANA name; empty for this machine's own."""

    zone: str

    @property
    def timezone(self) -> tzinfo | None:
        """The zone, ``None`` for this machine's own. Raises :class:`Misconfigured` where there is none of that name."""
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            return ZoneInfo(self.zone) if self.zone else None
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Misconfigured(
                f"setting locale.zone: there is no time zone {self.zone!r}; "
                "write one like Asia/Seoul, or nothing for this machine's"
            ) from None


class DirectoryCache(_Section):
    """How long names are kept, and how long a question waits for them; seconds."""

    ttl: PositiveFloat
    patience: NonNegativeFloat


class Log(_Section):
    """What is written to standard error."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"]


class Web(_Section):
    """The public web. ``ports`` and ``networks`` (CIDR) widen what pages may be read from; in the environment, by commas."""

    tiers: str
    seconds: PositiveFloat = Field(le=300)
    contact: str
    page_seconds: PositiveFloat = Field(le=60)
    page_size: PositiveInt = Field(le=32 << 20)
    remember: NonNegativeFloat
    ports: tuple[int, ...]
    networks: tuple[IPvAnyNetwork, ...]

    @field_validator("ports", "networks", mode="before")
    @classmethod
    def _by_commas(cls, value: object) -> object:
        return [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value


class Outside(_Section):
    """When the public web is asked beside the sources inside, and what is never said to it.

    ``types``: kinds of question for which it is asked unbidden; ``cues``: phrases that bid it (``$``: at the end only).
    ``words`` and ``hosts`` only exist inside, ``public`` words may be said anywhere; lists, or in the environment by
    commas. ``patience``: seconds that such a question waits for the names inside.
    """

    types: tuple[QueryType, ...]
    cues: tuple[str, ...]
    words: tuple[str, ...]
    hosts: tuple[str, ...]
    public: tuple[str, ...]
    patience: NonNegativeFloat

    @field_validator("types", "cues", "words", "hosts", "public", mode="before")
    @classmethod
    def _by_commas(cls, value: object) -> object:
        return [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value


class Storage(_Section):
    """Where fedsearch keeps what it must not forget; empty for the place that this system has for such things."""

    data_dir: str

    @property
    def path(self) -> Path:
        """The folder; it may not exist yet."""
        return Path(self.data_dir).expanduser() if self.data_dir else user_data_path("fedsearch")


class Index(_Section):
    """The local index: in ``database_url`` (a secret, since it holds a password), else embedded under the data folder.

    ``embedder`` reads meaning, ``reranker`` puts the best in order; each is off with ``model = "none"``. ``worker``:
    whether a server does the index's jobs as well; otherwise ``fedsearch index work`` does.
    """

    database_url: SecretStr
    worker: bool
    embedder: EmbedderSettings
    reranker: RerankerSettings


class Server(_Section):
    """The HTTP API: requests a key may make in any ``period`` seconds, bytes of a body, seconds of a question.

    ``audit``: file that every answered question is noted in, empty for none; ``audit_texts``: with its words.
    """

    rate: PositiveInt
    period: PositiveFloat
    body: PositiveInt
    budget: PositiveFloat = Field(le=600)
    audit: str
    audit_texts: bool


class Tracing(_Section):
    """Where spans are sent (OTLP over HTTP). ``endpoint``: a collector's address, empty for nowhere; ``token``: a bearer's.

    ``service``: what we are called there. ``share``: of the questions that are traced where their caller does not say.
    """

    endpoint: str = Field(pattern=r"^(https?://[^\s@]+)?$")
    service: str
    share: float = Field(ge=0, le=1)
    token: SecretStr | None = None


class RankingChoice(_Section):
    """How results are ordered; the numbers are in ``config/ranking.toml``.

    ``semantic``: ``off``, ``background`` (the model is loaded beside the second question of a process), ``wait`` (before
    the first).
    """

    profile: Literal["factors", "recency_boost"]
    semantic: Literal["off", "background", "wait"]
    reranker: RerankerSettings


class Settings(_Section):
    """Everything that can be set. ``sources`` is kept raw: each kind of source validates its own."""

    search: Search
    locale: Locale
    directory: DirectoryCache
    cache: Cache
    shared: Shared
    web: Web
    outside: Outside
    storage: Storage
    index: Index
    server: Server
    oidc: Oidc
    proxy: Proxy
    accounts: Accounts
    bot: Bot
    wording: WriterSettings
    ranking: RankingChoice
    log: Log
    tracing: Tracing
    scheduled: Scheduled
    smtp: Smtp
    digests: dict[str, DigestSettings] = Field(default_factory=dict, repr=False)
    searches: dict[str, SearchSettings] = Field(default_factory=dict, repr=False)
    sources: dict[str, dict[str, Any]] = Field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Layer:
    """One place settings come from; ``origin`` is what a person would look for."""

    origin: str
    values: Tree


@dataclass(frozen=True, slots=True)
class Setting:
    """One effective value and the layer it came from. Secrets are already masked."""

    key: str
    value: str
    origin: str


def load_settings(arguments: Tree | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Merge all layers and validate. Raises :class:`Misconfigured` with the key and where it was set."""
    return settings_from(read_layers(arguments, environment))


def settings_from(layers: list[Layer]) -> Settings:
    """Validate merged layers."""
    merged: Tree = {}
    for layer in layers:
        _merge(merged, layer.values)
    try:
        return Settings.model_validate(merged)
    except ValidationError as failure:
        raise Misconfigured(_explain(failure, layers)) from None


def read_layers(arguments: Tree | None = None, environment: Mapping[str, str] | None = None) -> list[Layer]:
    """Every layer that exists, weakest first. ``environment`` defaults to the process's own."""
    env = os.environ if environment is None else environment
    layers = [Layer("built-in defaults", _read_toml(config_dir() / "defaults.toml"))]
    site = site_file(env)
    if site.is_file():
        layers.append(_toml_layer(site))
    elif env.get(SITE_FILE_VARIABLE):
        raise Misconfigured(f"{SITE_FILE_VARIABLE} names {site}, which does not exist")
    for path in sorted((site.parent / "sources.d").glob("*.toml")):
        table = _toml_layer(path)
        layers.append(Layer(table.origin, {"sources": {path.stem.replace("-", "_"): table.values}}))
    layers.append(Layer("secrets directory", _secrets(env)))
    layers.append(Layer("environment", _from_environment(env)))
    layers.append(Layer("arguments", arguments or {}))
    return [layer for layer in layers if layer.values]


def effective(layers: list[Layer]) -> Iterator[Setting]:
    """Each effective value with its origin, sorted by key, secrets masked."""
    flat: dict[str, Setting] = {}
    for layer in layers:
        for key, value in _flatten(layer.values):
            secret = key.rsplit(".", 1)[-1] in SECRET_NAMES
            flat[key] = Setting(key, "•••" if secret else str(value), layer.origin)
    yield from (flat[key] for key in sorted(flat))


def site_file(environment: Mapping[str, str]) -> Path:
    """Where this installation's own settings live, whether or not the file exists."""
    named = environment.get(SITE_FILE_VARIABLE)
    return Path(named).expanduser() if named else user_config_path("fedsearch") / "fedsearch.toml"


# ---- layers


def _toml_layer(path: Path) -> Layer:
    values = _read_toml(path)
    for key, _ in _flatten(values):
        if key.rsplit(".", 1)[-1] in SECRET_NAMES:
            raise Misconfigured(
                f"{path}: {key} is a secret and does not belong in a settings file; "
                f"put it in the environment ({ENV_PREFIX}…) or in a file of the secrets directory"
            )
    return Layer(str(path), values)


def _read_toml(path: Path) -> Tree:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as failure:
        raise Misconfigured(f"{path} is not valid TOML: {failure}") from None
    except OSError as failure:
        raise Misconfigured(f"{path} cannot be read: {failure.strerror}") from None


def _from_environment(environment: Mapping[str, str]) -> Tree:
    """``FEDSEARCH_SOURCES__SLACK__TOKEN=…`` becomes ``sources.slack.token``; of single-level names only the data folder is one."""
    pairs = [
        (name.removeprefix(ENV_PREFIX), value) for name, value in environment.items() if name.startswith(ENV_PREFIX)
    ]
    pairs += [("STORAGE__DATA_DIR", environment[DATA_VARIABLE])] if environment.get(DATA_VARIABLE) else []
    return _nested((name.lower().split("__"), value) for name, value in pairs if "__" in name)


def _secrets(environment: Mapping[str, str]) -> Tree:
    """One file a secret, named like the variable without its prefix (``sources__slack__token``)."""
    named = environment.get(SECRETS_VARIABLE)
    folder = Path(named).expanduser() if named else user_config_path("fedsearch") / "secrets"
    if not folder.is_dir():
        if named:
            raise Misconfigured(f"{SECRETS_VARIABLE} names {folder}, which is not a folder")
        return {}
    files = (path for path in sorted(folder.iterdir()) if path.is_file() and "__" in path.name)
    return _nested((path.name.lower().split("__"), path.read_text("utf-8").strip()) for path in files)


def _nested(pairs: Iterator[tuple[list[str], str]]) -> Tree:
    tree: Tree = {}
    for keys, value in pairs:
        branch: Tree = {keys[-1]: value}
        for key in reversed(keys[:-1]):
            branch = {key: branch}
        _merge(tree, branch)
    return tree


def _merge(into: Tree, values: Tree) -> None:
    for key, value in values.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = {**value} if isinstance(value, dict) else value


def _flatten(values: Tree, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _explain(failure: ValidationError, layers: list[Layer]) -> str:
    first = failure.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    origins = {setting.key: setting.origin for setting in effective(layers)}
    where = origins.get(key) or next((origin for name, origin in origins.items() if name.startswith(f"{key}.")), "")
    said = "there is no such setting" if first["type"] == "extra_forbidden" else first["msg"]
    return f"setting {key}{f' (from {where})' if where else ''}: {said}"
