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
)
from connectors.text import quote

if TYPE_CHECKING:
    from connectors.imap.protocol import Status

SIGN_IN_AGAIN = frozenset({"AUTHENTICATIONFAILED", "EXPIRED"})
NO_RIGHT = frozenset({"AUTHORIZATIONFAILED", "NOPERM", "CONTACTADMIN", "ACL"})
TOO_OFTEN = frozenset({"LIMIT", "THROTTLED", "OVERQUOTA"})  # Gmail says OVERQUOTA of bandwidth
TRY_LATER = frozenset({"UNAVAILABLE", "INUSE", "SERVERBUG", "CORRUPTION"})
# Exchange Online and Gmail say it in words.
THROTTLING = re.compile(r"throttl|too many|bandwidth limit|rate limit", re.IGNORECASE)
BACKOFF = re.compile(r"backoff time: (\d{1,9}) milliseconds", re.IGNORECASE)
NOT_READY = re.compile(r"authenticated but not connected|temporar|try again|unavailable", re.IGNORECASE)
CHECK_AGAIN = "check username and token; where sign-in has two steps, the token is an app password"
GET_ANOTHER = "get a new access token, with the right to read mail by IMAP"


class Refused(Exception):
    """A command that was answered with NO or BAD, or a connection that was ended with BYE."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.state)
        self.status = status


class BrokenOff(Unavailable):
    """The connection ended without a word. ``rested``: it had been kept from an earlier question."""

    def __init__(self, message: str, *, rested: bool) -> None:
        super().__init__(message)
        self.rested = rested


def login_error(status: Status, *, by_token: bool = False) -> SourceError:
    """What a refused sign-in means: without a code, that name or password are wrong."""
    said, advice = _said(status), GET_ANOTHER if by_token else CHECK_AGAIN
    if status.code == "REFERRAL":
        return BadReply(f"{said}: the mailbox is on another server, which is not followed; set its host")
    if status.code == "PRIVACYREQUIRED":
        return Misconfigured(f"{said}: the server wants an encrypted connection; set security to tls or starttls")
    if (found := _by_code(status)) is not None:
        return found
    wrong = status.state == "NO" or status.code in SIGN_IN_AGAIN
    return Unauthenticated(f"{said}; {advice}") if wrong else error_of(status)


def error_of(status: Status, sent: str = "") -> SourceError:
    """What any other refusal means. ``sent``: the native query, where a query was refused."""
    if (found := _by_code(status)) is not None:
        return found
    if status.code in SIGN_IN_AGAIN:
        return Unauthenticated(f"{_said(status)}; sign in again")
    return Unavailable(_said(status)) if status.state == "BYE" else Rejected(_said(status), sent)


def _by_code(status: Status) -> SourceError | None:
    said, code = _said(status), status.code
    if code in TOO_OFTEN or THROTTLING.search(status.text):
        backoff = BACKOFF.search(status.text)
        return Throttled(said, int(backoff[1]) / 1000 if backoff else None)
    if code in NO_RIGHT:
        return Forbidden(f"{said}; ask the administrator of the mail server for read access")
    return Unavailable(said) if code in TRY_LATER or NOT_READY.search(status.text) else None


def _said(status: Status) -> str:
    code = f" [{quote(status.code)}]" if status.code else ""
    return f"the mail server answered {status.state}{code} {quote(status.text)}".rstrip(" .")
