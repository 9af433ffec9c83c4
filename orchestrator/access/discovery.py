"""What an identity provider says of itself (OpenID Connect Discovery 1.0): where its keys are, where people sign in.

https://openid.net/specs/openid-connect-discovery-1_0.html
"""

from __future__ import annotations

from typing import Any

from connectors.auth import exchange
from connectors.errors import BadReply, Misconfigured, Unavailable
from connectors.text import private_way

WELL_KNOWN = "/.well-known/openid-configuration"


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
    reply = await exchange(url, None, method="GET")
    if not reply.ok:
        raise Unavailable(f"the identity provider answered HTTP {reply.status}")
    if not isinstance(reply.data, dict):
        raise BadReply("the identity provider answered with something that is no JSON object")
    return reply.data
