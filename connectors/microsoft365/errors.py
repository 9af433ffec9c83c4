"""Graph's errors, sorted by what to do about them: https://learn.microsoft.com/en-us/graph/errors."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unauthenticated, advised
from connectors.http import error_for, retry_after
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

RIGHTS = Said(
    "mail needs Mail.Read, Teams Chat.Read and ChannelMessage.Read.All, files Files.Read.All, sites and lists Sites.Read.All, names of people User.ReadBasic.All; an administrator may have to consent"
)
SIGN_IN_AGAIN = frozenset({"invalidauthenticationtoken", "unauthenticated", "tokennotfound"})
TOO_OFTEN = frozenset({"toomanyrequests", "activitylimitreached", "applicationthrottled", "throttledrequest"})
NO_RIGHT = frozenset(
    {
        "accessdenied",
        "authorization_requestdenied",
        "erroraccessdenied",
        "forbidden",
        "mailboxnotenabledforrestapi",
        "mailboxnotsupportedforrestapi",
    }
)
NOT_FOUND, BUSY = HTTPStatus.NOT_FOUND, frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT, 509})


def error_of(reply: Reply) -> SourceError | None:
    """What a reply stands for, ``None`` for a success. Graph may throttle with 503 as well as with 429."""
    if reply.ok:
        return None
    code, message = _said(reply.data)
    said = Said("Microsoft 365 says {what}").filled(
        what=": ".join(filter(None, (code or f"HTTP {reply.status}", message.rstrip("."))))
    )
    known, wait = code.casefold(), retry_after(reply.headers)
    if known in TOO_OFTEN or (reply.status in BUSY and wait is not None):
        return Throttled(said, wait)
    if known in SIGN_IN_AGAIN:
        return Unauthenticated(said)
    if known in NO_RIGHT or reply.status == HTTPStatus.FORBIDDEN:
        return Forbidden(advised(said, RIGHTS))
    if reply.status == NOT_FOUND and not code:
        return Misconfigured(advised(said, Said("is base_url the address of Microsoft Graph?")))
    return error_for(reply, said)


def _said(data: object) -> tuple[str, str]:
    """The code and the message of ``{"error": {"code", "message"}}``."""
    error = data.get("error") if isinstance(data, Mapping) else None
    if isinstance(error, str):
        return quote(error), ""
    return (
        (quote(error.get("code") or ""), quote(error.get("message") or "")) if isinstance(error, Mapping) else ("", "")
    )
