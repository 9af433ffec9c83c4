"""People connect their own accounts: through the pretend Slack, over real sockets, into a real PostgreSQL."""

import asyncio
import html
import json
import re
from contextlib import AsyncExitStack, contextmanager

import asyncpg
import pytest

from connectors.errors import Misconfigured
from orchestrator.access import keys_of, new_key, newest_actions
from orchestrator.assembly.accounts import connecting_of
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.identity_provider import identity_provider
from tests.e2e.workplace_accounts import (
    DAVID,
    SORA,
    TAEYOUNG,
    asked,
    command,
    people_settings,
    receipt_of,
    signing_in,
    somebody,
    until_ready,
)

QUESTION = "When does the new pricing take effect?"
NOW = "2026-11-20T10:00:00+09:00"


@pytest.fixture
def world(serve, tmp_path, index_url):
    """A function of settings: a server where people connect accounts, its identity provider, and people."""

    class World:
        async def __aenter__(self):
            self.provider = await self._stack.enter_async_context(identity_provider())
            settings = people_settings(index_url, self.provider, **self._accounts)
            self.api = await self._stack.enter_async_context(serve(tmp_path, more=settings))
            await until_ready(self.api)
            return self

        def __init__(self, **accounts):
            self._accounts = accounts
            self._stack = AsyncExitStack()

        async def person(self, subject, handle):
            return await self._stack.enter_async_context(somebody(self.api, self.provider, subject, handle))

        async def __aexit__(self, *_):
            await self._stack.aclose()

    return World


async def test_the_whole_way_and_what_is_found_then(world, tmp_path):
    async with world() as it:
        david = await it.person("david", DAVID)
        before = receipt_of(await david.search(QUESTION, now=NOW))
        assert before["status"] == "not connected"
        assert f"{it.api.url}/accounts" in before["problem"]["message"]
        assert receipt_of(await david.search(QUESTION, now=NOW), "notion")["credential"] == "shared"

        assert "Connected" in await david.connect()
        answer = await david.search(QUESTION, now=NOW)
        assert receipt_of(answer)["status"] == "ok"
        assert receipt_of(answer)["credential"] == "person"
        texts = json.dumps(answer, ensure_ascii=False)
        assert "not 1 December. Existing merchants" in texts

        _, document = await david.request("GET", "/v1/accounts")
        (account,) = document["accounts"]
        assert (account["source"], account["title"], account["connected"]) == ("slack", "Slack", True)
        assert "search:read" in account["scopes"]
        lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text("utf-8").splitlines()]
        assert [line["action"] for line in lines if "action" in line] == ["connected"]


async def test_a_person_connects_on_the_page(world):
    async with world() as it:
        david = await it.person("david", DAVID)

        async def page(method="GET", **fields):
            korean = {**david.auth, "Accept-Language": "ko"}
            async with david.browser.request(
                method, f"{it.api.url}/accounts", data=fields or None, headers=korean
            ) as reply:
                return reply.status, await reply.text()

        status, text = await page()
        assert (status, "연결 안 됨" in text) == (200, True)
        token = re.search(r'name="token" value="([^"]+)"', text)[1]
        assert (await page("POST", do="connect", source="slack", token="forged"))[0] == 403
        status, text = await page("POST", do="connect", source="slack", token=token)
        assert status == 200, text
        address = html.unescape(re.search(r'href="(http[^"]+authorize[^"]+)"', text)[1])
        assert (await david.come_back(await david.consent(address)))[0] == 200
        status, text = await page()
        assert "에 연결함" in text
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "ok"
        status, text = await page("POST", do="disconnect", source="slack", token=token)
        assert (status, "저쪽의 허락도 끝났습니다" in text) == (200, True)
        assert (await page("POST", do="disconnect", source="slack", token=token))[0] == 409
        assert (await page("POST", do="connect", source="<b>", token=token))[0] == 409


