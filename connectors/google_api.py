"""What is said of one of Google's APIs, and of a request to it, without loading Google's client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from connectors.exchange import HttpRequest


@record
class GoogleApi:
    """One of Google's APIs, by the name and version of its discovery document; ``title`` is what people call it.

    ``batch``: how many requests may go out as one; Google allows 100, and says that more than 50 are likely throttled.
    """

    name: str
    version: str
    title: str
    batch: int = 50


def accepts_text(request: HttpRequest) -> bool:
    """Whether a request is for the content of a file and not for JSON."""
    return request.headers.get("Accept", "").startswith("text/")
