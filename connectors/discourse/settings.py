"""What can be set for a forum."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PositiveInt, field_validator

from connectors.manifest import SourceSettings
from connectors.text import absolute_url
from translators.said import Said


class DiscourseSettings(SourceSettings):
    """Settings of one forum.

    ``username``: as whom the key acts; what they may read is searched. ``site``: where people open topics, if that is
    not ``base_url``. ``directory_pages``: how many pages of fifty people are read for their names at most.
    """

    username: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]*$")] = ""  # it goes into a header
    site: str = ""
    directory_pages: PositiveInt = 5

    @field_validator("site")
    @classmethod
    def _is_http(cls, url: str) -> str:
        if url and not absolute_url(url):
            raise ValueError(Said("site must be an address such as https://forum.example"))
        return url.rstrip("/")
