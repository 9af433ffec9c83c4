"""How requests are signed: a fixed token, or one that is fetched anew before it expires and whenever it is refused."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Protocol, runtime_checkable

from pydantic import BaseModel, Field, ValidationError

from connectors.errors import Misconfigured, SourceError, Unauthenticated, Unavailable
from connectors.text import quote
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    import aiohttp

    from connectors.exchange import Reply
    from connectors.manifest import Manifest, SourceSettings

MARGIN = 60.0  # seconds before its end at which a token is fetched anew: clocks differ and requests take a while
LIFETIME = 3600.0  # seconds that a service account asks for, and that a reply without expires_in is taken to mean
PATIENCE = 10.0  # seconds for the vendor's token endpoint
REFUSED = frozenset({400, 401, 403})

NO_HEADERS: Mapping[str, str] = MappingProxyType({})

FormFields = dict[str, str]
SessionOpener = Callable[[str], "aiohttp.ClientSession"]
"""Opens a session for an address, if it may lead there; else raises :class:`SourceError`."""


def basic(pair: str) -> Mapping[str, str]:
    """The header for ``name:secret`` (RFC 7617)."""
    return {"Authorization": f"Basic {base64.b64encode(pair.encode()).decode('ascii')}"}


class Signer(Protocol):
    """Knows the secret that requests are signed with."""

    async def secret(self) -> str:
        """The secret to use now. Raises :class:`Unauthenticated` and :class:`Unavailable`."""
        ...

    async def after(self, refused: str) -> str | None:
        """Another secret to try once ``refused`` was refused, ``None`` where there is no other."""
        ...


@runtime_checkable
class PersonallySigned(Protocol):
    """A source that can be asked as one person: signed by what they have allowed."""

    def signed_by(self, signer: Signer) -> None:
        """Sign by another than the settings say."""
        ...


@record
class FixedToken:
    """A token as it was configured."""

    token: str = field(repr=False)

    async def secret(self) -> str:
        return self.token

    async def after(self, refused: str) -> str | None:  # noqa: ARG002 — there is but one
        return None


class GrantedToken:
    """An access token from a vendor's token endpoint (RFC 6749), one request for it at a time.

    ``grant`` builds the form to post; it is called with the reply to the last one, since some vendors hand out a new
    refresh token with every access token and honour the old one no longer (RFC 6749, 6).
    """

    def __init__(
        self, name: str, token_url: str, grant: Callable[[str], Awaitable[FormFields]], *, refresh_token: str = ""
    ) -> None:
        self._name = name
        self._token_url = token_url
        self._grant = grant
        self._refresh_token = refresh_token
        self._token = ""
        self._fresh_until = 0.0
        self._granting = asyncio.Lock()

    async def secret(self) -> str:
        async with self._granting:
            if asyncio.get_running_loop().time() >= self._fresh_until:
                await self._renew()
            return self._token

    async def after(self, refused: str) -> str | None:
        """A new token, unless somebody has just fetched one."""
        async with self._granting:
            if self._token == refused:
                await self._renew()
            return None if self._token == refused else self._token

    async def _renew(self) -> None:
        form = await self._grant(self._refresh_token)
        try:
            reply = await exchange(self._token_url, form)
            granted = self._granted(reply)
        except SourceError as failure:
            for secret in form.values():
                failure.without(secret)
            raise
        self._token = granted.access_token
        self._refresh_token = granted.refresh_token or self._refresh_token
        self._fresh_until = asyncio.get_running_loop().time() + max(0.0, granted.expires_in - MARGIN)

    def _granted(self, reply: Reply) -> Granted:
        if reply.status in REFUSED:
            raise Unauthenticated(
                Said("the sign-in for {name} has expired or was withdrawn; sign in again ({said})").filled(
                    name=self._name, said=why_refused(reply)
                )
            )
        if not reply.ok:
            raise Unavailable(
                Said("the sign-in service for {name} answered HTTP {status}").filled(
                    name=self._name, status=reply.status
                )
            )
        try:
            return Granted.model_validate(reply.data)
        except ValidationError:
            raise Unavailable(
                Said("the sign-in service for {name} answered without an access token").filled(name=self._name)
            ) from None

    def __repr__(self) -> str:
        return f"GrantedToken({self._name!r})"


class Granted(BaseModel):
    """A successful reply of a token endpoint (RFC 6749, 5.1)."""

    access_token: Annotated[str, Field(min_length=1)]
    expires_in: float = LIFETIME
    refresh_token: str = ""


class TokenRefusal(BaseModel):
    """An error of a token endpoint (RFC 6749, 5.2)."""

    error: str = ""
    error_description: str = ""


def refusal_in(reply: Reply) -> TokenRefusal:
    """What the vendor found wrong; empty where it says nothing, or in a way of its own."""
    try:
        return TokenRefusal.model_validate(reply.data if isinstance(reply.data, dict) else {})
    except ValidationError:
        return TokenRefusal()


def why_refused(reply: Reply) -> str:
    """The same in words, quoted."""
    why = refusal_in(reply)
    return quote(why.error_description or why.error or f"HTTP {reply.status}")


def signer_for(name: str, manifest: Manifest, settings: SourceSettings) -> Signer | None:
    """Whoever signs for a configured source; ``None`` without any credential. Raises :class:`Misconfigured`."""
    if settings.oauth is not None:
        _check_kind(name, manifest, "oauth")
        return _refreshing(name, manifest, settings)
    if settings.service_account is not None:
        _check_kind(name, manifest, "service_account")
        return _service_account(name, manifest, settings)
    return None if settings.token is None else FixedToken(settings.token.get_secret_value())


def _check_kind(name: str, manifest: Manifest, kind: str) -> None:
    if kind not in manifest.auth.kinds:
        known = " or ".join(manifest.auth.kinds)
        raise Misconfigured(
            Said("source {name}: {title} cannot be signed in to by {kind}, but by {known}").filled(
                name=name, title=manifest.title, kind=kind, known=known
            )
        )


def _refreshing(name: str, manifest: Manifest, settings: SourceSettings) -> Signer:
    assert settings.oauth is not None
    oauth = settings.oauth
    secret = oauth.client_secret.get_secret_value() if oauth.client_secret else ""

    async def grant(refresh_token: str) -> FormFields:
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": oauth.client_id}
        return {**form, "client_secret": secret} if secret else form

    url = oauth.token_url or manifest.auth.token_url
    return GrantedToken(name, url, grant, refresh_token=oauth.refresh_token.get_secret_value())


# ---- service accounts (RFC 7523; https://developers.google.com/identity/protocols/oauth2/service-account)


class AccountKey(BaseModel):
    """The parts of a service account's key file that signing in takes."""

    client_email: str
    private_key: str = Field(repr=False)
    private_key_id: str = ""
    token_uri: str = ""


