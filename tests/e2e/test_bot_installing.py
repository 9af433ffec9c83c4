"""Workspaces install the app by themselves: by a browser and Slack's pages, over real sockets, and take it away again."""

import asyncio
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from connectors.errors import Misconfigured
from orchestrator.access import new_key
from orchestrator.assembly.accounts import seal_of, vault_of
from orchestrator.assembly.bot import open_bot, shop_of
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings
from orchestrator.surfaces.bot.slack import serve_http, serve_pages, serve_socket
from tests.e2e.bot_workplace import read, settled
from tests.pretend.slack import LiveSlack

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # in Slack's own client

CORPUS = default_corpus()
EN = "What did we decide about the API migration?"
FIRST, SECOND, STRANGER = "T0SANDBOX0", "T0SECOND00", "T0STRANGE0"
KEY = new_key()
COOKIE = "__Host-fedsearch-install"


def settings_for(slack, sandbox, url, path, **bot):
    return load_settings(
        {
            "sources": {name: {"base_url": e.base_url, "token": e.token} for name, e in sandbox.endpoints.items()},
            "storage": {"data_dir": str(path)},
            "ranking": {"semantic": "off"},
            "index": {"database_url": url},
            "accounts": {"secret": KEY},
            "bot": {
                "base_url": slack.base_url,
                "transport": "http",
                "signing_secret": slack.signing_secret,
                "client_id": slack.installing.server.client_id,
                "client_secret": slack.installing.server.client_secret,
                "teams": [FIRST, SECOND],
                "address": "http://127.0.0.1:8490",
                "open": ["notion"],
                **bot,
            },
        },
        {},
    )


class Browser:
    """Goes where it is sent, with its cookies."""

    def __init__(self, http, bot):
        self.http, self.bot, self.cookies = http, bot, {}

    async def get(self, url):
        """Status, text and where it is sent on to."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        async with self.http.get(url, allow_redirects=False, headers=headers) as reply:
            self.cookies |= {name: each.value for name, each in reply.cookies.items()}
            return reply.status, await reply.text(), reply.headers.get("Location", "")

    async def begun(self):
        """Slack's page, to which the app sends who wants to install it."""
        status, _, page = await self.get(f"{self.bot}/slack/install")
        assert status == 302
        return page

    async def allowed(self, page, team, user="U01MSK0A2"):
        """The way back from that page."""
        _, _, back = await self.get(f"{page}&sandbox_team={team}&sandbox_person={user}")
        return f"{self.bot}{urlsplit(back).path}?{urlsplit(back).query}"

    async def installed(self, team):
        return await self.get(await self.allowed(await self.begun(), team))


class Work:
    def __init__(self, slack, settings, opened, browser):
        self.slack, self.settings, self.opened, self.browser = slack, settings, opened, browser

    async def asked(self, place, user, channel, text=EN):
        """What the app says new in a workspace after somebody asked there."""
        before = len(place.life.posts)
        _, delivered = await place.say(user, channel, text)
        assert {each.status for each in delivered} == {200}
        await settled(self.opened)
        return place.life.posts[before:]


@asynccontextmanager
async def opened(slack, sandbox, url, path, **bot):
    settings = settings_for(slack, sandbox, url, path, **bot)
    async with open_bot(settings, rated=False) as opened, serve_http(opened, "127.0.0.1", 0) as address:
        slack.deliveries.request_url = address
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            yield Work(slack, settings, opened, Browser(http, address.removesuffix("/slack/events")))


@pytest.fixture(params=[False])
async def work(request, tmp_path, index_url):
    async with (
        Sandbox(CORPUS, sources=["slack", "notion"]) as sandbox,
        LiveSlack(CORPUS, rotating=request.param) as slack,
    ):
        slack.second = slack.another(CORPUS, SECOND)
        slack.another(CORPUS, STRANGER)
        async with opened(slack, sandbox, index_url, tmp_path) as work:
            work.sandbox, work.url, work.path = sandbox, index_url, tmp_path
            work.user = slack.life.id_of("minsu.kim")
            yield work


def direct(place, user):
    return place.life.direct(user)


async def test_each_workspace_is_answered_by_its_own_token_once_it_has_installed(work):
    second = work.slack.second
    assert await work.asked(second, work.user, direct(second, work.user)) == []
    status, page, _ = await work.browser.installed(SECOND)
    assert (status, "is installed" in page, "설치했습니다" in page) == (200, True, True)
    (post,) = await work.asked(second, work.user, direct(second, work.user))
    assert read(post).startswith("What was decided:")
    assert await work.asked(work.slack, work.user, direct(work.slack, work.user)) == []  # not installed there
    await work.browser.installed(FIRST)
    (post,) = await work.asked(work.slack, work.user, direct(work.slack, work.user))
    assert read(post).startswith("What was decided:")
    assert len(second.life.posts) == 1


