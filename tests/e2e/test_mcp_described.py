"""What a server says of who signs people in to it is a stranger's word: what does not fit together leads nobody anywhere."""

import pytest
from aiohttp import web

from connectors.errors import Misconfigured, Unauthenticated, Unavailable
from connectors.manifest import Application
from orchestrator.access import ClientDocument, DiscoveredReach, Seal, SelfDescribed, Vault, keys_of, new_key
from orchestrator.websearch.pages.addresses import AddressPolicy
from storage.database import Database

BACK = "http://127.0.0.1:8480/accounts/handbook/callback"
PROTECTED, OAUTH, OPENID = (
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
)


class Told:
    """A server that says what it is told to: ``pages`` by path, a function of its own address or a status."""

    def __init__(self):
        self.url = ""
        self.asked = []
        self.challenge = ""
        self.registration = {"client_id": "ours", "token_endpoint_auth_method": "none"}
        self.pages = {f"{PROTECTED}/mcp": self.resource(), OAUTH: self.description()}

    def resource(self, **changed):
        return lambda url: {"resource": f"{url}/mcp", "authorization_servers": [url], **changed}

    def description(self, **changed):
        def made(url):
            ends = {
                name: f"{url}/{name}" for name in ("authorization_endpoint", "token_endpoint", "registration_endpoint")
            }
            known = {"code_challenge_methods_supported": ["S256"], "response_types_supported": ["code"]}
            return {
                key: value for key, value in {"issuer": url, **ends, **known, **changed}.items() if value is not None
            }

        return made

    async def answer(self, request):
        path = request.path
        self.asked.append(path)
        if path == "/mcp":
            return web.json_response({}, status=401, headers={"WWW-Authenticate": f"Bearer {self.challenge}"})
        if path == "/registration_endpoint":
            self.told = await request.json()
            status = self.registration if isinstance(self.registration, int) else 201
            body = {"error": "invalid_redirect_uri"} if status == 400 else self.registration
            return web.json_response(body, status=status)
        page = self.pages.get(path, 404)
        if isinstance(page, int):
            return web.Response(status=page)
        return web.Response(text=page) if isinstance(page, str) else web.json_response(page(self.url))


@pytest.fixture
async def vault(index_url):
    async with Vault(Database(index_url, 2), Seal(keys_of(new_key()))) as made:
        yield made


@pytest.fixture
async def server():
    told = Told()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", told.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    told.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield told
    await runner.cleanup()


DOCUMENT = "https://search.example.com/accounts/client.json"


@pytest.mark.parametrize(
    ("reads", "registers", "wanted", "called"),
    [
        (True, True, True, DOCUMENT),
        (True, True, False, "ours"),  # whether vendors reach our document nobody knows
        (True, False, False, DOCUMENT),  # but where there is no other way
        (False, True, True, "ours"),
    ],
)
async def test_by_which_name_we_are_known(vault, server, reads, registers, wanted, called):
    more = {} if registers else {"registration_endpoint": None}
    server.pages[OAUTH] = server.description(client_id_metadata_document_supported=reads, **more)
    vendor = await grantor(vault, server, document=ClientDocument(DOCUMENT, wanted)).leading(BACK)
    assert vendor.application.client_id == called
    assert vendor.application.client_secret is None
    assert ("/registration_endpoint" in server.asked) is (called == "ours")


def grantor(vault, server, *, path="/mcp", **more):
    """Each a source of its own, so that none is led by another's registration."""
    reach = DiscoveredReach("Handbook", (server.url, more.get("issuer", "")), AddressPolicy())
    return SelfDescribed(new_key(), "Handbook", server.url + path, vault.registrations, reach, **more)


async def test_it_is_found_out_and_registered_once(vault, server):
    server.challenge = 'resource_metadata="{url}/here", scope="read mail"'.replace("{url}", server.url)
    server.pages = {
        "/here": server.resource(scopes_supported=["all"]),
        OPENID: server.description(scopes_supported=["offline_access"]),
    }
    whom = grantor(vault, server)
    first, second = await whom.leading(BACK), await whom.leading(BACK)
    assert first.client == second.client
    assert server.asked.count("/registration_endpoint") == 1
    assert first.application.scopes == ("read", "mail", "offline_access")
    assert (first.ways.resource, first.issuer) == (f"{server.url}/mcp", server.url)
    assert server.told["redirect_uris"] == [BACK]
    assert server.told["scope"] == "read mail offline_access"
    other = await whom.leading(BACK.replace("127.0.0.1", "localhost"))  # a server that is reached otherwise
    assert other.client != first.client
    assert (await whom.remembered(first.client)).application == first.application
    with pytest.raises(Unauthenticated, match="known no longer"):
        await grantor(vault, server).remembered(first.client)  # of another source


