"""Signing people in to a vendor: the authorization code grant with PKCE, renewal and withdrawal (RFC 6749, 7636, 7009).

One engine for all vendors; how each differs stands in its manifest (:class:`connectors.manifest.SignIn`).
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol, Self
from urllib.parse import quote as quoted
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from connectors.auth import FormFields, basic, exchange, refusal_in, why_refused
from connectors.errors import BadReply, Misconfigured, SourceError, Unauthenticated, Unavailable
from connectors.exchange import BROKEN
from connectors.text import private_way
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from connectors.auth import SessionOpener
    from connectors.http import Reply
    from connectors.manifest import Application, SignIn

VERIFIER_BYTES = 48  # 64 characters; RFC 7636, 4.1 wants 43 to 128
# What vendors answer where the application, and not the person, is at fault.
OURS = frozenset(
    {
        "invalid_client", "unauthorized_client", "bad_client_secret", "invalid_client_id", "incorrect_client_credentials",
        "redirect_uri_mismatch", "bad_redirect_uri", "unsupported_grant_type", "invalid_grant_type", "invalid_scope",
    }
)  # fmt: skip


class Grant(BaseModel):
    """What a person has allowed. ``expires``: when the access token ends, aware; ``None`` where it does not.

    ``client``: our registration that it was given to, where there may be several with one vendor.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    access_token: str = Field(min_length=1, repr=False)
    refresh_token: str = Field(default="", repr=False)
    expires: datetime | None = None
    scopes: str = ""
    client: str = ""
    id_token: str = Field(default="", repr=False, exclude=True)  # who signed in (OpenID Connect); kept nowhere


class TokenReply(BaseModel):
    """A successful reply of a token endpoint (RFC 6749, 5.1), as loosely as vendors keep to it."""

    model_config = ConfigDict(hide_input_in_errors=True)

    access_token: str = Field(min_length=1)
    refresh_token: str | None = None
    expires_in: float | None = Field(default=None, ge=0, le=10 * 365 * 86_400)
    scope: str | list[str] | None = None
    id_token: str | None = None


