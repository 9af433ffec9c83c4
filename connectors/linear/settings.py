"""What can be set for a Linear source."""

from __future__ import annotations

from pydantic import PositiveInt  # noqa: TC002 — pydantic reads the annotations at run time

from connectors.manifest import SourceSettings


class LinearSettings(SourceSettings):
    """Settings of one Linear workspace.

    ``comments``: whether comments are searched as well; what matched may then stand in one that is not returned, so
    no hit counts as its whole text. ``archived``: whether archived issues are found. ``max_text``: characters kept of
    one description. ``directory_pages``: how many pages of 100 people, and of 100 teams, are read at most.
    """

    comments: bool = True
    archived: bool = False
    max_text: PositiveInt = 20_000
    directory_pages: PositiveInt = 5