async def test_a_server_of_the_first_generation_is_its_own_authorization_server(vault, server):
    server.pages = {OAUTH: server.description(issuer="https://elsewhere.example"), f"{PROTECTED}/mcp": "<html>"}
    vendor = await grantor(vault, server).leading(BACK)
    assert (vendor.ways.token_url, vendor.ways.resource) == (f"{server.url}/token_endpoint", "")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (lambda it: {OAUTH: 404}, "does not say who signs people in"),
        (lambda it: {OAUTH: it.description(code_challenge_methods_supported=None)}, "PKCE"),
        (lambda it: {OAUTH: it.description(code_challenge_methods_supported=["plain"])}, "PKCE"),
        (lambda it: {OAUTH: it.description(issuer="https://elsewhere.example")}, "calls itself otherwise"),
        (lambda it: {OAUTH: it.description(registration_endpoint=None)}, "register fedsearch there by hand"),
        (
            lambda it: {OAUTH: it.description(registration_endpoint="https://10.0.0.5/register")},
            "not on the public internet",
        ),
        (lambda it: {OAUTH: it.description(token_endpoint="http://login.example/token")}, "not https://"),
        (lambda it: {f"{PROTECTED}/mcp": it.resource(resource="https://elsewhere.example/mcp")}, "another server"),
        (
            lambda it: {f"{PROTECTED}/mcp": it.resource(authorization_servers=["https://10.0.0.5"])},
            "not on the public internet",
        ),
        (
            lambda it: {f"{PROTECTED}/mcp": it.resource(authorization_servers=["http://127.0.0.1:1"])},
            "not on the public internet",
        ),
        (lambda it: {f"{PROTECTED}/mcp": it.resource(authorization_servers=["http://login.example"])}, "not https://"),
    ],
)
async def test_what_does_not_fit_together_leads_nowhere(vault, server, changed, said):
    server.pages |= changed(server)
    with pytest.raises(Misconfigured, match=said):
        await grantor(vault, server).leading(BACK)


async def test_an_address_in_the_refusal_is_a_stranger_s_as_well(vault, server):
    server.challenge = 'resource_metadata="https://169.254.169.254/latest/meta-data"'
    with pytest.raises(Misconfigured, match=r"169\.254\.169\.254, which Handbook names"):
        await grantor(vault, server).leading(BACK)


@pytest.mark.parametrize(
    ("registration", "said"),
    [
        (400, "invalid_redirect_uri"),
        (403, "HTTP 403"),
        ({"client_id": "x", "token_endpoint_auth_method": "private_key_jwt"}, "private_key_jwt"),
    ],
)
async def test_who_registers_nobody_is_registered_with_by_hand(vault, server, registration, said):
    server.registration = registration
    with pytest.raises(Misconfigured, match=rf"{said}.*by hand, with {BACK}"):
        await grantor(vault, server).leading(BACK)
    by_hand = Application.model_validate({"client_id": "known", "client_secret": "s3cret"})
    vendor = await grantor(vault, server, said=by_hand).leading(BACK)
    assert vendor.application.client_id == "known"
    assert "s3cret" not in repr(vendor)


async def test_what_is_broken_over_there_is_not_our_setting(vault, server):
    server.registration = 503
    with pytest.raises(Unavailable):
        await grantor(vault, server).leading(BACK)
    server.pages[OAUTH] = 500
    with pytest.raises(Unavailable):
        await grantor(vault, server).leading(BACK)


async def test_of_several_the_one_that_is_set(vault, server):
    server.pages[f"{PROTECTED}/mcp"] = server.resource(authorization_servers=["https://login.example", server.url])
    assert (await grantor(vault, server, issuer=f"{server.url}/").leading(BACK)).issuer == server.url
    with pytest.raises(Misconfigured, match="lets others sign people in"):
        await grantor(vault, server, issuer="https://third.example").leading(BACK)


async def test_registrations_are_sealed_and_sealed_anew(vault, server, index_url):
    server.registration = {"client_id": "ours", "client_secret": "planted-secret-77"}
    whom = grantor(vault, server)
    kept = await whom.leading(BACK)
    rows = await vault._database.run(lambda each: each.fetch("SELECT sealed FROM vault_clients"))
    assert not any(b"planted-secret-77" in row["sealed"] for row in rows)
    old, new = new_key(), new_key()
    async with Vault(Database(index_url, 2), Seal(keys_of(old))) as before:
        whom = grantor(before, server)
        kept = await whom.leading(BACK)
    async with Vault(Database(index_url, 2), Seal(keys_of(f"{new} {old}"))) as meanwhile:
        done, _ = await meanwhile.seal_again()
        assert done >= 1
    async with Vault(Database(index_url, 2), Seal(keys_of(new))) as after:
        whom._registrations = after.registrations
        assert (await whom.remembered(kept.client)).application.client_secret.get_secret_value() == "planted-secret-77"
