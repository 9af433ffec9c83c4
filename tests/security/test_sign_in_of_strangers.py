"""What a source says of who signs people in to it, attacked: nothing of it leads a request of ours inside, and nothing is kept that could not be used."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import web

from connectors.errors import SourceError
from connectors.oauth import Grant
from orchestrator.access import ClientDocument, DiscoveredReach, Seal, SelfDescribed, Vault, keys_of, new_key
from orchestrator.websearch.pages.addresses import AddressPolicy
from storage.database import Database
from tests.e2e.test_mcp_described import BACK, DOCUMENT, OAUTH, PROTECTED, Told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    Attempt = Callable[[Told, str], None]

LONG = 1_000_000
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def described(**changed: Any) -> Attempt:
    """The sign-in service says this of itself; ``{inside}`` stands for an address that only we reach."""
    return lambda told, inside: told.pages.update({OAUTH: told.description(**_filled(changed, inside))})


def resource(**changed: Any) -> Attempt:
    """The server says this of itself."""
    return lambda told, inside: told.pages.update({f"{PROTECTED}/mcp": told.resource(**_filled(changed, inside))})


def challenged(challenge: str) -> Attempt:
    """The server refuses us with these words."""
    return lambda told, inside: setattr(told, "challenge", challenge.replace("{inside}", inside))


def registered(**made: Any) -> Attempt:
    """It registers us so."""
    return lambda told, inside: setattr(told, "registration", _filled({"client_id": "ours"} | made, inside))


def served(path: str, said: Any) -> Attempt:
    """At a path stands something else."""
    return lambda told, _: told.pages.update({path: said})


def _filled(said: Any, inside: str) -> Any:
    return json.loads(json.dumps(said).replace("{inside}", inside))


DEEP = "[" * 100_000
LED_INSIDE: dict[str, Attempt] = {
    "its resource": resource(resource="{inside}/mcp"),
    "its sign-in service": resource(authorization_servers=["{inside}"]),
    "by another name": resource(authorization_servers=["http://localhost:80"]),
    "in decimal": resource(authorization_servers=["http://2130706433/"]),
    "in hexadecimal": resource(authorization_servers=["http://0x7f000001/"]),
    "mapped": resource(authorization_servers=["http://[::ffff:127.0.0.1]/"]),
    "unspecified": resource(authorization_servers=["http://0.0.0.0/"]),
    "link-local": resource(authorization_servers=["http://169.254.169.254/latest/meta-data"]),
    "behind a user": resource(authorization_servers=["http://example.com@127.0.0.1/"]),
    "by https": resource(authorization_servers=["https://127.0.0.1/"]),
    "a name that means it": resource(authorization_servers=["https://localhost./"]),
    "its tokens": described(token_endpoint="{inside}/token"),
    "its registrations": described(registration_endpoint="{inside}/register"),
    "its revocations": described(revocation_endpoint="{inside}/revoke"),
    "its refusal": challenged('resource_metadata="{inside}/here"'),
    "a file": challenged('resource_metadata="file:///etc/passwd"'),
    "another scheme": challenged('resource_metadata="gopher://127.0.0.1:70/"'),
    "a redirect of its description": served(OAUTH, "redirect"),
    "a redirect of its resource": served(f"{PROTECTED}/mcp", "redirect"),
    "a redirect of its registration": lambda told, _: setattr(told, "redirects", True),
}
UNUSABLE: dict[str, Attempt] = {
    "a refusal that never ends a quote": challenged('resource_metadata="'),
    "a script to go to": described(authorization_endpoint="javascript:alert(1)"),
    "data to go to": described(authorization_endpoint="data:text/html,<script>alert(1)</script>"),
    "to go in the clear": described(authorization_endpoint="http://login.example/authorize"),
    "a name that begins alike": resource(resource="http://127.0.0.1.evil.example/mcp"),
    "a path that begins alike": lambda told, _: told.pages.update(
        {f"{PROTECTED}/mcp": lambda url: {"resource": f"{url}/mcp-evil", "authorization_servers": [url]}}
    ),
    "an issuer of another path": lambda told, _: told.pages.update(
        {OAUTH: lambda url: told.description(issuer=f"{url}/tenant")(url)}
    ),
    "PKCE spelt otherwise": described(code_challenge_methods_supported=["s256", "S256 ", "plain"]),
    "PKCE as a text": described(code_challenge_methods_supported="S256"),
    "no tokens": described(token_endpoint=None),
    "our document as a text": described(client_id_metadata_document_supported="perhaps"),
    "scopes without an end": resource(scopes_supported=[f"scope-{number}" for number in range(100_000)]),
    "a longer way than an address holds": described(authorization_endpoint=f"https://login.example/?{'x' * LONG}"),
    "numbers": described(issuer=7, token_endpoint=7),
    "a list": served(OAUTH, lambda _: [1, 2]),
    "no JSON": served(OAUTH, "{'issuer'"),
    "deep JSON": served(OAUTH, DEEP),
    "too much": served(OAUTH, " " * 50 * LONG),
    "no name for us": registered(client_id=""),
    "a number for us": registered(client_id=7),
    "a name too long": registered(client_id="x" * LONG),
    "a secret that is none": registered(client_secret=["x"], token_endpoint_auth_method="client_secret_post"),
    "a proof that we have not": registered(token_endpoint_auth_method="private_key_jwt"),
    "a registration that is no object": lambda told, _: setattr(told, "registration", ["ours"]),
}
HARMLESS: dict[str, Attempt] = {
    "a name of two lines": registered(client_id="ours\nSet-Cookie: x=1"),
    "a name with a nil": registered(client_id="ours\x00"),
    "a name with parameters": registered(client_id="ours&redirect_uri=https://evil.example/back"),
    "a refusal of a million letters": challenged("x" * 6000),
    "a scope with quotes": challenged('scope="read \\" write"'),
    "another address to come back to": registered(redirect_uris=["https://evil.example/back"]),
    "where to change the registration": registered(registration_client_uri="{inside}", registration_access_token="x"),
    "scopes that are none": described(scopes_supported=[]),
}
TRIED = {"sign-in of sources": {**LED_INSIDE, **UNUSABLE, **HARMLESS}}


@pytest.fixture
async def vault(index_url: str) -> AsyncIterator[Vault]:
    async with Vault(Database(index_url, 2), Seal(keys_of(new_key()))) as made:
        yield made


class Stranger(Told):
    """The same, which may answer with a redirect to ``inside``."""

    inside = ""
    redirects = False

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if self.pages.get(request.path) == "redirect" or (self.redirects and "registration" in request.path):
            return web.Response(status=307, headers={"Location": f"{self.inside}/led"})
        return await super().answer(request)


@pytest.fixture
async def places() -> AsyncIterator[tuple[Callable[[], Stranger], str, list[str]]]:
    """Strangers who say what they are told to, an address inside, and what it was asked."""
    asked: list[str] = []
    strangers: list[Stranger] = []
    runners: list[web.AppRunner] = []

    async def opened(handler: Any) -> str:
        app = web.Application(client_max_size=1 << 30)
        app.router.add_route("*", "/{path:.*}", handler)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        runners.append(runner)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{runner.addresses[0][1]}"

    async def note(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"client_id": "inside"})

    inside = await opened(note)
    current: dict[str, Stranger] = {}

    async def answer(request: web.Request) -> web.StreamResponse:
        return await current["now"].answer(request)

    url = await opened(answer)

    def fresh() -> Stranger:
        told = current["now"] = Stranger()
        told.url, told.inside = url, inside
        strangers.append(told)
        return told

    yield fresh, inside, asked
    for runner in runners:
        await runner.cleanup()


async def led(vault: Vault, told: Stranger, *, document: bool) -> Any:
    """Whom people would be led to, or why nobody is."""
    reach = DiscoveredReach("Handbook", (told.url,), AddressPolicy())
    ours = ClientDocument(DOCUMENT, wanted=True) if document else None
    whom = SelfDescribed(new_key(), "Handbook", f"{told.url}/mcp", vault.registrations, reach, document=ours)
    try:
        return await whom.leading(BACK)
    except SourceError as failure:
        return failure


async def test_nothing_that_a_stranger_says_leads_a_request_of_ours_inside(vault: Vault, places: Any) -> None:
    fresh, inside, asked = places
    for what, attempt in LED_INSIDE.items():
        for document in (False, True):
            told = fresh()
            attempt(told, inside)
            found = await led(vault, told, document=document)
            if not isinstance(
                found, SourceError
            ):  # where tokens are asked for and ended is kept, and asked in its time
                grant = Grant(access_token="access", refresh_token="refresh")
                for later in (
                    found.redeem("code", BACK, "verifier", NOW),
                    found.renew(grant, NOW),
                    found.withdraw(grant),
                ):
                    with suppress(SourceError):
                        await later
            assert not asked, (what, asked)


async def test_what_cannot_be_used_is_refused_in_words_and_keeps_nothing(vault: Vault, places: Any) -> None:
    fresh, inside, _ = places
    before = await kept(vault)
    for what, attempt in UNUSABLE.items():
        told = fresh()
        attempt(told, inside)
        found = await led(vault, told, document=False)
        assert isinstance(found, SourceError), what
        assert len(str(found.message)) < 2_000, what
    assert await kept(vault) == before


async def kept(vault: Vault) -> int:
    found = await vault._database.run(lambda each: each.fetchval("SELECT count(*) FROM vault_clients"))
    return int(found)


async def test_what_is_odd_and_harmless_changes_neither_where_people_come_back_to_nor_who_we_are(
    vault: Vault, places: Any
) -> None:
    fresh, inside, asked = places
    for what, attempt in HARMLESS.items():
        told = fresh()
        attempt(told, inside)
        found = await led(vault, told, document=False)
        assert not isinstance(found, SourceError), (what, found)
        address = urlsplit(found.authorize_url(BACK, "state", "verifier"))
        assert address.query.isascii(), what
        assert address.query.isprintable(), what
        sent = parse_qs(address.query)
        assert sent["redirect_uri"] == told.told["redirect_uris"] == [BACK], what
        assert sent["client_id"][0].startswith("ours"), what
        assert not asked, what
