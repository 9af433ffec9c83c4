"""Settings of digests and saved searches: for whom, of what, when, and where they go."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    SecretStr,
    field_validator,
)

from connectors.manifest import by_commas
from translators.said import LanguageCode, Said

LISTS = ("aliases", "sources", "places", "deliver", "allowed")


FORMS = {".md": "markdown", ".html": "html", ".txt": "plain", ".json": "json"}
"""In which form a file is written, by how it ends."""

FORM = Said("a file ends with {forms}, which says in which form it is written")


def _address(text: str) -> str:
    """Where a digest goes; the scheme says how."""
    scheme, colon, rest = text.partition(":")
    if scheme not in {"file", "mailto", "http", "https", "slack"} or not colon or not rest.strip("/ "):
        raise ValueError(Said("write file:PATH, mailto:ADDRESS, https://HOST/PATH or slack:CHANNEL"))
    if scheme == "file" and PurePath(rest).suffix not in FORMS:
        raise ValueError(FORM.filled(forms=", ".join(FORMS)))
    return text


Address = Annotated[str, AfterValidator(_address)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    _lists = field_validator(*LISTS, mode="before", check_fields=False)(by_commas)


class DefinitionSettings(_Section):
    """What digests and saved searches have in common.

    ``person``: the principal whose rights it is read with; ``name``, ``email`` and ``aliases``: what that person is
    called in the sources. ``schedule``: a cron line in the time ``zone`` (empty: ``locale.zone``); without one it runs
    by hand only. ``misfire``: what becomes of a run that is more than ``grace`` seconds late: done once, or left out.
    ``deliver``: where to. ``secret`` signs what goes to webhooks. ``paused``: its schedule rests.
    """

    title: str = ""
    person: str = Field(default="local", min_length=1)
    name: str = ""
    email: str = ""
    aliases: tuple[str, ...] = ()
    language: LanguageCode = "en"
    zone: str = ""
    schedule: str = ""
    misfire: Literal["once", "skip"] = "once"
    grace: NonNegativeFloat = 3600.0
    sources: tuple[str, ...] = ()
    deliver: tuple[Address, ...] = ()
    secret: SecretStr | None = None
    paused: bool = False

    @property
    def runs_by_itself(self) -> bool:
        """Whether it is to be run on its schedule."""
        return bool(self.schedule) and not self.paused


class DigestSettings(DefinitionSettings):
    """One digest. ``period``: daily ones are complete, weekly ones show what matters. ``about``: words that it is limited to.

    ``places``: channels, projects, spaces that it is limited to. ``mine``: only what names or concerns the person.
    ``quiet``: nothing is sent where nothing is new. ``ahead``: days within which a due date is told.
    """

    period: Literal["daily", "weekly"] = "daily"
    about: str = ""
    places: tuple[str, ...] = ()
    mine: bool = False
    quiet: bool = False
    ahead: PositiveInt = 7


class SearchSettings(DefinitionSettings):
    """A saved search: ``question`` is asked on schedule, and who reads it hears when the answer has changed."""

    question: str = Field(min_length=1)


class Scheduled(_Section):
    """How digests are made. Seconds, but ``hits``, ``attempts``, ``keep`` and ``own``.

    ``settle``: how old a moment must be to be told of, since sources list new things late; ``overlap``: read again
    before that, for what came later still. ``budget``: for all sources of one digest. ``hits``: of one source at once.
    ``attempts``: at a delivery before it is given up; ``again``: before the second, each further one after twice that.
    ``keep``: days that what was sent is remembered. ``worker``: whether a server runs the schedules as well; otherwise
    ``fedsearch digest schedule`` does.

    ``own``: how many digests and saved searches a person may define, ``apart``: how far apart the runs of such a one
    are at least, ``allowed``: where it may be delivered beside the person's own mail: an address, or for webhooks what
    addresses begin with, up to a slash.
    """

    settle: NonNegativeFloat
    overlap: NonNegativeFloat
    budget: PositiveFloat
    hits: PositiveInt = Field(le=500)
    attempts: PositiveInt = Field(le=20)
    again: PositiveFloat
    keep: PositiveInt
    worker: bool
    own: NonNegativeInt
    apart: NonNegativeFloat
    allowed: tuple[Address, ...]


class Smtp(_Section):
    """The mail server that digests leave by. ``security``: from the first byte (``tls``), after asking (``starttls``), ``none``."""

    host: str
    port: PositiveInt = Field(le=65535)
    security: Literal["tls", "starttls", "none"]
    user: str
    password: SecretStr | None = None
    sender: str
    timeout: PositiveFloat
