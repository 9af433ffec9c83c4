"""Who is asking: an API key in ``Authorization: Bearer`` or ``X-API-Key``, never in a URL, where logs would keep it."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import Receive, Send
from starlette.types import Scope as ASGIScope

from orchestrator.access import SCOPES, Scope
from orchestrator.model import Principal
from orchestrator.surfaces.http.problems import Refused
from orchestrator.surfaces.http.services import Mount, Services

CHALLENGE = {"WWW-Authenticate": 'Bearer realm="fedsearch"'}
ANYBODY = "local"
Bearer = Annotated[HTTPAuthorizationCredentials | None, Security(HTTPBearer(auto_error=False))]
Header = Annotated[str | None, Security(APIKeyHeader(name="X-API-Key", auto_error=False))]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and what they may do."""

    principal: Principal
    scopes: frozenset[Scope]


def wants(scope: Scope, services: Services) -> Callable[..., Awaitable[Caller]]:
    """A dependency that lets those with ``scope`` through, as often as their rate allows."""

    async def caller(bearer: Bearer = None, header: Header = None) -> Caller:
        return admit(bearer.credentials if bearer else header or "", scope, services)

    return caller


def admit(key: str, scope: Scope, services: Services) -> Caller:
    """Who has this key. Raises :class:`Refused` where it opens nothing, not this, or not now."""
    found = _caller(key, services)
    if scope not in found.scopes:
        raise Refused(403, "missing_scope", f"this key may not do that; it lacks the scope {scope.value!r}")
    if wait := services.rates.enter(found.principal.id):
        seconds = max(1, math.ceil(wait))
        raise Refused(429, "too_many_requests", f"try again in {seconds} s", {"Retry-After": str(seconds)})
    return found


class Guarded:
    """Another ASGI application behind the same keys; its scope holds the :class:`Caller` under ``caller``."""

    def __init__(self, mount: Mount, scope: Scope, services: Services) -> None:
        self.path = mount.path
        self._app = mount.app
        self._scope = scope
        self._services = services

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        """ASGI 3. Raises :class:`Refused`, which the application around it answers."""
        scope["route"] = self  # what the log and the figures call it
        headers = Headers(scope=scope)
        scheme, _, text = headers.get("authorization", "").partition(" ")
        key = text.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
        await self._app({**scope, "caller": admit(key, self._scope, self._services)}, receive, send)


def _caller(text: str, services: Services) -> Caller:
    if services.keys is None:
        return Caller(Principal(ANYBODY), frozenset(SCOPES))
    if not text.strip():
        raise Refused(
            401, "no_key", "send an API key as `Authorization: Bearer …`; `fedsearch keys create` makes one", CHALLENGE
        )
    key = services.keys.find(text.strip())
    if key is None:
        raise Refused(401, "bad_key", "this key is unknown, expired or revoked; ask for another", CHALLENGE)
    return Caller(Principal(f"key:{key.id}", key.name), frozenset(key.scopes))
