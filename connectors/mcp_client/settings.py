"""The declaration of an MCP server's search: how to reach it, which tool, what it is given and what it answers."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from connectors.json_api import template
from connectors.json_api.asking import Times, contradictions, powers_in
from connectors.json_api.settings import Declaration, HitSettings, ReplySettings, Template
from connectors.manifest import AuthKind, Manifest, Powers
from connectors.text import private_way
from translators.capabilities import Fidelity
from translators.query import Kind, Sort
from translators.said import Said

QUERY: dict[str, JsonValue] = {"query": "{text}"}
RESULTS = ReplySettings.model_construct(items="$.results", total="", error="")  # nothing to check, so nothing to import
RESULT = HitSettings(
    author="", author_id="", author_email="", container="", created="", updated="", kind="", score="", whole=False
)


class McpSettings(Declaration):
    """One tool of one MCP server, run as ``command`` (its arguments one by one) or reached at ``base_url``.

    ``env``: more of the environment that the command gets, which is otherwise the bare minimum; ``token_env``: the
    variable in which it gets the token. ``open``: whether a server at an address wants no token. ``issuer``: the authorization server
    at which people connect their accounts, where it is not on the internet or the server names several. ``arguments``: a
    template of what the tool is given. ``format``: what its text is, where it answers with text; ``auto`` is JSON, or
    else a Markdown list.
    """

    command: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    env: dict[str, str] = Field(default_factory=dict, repr=False)
    token_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    open: bool = False
    issuer: str = ""
    tool: Annotated[str, Field(min_length=1)] = "search"
    arguments: dict[str, Template] = QUERY
    sorts: dict[Sort, str] = Field(default_factory=dict)
    times: Times = "iso"
    first_page: Literal[0, 1] = 1
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1)] = (Kind.PAGE,)
    format: Literal["auto", "json", "markdown"] = "auto"
    listing: bool = False
    can: Powers = Powers(term=Fidelity.APPROXIMATE, note=Said("the tool searches in its own way"))
    reply: ReplySettings = RESULTS
    hit: HitSettings = RESULT

    @field_validator("reply", mode="before")
    @classmethod
    def _as_tools_answer(cls, value: object) -> object:
        """What a declaration does not say is as tools have it, not as the plain JSON API has it."""
        return {**RESULTS.model_dump(), **value} if isinstance(value, dict) else value

    @field_validator("hit", mode="before")
    @classmethod
    def _as_tools_describe(cls, value: object) -> object:
        return {**RESULT.model_dump(), **value} if isinstance(value, dict) else value

    @field_validator("issuer")
    @classmethod
    def _is_private(cls, value: str) -> str:
        if value and not private_way(value):
            raise ValueError(
                Said("issuer must be an address that begins with https:// (http:// is taken on this machine alone)")
            )
        return value

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if self.command and self.base_url:
            raise ValueError(Said("command: a server is either run or reached at base_url; remove one of them"))
        if self.token_env and not self.command:
            raise ValueError(Said("token_env: there is no command that would get the token"))
        if self.command and self.credential == "person":
            raise ValueError(Said("command: people connect accounts to a server at an address alone; set base_url"))
        for problem in contradictions(self, self.askable, self.reply.next, "arguments"):
            raise ValueError(problem)
        return self

    @property
    def placeholders(self) -> frozenset[str]:
        """What the arguments have a place for."""
        return frozenset(template.placeholders(self.arguments))

    @property
    def needs_token(self) -> bool:
        """Whether it cannot be asked without one."""
        return bool(self.token_env) if self.command else not self.open

    def described(self, manifest: Manifest) -> Manifest:
        """What this declaration makes of the source."""
        own = super().described(manifest)
        kinds: tuple[AuthKind, ...] = ("token", "oauth") if self.needs_token else ("none", "token", "oauth")
        auth = own.auth.model_copy(update={"kinds": kinds})
        return own.model_copy(update={"auth": auth, "can": powers_in(self.powers, self.times)})
