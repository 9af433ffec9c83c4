"""What can be set for an Asana source."""

from __future__ import annotations

import re

from pydantic import Field, PositiveInt, field_validator

from connectors.manifest import SourceSettings
from translators.said import Said

GID = re.compile(r"[0-9]{1,20}", re.ASCII)


class AsanaSettings(SourceSettings):
    """Settings of one Asana workspace.

    ``workspace``: its number; may be left out where the token's owner belongs to one only. ``max_text``: characters
    kept of one description and its comments. ``comments_read``: of how many of the best tasks the comments are read, a request each. ``directory_pages``: how many pages of 100 people are read at most.
    """

    workspace: str = ""
    max_text: PositiveInt = 20_000
    comments_read: int = Field(default=5, ge=0, le=50)
    directory_pages: PositiveInt = 10

    @field_validator("workspace")
    @classmethod
    def _is_a_number(cls, workspace: str) -> str:
        if workspace and not GID.fullmatch(workspace):
            raise ValueError(Said('workspace must be the number of a workspace in quotes, such as "1200000000000001"'))
        return workspace
