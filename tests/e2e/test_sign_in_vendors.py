"""Every vendor's description, by which people connect accounts, before a service that wants what the vendor's documents say."""

import asyncio
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

import aiohttp
import pytest
from aiohttp import web

from connectors.errors import BadReply, Misconfigured, Unauthenticated, Unavailable
from connectors.manifest import Application
from connectors.oauth import Grant, Vendor, challenge, new_verifier
from connectors.registry import load_source, source_kinds
from orchestrator.sandbox.faults import parse_fault
from orchestrator.sandbox.service import Service
from tests.pretend.sign_in_pages import SignInPages
from translators.said import said_in

SERVED_BY = {
    "gmail": "google",
    "drive": "google",
    "googlechat": "google",
    "notion": "notion",
    "jira": "atlassian",
    "confluence": "atlassian",
    "linear": "linear",
    "github": "github",
    "microsoft365": "microsoft",
}
SLACKS = {"slack", "slack_rts"}  # in test_accounts.py, through a whole pretend Slack
NO_WAY_TO_WITHDRAW = {"jira", "confluence", "microsoft365"}
BACK = "http://127.0.0.1:8480/accounts/source/callback"
START = datetime(2026, 11, 20, 1, 0, tzinfo=UTC)


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


class Place:
    """A vendor's service, and our side of it."""

    def __init__(self, source, url, pages, service, clock):
        self.pages, self.service, self.clock, self.url = pages, service, clock, url
        self.ways = load_source(source).manifest.auth.sign_in
        self.vendor = self.registered()

    def registered(self, **changed):
        server = self.pages.server
        said = {"client_id": server.client_id, "client_secret": server.client_secret}
        places = {
            "authorize_url": f"{self.url}/authorize",
            "token_url": f"{self.url}/token",
            "revoke_url": f"{self.url}{urlsplit(self.ways.revoke_url).path.replace('{client_id}', server.client_id)}"
            if self.ways.withdraws == "delete"
            else f"{self.url}/revoke"
            if self.ways.revoke_url
            else "",
        }
        return Vendor("Vendor", self.ways, Application.model_validate({**said, **places, **changed}))

    async def leave(self, state="state", verifier=None, **changed):
        """What a person brings back."""
        verifier = verifier or new_verifier()
        url = self.registered(**changed).authorize_url(BACK, state, verifier)
        async with aiohttp.ClientSession() as browser, browser.get(url, allow_redirects=False) as reply:
            assert reply.status == 302, await reply.text()
            told = parse_qs(urlsplit(reply.headers["location"]).query)
        return {name: values[0] for name, values in told.items()}, verifier

    async def granted(self):
        told, verifier = await self.leave()
        assert "code" in told, told
        return await self.vendor.redeem(told["code"], BACK, verifier, self.clock())


