"""What can go wrong on the web, each with words for a person; none holds a secret."""

from __future__ import annotations

from enum import StrEnum

from orchestrator.model import BadAsk


class BadWebQuery(BadAsk):
    """A web search that cannot be asked as it was given; the message says what to change."""


class Refusal(StrEnum):
    """Why a page was not read."""

    ADDRESS = "address"  # no address, or one that must not be opened from here
    ROBOTS = "robots"  # the site does not want it
    TYPE = "type"  # neither HTML nor plain text
    SIZE = "size"  # larger than anybody would read
    REDIRECTS = "redirects"  # it sends us on and on
    STATUS = "status"  # the site answered with an error
    UNREACHABLE = "unreachable"  # no connection, or one that broke
    TIMEOUT = "timeout"  # too slow
    EMPTY = "empty"  # nothing to read in it


class PageUnread(Exception):
    """A page that was not read; ``refusal`` is stable, the message says why and what to do.

    ``gone``: its site says that there is no such page (any more).
    """

    def __init__(self, refusal: Refusal, message: str, *, gone: bool = False) -> None:
        super().__init__(message)
        self.refusal = refusal
        self.message = message
        self.gone = gone