@record
class Vendor:
    """One vendor as one configured source uses it. ``name``: what people call it.

    Of a vendor that describes itself besides: ``client``: which of our registrations this is; ``issuer``: what it calls itself
    in an answer, and whether it always does (``names_itself``; RFC 9207); ``opening``: where its addresses may lead.
    """

    name: str
    ways: SignIn
    application: Application
    client: str = ""
    issuer: str = ""
    names_itself: bool = False
    opening: SessionOpener | None = None

    def __post_init__(self) -> None:
        for url in (self._url("authorize_url"), self._url("token_url"), self._url("revoke_url")):
            if url and not private_way(url.replace("{client_id}", "")):
                raise Misconfigured(
                    Said("{name}: {url} is not https://, and tokens would travel there in the clear").filled(
                        name=self.name, url=url
                    )
                )

    async def leading(self, back: str) -> Self:  # noqa: ARG002 — wherever they are to come back to
        """Itself, as :class:`Grantor`: there is one registration, made by hand."""
        return self

    async def remembered(self, client: str) -> Self:  # noqa: ARG002 — there is but one
        """Itself, as :class:`Grantor`."""
        return self

    def has_sent(self, issuer: str) -> bool:
        """Whether an answer is from here, by who it says has sent it (mix-up; RFC 9207, 2.4)."""
        return issuer == self.issuer if issuer and self.issuer else not self.names_itself

    def authorize_url(self, redirect_uri: str, state: str, verifier: str) -> str:
        """Where a person is sent to allow it. ``verifier`` stays with us; only its digest goes along."""
        ways, scopes = self.ways, self.application.scopes
        wanted = ways.separator.join(ways.scopes if scopes is None else scopes)
        asked = {
            "response_type": "code",
            "client_id": self.application.client_id,
            "redirect_uri": redirect_uri,
            "state": state,
            **({ways.scope_parameter: wanted} if wanted else {}),
            **({"code_challenge": challenge(verifier), "code_challenge_method": "S256"} if ways.pkce else {}),
            **self._resource,
            **ways.more,
        }
        url = self._url("authorize_url")
        return f"{url}{'&' if '?' in url else '?'}{urlencode(asked, quote_via=quoted)}"

    async def redeem(self, code: str, redirect_uri: str, verifier: str, now: datetime) -> Grant:
        """What a person has allowed, for the code that they came back with.

        Raises :class:`Unauthenticated` where the vendor takes it for no good, :class:`Misconfigured` where our
        registration is wrong, :class:`Unavailable` and :class:`BadReply`.
        """
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        if self.ways.pkce:
            form["code_verifier"] = verifier
        return await self._granted(form, now)

    async def renew(self, grant: Grant, now: datetime) -> Grant:
        """A new access token. Many vendors give a new refresh token with it and take the old one no longer."""
        if not grant.refresh_token:
            raise Unauthenticated(Said("the sign-in for {name} has ended").filled(name=self.name))
        form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
        new = await self._granted(form, now)
        kept = {"refresh_token": new.refresh_token or grant.refresh_token, "scopes": new.scopes or grant.scopes}
        return new.model_copy(update=kept)

    async def withdraw(self, grant: Grant) -> bool:
        """End a grant at the vendor; ``False`` where the vendor has no way to. Raises :class:`SourceError`."""
        if not (url := self._url("revoke_url")):
            return False
        url = url.replace("{client_id}", quoted(self.application.client_id, safe=""))
        with self._silent(grant.access_token, grant.refresh_token):
            reply = await self._asked_to_end(url, grant)
            with suppress(Unauthenticated):  # the vendor knows it no longer
                self._check(reply)
        return refusal_in(reply).error != "invalid_request"  # which says nothing of the grant

    async def _asked_to_end(self, url: str, grant: Grant) -> Reply:
        access, basic = grant.access_token, self._basic()
        match self.ways.withdraws:
            case "bearer":
                return await exchange(url, {}, {"Authorization": f"Bearer {access}"})
            case "json":
                return await exchange(url, {"token": access}, basic, as_json=True)
            case "delete":
                return await exchange(url, {"access_token": access}, basic, as_json=True, method="DELETE")
            case "token":
                form = {"token": grant.refresh_token or access, **self._proof()}
                return await exchange(url, form, self._headers(), opening=self.opening)

    async def _granted(self, form: FormFields, now: datetime) -> Grant:
        secret_parts = (value for name, value in form.items() if name not in ("grant_type", "redirect_uri"))
        with self._silent(*secret_parts):
            reply = await exchange(
                self._url("token_url"),
                {**form, **self._proof(), **self._resource},
                self._headers(),
                as_json=self.ways.speaks == "json",
                opening=self.opening,
            )
            self._check(reply)
            return self._read(reply, now)

    @contextmanager
    def _silent(self, *told: str) -> Iterator[None]:
        """A vendor may echo what it was told; no failure repeats it."""
        try:
            yield
        except SourceError as failure:
            for each in (*told, *self._secret_as_sent()):
                failure.without(each)
            raise

    def _read(self, reply: Reply, now: datetime) -> Grant:
        data: Any = reply.data
        if isinstance(data, dict) and self.ways.granted_in and isinstance(data.get(self.ways.granted_in), dict):
            # Slack puts a user's grant apart from a bot's, and a renewed one where others put it.
            inside = data[self.ways.granted_in]
            data = inside if inside.get("access_token") else data
        try:
            said = TokenReply.model_validate(data)
        except ValidationError:
            raise BadReply(
                Said("the sign-in service of {name} answered without an access token").filled(name=self.name)
            ) from None
        expires = None if said.expires_in is None else now + timedelta(seconds=said.expires_in)
        scopes = " ".join(said.scope) if isinstance(said.scope, list) else said.scope or ""
        return Grant(
            access_token=said.access_token,
            refresh_token=said.refresh_token or "",
            expires=expires,
            scopes=scopes,
            client=self.client,
            id_token=said.id_token or "",
        )

    def _check(self, reply: Reply) -> None:
        """Some vendors say what is wrong with HTTP 200 (Slack, GitHub)."""
        error = refusal_in(reply).error
        if reply.ok and not error:
            return
        if reply.status >= BROKEN:
            raise Unavailable(
                Said("the sign-in service of {name} answered HTTP {status}").filled(name=self.name, status=reply.status)
            )
        said = why_refused(reply)
        # Where it was registered by a request, it is again for whoever begins again.
        if error in OURS and not self.client:
            raise Misconfigured(
                Said("{name} does not take our registration ({said}); check [sources.….application]").filled(
                    name=self.name, said=said
                )
            )
        raise Unauthenticated(Said("{name} does not take this sign-in ({said})").filled(name=self.name, said=said))

    def _proof(self) -> FormFields:
        """How the application says who it is in the body; a secret only where it does not travel in the header."""
        client = {"client_id": self.application.client_id}
        if self.ways.proves_by == "basic" and self._secret:
            # Servers by the SDK of MCP want to know whose secret the header is to be.
            return client if self.client else {}
        return {**client, "client_secret": self._secret} if self._secret else client

    def _headers(self) -> Mapping[str, str]:
        return self._basic() if self.ways.proves_by == "basic" and self._secret else {}

    def _basic(self) -> Mapping[str, str]:
        """RFC 6749, 2.3.1: each part encoded, then joined."""
        return basic(f"{quoted(self.application.client_id, safe='')}:{quoted(self._secret, safe='')}")

    def _secret_as_sent(self) -> tuple[str, ...]:
        """Our secret in each form in which a vendor gets to see it: as it is, encoded, and within a header."""
        header = self._basic()["Authorization"].removeprefix("Basic ")
        return (header, self._secret, quoted(self._secret, safe=""), quote_plus(self._secret))

    @property
    def _secret(self) -> str:
        return self.application.client_secret.get_secret_value() if self.application.client_secret else ""

    @property
    def _resource(self) -> FormFields:
        return {"resource": self.ways.resource} if self.ways.resource else {}

    def _url(self, name: str) -> str:
        return str(getattr(self.application, name) or getattr(self.ways, name))

    def __repr__(self) -> str:
        return f"Vendor({self.name!r})"


class Grantor(Protocol):
    """Who lets people allow us something at one source: a vendor as its manifest has it, or one that describes itself.

    Both raise :class:`SourceError`.
    """

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    async def leading(self, back: str) -> Vendor:
        """Whom to send somebody to who is to come back to ``back``."""
        ...

    async def remembered(self, client: str) -> Vendor:
        """Who gave a grant, or is to: by which of our registrations (:attr:`Grant.client`)."""
        ...


def new_verifier() -> str:
    """What only we know of one signing in (RFC 7636, 4.1)."""
    return secrets.token_urlsafe(VERIFIER_BYTES)


def challenge(verifier: str) -> str:
    """The digest of a verifier that goes along with a person (RFC 7636, 4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode("ascii")).digest()).decode("ascii").rstrip("=")