@asynccontextmanager
async def at(source):
    """The service that signs people in to a source, on a port of its own."""
    clock = Clock()
    pages = SignInPages(SERVED_BY[source], clock)
    with ThreadPoolExecutor(1) as pool:
        service = Service(pages, pool, asyncio.Event(), lambda _: None)
        runner = web.ServerRunner(service.server(), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield Place(source, f"http://127.0.0.1:{runner.addresses[0][1]}", pages, service, clock)
        finally:
            await runner.cleanup()


def test_every_description_is_tried():
    described = {kind for kind in source_kinds() if load_source(kind).manifest.auth.sign_in is not None}
    assert described == SERVED_BY.keys() | SLACKS
    for kind in described:
        ways = load_source(kind).manifest.auth.sign_in
        assert all(url.startswith("https://") for url in (ways.authorize_url, ways.token_url, ways.docs))


@pytest.mark.parametrize("source", SERVED_BY)
async def test_the_whole_life_of_a_grant(source):
    async with at(source) as place:
        grant = await place.granted()
        holder = place.pages.server.holder(grant.access_token)
        assert holder.scopes == frozenset(place.ways.scopes)
        assert grant.expires == START + timedelta(hours=1)
        assert grant.refresh_token  # or people would sign in again every hour
        assert grant.access_token not in repr(grant)

        place.clock.now += timedelta(hours=2)
        renewed = await place.vendor.renew(grant, place.clock())
        assert renewed.access_token != grant.access_token
        assert renewed.refresh_token
        assert renewed.expires == place.clock() + timedelta(hours=1)
        again = await place.vendor.renew(renewed, place.clock())
        assert place.pages.server.holder(again.access_token)

        assert await place.vendor.withdraw(again) is (source not in NO_WAY_TO_WITHDRAW)
        if source not in NO_WAY_TO_WITHDRAW:
            with pytest.raises(Unauthenticated):
                await place.vendor.renew(again, place.clock())
            assert await place.vendor.withdraw(again)  # twice does no harm


@pytest.mark.parametrize("source", SERVED_BY)
async def test_what_a_vendor_would_not_take(source):
    async with at(source) as place:
        told, verifier = await place.leave()
        with pytest.raises(Misconfigured) as wrong_secret:
            await place.registered(client_secret="wrong-secret-1").redeem(told["code"], BACK, verifier, START)
        assert "wrong-secret-1" not in str(wrong_secret.value)
        with pytest.raises((Unauthenticated, Misconfigured)):
            await place.vendor.redeem(told["code"], f"{BACK}/", verifier, START)
        if place.ways.pkce:
            with pytest.raises(Unauthenticated) as failure:
                await place.vendor.redeem(told["code"], BACK, new_verifier(), START)
            assert told["code"] not in str(failure.value)
        grant = await place.vendor.redeem(told["code"], BACK, verifier, START)
        with pytest.raises(Unauthenticated):
            await place.vendor.redeem(told["code"], BACK, verifier, START)
        with pytest.raises(Unauthenticated):  # what a leaked code has led to is ended
            await place.vendor.renew(grant, START)
        told, verifier = await place.leave()
        place.clock.now += timedelta(minutes=11)
        with pytest.raises(Unauthenticated):
            await place.vendor.redeem(told["code"], BACK, verifier, START)


@pytest.mark.parametrize("source", ["linear", "github", "notion"])
async def test_a_refresh_token_is_good_once(source):
    async with at(source) as place:
        grant = await place.granted()
        renewed = await place.vendor.renew(grant, START)
        with pytest.raises(Unauthenticated) as failure:
            await place.vendor.renew(grant, START)
        assert grant.refresh_token not in str(failure.value)
        with pytest.raises(Unauthenticated):
            await place.vendor.renew(renewed, START)


async def test_a_renewal_without_a_new_refresh_token_keeps_the_old_one():
    async with at("gmail") as place:
        grant = await place.granted()
        assert (await place.vendor.renew(grant, START)).refresh_token == grant.refresh_token


async def test_scopes_of_ones_own():
    async with at("linear") as place:
        told, _ = await place.leave(scopes="read,write")
        assert "code" in told
        told, _ = await place.leave(scopes=["admin"])
        assert told["error"] == "invalid_scope"
    async with at("github") as place:  # a GitHub App has permissions of its own and takes no scopes
        assert "scope" not in parse_qs(urlsplit(place.registered(scopes=[]).authorize_url(BACK, "s", "v")).query)


@pytest.mark.parametrize(
    ("fault", "error"),
    [("linear=status:500", Unavailable), ("linear=disconnect", Unavailable), ("linear=malformed", BadReply)],
)
async def test_a_service_that_fails(fault, error):
    async with at("linear") as place:
        told, verifier = await place.leave()
        place.service.strike(parse_fault(fault)[1])
        with pytest.raises(error):
            await place.vendor.redeem(told["code"], BACK, verifier, START)


@pytest.mark.parametrize("proves_by", ["basic", "form"])
async def test_a_vendor_that_repeats_what_it_was_told_gives_no_secret_away(proves_by):
    secret = "비밀 s/e+c:r%t-1"

    async def repeat(request):
        told = f"{request.headers.get('Authorization')} {await request.text()} {secret}"
        return web.json_response({"error": "invalid_grant", "error_description": told}, status=400)

    app = web.Application()
    app.router.add_post("/token", repeat)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        ways = load_source("notion").manifest.auth.sign_in.model_copy(update={"proves_by": proves_by, "speaks": "form"})
        url = f"http://127.0.0.1:{runner.addresses[0][1]}/token"
        vendor = Vendor("Vendor", ways, Application(client_id="a:b", client_secret=secret, token_url=url))
        with pytest.raises(Unauthenticated) as failure:
            await vendor.redeem("code-0123456789", BACK, new_verifier(), START)
    finally:
        await runner.cleanup()
    header = b64encode(f"{quote('a:b', safe='')}:{quote(secret, safe='')}".encode()).decode()
    for told in (secret, quote(secret, safe=""), quote_plus(secret), header, "code-0123456789"):
        assert told not in str(failure.value)
        assert told not in said_in(failure.value.message, "ko")


async def test_an_application_without_a_secret():
    async with at("microsoft365") as place:
        place.pages.server.client_secret = ""
        public = place.registered(client_secret=None)
        told, verifier = await place.leave(client_secret=None)
        assert (await public.redeem(told["code"], BACK, verifier, START)).access_token


def test_tokens_do_not_travel_in_the_clear():
    ways = load_source("linear").manifest.auth.sign_in
    with pytest.raises(Misconfigured, match="https"):
        Vendor("Linear", ways, Application(client_id="1", token_url="http://linear.example.com/token"))


async def test_a_grant_without_a_refresh_token_ends():
    ways = load_source("linear").manifest.auth.sign_in
    with pytest.raises(Unauthenticated, match="ended"):
        await Vendor("Linear", ways, Application(client_id="1")).renew(Grant(access_token="a"), START)


def test_the_example_of_rfc_7636():
    assert challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    assert 43 <= len(new_verifier()) <= 128
