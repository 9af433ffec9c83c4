"""Confluence's errors, sorted by what to do, and how long it wants to be left alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectors.atlassian import OF_THIS_KIND, SIGN_IN, SIGNATURE, asked_wait
from connectors.errors import Forbidden, Misconfigured, SourceError, Throttled, Unauthenticated, advised
from connectors.http import answered, error_for
from connectors.text import MASK, quote
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

SCOPES = Said(
    "the token needs the scopes search:confluence, read:confluence-user, read:space:confluence and read:page:confluence"
)


def error_from(reply: Reply) -> SourceError | None:  # noqa: PLR0911 — one line for each thing that can be done
    """What is wrong with a reply, ``None`` if nothing is."""
    said = _said(reply)
    # With a wrong token a site that is open to the public answers as it would anybody: less, and without an error.
    if "AUTHENTICATED_FAILED" in reply.headers.get("x-seraph-loginreason", ""):
        return Unauthenticated(Said("{said}, as to a stranger; {sign_in}").filled(said=said, sign_in=SIGN_IN))
    match reply.status:
        case 401 if "scope" in said.casefold():
            return Forbidden(advised(said, SCOPES))
        case 401:
            return Unauthenticated(advised(said, SIGN_IN))
        case 403:
            return Forbidden(advised(said, Said("ask for access to Confluence, or {scopes}").filled(scopes=SCOPES)))
        case 404:
            return Misconfigured(advised(said, Said("is base_url the address of a Confluence Cloud site?")))
        case 429:
            reason = quote(reply.headers.get("ratelimit-reason", ""))
            return Throttled(OF_THIS_KIND.filled(said=said, kind=reason) if reason else said, asked_wait(reply.headers))
        case _:
            return error_for(reply, said)


def _said(reply: Reply) -> Said:
    """The status with Confluence's reason: a ``message`` in the older API, ``errors`` in the newer."""
    body = reply.data if isinstance(reply.data, Mapping) else {}
    errors = body.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], Mapping) else {}
    reason = body.get("message") or first.get("detail") or first.get("title")
    return answered("Confluence", reply.status, quote(SIGNATURE.sub(MASK, reason)) if isinstance(reason, str) else "")
