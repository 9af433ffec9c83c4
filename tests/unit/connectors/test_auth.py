"""Signing in, over real sockets: tokens that expire, are withdrawn, rotate, and are fetched once for everybody."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import jwt

from connectors.contract import Call, Credential, Health, HitPage
from connectors.errors import Misconfigured, Unauthenticated, Unavailable
from connectors.http import HttpRequest, HttpSource
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from translators.query import Category, Kind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectors.http import Page, Reply
    from translators.translator import NativeQuery

SECRETS = ("client-secret-1", "refresh-1", "refresh-2")


class Vendor:
    """A token endpoint and an API behind it. Access tokens are ``access-1``, ``access-2`` …; only the last is good."""

    def __init__(self, **reply: object) -> None:
        self.forms: list[dict[str, str]] = []
        self.asked: list[str] = []
        self.reply = reply
        self.status = 200
        self.error: object = "invalid_grant"
        self.accepts = lambda token, last: token == last
        self.last = ""

    async def token(self, request: web.Request) -> web.Response:
        """RFC 6749, 5."""
        self.forms.append(dict(await request.post()))  # type: ignore[arg-type]
        await asyncio.sleep(0)
        if self.status != 200:
            return web.json_response(
                {"error": self.error, "error_description": f"no {self.forms[-1]}"}, status=self.status
            )
        self.last = f"access-{len(self.forms)}"
        return web.json_response({"access_token": self.last, "token_type": "Bearer", **self.reply})

    async def api(self, request: web.Request) -> web.Response:
        """Good for whoever has the token."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.asked.append(token)
        good = self.accepts(token, self.last)
        return web.json_response({"items": []}, status=200 if good else 401)


@asynccontextmanager
async def listening(vendor: Vendor) -> AsyncIterator[str]:
    """The vendor on a port of its own."""
    app = web.Application()
    app.router.add_post("/token", vendor.token)
    app.router.add_get("/search", vendor.api)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


class Plain(HttpSource):
    """The plainest source."""

    manifest = Manifest(
        name="plain",
        title="Plain",
        category=Category.WIKI,
        dialect="plain",
        kinds=(Kind.PAGE,),
        default_url="https://plain.example",
        limits=Limits(rate=10, period=1.0, page=10),
        auth=Auth(help="ask for a token", kinds=("token", "oauth", "service_account"), scopes=("read", "search")),
    )
    settings_type = SourceSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        return HttpRequest("GET", "search")

    def parse(self, reply: Reply) -> HitPage:
        return HitPage()

    async def probe(self, call: Call) -> Health:
        await self.send(HttpRequest("GET", "search"), call)
        return Health(ok=True)


def refreshing(url: str, **more: object) -> Plain:
    """The source, signed in by a refresh token."""
    oauth = {
        "client_id": "app",
        "client_secret": "client-secret-1",
        "refresh_token": "refresh-1",
        "token_url": f"{url}/token",
    }
    return Plain("plain", SourceSettings.model_validate({"kind": "plain", "base_url": url, "oauth": {**oauth, **more}}))


async def test_a_token_is_fetched_once_for_everybody():
    vendor = Vendor(expires_in=3600)
    async with listening(vendor) as url:
        source = refreshing(url)
        await asyncio.gather(*(source.probe(Call()) for _ in range(8)))
        await source.aclose()
    assert vendor.asked == ["access-1"] * 8
    assert vendor.forms == [
        {
            "grant_type": "refresh_token",
            "refresh_token": "refresh-1",
            "client_id": "app",
            "client_secret": "client-secret-1",
        }
    ]


async def test_a_token_about_to_expire_is_not_used():
    vendor = Vendor(expires_in=30)  # less than the margin
    async with listening(vendor) as url:
        source = refreshing(url)
        await source.probe(Call())
        await source.probe(Call())
        await source.aclose()
    assert vendor.asked == ["access-1", "access-2"]


async def test_a_token_withdrawn_early_is_fetched_anew_and_the_request_repeated():
    vendor = Vendor(expires_in=3600)
    turns: list[int] = []

    async def turn(_: str = "") -> None:
        turns.append(1)

    async with listening(vendor) as url:
        source = refreshing(url)
        await source.probe(Call())
        vendor.last = "withdrawn"
        assert (await source.probe(Call(turn=turn))).ok
        await source.aclose()
    assert vendor.asked == ["access-1", "access-1", "access-2"]
    assert len(turns) == 2, "both requests count against the vendor's rate"


async def test_of_several_requests_those_that_were_refused_are_repeated_with_a_new_token():
    vendor = Vendor(expires_in=3600)
    async with listening(vendor) as url:
        source = refreshing(url)
        await source.probe(Call())
        vendor.last = "withdrawn"
        replies = await source.send_all([HttpRequest("GET", "search")] * 3, Call())
        await source.aclose()
    assert [getattr(reply, "status", None) for reply in replies] == [200, 200, 200]
    assert vendor.asked == ["access-1"] * 4 + ["access-2"] * 3


