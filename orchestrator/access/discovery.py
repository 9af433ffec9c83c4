"""What an identity provider says of itself (OpenID Connect Discovery 1.0): where its keys are, where people sign in.

https://openid.net/specs/openid-connect-discovery-1_0.html
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from connectors.errors import BadReply, Misconfigured, Unavailable
from connectors.text import private_way

if TYPE_CHECKING:
    from connectors.http import Reply

WELL_KNOWN = "/.well-known/openid-configuration"
PATIENCE = 10.0  # seconds for one of the provider's documents


def checked_issuer(issuer: str) -> str:
    """An issuer that may be asked. Raises :class:`Misconfigured`."""
    if not private_way(issuer):
        raise Misconfigured("oidc.issuer must begin with https:// (http:// is taken on this machine alone)")
    return issuer


async def discover(issuer: str) -> dict[str, Any]:
    """The provider's description. Raises :class:`Unavailable` and :class:`BadReply`."""
    found = await document(issuer.rstrip("/") + WELL_KNOWN)
    if found.get("issuer") != issuer:
        raise BadReply("the identity provider calls itself otherwise than oidc.issuer says")
    return found


def address_in(description: dict[str, Any], name: str, what: str) -> str:
    """One of the addresses in a description. Raises :class:`BadReply`."""
    where = description.get(name)
    if not isinstance(where, str) or not private_way(where):
        raise BadReply(f"the identity provider names no address of {what} that begins with https://")
    return where


async def document(url: str) -> dict[str, Any]:
    """A JSON object that the provider serves. Raises :class:`Unavailable` and :class:`BadReply`."""
    reply = await _fetched(url)
    if not reply.ok:
        raise Unavailable(f"the identity provider answered HTTP {reply.status}")
    if not isinstance(reply.data, dict):
        raise BadReply("the identity provider answered with something that is no JSON object")
    return reply.data


async def _fetched(url: str) -> Reply:
    """One document on a connection of its own: it happens once an hour."""
    import aiohttp

    from connectors.http import describe_failure, reply_from_text
    from connectors.transport import open_session, read_body

    try:
        async with (
            asyncio.timeout(PATIENCE),
            open_session(1) as session,
            session.get(url, headers={"Accept": "application/json"}, allow_redirects=False) as response,
        ):
            return reply_from_text(response.status, await read_body(response), response.headers)
    except TimeoutError:
        raise Unavailable(f"the identity provider did not answer within {PATIENCE:g} s") from None
    except aiohttp.ClientError as failure:
        raise Unavailable(describe_failure(failure, url)) from None
