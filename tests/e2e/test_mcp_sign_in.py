"""A program signs its person in before it asks ``/mcp``: the SDK's own client finds out by itself where, registers, and comes back with a token."""

import json
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

from tests.clock import HANGING
from tests.e2e.identity_provider import identity_provider

RETURN = "http://127.0.0.1:9/return"


class Storage:
    """What the program keeps."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def signing_in(url):
    """The SDK's client, and a person who lets themselves be led through a browser."""
    came_back = {}

    async def lead(there):
        async with httpx2.AsyncClient(trust_env=False) as browser:
            reply = await browser.get(there)
            assert reply.status_code == 302, reply.text
            came_back.update(parse_qs(urlsplit(reply.headers["Location"]).query))

    async def returned():
        return AuthorizationCodeResult(code=came_back["code"][0], state=came_back["state"][0], iss=came_back["iss"][0])

    about = OAuthClientMetadata(client_name="an agent", redirect_uris=[RETURN], token_endpoint_auth_method="none")
    return OAuthClientProvider(url, about, Storage(), lead, returned)


async def test_an_agent_signs_its_person_in_and_searches(serve, tmp_path):
    async with identity_provider() as provider:

        def settings(url, _):
            return {"oidc": {**provider.settings(), "audience": f"{url}/mcp"}, "accounts": {"address": url}}

        async with (
            serve(tmp_path, mcp=True, more=settings) as api,
            httpx2.AsyncClient(auth=signing_in(f"{api.url}/mcp"), trust_env=False, timeout=HANGING) as http,
            Client(streamable_http_client(f"{api.url}/mcp", http_client=http)) as client,
        ):
            reply = await client.call_tool("search", {"question": "What did we decide about the API migration?"})
            assert reply.structured_content["results"]
            assert list(provider.registered.values()) == ["an agent"]
        line = json.loads((tmp_path / "audit.jsonl").read_text("utf-8").splitlines()[-1])
        assert line["principal"] == f"{provider.url}#alice"


async def test_who_brings_no_token_is_told_where_to_sign_in(serve, tmp_path):
    async with identity_provider() as provider:

        def settings(url, _):
            return {"oidc": provider.settings(), "accounts": {"address": url}}

        async with serve(tmp_path, mcp=True, more=settings) as api:
            for path, place in (("/mcp", "/mcp"), ("/v1/search", "")):
                async with api.http.post(api.url + path, json={}) as reply:
                    assert reply.status == 401
                    where = f"{api.url}/.well-known/oauth-protected-resource{place}"
                    assert f'resource_metadata="{where}"' in reply.headers["WWW-Authenticate"]
                async with api.http.get(where) as reply:
                    told = await reply.json()
                assert (told["resource"], told["authorization_servers"]) == (api.url + place, [provider.url])
            async with api.http.post(f"{api.url}/mcp", json={}, headers={"Authorization": "Bearer a.b.c"}) as reply:
                assert 'error="invalid_token"' in reply.headers["WWW-Authenticate"]


async def test_where_no_tokens_are_taken_nobody_is_sent_to_sign_in(serve, tmp_path):
    async with serve(tmp_path, mcp=True) as api:
        async with api.http.post(f"{api.url}/mcp", json={}) as reply:
            assert reply.headers["WWW-Authenticate"] == 'Bearer realm="fedsearch"'
        async with api.http.get(f"{api.url}/.well-known/oauth-protected-resource") as reply:
            assert reply.status == 404
