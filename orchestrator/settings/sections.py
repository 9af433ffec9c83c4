"""Everything that can be set, section by section; the defaults are in ``config/defaults.toml``."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from platformdirs import user_data_path
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
    SkipValidation,
    field_validator,
)

from connectors.errors import Misconfigured
from connectors.manifest import by_commas
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking import RerankerSettings
from connectors.models.writing import WriterSettings
from orchestrator.settings.digests import DigestSettings, Scheduled, SearchSettings, Smtp
from orchestrator.settings.identity import AccountsSettings, Oidc, Proxy
from translators.query import QueryType
from translators.said import Said

if TYPE_CHECKING:
    from datetime import tzinfo


class BotSettings(BaseModel):
    """The bot on Slack. ``transport``: Socket Mode, or requests that Slack sends. ``open``: sources, asked by one sign-in
    for everybody, that every full member of the workspace may read all of. ``people``: who somebody is to the sources,
    by their mail ``address`` or as Slack knows them (``slack:TEAM:USER``). ``every``: seconds between two edits of an
    answer. ``others``: members of a closed place up to whom each one's own rights are looked up; ``at_once``: questions
    that are worked on at the same time.

    ``token``: of the bot; ``app_token``: for Socket Mode; ``signing_secret``: for requests.

    ``client_id``: with it workspaces install the app by themselves, in the place of ``token``: those in ``teams`` alone.
    ``address``: how browsers reach this bot; ``client_secret``: of the app.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    base_url: str = Field(pattern=r"^https?://[^\s@]+/$")
    transport: Literal["socket", "http"]
    open: tuple[str, ...]
    people: Literal["address", "slack"]
    every: PositiveFloat = Field(ge=0.1, le=60)
    others: NonNegativeInt = Field(le=100)
    at_once: PositiveInt = Field(le=1000)
    client_id: str
    teams: tuple[str, ...]
    address: str = Field(pattern=r"^(https?://[^\s@/]+(/[^\s@]*)?)?$")
    token: SecretStr | None = None
    app_token: SecretStr | None = None
    signing_secret: SecretStr | None = None
    client_secret: SecretStr | None = None

    _lists = field_validator("open", "teams", mode="before")(by_commas)


SHORTEST_SECRET = 32  # characters


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class SearchingSettings(_Section):
    """How a question is asked; times in seconds. ``expected``: questions a minute that a server reckons with before any have come."""

    budget: PositiveFloat
    reserve: NonNegativeFloat
    minimum: PositiveFloat
    hits_per_source: PositiveInt = Field(le=100)
    hits_at_once: PositiveInt = Field(le=100)
    expected: NonNegativeFloat
    conversations: NonNegativeInt = Field(le=10)
    limit: PositiveInt = Field(le=100)
    enough: PositiveInt
    max_variants: PositiveInt = Field(le=5)
    max_text: PositiveInt = Field(le=2000)
    ahead: NonNegativeInt = Field(le=5)
    hedge: bool
    thesaurus: str
    glossary: str
    learn_names: bool


class ThinkingSettings(_Section):
    """Processes that understand, rank and answer for a server or the bot (0: it does so itself), and how long one may.

    ``seconds``: of processor time, for each of these steps of a question.
    """

    processes: NonNegativeInt = Field(le=64)
    seconds: PositiveFloat


class Shared(_Section):
    """What several processes keep together: ``uri`` of a Redis or Valkey server, empty for a process that is alone."""

    uri: SecretStr


class Cache(_Section):
    """How long replies are remembered, and hits to stand in where a source has no turn; seconds, 0 for not at all."""

    results: NonNegativeFloat
    standing_in: NonNegativeFloat


def now_in(zone: tzinfo | None) -> datetime:
    """The present moment there; with ``None``, where the machine is."""
    return datetime.now(zone).astimezone(zone)


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
                Said(
                    "setting locale.zone: there is no time zone {zone}; write one like Asia/Seoul, or nothing for this machine's"
                ).filled(zone=repr(self.zone))
            ) from None


class DirectoryCacheSettings(_Section):
    """How long names are kept, and how long a question waits for them; seconds."""

    ttl: PositiveFloat
    patience: NonNegativeFloat


class Log(_Section):
    """What is written to standard error: lines for people, or a JSON object each."""

    level: Literal["DEBUG", "INFO", "WARNING", "ERROR"]
    format: Literal["text", "json"]


class PublicWebSettings(_Section):
    """The public web. ``ports`` and ``networks`` (CIDR) widen what pages may be read from; in the environment, by commas."""

    tiers: str
    seconds: PositiveFloat = Field(le=300)
    contact: str
    page_seconds: PositiveFloat = Field(le=60)
    page_size: PositiveInt = Field(le=32 << 20)
    remember: NonNegativeFloat
    ports: tuple[int, ...]
    networks: tuple[IPvAnyNetwork, ...]

    _lists = field_validator("ports", "networks", mode="before")(by_commas)


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

    _lists = field_validator("types", "cues", "words", "hosts", "public", mode="before")(by_commas)


class Storage(_Section):
    """Where fedsearch keeps what it must not forget; empty for the place that this system has for such things."""

    data_dir: str

    @property
    def path(self) -> Path:
        """The folder; it may not exist yet."""
        return Path(self.data_dir).expanduser() if self.data_dir else user_data_path("fedsearch")

    @property
    def tuned(self) -> Path:
        """The numbers of ranking that were learnt here, a layer of settings; it may not exist."""
        return self.path / "tuned.toml"


