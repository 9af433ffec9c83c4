"""The declaration of a search with a JSON API: its request, its reply, and what its search box understands."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PositiveFloat,
    PositiveInt,
    field_validator,
    model_validator,
)

from connectors.json_api import template
from connectors.json_api.asking import Times, contradictions, contradictions_of_paging, powers_in
from connectors.json_api.paths import OrderPath, Path, PathOrText
from connectors.manifest import AuthKind, Manifest, Powers, SourceSettings
from translators.capabilities import Fidelity
from translators.query import Category, Kind, Sort, State
from translators.said import Said


def _checked(value: JsonValue) -> JsonValue:
    template.check(value)
    return value


def _fixed(path: str) -> str:
    if set(path) & set("{}?#") or ".." in path or "://" in path:
        raise ValueError(Said("is to be a plain path below base_url; what varies belongs in params or body"))
    return path


def _plain(params: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for name, value in params.items():
        if not isinstance(value, str | int | float):
            raise ValueError(Said("{name} is to be a text or a number").filled(name=name))  # noqa: TRY004 — pydantic collects ValueErrors
    return params


def _placeholders(*templates: object) -> frozenset[str]:
    return frozenset(name for each in templates for name in template.placeholders(each))


Template = Annotated[JsonValue, AfterValidator(_checked)]
FoundPower = Literal["author", "assignee", "container", "time", "created", "updated"]
PLAIN_PARAMS: dict[str, JsonValue] = {
    "q": "{text}",
    "limit": "{limit}",
    "offset": "{offset}",
    "since": "{since}",
    "until": "{until}",
    "author": "{author}",
    "in": "{container}",
    "sort": "{sort}",
}
PLAIN_POWERS = Powers(
    term=Fidelity.EXACT,
    phrase=Fidelity.EXACT,
    prefix=Fidelity.EXACT,
    author=Fidelity.EXACT,
    container=Fidelity.EXACT,
    time=Fidelity.EXACT,
    without=("term", "phrase", "prefix"),
    sorts=(Sort.NEWEST, Sort.OLDEST),
)
KINDS_OF_AUTH: dict[str, tuple[AuthKind, ...]] = {
    "none": ("none",),
    "bearer": ("token", "oauth"),
    "basic": ("basic",),
    "header": ("token",),
}


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class AuthSettings(_Section):
    """How the token is sent: ``bearer``, ``basic`` (after ``username``), ``header``, or ``none`` is needed.

    ``name``: the header; ``scheme``: a word before the token in it.
    """

    kind: Literal["none", "bearer", "basic", "header"] = "bearer"
    username: str = ""
    name: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9-]*$")] = "X-Api-Key"
    scheme: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]*$")] = ""
    help: str = ""

    @model_validator(mode="after")
    def _has_a_name(self) -> Self:
        if self.kind == "basic" and (not self.username or ":" in self.username):
            raise ValueError(Said("basic needs a username, without a colon in it"))
        return self


class RequestSettings(_Section):
    """One search. ``params`` and ``body`` are templates; ``path`` is below ``base_url`` and has no placeholders.

    ``times``: how instants are written. ``first_page``: what the first is called where pages are counted.
    """

    method: Literal["GET", "POST"] = "GET"
    path: Annotated[str, AfterValidator(_fixed)] = "search"
    params: Annotated[dict[str, Template], AfterValidator(_plain)] = PLAIN_PARAMS
    body: Template = None
    sorts: dict[Sort, str] = {}
    times: Times = "iso"
    first_page: Literal[0, 1] = 1

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """What the request has a place for."""
        return _placeholders(self.params, self.body)


class ReplySettings(_Section):
    """Where things are in a reply, by JSONPath; an empty path is nowhere.

    ``items``: the list of results; ``omits_empty``: it may be left out where there are none, though no ``total`` says 0. ``next``: the cursor of the next page. ``order``: a number
    in each result by which they are put in order, the smallest first (behind ``-``: the largest), where the list itself is in none. ``partial``: something that is there, and not
    empty, false or 0, where the answer is not complete. ``error``: what an error says.
    """

    items: Path = "$.items"
    omits_empty: bool = False
    total: Path = "$.total"
    next: Path = ""
    order: OrderPath = ""
    partial: Path = ""
    error: Path = "$.error.message"

    @field_validator("items")
    @classmethod
    def _is_said(cls, path: str) -> str:
        if not path:
            raise ValueError(Said("say where the list of results is"))
        return path


class HitSettings(_Section):
    """Where things are in one result, by JSONPath, or, of an address, a name or an id, as a text with paths in it: ``https://wiki.example/{$.id}``. Values that ``kinds`` and ``states`` do not list say nothing.

    ``markup``: how texts are written. ``dates``: how dates are. ``whole``: the text is all that is searched, so that a
    word that is not in it is absent.
    """

    id: PathOrText = "$.id"
    title: PathOrText = "$.title"
    text: Path = "$.text"
    url: PathOrText = "$.url"
    kind: Path = "$.kind"
    author: PathOrText = "$.author.name"
    author_id: PathOrText = "$.author.id"
    author_email: PathOrText = "$.author.email"
    assignee: PathOrText = ""
    assignee_id: PathOrText = ""
    container: PathOrText = "$.container"
    container_id: PathOrText = ""
    state: Path = ""
    created: Path = "$.created"
    updated: Path = "$.updated"
    score: Path = "$.score"
    facts: dict[str, Path] = {}
    kinds: dict[str, Kind] = {kind.value: kind for kind in Kind}
    states: dict[str, State] = {}
    markup: Literal["none", "html", "markdown", "wikitext"] = "none"
    dates: Literal["iso", "seconds", "milliseconds"] = "iso"
    whole: bool = True


class Declaration(SourceSettings):
    """What every declared source says of itself.

    ``category``, ``kinds``: what it is and holds, the first being what a result is that does not say. ``period``:
    seconds in which ``rate`` requests may be sent. ``page``: results a request, at most. ``probe``: a word to try it
    with. ``listing``: whether it answers without a word. ``max_text``: characters kept of one result. ``found``: what it was seen
    to filter by, and how faithfully, in place of what ``can`` says of that.
    """

    category: Category = Category.INDEX
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)] = (Kind.WEB_PAGE,)
    period: PositiveFloat = 60.0
    page: PositiveInt = 20
    probe: Annotated[str, Field(min_length=1)] = "test"
    listing: bool = True
    max_text: PositiveInt = 20_000
    can: Powers = PLAIN_POWERS
    found: dict[FoundPower, Fidelity] = Field(default_factory=dict)
    reply: ReplySettings = ReplySettings()
    hit: HitSettings = HitSettings()

    def described(self, manifest: Manifest) -> Manifest:
        """What this declaration makes of the source."""
        own = super().described(manifest)
        limits = own.limits.model_copy(update={"period": self.period, "page": self.page})
        return own.model_copy(
            update={"category": self.category, "kinds": self.kinds, "limits": limits, "can": self.powers}
        )

    @property
    def powers(self) -> Powers:
        """What it understands, as far as is known."""
        return self.can.model_copy(update={str(name): each for name, each in self.found.items()})

    @property
    def askable(self) -> Powers:
        """What a request needs a place for: what it is said to understand, and what was found besides."""
        more = {str(name): each for name, each in self.found.items() if getattr(self.can, name) is Fidelity.NONE}
        return self.can.model_copy(update=more)


class SeenFilters(_Section):
    """What asking a source adds to its declaration: ``found`` of that, and, for an MCP server's tool, what it is given besides and in which form times are."""

    found: dict[FoundPower, Fidelity] = Field(default_factory=dict)
    arguments: dict[str, Template] = Field(default_factory=dict)
    times: Times = "iso"


