"""Settings of the chat bot."""

from __future__ import annotations

from typing import Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    field_validator,
)


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

    @field_validator("open", "teams", mode="before")
    @classmethod
    def _by_commas(cls, value: object) -> object:
        return [each.strip() for each in value.split(",") if each.strip()] if isinstance(value, str) else value
