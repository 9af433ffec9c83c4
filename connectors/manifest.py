"""What a source says of itself in its ``manifest.toml``, and the settings every source shares."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    field_validator,
)

from connectors.text import absolute_url, plain_line
from translators import query
from translators.capabilities import Capabilities, Fidelity
from translators.query import Category, Kind, Phrase, Prefix, Sort, Term
from translators.said import UNSAID, Said, bring, of_data

# What people read: one text that a catalogue may have in other languages, or one for each language.
WrittenMessage = Annotated[Said, PlainValidator(of_data)]


class Rate(BaseModel):
    """At most ``rate`` requests in ``period`` seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rate: PositiveInt
    period: PositiveFloat


class Limits(Rate):
    """How the vendor wants to be treated: ``rate`` requests in ``period`` seconds, at most ``page`` hits a request.

    ``per_hit``: whether each of these costs something of its own (a request that reads it, or its body), so that no more are
    asked for than are needed. ``buckets``: rates of their own for requests that the vendor counts apart
    (``HttpRequest.bucket`` names theirs); ``searches`` and ``conversations``: those of them in which
    a search counts, and reading what stands around a hit. ``together``: whether the vendor counts the requests of all people's
    own accounts as one, as those of one application or of one site.
    """

    page: PositiveInt
    together: bool = False
    per_hit: bool = False
    concurrency: PositiveInt = 4
    buckets: dict[str, Rate] = {}
    searches: str = ""
    conversations: str = ""

    def hits(self, wanted: int) -> int:
        """How many to ask for at once where so many are wanted."""
        return max(1, min(wanted, self.page))

    def rated(self, rate: int) -> Limits:
        """The same at another rate, which binds in proportion what the vendor counts apart as well, down to one request."""
        share = rate / self.rate
        buckets = {
            name: each.model_copy(update={"rate": max(1, int(each.rate * share))})
            for name, each in self.buckets.items()
        }
        return self.model_copy(update={"rate": rate, "buckets": buckets})


AuthKind = Literal["none", "token", "basic", "oauth", "service_account"]


class SignIn(BaseModel):
    """How people let us act for them at a vendor: the authorization code grant (RFC 6749, 4.1) and this vendor's ways.

    ``scopes`` go out as ``scope_parameter``, joined by ``separator``; ``more`` are further parameters of the address
    that people are sent to. ``proves_by``: whether the application proves itself by a ``basic`` header or in the
    ``form`` of a request; ``speaks``: what the token endpoint reads. ``pkce``: whether the vendor documents RFC 7636.
    ``granted_in``: the member of the reply that holds what a person has granted, where it is not the reply itself.
    ``resource``: what tokens are to be good for, where the vendor wants that said (RFC 8707).
    ``withdraws``: how a grant is ended at ``revoke_url`` (``{client_id}`` stands for the application's): by posting the
    token as a form (``token``, RFC 7009) or as JSON (``json``), by a request signed with it (``bearer``), or GitHub's
    way (``delete``). ``docs``: where the vendor says all this.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    authorize_url: str
    token_url: str
    revoke_url: str = ""
    withdraws: Literal["token", "json", "bearer", "delete"] = "token"
    scopes: tuple[str, ...] = ()
    scope_parameter: str = "scope"
    separator: str = " "
    more: dict[str, str] = {}
    proves_by: Literal["basic", "form"] = "form"
    speaks: Literal["form", "json"] = "form"
    pkce: bool = True
    granted_in: str = ""
    resource: str = ""
    docs: str


class Auth(BaseModel):
    """How a source can be signed in to, and how a person gets what that takes.

    ``kinds``: ``token`` (one that was copied), ``basic`` (a name and a token), ``oauth`` (a refresh token, which buys
    access tokens at ``token_url``), ``service_account`` (a key file, with ``scopes``), ``none`` (open to everybody).
    ``sign_in``: how each person can connect their own account; ``described``: the server says that by itself (RFC 9728).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    secret: str = "token"  # noqa: S105 — the name of a setting
    help: WrittenMessage
    url: str = ""
    kinds: tuple[AuthKind, ...] = ("token",)
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    sign_in: SignIn | None = None
    described: bool = False


