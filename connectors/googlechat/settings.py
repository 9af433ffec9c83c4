"""What can be set for a Google Chat source."""

from __future__ import annotations

from pydantic import PositiveInt  # noqa: TC002 — pydantic reads the annotations at run time

from connectors.manifest import SourceSettings


class GoogleChatSettings(SourceSettings):
    """Settings of one account's Google Chat.

    ``relevance``: whether Google orders by relevance what is not asked for in another order, which takes a project in
    its Developer Preview; else the latest comes first. ``max_text``: characters kept of one message.
    ``directory_pages``: how many pages of 1000 spaces are read for their names.
    """

    relevance: bool = False
    max_text: PositiveInt = 20_000
    directory_pages: PositiveInt = 2
