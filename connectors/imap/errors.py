"""What a mail server's refusals mean: response codes of RFC 5530, and the words of servers that use none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from connectors.imap.protocol import StatusResponse

SIGN_IN_AGAIN = frozenset({"AUTHENTICATIONFAILED", "EXPIRED"})
NO_RIGHT = frozenset({"AUTHORIZATIONFAILED", "NOPERM", "CONTACTADMIN", "ACL"})
TOO_OFTEN = frozenset({"LIMIT", "THROTTLED", "OVERQUOTA"})  # Gmail says OVERQUOTA of bandwidth
TRY_LATER = frozenset({"UNAVAILABLE", "INUSE", "SERVERBUG", "CORRUPTION"})
# Exchange Online and Gmail say it in words.
THROTTLING = re.compile(r"throttl|too many|bandwidth limit|rate limit", re.IGNORECASE)
BACKOFF = re.compile(r"backoff time: (\d{1,9}) milliseconds", re.IGNORECASE)
NOT_READY = re.compile(r"authenticated but not connected|temporar|try again|unavailable", re.IGNORECASE)
CHECK_AGAIN = Said("check username and token; where sign-in has two steps, the token is an app password")
GET_ANOTHER = Said("get a new access token, with the right to read mail by IMAP")


class CommandRefused(Exception):
    """A command that was answered with NO or BAD, or a connection that was ended with BYE."""

    def __init__(self, status: StatusResponse) -> None:
        super().__init__(status.state)
        self.status = status


class BrokenOff(Unavailable):
    """The connection ended without a word. ``rested``: it had been kept from an earlier question."""

    def __init__(self, message: str, *, rested: bool) -> None:
        super().__init__(message)
        self.rested = rested


def login_error(status: StatusResponse, *, by_token: bool = False) -> SourceError:
    """What a refused sign-in means: without a code, that name or password are wrong."""
    said, advice = _said(status), GET_ANOTHER if by_token else CHECK_AGAIN
    if status.code == "REFERRAL":
        return BadReply(
            Said("{said}: the mailbox is on another server, which is not followed; set its host").filled(said=said)
        )
    if status.code == "PRIVACYREQUIRED":
        return Misconfigured(
            Said("{said}: the server wants an encrypted connection; set security to tls or starttls").filled(said=said)
        )
    if (found := _by_code(status)) is not None:
        return found
    wrong = status.state == "NO" or status.code in SIGN_IN_AGAIN
    return Unauthenticated(advised(said, advice)) if wrong else error_of(status)


def error_of(status: StatusResponse, sent: str = "") -> SourceError:
    """What any other refusal means. ``sent``: the native query, where a query was refused."""
    if (found := _by_code(status)) is not None:
        return found
    if status.code in SIGN_IN_AGAIN:
        return Unauthenticated(Said("{what}; sign in again").filled(what=_said(status)))
    return Unavailable(_said(status)) if status.state == "BYE" else Rejected(_said(status), sent)


def _by_code(status: StatusResponse) -> SourceError | None:
    said, code = _said(status), status.code
    if code in TOO_OFTEN or THROTTLING.search(status.text):
        backoff = BACKOFF.search(status.text)
        return Throttled(said, int(backoff[1]) / 1000 if backoff else None)
    if code in NO_RIGHT:
        return Forbidden(advised(said, Said("ask the administrator of the mail server for read access")))
    return Unavailable(said) if code in TRY_LATER or NOT_READY.search(status.text) else None


def _said(status: StatusResponse) -> str:
    code = f" [{quote(status.code)}]" if status.code else ""
    return (
        Said("the mail server answered {state}{code} {said}")
        .filled(state=status.state, code=code, said=quote(status.text))
        .rstrip(" .")
    )