async def test_what_goes_to_the_vendor_is_what_it_needs(world):
    async with world() as it:
        david = await it.person("david", DAVID)
        begun = await david.begin()
        told = asked(begun["url"])
        assert told["code_challenge_method"] == "S256"
        assert told["redirect_uri"] == f"{it.api.url}/accounts/slack/callback"
        assert told["state"] == begun["state"]
        assert "search:read" in told["user_scope"]
        assert "scope" not in told  # that would ask for a bot
        assert begun["ticket"] not in begun["url"]
        other = await david.begin()
        assert asked(other["url"])["state"] != told["state"]
        assert asked(other["url"])["code_challenge"] != told["code_challenge"]


async def test_nobody_ends_what_another_began(world):
    async with world() as it:
        david, mallory = await it.person("david", DAVID), await it.person("mallory", SORA)
        # Mallory's code in David's browser: David would search Mallory's Slack (login CSRF).
        begun = await mallory.begin()
        status, page = await david.come_back(await mallory.consent(begun["url"]))
        assert (status, "another browser" in page) == (409, True)
        # David consents at an address that Mallory sent him: Mallory would search David's Slack.
        begun = await mallory.begin()
        returned = await david.consent(begun["url"])
        assert (await david.come_back(returned))[0] == 409
        # Nor by hand, with Mallory's ticket and David's name.
        body = {"state": begun["state"], "code": asked(returned)["code"], "ticket": begun["ticket"]}
        status, document = await david.request("POST", "/v1/accounts/slack/finish", body)
        assert (status, document["code"]) == (403, "not_yours")
        for one in (david, mallory):
            _, document = await one.request("GET", "/v1/accounts")
            assert not document["accounts"][0]["connected"]


async def test_what_does_not_fit_together_is_refused(world):
    async with world() as it:
        david = await it.person("david", DAVID)
        begun = await david.begin()
        good = asked(await david.consent(begun["url"]))

        async def finish(**changed):
            body = {"state": begun["state"], "code": good["code"], "ticket": begun["ticket"], **changed}
            status, document = await david.request("POST", "/v1/accounts/slack/finish", body)
            return status, document.get("code")

        second = await david.begin()
        assert await finish(state="guessed") == (409, "wrong_state")
        assert await finish(state="상태") == (409, "wrong_state")
        assert await finish(ticket=second["ticket"]) == (409, "wrong_state")
        assert await finish(ticket="nonsense") == (409, "no_ticket")
        assert await finish(ticket="티켓") == (409, "no_ticket")
        assert await finish(ticket=begun["ticket"][:-4] + "AAA=") == (409, "no_ticket")
        status, document = await david.request("POST", "/v1/accounts/notion")
        assert (status, document["code"]) == (404, "no_such_source")
        assert (await finish())[0] == 200
        assert await finish() == (409, "used")
        # The same code with a ticket of its own: the vendor takes no code twice, and none with another's verifier.
        status, document = await david.request(
            "POST",
            "/v1/accounts/slack/finish",
            {"state": second["state"], "code": good["code"], "ticket": second["ticket"]},
        )
        assert (status, document["code"]) == (409, "unauthenticated")
        third = await david.begin()
        other = asked(await david.consent((await david.begin())["url"]))
        body = {"state": third["state"], "code": other["code"], "ticket": third["ticket"]}
        status, document = await david.request("POST", "/v1/accounts/slack/finish", body)
        assert (status, document["code"]) == (409, "unauthenticated")
        assert other["code"] not in json.dumps(document)


async def test_declining_connects_nothing(world):
    async with world() as it:
        nobody = await it.person("david", "nobody")
        begun = await nobody.begin()
        status, page = await nobody.come_back(await nobody.consent(begun["url"]))
        assert (status, "declined" in page) == (409, True)
        hostile = f"{it.api.url}/accounts/slack/callback?state=%3Cscript%3E&error=%3Cscript%3Ealert(1)%3C/script%3E"
        status, page = await nobody.come_back(hostile)
        assert status == 409
        assert "<script>" not in page


