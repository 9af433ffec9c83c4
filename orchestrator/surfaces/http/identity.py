"""Who is asking: an API key or a person's token in ``Authorization: Bearer``, a key in ``X-API-Key``, a trusted proxy's word.

Never anything in a URL, where logs would keep it.
"""

import math
from collections.abc import Awaitable, Callable
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import Receive, Send
from starlette.types import Scope as ASGIScope

from connectors.errors import SourceError
from connectors.text import is_loopback
from orchestrator.access import KEY_HOLDER, SCOPES, ApiKey, BadToken, Caller, Rates, Scope, Tokens, looks_like_token
from orchestrator.model import Principal
from orchestrator.surfaces.http.guard import RATE_LIMIT
from orchestrator.surfaces.http.problems import Refused
from orchestrator.surfaces.http.services import Mount, Services
from storage.logs import log_of
from translators.said import Said

log = log_of(__name__)

INVALID = "invalid_token"  # RFC 6750, 3.1
RETRY = 5  # seconds after which an identity provider that was away is asked again
ANYBODY = "local"
THIS_KEY = Said("this key")
LACKING = Said("{who} may not do that; it lacks the scope {scope}")
TOO_OFTEN = Said("try again in {seconds} s")
NO_KEY = Said("send an API key as `Authorization: Bearer …`; `fedsearch keys create` makes one")
NO_TOKEN = Said(
    "send a token of your identity provider, or an API key as `Authorization: Bearer …`; `fedsearch keys create` makes one"
)
BAD_KEY = Said("this key is unknown, expired or revoked; ask for another")
FOREIGN_HOST = Said("without keys this server answers to 127.0.0.1 and localhost only; use those")
UNCHECKED = Said("tokens cannot be checked, since the identity provider does not answer as it should; try again")
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OUR_OWN = frozenset({"same-origin", "none"})
Bearer = Annotated[
    HTTPAuthorizationCredentials | None,
    Security(HTTPBearer(auto_error=False, description="An API key, or a token of the identity provider")),
]
Header = Annotated[str | None, Security(APIKeyHeader(name="X-API-Key", auto_error=False))]


def wants(scope: Scope, services: Services) -> Callable[..., Awaitable[Caller]]:
    """A dependency that lets those with ``scope`` through, as often as their rate allows."""

    async def caller(request: Request, bearer: Bearer = None, header: Header = None) -> Caller:  # noqa: ARG001 - described
        return await admit(request.scope, scope, services)

    return caller


async def admit(request: ASGIScope, scope: Scope, services: Services) -> Caller:
    """Who sent this request. Raises :class:`Refused` where they may not enter, not do this, or not now."""
    return await let_in(await identify(request, services), scope, services, request)


async def let_in(found: Caller, scope: Scope, services: Services, request: ASGIScope) -> Caller:
    """Somebody who is known, whom the request's scope then holds under ``caller``; the reply will say what is left of their rate.

    Raises :class:`Refused` where they may not do this, or not now.
    """
    request["caller"] = found
    if scope not in found.scopes:
        who = THIS_KEY if found.principal.id.startswith(KEY_HOLDER) else found.principal.id
        raise Refused(403, "missing_scope", LACKING.filled(who=who, scope=repr(scope.value)))
    wait = await services.rates.enter(found.principal.id)
    request[RATE_LIMIT] = _rate_limit(services.rates, found.principal.id)
    if wait:
        seconds = max(1, math.ceil(wait))
        raise Refused(429, "too_many_requests", TOO_OFTEN.filled(seconds=seconds), {"Retry-After": str(seconds)})
    return found


def _rate_limit(rates: Rates, caller: str) -> tuple[tuple[bytes, bytes], ...]:
    """What a caller may, and what is left of it (draft-ietf-httpapi-ratelimit-headers-10)."""
    left, seconds = rates.left(caller)
    policy, now = f'"caller";q={rates.rate};w={math.ceil(rates.period)}', f'"caller";r={left};t={math.ceil(seconds)}'
    return (b"ratelimit-policy", policy.encode()), (b"ratelimit", now.encode())


class Guarded:
    """Another ASGI application behind the same keys."""

    def __init__(self, mount: Mount, scope: Scope, services: Services) -> None:
        self.path = mount.path
        self._app = mount.app
        self._scope = scope
        self._services = services

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        """ASGI 3. Raises :class:`Refused`, which the application around it answers."""
        scope["route"] = self  # what the log and the figures call it
        await admit(scope, self._scope, self._services)
        await self._app(scope, receive, send)


async def identify(request: ASGIScope, services: Services) -> Caller:
    """Who sent this request: what it carries itself goes before what a proxy says of it. Raises :class:`Refused`."""
    headers = Headers(scope=request)
    if services.keys is None:
        _refuse_other_names(headers)
        return Caller(Principal(ANYBODY), frozenset(SCOPES))
    scheme, _, text = headers.get("authorization", "").partition(" ")
    bearer = text.strip() if scheme.lower() == "bearer" else ""
    if bearer and services.tokens is not None and looks_like_token(bearer):
        return services.roles.widened(await _person(bearer, services.tokens, request, services))
    if key := bearer or headers.get("x-api-key", "").strip():
        return _holder(key, request, services)
    if services.proxy is not None:
        address = (request.get("client") or ("",))[0]
        if (found := services.proxy.find(address, headers.getlist(services.proxy.header))) is not None:
            _refuse_foreign(request, headers)
            return services.roles.widened(found)
    raise Refused(401, "no_key", NO_KEY if services.tokens is None else NO_TOKEN, _challenge(request, services))


def _challenge(request: ASGIScope, services: Services, error: str = "") -> dict[str, str]:
    """What is wanted, and where a program reads who signs people in (RFC 6750, 3; RFC 9728, 5.1)."""
    told = {"realm": "fedsearch"}
    if error:
        told["error"] = error
    if services.resource is not None:
        told["resource_metadata"] = services.resource.described_at(request["path"])
    return {"WWW-Authenticate": "Bearer " + ", ".join(f'{name}="{value}"' for name, value in told.items())}


def _refuse_other_names(headers: Headers) -> None:
    """A site that points its own name at this machine could have a browser here ask for it (DNS rebinding). Raises :class:`Refused`."""
    try:
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        host = ""
    if not is_loopback(host):
        raise Refused(403, "foreign_host", FOREIGN_HOST)


def _refuse_foreign(request: ASGIScope, headers: Headers) -> None:
    """A browser signs in to the proxy by itself, also for what a page of another host has it send. Raises :class:`Refused`."""
    if request["method"] not in SAFE and headers.get("sec-fetch-site", "none") not in OUR_OWN:
        raise Refused(403, "cross_site", Said("another site sent this; send it from here"))


def _holder(text: str, request: ASGIScope, services: Services) -> Caller:
    key = services.keys.find(text) if services.keys is not None else None
    if key is None:
        raise Refused(401, "bad_key", BAD_KEY, _challenge(request, services, INVALID))
    return holder(key)


def holder(key: ApiKey) -> Caller:
    """Whoever has this key."""
    return Caller(Principal(f"{KEY_HOLDER}{key.id}", key.name), frozenset(key.scopes))


async def _person(text: str, tokens: Tokens, request: ASGIScope, services: Services) -> Caller:
    try:
        return await tokens.find(text)
    except BadToken as failure:
        raise Refused(401, failure.code, failure.message, _challenge(request, services, INVALID)) from None
    except SourceError as failure:
        log.warning("identity provider", error=failure.code, said=failure.message)
        raise Refused(503, "issuer_unavailable", UNCHECKED, {"Retry-After": str(RETRY)}) from None