class ListSettings(_Section):
    """A request that lists people or places, so that a name in a question becomes an id of the source's own.

    ``params`` and ``body`` are templates with places for a page and its size alone; ``pages``: how many are read at most. ``also``: further names of the same,
    such as a handle.
    """

    method: Literal["GET", "POST"] = "GET"
    path: Annotated[str, AfterValidator(_fixed)]
    params: Annotated[dict[str, Template], AfterValidator(_plain)] = {}
    body: Template = None
    first_page: Literal[0, 1] = 1
    page: PositiveInt = 100
    pages: PositiveInt = 10
    items: Path = "$"
    next: Path = ""
    id: PathOrText = "$.id"
    name: PathOrText = "$.name"
    also: tuple[PathOrText, ...] = ()
    email: PathOrText = ""
    sorts: ClassVar[dict[Sort, str]] = {}
    times: ClassVar[Times] = "iso"

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """What the request has a place for."""
        return _placeholders(self.params, self.body)

    @model_validator(mode="after")
    def _asks_for_a_list(self) -> Self:
        if more := sorted(self.placeholders - {"limit", *template.PAGING}):
            raise ValueError(
                Said("{{{more}}}: a list is asked for whole; what varies is its page and its size alone").filled(
                    more=more[0]
                )
            )
        for problem in contradictions_of_paging(self, self.next, "it"):
            raise ValueError(problem)
        return self


class AccountSettings(_Section):
    """A request that tells whose the token is, and what they are called: where anybody may search, a wrong one is told from a right one by nothing else."""

    method: Literal["GET", "POST"] = "GET"
    path: Annotated[str, AfterValidator(_fixed)]
    name: PathOrText


class JsonApiSettings(Declaration):
    """A search with a JSON API. Without a declaration it is taken to speak the plain one that the README describes.

    ``advice``: what to do about an HTTP status of its own. ``people``, ``places``: where those are listed whom its filters know by id.
    ``account``: where it tells whose the token is.
    """

    advice: dict[Annotated[str, Field(pattern=r"^[345]\d\d$")], str] = Field(default_factory=dict)
    auth: AuthSettings = AuthSettings()
    request: RequestSettings = RequestSettings()
    people: ListSettings | None = None
    places: ListSettings | None = None
    account: AccountSettings | None = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.auth.kind == "none" and self.signed:
            raise ValueError(
                Said("auth.kind: there is a token, which none says is not needed; say bearer, basic or header")
            )
        for problem in contradictions(self.request, self.askable, self.reply.next, "request"):
            raise ValueError(problem)
        return self

    def described(self, manifest: Manifest) -> Manifest:
        """What this declaration makes of the source."""
        own = super().described(manifest)
        auth = {"kinds": KINDS_OF_AUTH[self.auth.kind], "help": self.auth.help or own.auth.help}
        can = powers_in(self.powers, self.request.times)
        return own.model_copy(update={"auth": own.auth.model_copy(update=auth), "can": can})
