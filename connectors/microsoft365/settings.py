"""What can be set for Microsoft 365."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt

from connectors.manifest import SourceSettings

Searched = Literal["mail", "teams", "files", "lists", "sites"]


class Microsoft365Settings(SourceSettings):
    """Settings of one account.

    ``search``: what is searched; leave out what the token has no right to. ``region``: where the tenant's files lie
    (``NAM``, ``KOR``), which only a token of an application has to say. ``directory_pages``: how many pages of people,
    and of sites, are read at most. ``max_text``: characters kept of a mail or message that is read by its link.
    """

    search: tuple[Searched, ...] = Field(default=("mail", "teams", "files", "sites"), min_length=1)
    region: str = Field(default="", pattern=r"^([A-Z]{3})?$")
    directory_pages: PositiveInt = Field(default=10, le=100)
    max_text: PositiveInt = 20_000
