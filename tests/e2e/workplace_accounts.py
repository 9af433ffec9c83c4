"""People of the pretend workplace who connect their own Slack accounts to a running server, as a browser would."""

import asyncio
import os
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import aiohttp

from orchestrator.access import new_key
from tests.clock import HANGING
from tests.e2e.patience import ENOUGH
from tests.e2e.program import WARM

DAVID, TAEYOUNG, SORA = "david.park", "taeyoung.kim", "sora.han"
"""In the private channel `leadership`; in `채용-위원회`; in neither."""


def slack_application(sandbox):
    """How the pretend application is registered with the pretend Slack."""
    slack, server = sandbox.endpoints["slack"].base_url, signing_in(sandbox)
    return {
        "client_id": server.client_id,
        "client_secret": server.client_secret,
        "authorize_url": f"{slack.removesuffix('/api/')}/oauth/v2/authorize",
        "token_url": f"{slack}oauth.v2.access",
        "revoke_url": f"{slack}auth.revoke",
    }


def signing_in(sandbox):
    """The pretend Slack's authorization server."""
    return sandbox._emulators["slack"].signing_in.server


def people_settings(index_url, provider, **accounts):
    """Settings under which people enter with tokens and ask Slack by their own accounts."""
    secret = accounts.pop("secret", new_key())

    def settings(url, sandbox):
        slack = {
            "base_url": sandbox.endpoints["slack"].base_url,
            "credential": "person",
            "rate": 100_000,
            "application": slack_application(sandbox),
        }
        others = {
            name: {"base_url": end.base_url, "token": end.token, "rate": 100_000}
            for name, end in sandbox.endpoints.items()
            if name != "slack"
        }
        return {
            "oidc": provider.settings(),
            "index": {"database_url": index_url},
            "accounts": {"address": url, "secret": secret, **accounts},
            "sources": {**others, "slack": slack},
        }

    return settings


async def until_ready(api):
    """Wait for what the server loads when it starts: it holds the machine, and what listens beside it."""
    async with asyncio.timeout(HANGING):
        while True:
            async with api.http.get(api.url + "/readyz") as reply:
                if reply.status == 200:
                    return
            await asyncio.sleep(0.05)


class Someone:
    """One person: a token of the identity provider, and a browser that is signed in to Slack as `handle`."""

    def __init__(self, api, token, handle, browser):
        self.api, self.token, self.handle, self.browser = api, token, handle, browser

    @property
    def auth(self):
        return {"Authorization": f"Bearer {self.token}"}

    async def request(self, method, path, body=None, **headers):
        """Status and document."""
        sent = self.browser.request(method, self.api.url + path, json=body, headers={**self.auth, **headers})
        async with sent as reply:
            return reply.status, await reply.json(content_type=None)

    async def begin(self, source="slack"):
        """What the server says when a sign-in begins."""
        status, document = await self.request("POST", f"/v1/accounts/{source}")
        assert status == 200, document
        return document

    async def consent(self, url):
        """Say yes at Slack; where it sends the browser back to."""
        who = {"Cookie": f"sandbox_person={self.handle}"}
        async with self.browser.get(url, headers=who, allow_redirects=False) as reply:
            assert reply.status == 302, await reply.text()
            return reply.headers["location"]

    async def come_back(self, address):
        """The page that the browser ends on."""
        async with self.browser.get(address) as reply:
            return reply.status, await reply.text()

    async def connect(self):
        """The whole way."""
        begun = await self.begin()
        status, page = await self.come_back(await self.consent(begun["url"]))
        assert status == 200, page
        return page

    async def search(self, question, **more):
        """A whole answer, in all the time it may take: a body that says nothing has 3 s."""
        body = {"question": question, "limit": 20, "budget": ENOUGH, **more}
        status, document = await self.request("POST", "/v1/search", body)
        assert status == 200, document
        return document


def asked(address):
    """The parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def receipt_of(answer, source="slack"):
    """How one source took part."""
    return next(each for each in answer["sources"] if each["source"] == source)


@asynccontextmanager
async def somebody(api, provider, subject, handle):
    """A person with a browser of their own, for as long as the context lasts."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        yield Someone(api, provider.token(sub=subject), handle, browser)


async def command(environment, *words, group="accounts"):
    """`fedsearch accounts …` as a process of its own: its exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        *WARM, group, *words,
        env={**os.environ, **environment}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    told, _ = await process.communicate()
    return process.returncode, told.decode()