def _service_account(name: str, manifest: Manifest, settings: SourceSettings) -> Signer:
    assert settings.service_account is not None
    try:
        key = AccountKey.model_validate_json(settings.service_account.get_secret_value())
    except ValidationError:
        raise Misconfigured(
            Said("source {name}: service_account is to hold the whole JSON key file of a service account").filled(
                name=name
            )
        ) from None
    url = manifest.auth.token_url or key.token_uri

    async def grant(_: str) -> FormFields:
        assertion = await asyncio.to_thread(_assertion, name, key, url, manifest.auth.scopes, settings.subject)
        return {"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion}

    return GrantedToken(name, url, grant)


def _assertion(name: str, key: AccountKey, url: str, scopes: tuple[str, ...], subject: str) -> str:
    """A signed claim to be that account, or to act for ``subject``; CPU-bound, and its imports take long."""
    from google.auth import jwt
    from google.auth.crypt import RSASigner

    now = int(time.time())
    claim: Mapping[str, object] = {
        "iss": key.client_email,
        "scope": " ".join(scopes),
        "aud": url,
        "iat": now,
        "exp": now + int(LIFETIME),
        **({"sub": subject} if subject else {}),
    }
    try:
        signer = RSASigner.from_string(key.private_key, key.private_key_id or None)  # type: ignore[no-untyped-call]
    except ValueError:
        raise Misconfigured(
            Said("source {name}: the private key of the service account cannot be read").filled(name=name)
        ) from None
    return jwt.encode(signer, claim).decode("ascii")  # type: ignore[no-untyped-call, no-any-return]


async def exchange(
    url: str,
    form: Mapping[str, Any] | None,
    headers: Mapping[str, str] = NO_HEADERS,
    *,
    as_json: bool = False,
    method: str = "POST",
    opening: SessionOpener | None = None,
) -> Reply:
    """One exchange with a vendor's sign-in service, on a connection of its own: it happens once an hour.

    ``opening``: what else to connect by, where the address is a stranger's. Raises :class:`Unavailable` and
    :class:`BadReply`, and what ``opening`` raises.
    """
    import aiohttp

    from connectors.exchange import describe_failure, reply_from_text
    from connectors.transport import open_session, read_body

    body: dict[str, Any] = {} if form is None else {"json": form} if as_json else {"data": form}
    told = {"Accept": "application/json", **headers}
    try:
        async with (
            asyncio.timeout(PATIENCE),
            opening(url) if opening else open_session(1) as session,
            session.request(method, url, headers=told, allow_redirects=False, **body) as response,
        ):
            return reply_from_text(response.status, await read_body(response), response.headers)
    except TimeoutError:
        raise Unavailable(
            Said("the sign-in service did not answer within {patience:g} s").filled(patience=PATIENCE)
        ) from None
    except aiohttp.ClientError as failure:
        raise Unavailable(describe_failure(failure, url)) from None