TextLeaf = Literal["term", "phrase", "prefix"]
TEXTS: dict[str, type[Term | Phrase | Prefix]] = {"term": Term, "phrase": Phrase, "prefix": Prefix}


class Powers(BaseModel):
    """What a source understands of its dialect; what is not said, it does not.

    How faithfully it checks words, and each field: see :class:`translators.capabilities.Fidelity`. ``without``: what
    can be left out. ``meaning``: it searches by meaning, and is given the question as a sentence. ``note`` explains an approximation to a person.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    term: Fidelity = Fidelity.NONE
    phrase: Fidelity = Fidelity.NONE
    prefix: Fidelity = Fidelity.NONE
    author: Fidelity = Fidelity.NONE
    assignee: Fidelity = Fidelity.NONE
    container: Fidelity = Fidelity.NONE
    kind: Fidelity = Fidelity.NONE
    state: Fidelity = Fidelity.NONE
    time: Fidelity = Fidelity.NONE
    created: Fidelity = Fidelity.NONE
    updated: Fidelity = Fidelity.NONE
    due: Fidelity = Fidelity.NONE
    id: Fidelity = Fidelity.NONE
    any_of: bool = False
    without: tuple[TextLeaf | query.Field, ...] = ()
    sorts: tuple[Sort, ...] = ()
    meaning: bool = False
    note: WrittenMessage = UNSAID

    @property
    def capabilities(self) -> Capabilities:
        """The same for planning and translating. A phrase is asked for by its words where words are all there is."""
        by_words = self.phrase is Fidelity.NONE and self.term is not Fidelity.NONE
        return Capabilities(
            term=self.term,
            phrase=Fidelity.WIDER if by_words else self.phrase,
            prefix=self.prefix,
            fields={name: fidelity for name in query.Field if (fidelity := getattr(self, name)) is not Fidelity.NONE},
            any_of=self.any_of,
            negates=frozenset(TEXTS[each] if each in TEXTS else query.Field(each) for each in self.without),
            sorts=frozenset({Sort.RELEVANCE, *self.sorts}),
            meaning=self.meaning,
            note=self.note,
        )


class Setup(BaseModel):
    """How a person sets a source up, question by question (``fedsearch init``).

    ``asks``: settings that it wants beside its secret, in the order in which they are asked for; ``optional``: those of
    them that may stay empty. ``scopes``: what the token must be allowed to do, in the words of the vendor's page. ``url``:
    that page, where a shorter one than that of ``auth`` leads to it. ``application_url``: where an application is registered, for
    sources that people sign in to by their browser instead of copying a token; ``loopback``: the name of this machine that the vendor sends them back to.
    ``account``: what the sources have in common that one sign-in serves.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    asks: tuple[str, ...] = ()
    optional: frozenset[str] = frozenset()
    scopes: tuple[str, ...] = ()
    url: str = ""
    application_url: str = ""
    loopback: Literal["127.0.0.1", "localhost"] = "127.0.0.1"
    account: str = ""


