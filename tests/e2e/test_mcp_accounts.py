"""People connect their accounts at a vendor's own MCP server, which says by itself who signs them in, and search it as themselves."""

import json
from contextlib import AsyncExitStack

import pytest

from orchestrator.access import new_key
from tests.e2e.identity_provider import identity_provider
from tests.e2e.mcp_signed_server import signed_server
from tests.e2e.workplace_accounts import asked, receipt_of, somebody

NOW = "2026-11-20T10:00:00+09:00"
QUESTION = "How is travel booked?"


@pytest.fixture
def world(serve, tmp_path, index_url):
    """A function of a source's further settings: a server whose people connect accounts at an MCP server, and both."""

    class World:
        def __init__(self, description=(), accounts=None, **source):
            self._source, self._stack = source, AsyncExitStack()
            self._description, self._accounts = dict(description), accounts or (lambda _: {})

        async def __aenter__(self):
            enter = self._stack.enter_async_context
            self.provider, self.book = await enter(identity_provider()), await enter(signed_server(**self._description))

            def settings(url, _):
                handbook = {
                    "kind": "mcp_client",
                    "title": "Handbook",
                    "base_url": self.book.url,
                    "credential": "person",
                }
                return {
                    "oidc": self.provider.settings(),
                    "index": {"database_url": index_url},
                    "accounts": {"address": url, "secret": new_key(), **self._accounts(url)},
                    "sources": {"handbook": {**handbook, **self._source}},
                }

            self.api = await enter(serve(tmp_path, more=settings, kinds=()))
            return self

        async def person(self, subject):
            return await self._stack.enter_async_context(somebody(self.api, self.provider, subject, subject))

        async def consent(self, one, begun):
            self.book.person = one.handle
            return await one.consent(begun["url"])

        async def connect(self, one):
            begun = await one.begin("handbook")
            status, page = await one.come_back(await self.consent(one, begun))
            assert (status, "Connected" in page) == (200, True), page

        async def __aexit__(self, *_):
            await self._stack.aclose()

    return World


def texts_of(answer):
    return json.dumps(answer["results"], ensure_ascii=False)


async def test_each_person_finds_what_is_theirs(world):
    async with world() as it:
        david, sora = await it.person("david"), await it.person("sora")
        status, document = await david.request("POST", "/v1/search", {"question": QUESTION})
        assert (status, "connect your account of Handbook" in document["detail"]) == (503, True)
        for one in (david, sora):
            await it.connect(one)
            answer = await one.search(QUESTION, now=NOW)
            told = receipt_of(answer, "handbook")
            assert (told["status"], told["credential"]) == ("ok", "person"), told
            assert f"Travel handbook of {one.handle}" in texts_of(answer)
        assert set(it.book.calls) == {"david", "sora"}
        assert len(it.book.clients) == 1  # one registration for both
        _, document = await david.request("GET", "/v1/accounts")
        (account,) = document["accounts"]
        assert (account["title"], account["connected"], account["scopes"]) == ("Handbook", True, "read")


async def test_what_is_asked_is_what_the_protocol_wants(world):
    async with world() as it:
        david = await it.person("david")
        told = asked((await david.begin("handbook"))["url"])
        assert told["code_challenge_method"] == "S256"
        assert told["resource"] == it.book.url
        assert told["scope"] == "read"  # what the server wants, and not all that there is
        assert told["redirect_uri"] == f"{it.api.url}/accounts/handbook/callback"
        (client,) = it.book.clients.values()
        assert (client.client_name, client.client_id) == ("fedsearch", told["client_id"])


async def test_a_token_that_ends_is_renewed_and_each_refresh_token_used_once(world):
    async with world() as it:
        david = await it.person("david")
        it.book.lasts = 1
        await it.connect(david)
        for number in range(3):  # before it ends
            answer = await david.search(f"{QUESTION} {number}", now=NOW)
            assert receipt_of(answer, "handbook")["status"] == "ok"
        renewed, it.book.lasts = it.book.renewed, 3600
        assert renewed >= 2
        await david.search("travel to Busan", now=NOW)
        it.book.access.clear()  # and where the server takes it no longer, though it has not ended
        answer = await david.search("travel to Jeju", now=NOW)
        assert receipt_of(answer, "handbook")["status"] == "ok", receipt_of(answer, "handbook")
        assert len(it.book.refresh) == 1