async def test_where_it_is_not_installed_a_command_says_so(work):
    second = work.slack.second
    assert (await second.command(work.user, second.life.channel_called("platform"), EN)).status == 200
    (post,) = second.life.posts
    assert (post.only, "not installed" in read(post), "설치되어 있지 않습니다" in read(post)) == (work.user, True, True)


async def test_what_one_workspace_asked_the_other_does_not_go_on_from(work):
    for team in (FIRST, SECOND):
        await work.browser.installed(team)
    second = work.slack.second
    await work.asked(work.slack, work.user, direct(work.slack, work.user))
    (post,) = await work.asked(second, work.user, direct(second, work.user), "who decided that?")
    assert "Taken as" not in read(post)


async def test_it_outlives_the_process_sealed(work):
    await work.browser.installed(SECOND)
    async with opened(work.slack, work.sandbox, work.url, work.path) as again:
        second = again.slack.second
        (post,) = await again.asked(second, work.user, direct(second, work.user))
        assert read(post).startswith("What was decided:")
    import asyncpg

    connection = await asyncpg.connect(work.url)
    (row,) = await connection.fetch("SELECT * FROM vault")
    await connection.close()
    assert (row["principal"], row["source"]) == (f"slack:{SECOND}", "bot")
    assert b"xoxb-" not in bytes(row["sealed"])


async def test_a_workspace_that_is_not_let_in_is_uninstalled_at_once(work):
    status, page, _ = await work.browser.installed(STRANGER)
    assert (status, "not_let_in" in page) == (403, True)
    assert [name for name, _ in work.slack.calls if name == "apps.uninstall"] == ["apps.uninstall"]
    assert not work.slack.installing._given.get(STRANGER)
    async with vault_of(work.settings, seal_of(work.settings)) as vault:
        assert await vault.listed() == ()


async def test_a_workspace_that_is_let_in_no_longer_is_not_answered(work):
    await work.browser.installed(SECOND)
    async with opened(work.slack, work.sandbox, work.url, work.path, teams=[FIRST]) as again:
        second = again.slack.second
        assert await again.asked(second, work.user, direct(second, work.user)) == []


async def test_uninstalled_it_forgets_the_token_in_every_process(work):
    await work.browser.installed(SECOND)
    second = work.slack.second
    async with opened(work.slack, work.sandbox, work.url, work.path) as other:
        assert len(await other.asked(second, work.user, direct(second, work.user))) == 1
        await work.slack.uninstall(SECOND)  # only `other` is told
        await settled(other.opened)
        async with vault_of(work.settings, seal_of(work.settings)) as vault:
            assert await vault.listed() == ()
    assert await work.opened.teams.of(SECOND) is None


async def test_an_end_that_is_told_late_does_not_undo_a_new_installation(work):
    await work.browser.installed(SECOND)
    await work.browser.installed(SECOND)
    late = {"type": "app_uninstalled"}
    await work.slack.deliveries.event(work.slack.second.wrapped(late))
    await settled(work.opened)
    assert await work.opened.teams.of(SECOND) is not None


async def test_a_way_back_is_good_once_in_the_browser_that_began(work):
    page = await work.browser.begun()
    back = await work.browser.allowed(page, SECOND)
    state = parse_qs(urlsplit(back).query)["state"][0]
    other = Browser(work.browser.http, work.browser.bot)
    assert (await other.get(back))[0] == 400  # begun in another browser: somebody else's code
    other.cookies[COOKIE] = "forged"
    assert (await other.get(back.replace(state, "forged")))[0] == 401  # both forged alike
    other.cookies = dict(work.browser.cookies)
    assert (await work.browser.get(back))[0] == 200
    assert (await other.get(back))[0] == 401  # replayed with the cookie
    assert [name for name, _ in work.slack.calls].count("oauth.v2.access") == 1