class Manifest(BaseModel):
    """A source's own description. ``can``: what it understands of its dialect, where that is not all of it.

    ``may_store``: whether its results may be kept in an index of ours; ``storing`` says why, or why not.
    ``public``: what is asked there is read by somebody outside, so nothing may be sent that only exists inside.
    ``by_asker``: it knows who asks, and shows each of them what they may see. ``setup``: how a person sets it up, where that is
    a matter of some questions.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    title: str
    category: Category
    dialect: str
    kinds: tuple[Kind, ...]
    default_url: str
    limits: Limits
    auth: Auth
    may_store: bool = False
    storing: str = ""
    public: bool = False
    by_asker: bool = False
    can: Powers | None = None
    setup: Setup | None = None
    docs: str = ""


def load_manifest(package: str) -> Manifest:
    """Read ``manifest.toml`` beside the source's ``__init__``; raises ``pydantic.ValidationError`` on a bad one.

    Messages of its own that lie there as well are known from now on (:func:`translators.said.bring`).
    """
    folder = resources.files(package)
    bring(folder)
    text = folder.joinpath("manifest.toml").read_text("utf-8")
    return Manifest.model_validate(tomllib.loads(text))


def _is_said(client_id: str) -> str:
    if not client_id.strip():
        raise ValueError(
            Said(
                "it is empty, and the vendor could not tell who asks; say what it calls the application that was registered there"
            )
        )
    return client_id


ClientId = Annotated[str, AfterValidator(_is_said)]


def by_commas(value: object) -> object:
    """A list as a variable of the environment says it, in one line; anything else as it is, for pydantic to judge."""
    return [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value


class OAuth(BaseModel):
    """A sign-in that renews itself (RFC 6749, 6): what the vendor gave when the application was registered and allowed.

    ``token_url``: the vendor's token endpoint, where it is other than the manifest says.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    client_id: ClientId
    client_secret: SecretStr | None = None
    refresh_token: SecretStr
    token_url: str = ""

    @field_validator("token_url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        return _bare_address(url, "token_url")


class Application(BaseModel):
    """Our registration with a vendor, by which people connect their own accounts.

    ``authorize_url``, ``token_url``, ``revoke_url``: where they are other than the manifest says (a server of one's
    own, a tenant). ``scopes``: in place of the manifest's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    client_id: ClientId
    client_secret: SecretStr | None = None
    authorize_url: str = ""
    token_url: str = ""
    revoke_url: str = ""
    scopes: tuple[str, ...] | None = None

    @field_validator("authorize_url", "token_url", "revoke_url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        return _bare_address(url, "the address")

    _lists = field_validator("scopes", mode="before")(by_commas)


class SourceSettings(BaseModel):
    """Settings of one configured source. A source adds its own in a subclass; unknown keys are refused.

    ``token``, or ``oauth``, or ``service_account`` (the text of its key file, acting for ``subject``): how it is
    signed in to. ``title``: what people call it, where it is one of several of its kind. ``priority``: how much its
    results count, 1 being neutral. ``rate``: requests in the vendor's period, where they should be other than the
    manifest says (see :meth:`Limits.rated`). ``credential``: whether everybody is answered with that one sign-in (``shared``), or each ``person``
    with their own, which they give through ``application``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    kind: str
    enabled: bool = True
    base_url: str = ""
    token: SecretStr | None = None
    oauth: OAuth | None = None
    service_account: SecretStr | None = None
    subject: str = ""
    title: Annotated[str, AfterValidator(plain_line)] = ""
    priority: float = Field(default=1.0, ge=0.0, le=10.0)
    rate: PositiveInt | None = None
    credential: Literal["shared", "person"] = "shared"
    application: Application | None = None

    @field_validator("base_url")
    @classmethod
    def _is_http(cls, url: str) -> str:
        return _bare_address(url, "base_url")

    @property
    def read_whole(self) -> Self:
        """The same for reading everything rather than answering a question; sources that cut corners say otherwise."""
        return self

    @property
    def served_by(self) -> str:
        """The kind of source that serves these settings, where one kind stands for several of a vendor's APIs."""
        return self.kind

    def described(self, manifest: Manifest) -> Manifest:
        """What a source of this manifest is when configured like this."""
        limits = manifest.limits if self.rate is None else manifest.limits.rated(self.rate)
        return manifest.model_copy(update={"title": self.title or manifest.title, "limits": limits})

    @property
    def by_meaning(self) -> bool:
        """Whether it may search by meaning, where it can."""
        return True

    @property
    def signed(self) -> bool:
        """Whether there is anything to sign in with."""
        return any(each is not None for each in (self.token, self.oauth, self.service_account))

    @field_validator("token")
    @classmethod
    def _is_header_safe(cls, token: SecretStr | None) -> SecretStr | None:
        """A token goes into a header: a line break or a blank in it is a copy-and-paste mistake (or worse)."""
        if token is None or not token.get_secret_value().strip():
            return None
        value = token.get_secret_value().strip()
        if not value.isascii() or not value.isprintable() or " " in value:
            raise ValueError(Said("the token holds blanks, line breaks or characters that no token has; copy it again"))
        return SecretStr(value)


def _bare_address(url: str, name: str) -> str:
    if not url:
        return url
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname or not absolute_url(url):
        raise ValueError(Said("{name} must be an address that begins with https:// or http://").filled(name=name))
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            Said("{name} must be a bare address: credentials belong in token, and ? or # nowhere").filled(name=name)
        )
    return url