async def test_a_rotated_refresh_token_replaces_the_old_one():
    vendor = Vendor(expires_in=0, refresh_token="refresh-2")
    async with listening(vendor) as url:
        source = refreshing(url)
        await source.probe(Call())
        await source.probe(Call())
        await source.aclose()
    assert [form["refresh_token"] for form in vendor.forms] == ["refresh-1", "refresh-2"]


@pytest.mark.parametrize("error", ["invalid_grant", {"code": 403, "status": "PERMISSION_DENIED"}])
async def test_a_withdrawn_sign_in_says_what_to_do_and_no_secret(error):
    vendor = Vendor()
    vendor.status, vendor.error = 400, error
    async with listening(vendor) as url:
        source = refreshing(url)
        with pytest.raises(Unauthenticated, match="sign in again") as caught:
            await source.probe(Call())
        await source.aclose()
    told = f"{caught.value} {caught.value!r} {source!r} {source._signer!r} {source.settings!r}"
    assert not [secret for secret in SECRETS if secret in told]
    assert vendor.asked == []


async def test_a_refusal_that_a_new_token_does_not_cure_is_told_after_one_attempt():
    vendor = Vendor(expires_in=3600)
    vendor.accepts = lambda token, last: False
    async with listening(vendor) as url:
        source = refreshing(url)
        with pytest.raises(Unauthenticated):
            await source.probe(Call())
        await source.aclose()
    assert vendor.asked == ["access-1", "access-2"]


async def test_the_asker_s_own_token_is_theirs_to_renew():
    vendor = Vendor()
    async with listening(vendor) as url:
        source = refreshing(url)
        with pytest.raises(Unauthenticated):
            await source.probe(Call(credential=Credential("mine")))
        await source.aclose()
    assert vendor.asked == ["mine"]
    assert vendor.forms == []


@pytest.mark.parametrize(
    ("status", "reply", "said"),
    [(503, {}, "answered HTTP 503"), (200, {"access_token": ""}, "without an access token"), (302, {}, "HTTP 302")],
)
async def test_a_broken_sign_in_service_is_unavailable(status, reply, said):
    vendor = Vendor(**reply)
    vendor.status = status
    async with listening(vendor) as url:
        source = refreshing(url)
        with pytest.raises(Unavailable, match=said):
            await source.probe(Call())
        await source.aclose()


async def test_a_sign_in_service_that_is_not_there_is_unavailable():
    async with listening(Vendor()) as url:
        pass
    source = refreshing(url)
    with pytest.raises(Unavailable, match="cannot reach"):
        await source.probe(Call())


# ---- service accounts


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    """A key pair."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def key_file(key: rsa.RSAPrivateKey, url: str) -> str:
    """What an administrator downloads."""
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return json.dumps(
        {
            "type": "service_account",
            "client_email": "bot@acme.example",
            "private_key": pem.decode(),
            "private_key_id": "k1",
            "token_uri": f"{url}/token",
        }
    )


def by_account(url: str, account: str, **more: Any) -> Plain:
    """The source, signed in by a service account."""
    settings = {"kind": "plain", "base_url": url, "service_account": account, **more}
    return Plain("plain", SourceSettings.model_validate(settings))


async def test_a_service_account_signs_a_claim_that_its_public_key_confirms(key):
    vendor = Vendor(expires_in=3600)
    async with listening(vendor) as url:
        source = by_account(url, key_file(key, url), subject="haneul@acme.example")
        await source.probe(Call())
        await source.aclose()
    (form,) = vendor.forms
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    claim = jwt.decode(form["assertion"], certs=public, audience=f"{url}/token")
    assert form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer"
    assert (claim["iss"], claim["sub"], claim["scope"]) == ("bot@acme.example", "haneul@acme.example", "read search")
    assert vendor.asked == ["access-1"]


def test_a_key_file_that_is_none_is_refused_without_showing_it():
    with pytest.raises(Misconfigured, match="the whole JSON key file") as caught:
        by_account("https://a.example", '{"private_key": "planted"}')
    assert "planted" not in repr(caught.value)


async def test_a_broken_private_key_is_named(key):
    account = json.dumps(
        {"client_email": "b@a.example", "private_key": "-----BEGIN", "token_uri": "http://127.0.0.1:9/"}
    )
    with pytest.raises(Misconfigured, match="private key"):
        await by_account("http://127.0.0.1:9", account).probe(Call())


def test_a_source_that_knows_no_such_sign_in_says_which_it_knows():
    class Simple(Plain):
        manifest = Plain.manifest.model_copy(update={"auth": Auth(help="ask")})

    settings = SourceSettings.model_validate({"kind": "plain", "oauth": {"client_id": "a", "refresh_token": "r"}})
    with pytest.raises(Misconfigured, match="cannot be signed in to by oauth, but by token"):
        Simple("plain", settings)


async def test_an_open_source_is_asked_without_a_signature():
    class Open(Plain):
        manifest = Plain.manifest.model_copy(update={"auth": Auth(help="nothing", kinds=("none",))})

    vendor = Vendor()
    vendor.accepts = lambda token, last: True
    async with listening(vendor) as url:
        source = Open("plain", SourceSettings.model_validate({"kind": "plain", "base_url": url}))
        await source.probe(Call())
        await source.aclose()
    assert vendor.asked == [""]