async def test_a_token_that_ends_is_renewed_once_for_all_who_wait(world):
    async with world() as it:
        david = await it.person("david", DAVID)
        await david.connect()
        signing_in(it.api.sandbox).expire()
        answers = await asyncio.gather(*(david.search(f"{QUESTION} {number}", now=NOW) for number in range(4)))
        assert {receipt_of(answer)["status"] for answer in answers} <= {"ok", "empty"}
        assert len(signing_in(it.api.sandbox)._spent) == 1  # one refresh token used, and its family alive
        signing_in(it.api.sandbox).expire()
        assert receipt_of(await david.search("okta rollout", now=NOW))["status"] == "ok"


@contextmanager
def unwritable(log):
    """An audit log that takes no line, as on a full disk."""
    aside = log.with_name("aside")
    log.touch()
    log.rename(aside)
    log.mkdir()
    yield
    log.rmdir()
    aside.rename(log)


async def test_what_is_disconnected_is_gone_here_and_there(world, tmp_path):
    async with world() as it:
        david = await it.person("david", DAVID)
        with unwritable(tmp_path / "audit.jsonl"):  # what cannot be written down is not done
            begun = await david.begin()
            status, page = await david.come_back(await david.consent(begun["url"]))
            assert (status, "could not be written down" in page) == (503, True)
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "not connected"
        await david.connect()
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "ok"
        with unwritable(tmp_path / "audit.jsonl"):
            status, document = await david.request("DELETE", "/v1/accounts/slack")
            assert (status, document["code"]) == (503, "not_kept")
        assert await david.request("DELETE", "/v1/accounts/slack") == (200, {"withdrawn": True})
        answer = await david.search(QUESTION, now=NOW)  # the same question: nothing is remembered of it
        assert receipt_of(answer)["status"] == "not connected"
        assert "slack" not in {evidence["source"] for each in answer["results"] for evidence in each["evidence"]}
        assert len(signing_in(it.api.sandbox)._ended) == 1
        status, document = await david.request("DELETE", "/v1/accounts/slack")
        assert (status, document["code"]) == (404, "no_account")


async def test_what_is_withdrawn_at_the_vendor_says_what_to_do(world):
    async with world() as it:
        david = await it.person("david", DAVID)
        await david.connect()
        server = signing_in(it.api.sandbox)
        for token in list(server._tokens):
            server.revoke(token)
        said = receipt_of(await david.search(QUESTION, now=NOW))
        assert said["status"] == "denied"
        assert "connect your account of Slack at" in said["problem"]["message"]


async def test_no_secret_is_written_anywhere(world, index_url, tmp_path, capfd):
    async with world() as it:
        david = await it.person("david", DAVID)
        await david.connect()
        await david.search(QUESTION, now=NOW)
        server = signing_in(it.api.sandbox)
        secrets = [*server._tokens, *server._refresh, *server._codes, server.client_secret]
        rows = await _rows(index_url)
        assert len(rows) == 1
        stored = b"".join(row["sealed"] for row in rows)
    written = "".join(capfd.readouterr())
    files = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    for secret in secrets:
        assert secret not in written
        assert secret.encode() not in stored
        assert not any(secret.encode() in content for content in files)


async def _rows(url):
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch("SELECT * FROM vault")
    finally:
        await connection.close()


async def test_a_row_that_is_moved_to_somebody_else_does_not_open(world, index_url):
    async with world() as it:
        david, taeyoung = await it.person("david", DAVID), await it.person("taeyoung", TAEYOUNG)
        await david.connect()
        connection = await asyncpg.connect(index_url)
        await connection.execute("UPDATE vault SET principal = $1", f"{it.provider.url}#taeyoung")
        await connection.close()
        said = receipt_of(await taeyoung.search(QUESTION, now=NOW))
        assert said["status"] == "not connected"
        assert "belongs to somebody else" in said["problem"]["message"]
        _, document = await taeyoung.request("GET", "/v1/accounts")
        assert not document["accounts"][0]["connected"]


async def test_without_a_place_to_keep_accounts_the_receipt_says_so(serve, tmp_path):
    def settings(url, sandbox):
        slack = {"base_url": sandbox.endpoints["slack"].base_url, "credential": "person"}
        return {"sources": {"slack": slack}}

    async with (
        serve(tmp_path, more=settings) as api,
        api.post("/v1/search", {"question": QUESTION, "now": NOW}) as reply,
    ):
        said = receipt_of(await reply.json())
        assert said["status"] == "not connected"
        assert "application.client_id" in said["problem"]["message"]


