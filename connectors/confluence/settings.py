"""What can be set for a Confluence source."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PositiveInt

from connectors.atlassian import AtlassianSettings

SpaceKey = Annotated[str, Field(pattern=r"^~?[A-Za-z0-9._:-]{1,255}$")]


class ConfluenceSettings(AtlassianSettings):
    """Settings of one Confluence Cloud site.

    ``base_url``: the site's address, or Atlassian's gateway with the site's id. ``email``: whose API token it is;
    empty for OAuth access tokens. ``spaces``: keys of the only spaces that are searched, empty for all that the
    account may see. ``archived``: whether archived spaces are searched. ``pages_read``: of how many of the best pages
    the text is fetched, one request each. ``max_text``: characters kept of one page. ``directory_pages``: how many
    pages of 200 people, and of 250 spaces, are read at most.
    """

    spaces: tuple[SpaceKey, ...] = ()
    archived: bool = False
    pages_read: int = Field(default=5, ge=0, le=50)
    max_text: PositiveInt = 20_000
    directory_pages: PositiveInt = 10

    @property
    def root(self) -> str:
        """The address that paths beginning with ``/wiki`` follow: people copy it with and without ``/wiki``."""
        return self.base_url.rstrip("/").removesuffix("/wiki")
