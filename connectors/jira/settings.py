"""What can be set for a Jira source."""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

from pydantic import PositiveInt, field_validator, model_validator

from connectors.atlassian import AtlassianSettings
from connectors.text import absolute_url
from translators.said import Said

GATEWAY = "api.atlassian.com"


class JiraSettings(AtlassianSettings):
    """Settings of one Jira Cloud site.

    ``email``: whose API token it is; empty for OAuth access tokens. ``site``: where people open issues, needed where
    ``base_url`` is Atlassian's gateway. ``max_text``: characters kept of one description. ``directory_pages``: how
    many pages of 200 people, and of 100 projects, are read at most.
    """

    site: str = ""
    max_text: PositiveInt = 20_000
    directory_pages: PositiveInt = 10

    @field_validator("site")
    @classmethod
    def _site_is_http(cls, url: str) -> str:
        if url and not absolute_url(url):
            raise ValueError(Said("site must be an address such as https://your-domain.atlassian.net"))
        return url.rstrip("/")

    @model_validator(mode="after")
    def _issues_can_be_opened(self) -> Self:
        if urlsplit(self.base_url).hostname == GATEWAY and not self.site:
            raise ValueError(
                Said("set site to the address of your Jira as well: {gateway} is not where issues are opened").filled(
                    gateway=GATEWAY
                )
            )
        return self

    @property
    def address(self) -> str:
        """Where people open issues, without a slash at the end."""
        return self.site or self.base_url.rstrip("/")