async def test_the_store_may_be_away_and_the_others_are_asked(world, index_url):
    async with world() as it:
        david = await it.person("david", DAVID)
        await david.connect()
        connection = await asyncpg.connect(index_url)
        await connection.execute("DROP TABLE vault")
        await connection.close()
        answer = await david.search(QUESTION, now=NOW)
        assert "cannot be read" in receipt_of(answer)["problem"]["message"]
        assert receipt_of(answer, "notion")["status"] == "ok"
        for method, path in (("GET", "/v1/accounts"), ("DELETE", "/v1/accounts/slack")):
            status, document = await david.request(method, path)
            assert (status, document["code"]) == (503, "accounts_unavailable")
            assert "vault" not in document["detail"]
        begun = await david.begin()
        status, page = await david.come_back(await david.consent(begun["url"]))
        assert (status, "try again" in page) == (503, True)


async def test_idle_people_are_closed(world):
    async with world(idle=0.2, people=1) as it:
        david, taeyoung = await it.person("david", DAVID), await it.person("taeyoung", TAEYOUNG)
        await david.connect()
        await taeyoung.connect()
        await asyncio.gather(david.search(QUESTION, now=NOW), taeyoung.search(QUESTION, now=NOW))
        people = _people(it.api)
        assert len(people) <= 1
        async with asyncio.timeout(HANGING):
            while len(people):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.02)
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "ok"


def _people(api):
    """The running engine's people."""
    return api.app.state.server.engine._reaching._people


def test_a_callback_in_the_clear_is_refused():
    accounts = {"address": "http://search.example.com", "secret": new_key()}
    slack = {"credential": "person", "application": {"client_id": "1"}}
    with pytest.raises(Misconfigured, match="https"):
        connecting_of(load_settings({"accounts": accounts, "sources": {"slack": slack}}, {}))
    gitlab = {"kind": "imap", "credential": "person"}
    with pytest.raises(Misconfigured, match="shared"):
        connecting_of(load_settings({"accounts": accounts, "sources": {"mail": gitlab}}, {}))


async def test_whoever_runs_it_sees_who_and_not_what(world, index_url, tmp_path):
    secret = new_key()
    async with world(secret=secret) as it:
        david, taeyoung = await it.person("david", DAVID), await it.person("taeyoung", TAEYOUNG)
        await david.connect()
        await taeyoung.connect()
        registered = it.api.sandbox.endpoints["slack"].base_url
        environment = {
            "FEDSEARCH_INDEX__DATABASE_URL": index_url,
            "FEDSEARCH_DATA_DIR": str(tmp_path),
            "FEDSEARCH_ACCOUNTS__SECRET": f"{new_key()},{secret}",
            "FEDSEARCH_SOURCES__SLACK__CREDENTIAL": "person",
            "FEDSEARCH_SOURCES__SLACK__APPLICATION__CLIENT_ID": signing_in(it.api.sandbox).client_id,
            "FEDSEARCH_SOURCES__SLACK__APPLICATION__REVOKE_URL": f"{registered}auth.revoke",
        }
        whose = f"{it.provider.url}#david"
        code, told = await command(environment, "list", "--json")
        rows = json.loads(told)["accounts"]
        assert (code, {row["principal"] for row in rows}) == (0, {whose, f"{it.provider.url}#taeyoung"})
        assert await command(environment, "reencrypt") == (0, "2 accounts sealed anew\n")
        assert await command(environment, "revoke", whose) == (0, "slack: ended at the vendor too\n")
        assert (await command(environment, "revoke", whose))[0] == 2
        (done,) = newest_actions(tmp_path / "changes.jsonl", 9)
        assert (done.action, done.source) == ("accounts revoked", f"{whose} (slack)")
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "not connected"
        code, told = await command(environment | {"FEDSEARCH_ACCOUNTS__SECRET": ""}, "list")
        assert (code, "accounts key" in told) == (2, True)
        code, made = await command({}, "key")
        assert (code, len(keys_of(made))) == (0, 1)
