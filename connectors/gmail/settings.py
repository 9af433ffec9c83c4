"""What can be set for a Gmail source."""

from __future__ import annotations

from pydantic import Field, PositiveInt

from connectors.manifest import SourceSettings


class GmailSettings(SourceSettings):
    """Settings of one mailbox.

    ``mails_read``: of how many of the best mails the whole text is fetched; of the others only headers and Google's
    own snippet. ``max_text``: characters kept of one mail. ``spam_and_trash``: whether they are searched as well.
    """

    mails_read: int = Field(default=5, ge=0, le=50)
    max_text: PositiveInt = 20_000
    spam_and_trash: bool = False