async def test_what_is_withdrawn_there_is_to_be_connected_again(world):
    async with world() as it:
        david = await it.person("david")
        await it.connect(david)
        it.book.access.clear()
        it.book.refresh.clear()
        told = receipt_of(await david.search(QUESTION, now=NOW), "handbook")
        assert told["status"] != "ok"
        assert f"connect your account of Handbook at {it.api.url}/accounts" in told["problem"]["message"]
        await it.connect(david)
        assert receipt_of(await david.search("travel to Seoul", now=NOW), "handbook")["status"] == "ok"


async def test_a_registration_that_the_vendor_has_forgotten_is_to_be_connected_again(world):
    async with world() as it:
        david = await it.person("david")
        await it.connect(david)
        it.book.access.clear()
        it.book.clients.clear()
        told = receipt_of(await david.search(QUESTION, now=NOW), "handbook")
        assert "connect your account of Handbook" in told["problem"]["message"]


async def test_what_is_disconnected_is_gone_here_and_there(world):
    async with world() as it:
        david = await it.person("david")
        await it.connect(david)
        assert await david.request("DELETE", "/v1/accounts/handbook") == (200, {"withdrawn": True})
        assert not it.book.access
        assert not it.book.refresh
        status, document = await david.request("POST", "/v1/search", {"question": QUESTION})
        assert (status, document["code"]) == (503, "no_sources")


async def test_a_vendor_that_reads_who_we_are_registers_nobody(world):
    """By its address alone (CIMD), read by the vendor from our server; it is who renews the tokens, too."""
    description = {"client_id_metadata_document_supported": True, "token_endpoint_auth_methods_supported": ["none"]}
    published = {"description": description, "accounts": lambda url: {"client_document": f"{url}/accounts/client.json"}}
    async with world(**published) as it:
        david = await it.person("david")
        it.book.lasts = 1
        await it.connect(david)
        (client,) = it.book.clients.values()
        assert client.client_id == f"{it.api.url}/accounts/client.json"
        assert [str(each) for each in client.redirect_uris] == [f"{it.api.url}/accounts/handbook/callback"]
        assert client.token_endpoint_auth_method == "none"
        answer = await david.search(QUESTION, now=NOW)
        assert receipt_of(answer, "handbook")["status"] == "ok"
        assert it.book.renewed


async def test_a_registration_by_hand_goes_before(world):
    async with world(application={"client_id": "by-hand", "scopes": ["read", "write"]}) as it:
        david = await it.person("david")
        told = asked((await david.begin("handbook"))["url"])
        assert (told["client_id"], told["scope"]) == ("by-hand", "read write")
        assert not it.book.clients


async def test_an_answer_of_another_sign_in_service_is_not_taken(world):
    async with world() as it:
        david = await it.person("david")
        returned = await it.consent(david, await david.begin("handbook"))
        status, page = await david.come_back(f"{returned}&iss=https%3A%2F%2Felsewhere.example")
        assert (status, "another sign-in service" in page) == (409, True)


@pytest.mark.parametrize("named", [True, False])
async def test_one_fedsearch_asks_another_as_the_person_who_asks(serve, tmp_path, index_url, named):
    """By an identity provider apart from the server, which is asked in a private network only where settings name it."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        ours, theirs = await enter(identity_provider()), await enter(identity_provider())

        def of_theirs(url, _):
            return {"oidc": {**theirs.settings(), "audience": f"{url}/mcp"}, "accounts": {"address": url}}

        def of_ours(url, _):
            colleagues = {"kind": "mcp_client", "title": "Colleagues", "base_url": f"{other.url}/mcp"}
            mapped = {"arguments": {"query": "{text}"}, "credential": "person"}
            return {
                "oidc": ours.settings(),
                "index": {"database_url": index_url},
                "accounts": {"address": url, "secret": new_key()},
                "sources": {"colleagues": {**colleagues, **mapped, **({"issuer": theirs.url} if named else {})}},
            }

        other = await enter(serve(tmp_path / "theirs", mcp=True, more=of_theirs, kinds=("notion",)))
        api = await enter(serve(tmp_path / "ours", more=of_ours, kinds=()))
        david = await enter(somebody(api, ours, "david", "david"))
        if not named:
            status, document = await david.request("POST", "/v1/accounts/colleagues")
            assert (status, "not on the public internet" in document["detail"]) == (500, True)
            return
        begun = await david.begin("colleagues")
        status, page = await david.come_back(await david.consent(begun["url"]))
        assert (status, "Connected" in page) == (200, True), page
        answer = await david.search("API migration", now=NOW)
        assert receipt_of(answer, "colleagues")["status"] == "ok", receipt_of(answer, "colleagues")
        assert answer["results"]
        line = json.loads((tmp_path / "theirs" / "audit.jsonl").read_text("utf-8").splitlines()[-1])
        assert line["principal"] == f"{theirs.url}#alice"