async def test_a_state_ends_after_ten_minutes_and_is_used_once_by_all_processes(work, monkeypatch):
    states = work.opened.installing.settings.state_store
    old, fresh = await states.async_issue(), await states.async_issue()
    import time

    began = time.time()  # from here it stands still, however long the other takes to open
    monkeypatch.setattr("orchestrator.surfaces.bot.slack.installations.time.time", lambda: began + 599)
    async with opened(work.slack, work.sandbox, work.url, work.path) as other:
        elsewhere = other.opened.installing.settings.state_store
        assert await elsewhere.async_consume(fresh)
        assert not await states.async_consume(fresh)
        monkeypatch.setattr("orchestrator.surfaces.bot.slack.installations.time.time", lambda: began + 601)
        assert not await elsewhere.async_consume(old)
    for forged in ("", "x" * 5000, "%%%", old[:-4] + "AAAA"):
        assert not await states.async_consume(forged)


async def test_declined_and_broken_ways_back_keep_nothing_and_say_why(work):
    browser = work.browser
    assert "access_denied" in (await browser.get(await browser.allowed(await browser.begun(), "")))[1]
    back = await browser.allowed(await browser.begun(), SECOND)
    status, page, _ = await browser.get(back.replace("code=", "code=wrong"))
    assert (status, "invalid_code" in page) == (401, True)
    status, page, _ = await browser.get(f"{browser.bot}/slack/oauth_redirect?error=<script>alert(1)</script>")
    assert "<script>" not in page
    async with browser.http.get(f"{browser.bot}/slack/oauth_redirect?error=x") as reply:
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["Referrer-Policy"] == "no-referrer"
    asked = parse_qs(urlsplit(await browser.begun()).query)
    assert asked["redirect_uri"] == ["http://127.0.0.1:8490/slack/oauth_redirect"]
    assert "chat:write" in asked["scope"][0]
    async with vault_of(work.settings, seal_of(work.settings)) as vault:
        assert await vault.listed() == ()


@pytest.mark.parametrize("work", [True], indirect=True)
async def test_tokens_that_end_are_renewed_once_among_processes(work):
    await work.browser.installed(SECOND)
    first = (await work.opened.teams.of(SECOND)).client.token
    async with vault_of(work.settings, seal_of(work.settings)) as vault:
        held = (await vault.of(f"slack:{SECOND}"))[0]["bot"]
        soon = held.grant.model_copy(update={"expires": held.connected})
        await vault.put(held.principal, "bot", soon)
    async with opened(work.slack, work.sandbox, work.url, work.path) as other:
        both = await asyncio.gather(work.opened.teams.of(SECOND), other.opened.teams.of(SECOND))
        tokens = {each.client.token for each in both}
        assert len(tokens) == 1
        assert first not in tokens
        second = work.slack.second
        (post,) = await other.asked(second, work.user, direct(second, work.user))
        assert read(post).startswith("What was decided:")
    assert [name for name, _ in work.slack.calls].count("oauth.v2.access") == 2  # the code, and one renewal


async def test_by_socket_mode_only_the_pages_are_served(tmp_path, index_url):
    async with Sandbox(CORPUS, sources=["slack"]) as sandbox, LiveSlack(CORPUS) as slack:
        settings = settings_for(slack, sandbox, index_url, tmp_path, app_token=slack.app_token, open=[])
        async with (
            open_bot(settings, rated=False) as opened,
            serve_socket(opened),
            serve_pages(opened, "127.0.0.1", 0) as address,
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
        ):
            bot = address.removesuffix("/slack/install")
            assert (await Browser(http, bot).installed(FIRST))[0] == 200
            async with http.post(f"{bot}/slack/events", data=b"{}") as reply:
                assert reply.status == 404
            assert await opened.teams.of(FIRST) is not None


@pytest.mark.parametrize(
    ("bot", "secret", "says"),
    [
        ({"client_secret": None}, KEY, "FEDSEARCH_BOT__CLIENT_SECRET"),
        ({"teams": []}, KEY, r"bot\.teams"),
        ({"address": ""}, KEY, r"bot\.address"),
        ({"address": "http://bot.example.com"}, KEY, r"bot\.address"),
        ({}, "", r"accounts\.secret"),
    ],
    ids=["no secret", "no workspaces", "no address", "an open address", "nothing to seal with"],
)
def test_what_is_missing_is_said(bot, secret, says):
    told = {
        "client_id": "1.2",
        "client_secret": "very-secret",
        "teams": "T1",
        "address": "https://bot.example.com",
        **bot,
    }
    settings = load_settings({"bot": told, "accounts": {"secret": secret}}, {})
    with pytest.raises(Misconfigured, match=says):
        shop_of(settings)
    assert "very-secret" not in repr(settings)


def test_by_a_token_nothing_is_installed():
    assert shop_of(load_settings({"bot": {"token": "xoxb-x"}}, {})) is None
