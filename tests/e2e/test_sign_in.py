"""People sign in on the page through their identity provider: a real provider on this machine, real signatures, a browser's cookies."""

from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from joserfc.jwk import RSAKey
from yarl import URL

from connectors.errors import Misconfigured
from orchestrator.assembly.accounts import sign_in_of, tokens_of
from orchestrator.settings import load_settings
from tests.e2e.identity_provider import CLIENT, SECRET, identity_provider
from tests.e2e.workplace_accounts import people_settings

BACK = "/search-for?q=%EB%B0%B0%ED%8F%AC"


@asynccontextmanager
async def browser():
    """Somebody's browser: it keeps cookies, and follows what it is told to."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        yield session


@asynccontextmanager
async def office(serve, tmp_path, **more):
    """A server whose people sign in at a provider."""
    async with identity_provider() as provider:

        def settings(url, _):
            oidc = provider.settings(client_id=CLIENT, client_secret=SECRET, **more)
            return {"oidc": oidc, "accounts": {"address": url}}

        async with serve(tmp_path, more=settings) as api:
            yield api, provider


async def gone(session, api, back="/"):
    """Where the provider is asked, and where it sends the browser back to; nobody has followed that yet."""
    async with session.get(f"{api.url}/sign-in/provider", params={"back": back}, allow_redirects=False) as reply:
        assert reply.status == 303
        there = reply.headers["Location"]
    async with session.get(URL(there, encoded=True), allow_redirects=False) as reply:
        return there, reply.headers["Location"]


async def landed(session, url):
    """The status of a page, where it leads, and what stands there."""
    async with session.get(URL(url, encoded=True), allow_redirects=False) as reply:
        return reply.status, reply.headers.get("Location", ""), await reply.text()


async def test_the_whole_way_there_and_back_and_out(serve, tmp_path):
    async with office(serve, tmp_path) as (api, provider), browser() as session:
        _, _, page = await landed(session, f"{api.url}/?q=okta")
        assert "/sign-in/provider?back=%2F%3Fq%3Dokta" in page
        there, home = await gone(session, api, "/?q=okta")
        asked = parse_qs(urlsplit(there).query)
        assert asked["redirect_uri"] == [f"{api.url}/sign-in/callback"]
        assert asked["scope"] == ["openid profile email"]
        (tmp_path / "audit.jsonl").mkdir()
        assert (await landed(session, home))[0] == 503
        assert (await landed(session, f"{api.url}/"))[0] == 401, "what cannot be written down is not done"
        (tmp_path / "audit.jsonl").rmdir()
        _, home = await gone(session, api, "/?q=okta")
        status, back, _ = await landed(session, home)
        assert (status, back) == (303, "/?q=okta")
        status, _, page = await landed(session, f"{api.url}/")
        assert status == 200
        assert "앨리스" in page
        lines = (tmp_path / "audit.jsonl").read_text("utf-8")
        assert f"{provider.url}#alice" in lines
        assert "signed in" in lines

        token = page.partition('name="token" value="')[2].partition('"')[0]
        async with session.post(f"{api.url}/sign-out", data={"token": token}) as reply:
            assert reply.status == 200
        assert (await landed(session, f"{api.url}/"))[0] == 401


async def test_groups_and_their_rights_come_along_and_a_key_still_opens(serve, tmp_path):
    rules = {"scopes": ["search"], "grants": {"운영팀": ["sources"]}}
    async with office(serve, tmp_path, **rules) as (api, provider), browser() as one, browser() as other:
        _, home = await gone(one, api)
        assert (await landed(one, home))[0] == 303
        assert (await landed(one, f"{api.url}/sources"))[0] == 403
        provider.person = {"sub": "bo", "groups": ["운영팀"]}
        _, home = await gone(other, api)
        assert (await landed(other, home))[0] == 303
        assert (await landed(other, f"{api.url}/sources"))[0] == 200


@pytest.mark.parametrize(
    ("claims", "what"),
    [
        ({"nonce": "another"}, "nonce"),
        ({"aud": "another"}, "audience"),
        ({"iss": "https://another.example"}, "issuer"),
        ({"azp": "another", "aud": [CLIENT, "another"]}, "party"),
        ({"exp": 1}, "time"),
        ({"sub": None}, "subject"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_an_id_token_that_is_not_for_this_sign_in_opens_nothing(serve, tmp_path, claims, what):
    async with office(serve, tmp_path) as (api, provider), browser() as session:
        provider.claims = claims
        _, home = await gone(session, api)
        status, _, page = await landed(session, home)
        assert (status, "/sign-in" in page) == (409, True), what
        assert (await landed(session, f"{api.url}/"))[0] == 401


async def test_who_did_not_begin_it_does_not_end_it(serve, tmp_path):
    async with office(serve, tmp_path) as (api, provider), browser() as one, browser() as other:
        _, home = await gone(one, api)
        assert (await landed(other, home))[0] == 409, "another browser: login CSRF"
        assert (await landed(one, home.replace("state=", "state=x")))[0] == 409
        assert (await landed(one, home.replace("iss=http", "iss=https")))[0] == 409, "another provider: mix-up"
        assert (await landed(one, f"{api.url}/sign-in/callback?error=access_denied&state=x"))[0] == 409
        assert provider.codes, "no code was shown to anybody"
        assert (await landed(one, home))[0] == 303
        assert (await landed(one, home))[0] == 409, "once"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
async def test_nobody_is_led_elsewhere(serve, tmp_path, back):
    async with office(serve, tmp_path) as (api, _), browser() as session:
        _, home = await gone(session, api, back)
        assert (await landed(session, home))[:2] == (303, "/")


async def test_a_provider_that_is_away_or_signs_with_a_foreign_key(serve, tmp_path):
    async with office(serve, tmp_path) as (api, provider), browser() as session:
        _, home = await gone(session, api)
        provider.keys = [RSAKey.generate_key(2048, {"kid": "one", "use": "sig", "alg": "RS256"})]
        provider.published = [RSAKey.generate_key(2048, {"kid": "one", "use": "sig"}).as_dict(private=False)]
        status, _, page = await landed(session, home)
        assert (status, SECRET in page) == (409, False)
        provider.status = 500
        assert (await landed(session, f"{api.url}/sign-in/provider"))[0] == 503


async def test_more_groups_than_a_cookie_holds_are_told(serve, tmp_path):
    async with office(serve, tmp_path) as (api, provider), browser() as session:
        provider.person = {"sub": "alice", "groups": [f"group-{number:040}" for number in range(100)]}
        _, home = await gone(session, api)
        status, _, page = await landed(session, home)
        assert status == 409
        assert "more groups" in page


async def test_who_is_new_is_shown_what_they_can_connect_and_goes_on_to_their_question(serve, tmp_path, index_url):
    async with identity_provider() as provider:
        rest = people_settings(index_url, provider)

        def settings(url, sandbox):
            return {**rest(url, sandbox), "oidc": provider.settings(client_id=CLIENT, client_secret=SECRET)}

        async with serve(tmp_path, more=settings) as api, browser() as session:
            _, home = await gone(session, api, "/?q=okta")
            _, back, _ = await landed(session, home)
            assert back == "/accounts?back=%2F%3Fq%3Dokta"
            _, _, page = await landed(session, api.url + back)
            assert 'href="/?q=okta"' in page
            _, _, page = await landed(session, f"{api.url}/accounts")
            assert 'href="/?q=okta"' in page, "after an account was connected, too"


def test_settings_that_cannot_work_are_refused_and_a_page_without_programs_takes_no_tokens():
    given = {"issuer": "https://login.example.com", "client_id": CLIENT}
    with pytest.raises(Misconfigured, match=r"accounts\.address"):
        sign_in_of(load_settings({"oidc": given}), lambda: b"s" * 32)
    assert tokens_of(load_settings({"oidc": given})) is None
    assert sign_in_of(load_settings({"oidc": {"issuer": given["issuer"], "audience": "x"}}), lambda: b"s" * 32) is None