class Index(_Section):
    """The local index: in ``database_url`` (a secret, since it holds a password), else embedded under the data folder.

    ``ask``: whether it is a source without being named among them, as soon as something is in it.

    ``embedder`` reads meaning, ``reranker`` puts the best in order; each is off with ``model = "none"``. ``worker``:
    whether a server does the index's jobs as well; otherwise ``fedsearch index work`` does.
    """

    database_url: SecretStr
    ask: bool
    worker: bool
    embedder: EmbedderSettings
    reranker: RerankerSettings


class LearningSettings(_Section):
    """What people do with results, for `fedsearch tune`. ``keep``: days that it is kept, in numbers and digests; 0: none of it is."""

    keep: NonNegativeInt = Field(le=366)


class Server(_Section):
    """The HTTP API: requests a key may make in any ``period`` seconds, bytes of a body, seconds of a question.

    ``audit``: file that every answered question is noted in, empty for none; ``audit_texts``: with its words.
    ``usage``: days that figures of use are kept, in numbers; 0: none are.
    ``leaving``: seconds for which a server that is told to end says so and answers all the same.
    ``page_secret`` signs the search page's cookies where several servers answer at one address; one alone makes its own.
    """

    rate: PositiveInt
    period: PositiveFloat
    body: PositiveInt
    budget: PositiveFloat = Field(le=600)
    audit: str
    audit_texts: bool
    usage: NonNegativeInt = Field(le=366)
    leaving: NonNegativeFloat = Field(le=60)
    page_secret: SecretStr | None = None

    @property
    def audit_file(self) -> Path | None:
        """The audit log, where one is kept; it may not exist yet."""
        return Path(self.audit).expanduser() if self.audit else None

    @field_validator("page_secret")
    @classmethod
    def _cannot_be_guessed(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None and len(secret) < SHORTEST_SECRET:
            raise ValueError(
                Said("write {least} characters or more, such as `openssl rand -base64 32` makes").filled(
                    least=SHORTEST_SECRET
                )
            )
        return secret


class Tracing(_Section):
    """Where spans are sent (OTLP over HTTP). ``endpoint``: a collector's address, empty for nowhere; ``token``: a bearer's.

    ``service``: what we are called there. ``share``: of the questions that are traced where their caller does not say.
    """

    endpoint: str = Field(pattern=r"^(https?://[^\s@]+)?$")
    service: str
    share: float = Field(ge=0, le=1)
    token: SecretStr | None = None


class RankingChoice(_Section):
    """How results are ordered; the numbers are in ``config/ranking.toml``, and ``numbers`` holds a site's own in the same tables.

    ``semantic``: ``off``, ``background`` (the model is loaded beside the second question of a process), ``wait`` (before
    the first).
    """

    profile: Literal["factors", "formula", "recency_boost"]
    semantic: Literal["off", "background", "wait"]
    numbers: dict[str, Any] = {}
    reranker: RerankerSettings


class Settings(_Section):
    """Everything that can be set. ``sources`` is kept raw: each kind of source validates its own.

    ``source_files``: the sources that files of ``sources.d`` describe, and those a secret of which cannot be read; each with what is wrong, if anything is.
    ``unread_findings``: what is wrong with what was found of a source by asking it, which then does not count. Both are as they were
    said, in every language: validated they would be plain text.

    >>> from orchestrator.settings import load_settings
    >>> settings = load_settings({"search": {"budget": 5.0}, "sources": {"wiki": {"kind": "notion"}}}, {})
    >>> settings.search.budget, settings.sources["wiki"]["kind"], list(settings.alone("mail").sources)
    (5.0, 'notion', [])
    """

    search: SearchingSettings
    thinking: ThinkingSettings
    locale: Locale
    directory: DirectoryCacheSettings
    cache: Cache
    shared: Shared
    web: PublicWebSettings
    outside: Outside
    storage: Storage
    index: Index
    server: Server
    oidc: Oidc
    proxy: Proxy
    accounts: AccountsSettings
    bot: BotSettings
    wording: WriterSettings
    ranking: RankingChoice
    learning: LearningSettings
    log: Log
    tracing: Tracing
    scheduled: Scheduled
    smtp: Smtp
    digests: dict[str, DigestSettings] = Field(default_factory=dict, repr=False)
    searches: dict[str, SearchSettings] = Field(default_factory=dict, repr=False)
    sources: dict[str, dict[str, Any]] = Field(default_factory=dict, repr=False)
    source_files: dict[str, SkipValidation[str]] = Field(default_factory=dict, repr=False)
    unread_findings: dict[str, SkipValidation[str]] = Field(default_factory=dict, repr=False)

    @property
    def changes_file(self) -> Path:
        """Where it is written down what is done to this installation: the audit log, and beside the data where none is kept."""
        return self.server.audit_file or self.storage.path / "changes.jsonl"

    def alone(self, *names: str) -> Settings:
        """The same for these sources and no other."""
        index = self.index.model_copy(update={"ask": False})
        sources = {name: raw for name, raw in self.sources.items() if name in names}
        return self.model_copy(update={"sources": sources, "source_files": {}, "index": index})

    def pretending(self, sources: dict[str, dict[str, Any]], **changes: Any) -> Settings:
        """The same over pretend ``sources``, of which nothing that they say is learnt."""
        search = self.search.model_copy(update={"learn_names": False})
        index = self.index.model_copy(update={"ask": False})
        told = {"search": search, "index": index, "sources": sources, "source_files": {}}
        return self.model_copy(update={**told, **changes})
