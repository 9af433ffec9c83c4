"""What can be set for a Notion source."""

from __future__ import annotations

from typing import Self

from pydantic import Field, PositiveInt

from connectors.manifest import SourceSettings


class NotionSettings(SourceSettings):
    """Settings of one Notion workspace.

    ``pages_read``: of how many of the best pages the text is fetched, one request each. ``max_text``: characters kept
    of one page. ``version``: the Notion-Version that is asked for; the endpoint for a page's text as Markdown exists
    since 2026-03-11, with an earlier one the first 100 blocks are read. ``directory_pages``: how many pages of 100
    people are read at most. ``mirrored``: of how many pages, the last changed first, a process that stays keeps the texts in memory, so that
    words are found that no title has; read in turns that no question needs. 0: of none.
    """

    pages_read: int = Field(default=6, ge=0, le=100)
    max_text: PositiveInt = 20_000
    version: str = Field(default="2026-03-11", pattern=r"^20\d\d-\d\d-\d\d$")
    directory_pages: PositiveInt = Field(default=10, le=100)
    mirrored: int = Field(default=1000, ge=0, le=10_000)

    @property
    def read_whole(self) -> Self:
        """The text of every page, not only of the best."""
        return self.model_copy(update={"pages_read": 100})
