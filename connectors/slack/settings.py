"""What can be set for a Slack source."""

from __future__ import annotations

from pydantic import Field, PositiveInt

from connectors.manifest import SourceSettings


class SlackSettings(SourceSettings):
    """Settings of one Slack workspace.

    ``team``: the workspace to search with an organisation-wide token (``T…``). ``directory_pages``: how many pages of
    200 people, and of 200 channels, are read at most. ``max_text``: characters kept of one message.
    """

    team: str = Field(default="", pattern=r"^(T[A-Z0-9]+)?$")
    directory_pages: PositiveInt = Field(default=10, le=100)
    max_text: PositiveInt = 20_000
