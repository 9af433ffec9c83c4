"""Jira's errors, sorted by what to do, and how long it wants to be left alone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.atlassian import OF_THIS_KIND, SIGN_IN, SIGNATURE, asked_wait
from connectors.errors import Forbidden, Misconfigured, Rejected, SourceError, Throttled, Unauthenticated, advised
from connectors.http import answered, error_for, reply_time
from connectors.jira.wire import Refusal
from connectors.text import MASK, quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.http import Reply

SCOPES = Said("the token needs the scopes read:jira-work and read:jira-user")
LEFT = re.compile(r"(?:^|;)\s*t=(\d{1,9})")


def error_from(reply: Reply) -> SourceError | None:  # noqa: PLR0911 — one line for each thing that can be done
    """What is wrong with a reply, ``None`` if nothing is."""
    login = reply.headers.get("x-seraph-loginreason", "")
    said = _said(reply)
    if "AUTHENTICATION_DENIED" in login:
        return Unauthenticated(advised(said, Said("too many failed sign-ins: sign in to Jira once in a browser")))
    # Jira takes a request with a wrong token for an anonymous one, which sees public projects only.
    if reply.status == 401 and "scope" in said.lower():  # noqa: PLR2004 — HTTP's own number
        return Forbidden(advised(said, SCOPES))
    if "AUTHENTICATED_FAILED" in login or reply.status == 401:  # noqa: PLR2004
        return Unauthenticated(advised(said, SIGN_IN))
    match reply.status:
        case 403:
            return Forbidden(
                advised(said, Said("ask for the permission to browse projects, or {scopes}").filled(scopes=SCOPES))
            )
        case 404:
            return Misconfigured(advised(said, Said("is base_url the address of a Jira Cloud site?")))
        case 410:
            return Rejected(advised(said, Said("Jira has removed what was asked for, so a newer fedsearch is needed")))
        case 429:
            reason = quote(reply.headers.get("ratelimit-reason", ""))
            return Throttled(OF_THIS_KIND.filled(said=said, kind=reason) if reason else said, wait(reply.headers))
        case _:
            return error_for(reply, said)


def wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until Jira may be asked again: as it says, else for a quota the rest of the hour in which it counts.

    https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
    """
    asked = asked_wait(headers)
    if asked is not None:
        return asked
    if left := LEFT.search(headers.get("ratelimit", "")):
        return float(left[1])
    if headers.get("ratelimit-reason", "").startswith("jira-quota-"):
        now = reply_time(headers)
        hour = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
        return (hour - now).total_seconds()
    return None


def _said(reply: Reply) -> Said:
    try:
        said = Refusal.model_validate(reply.data).said
    except ValidationError:
        said = ""
    return answered("Jira", reply.status, quote(SIGNATURE.sub(MASK, said)))
