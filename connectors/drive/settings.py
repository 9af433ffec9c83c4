"""What can be set for a Google Drive source."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt

from connectors.manifest import SourceSettings


class DriveSettings(SourceSettings):
    """Settings of one account's Google Drive.

    ``corpora``: what is searched: everything that the account may see (``allDrives``), what is its own or was opened by
    it (``user``), or what is shared with its whole organisation (``domain``). ``texts``: of how many of the best hits
    the text is exported, where they are Google's own documents, slides or sheets; of the others only the description
    is known. ``max_text``: characters kept of one text. ``folders``: whether folders are found as well. ``trash``:
    whether files in the trash are. ``directory_pages``: how many pages of 1000 folders, and of 100 shared drives, are
    read for their names.
    """

    corpora: Literal["allDrives", "user", "domain"] = "allDrives"
    texts: int = Field(default=5, ge=0, le=20)
    max_text: PositiveInt = 20_000
    folders: bool = False
    trash: bool = False
    directory_pages: PositiveInt = 2
