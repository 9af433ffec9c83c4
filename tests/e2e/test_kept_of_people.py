"""What is kept of somebody, and somebody who leaves: shown and forgotten in every place, over real sockets, in a real PostgreSQL."""

import json
import re
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace

import asyncpg
import pytest

from orchestrator.access import new_key
from tests.e2e.identity_provider import identity_provider
from tests.e2e.workplace_accounts import (
    DAVID,
    TAEYOUNG,
    command,
    people_settings,
    receipt_of,
    signing_in,
    somebody,
    until_ready,
)

QUESTION = "When does the new pricing take effect?"
NOW = "2026-11-20T10:00:00+09:00"

DAILY = {"name": "morning", "schedule": "0 9 * * *", "zone": "Asia/Seoul"}
EVERYTHING = ["search", "sources", "digests", "define"]


async def who_used_it(it, subject, handle):
    """Somebody who has left something in every place."""
    person = await it.person(subject, handle)
    await person.connect()
    answer = await person.search(QUESTION, now=NOW)
    status, made = await person.request("POST", "/v1/digests", DAILY)
    assert status == 201, made
    found = answer["results"][0]
    judged = {"question": QUESTION, "verdict": "right", "source": found["source"], "id": found["id"]}
    assert (await person.request("POST", "/v1/feedback", judged))[0] == 204
    return person


@pytest.fixture
def office(serve, tmp_path, index_url):
    """As `world`, with digests of people's own; also the settings of the command line there."""

    @asynccontextmanager
    async def opened(**settings):
        async with identity_provider() as provider, AsyncExitStack() as stack:
            secret = new_key()
            made = people_settings(index_url, provider, secret=secret)

            def more(url, sandbox):
                told = made(url, sandbox)
                # A worker would run what is due in the middle of a test.
                return {
                    **told,
                    **settings,
                    "oidc": provider.settings(scopes=EVERYTHING),
                    "scheduled": {"worker": False},
                }

            it = SimpleNamespace(provider=provider)
            it.api = await stack.enter_async_context(serve(tmp_path, more=more))
            it.person = lambda subject, handle: stack.enter_async_context(somebody(it.api, provider, subject, handle))
            slack = it.api.sandbox.endpoints["slack"].base_url
            it.environment = {
                "FEDSEARCH_INDEX__DATABASE_URL": index_url,
                "FEDSEARCH_DATA_DIR": str(tmp_path),
                "FEDSEARCH_ACCOUNTS__SECRET": secret,
                "FEDSEARCH_SOURCES__SLACK__CREDENTIAL": "person",
                "FEDSEARCH_SOURCES__SLACK__APPLICATION__CLIENT_ID": signing_in(it.api.sandbox).client_id,
                "FEDSEARCH_SOURCES__SLACK__APPLICATION__REVOKE_URL": f"{slack}auth.revoke",
            }
            await until_ready(it.api)
            yield it

    return opened


async def test_somebody_has_all_that_is_kept_of_them_forgotten_and_of_nobody_else(office, tmp_path):
    async with office() as it:
        david, taeyoung = await who_used_it(it, "david", DAVID), await who_used_it(it, "taeyoung", TAEYOUNG)
        _, before = await david.request("GET", "/v1/kept")
        assert {name: before["kept"][name] for name in ("accounts", "digests", "judgments")} == {
            "accounts": 1,
            "digests": 1,
            "judgments": 1,
        }
        assert before["kept"]["reactions"] >= 2
        assert before["kept"]["use"] == 1
        status, gone = await david.request("DELETE", "/v1/kept", None, **{"Accept-Language": "ko"})
        assert (status, gone["forgotten"]) == (200, before["kept"])
        assert gone["stays"].startswith("남는 것:")
        _, after = await david.request("GET", "/v1/kept")
        assert not any(after["kept"].values()), after
        assert (await david.request("GET", "/v1/digests"))[1] == {"digests": []}
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "not connected"
        _, others = await taeyoung.request("GET", "/v1/kept")
        assert others["kept"] == before["kept"]
        assert (await taeyoung.request("GET", "/v1/digests"))[1]["digests"][0]["due"]
        noted = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text("utf-8").splitlines()]
        assert noted[-2]["action"] == "data forgotten"


async def test_whoever_runs_this_forgets_somebody_who_left_and_no_digest_of_theirs_goes_out(office, index_url):
    async with office() as it:
        david, taeyoung = await who_used_it(it, "david", DAVID), await who_used_it(it, "taeyoung", TAEYOUNG)
        left, stays = f"{it.provider.url}#david", f"{it.provider.url}#taeyoung"
        code, told = await command(it.environment, "list", "--json", group="people")
        kept = {each["who"]: each["kept"] for each in json.loads(told)["people"]}
        assert (code, set(kept)) == (0, {left, stays})
        assert kept[left] == {"accounts": 1, "digests": 1, "judgments": 1}
        korean = it.environment | {"LC_ALL": "ko_KR.UTF-8", "LANG": "ko_KR.UTF-8"}
        code, told = await command(korean, "forget", left, group="people")
        assert code == 0, told
        assert "직접 연결한 계정: 1건" in told
        assert "남는 것: 감사 로그" in told
        code, told = await command(korean, "show", left, group="people")
        assert (code, "기록이 없습니다" in told) == (1, True)
        assert (await david.request("GET", "/v1/digests"))[1] == {"digests": []}
        connection = await asyncpg.connect(index_url)
        try:
            (planned,) = [row["digest"] for row in await connection.fetch("SELECT digest FROM digest_plans")]
        finally:
            await connection.close()
        assert (await taeyoung.request("GET", "/v1/digests"))[1]["digests"][0]["due"], planned
        assert receipt_of(await david.search(QUESTION, now=NOW))["status"] == "not connected"


async def test_a_reader_forgets_on_the_page_only_with_the_box_ticked(office):
    async with office() as it:
        david = await who_used_it(it, "david", DAVID)

        async def page(**fields):
            korean = {**david.auth, "Accept-Language": "ko"}
            method = "POST" if fields else "GET"
            async with david.browser.request(
                method, f"{it.api.url}/kept", data=fields or None, headers=korean
            ) as reply:
                return reply.status, await reply.text()

        status, text = await page()
        assert (status, "내 기록" in text, "직접 연결한 계정" in text) == (200, True, True)
        token = re.search(r'name="token" value="([^"]+)"', text)[1]
        assert (await page(do="forget", sure="yes", token="forged"))[0] == 403
        status, text = await page(do="forget", token=token)
        assert (status, "먼저 확인란에" in text) == (409, True)
        status, text = await page(do="forget", sure="yes", token=token)
        assert (status, "모두 지웠습니다" in text, "기록이 없습니다" in text) == (200, True, True)
        status, text = await page(do="forget", sure="yes", token=token)
        assert (status, "지울 것이 없었습니다" in text) == (200, True)


async def test_what_went_wrong_with_an_account_is_said_in_the_language_of_the_page(office):
    async with office() as it:
        david = await it.person("david", DAVID)
        korean = {**david.auth, "Accept-Language": "ko"}
        async with david.browser.get(f"{it.api.url}/accounts", headers=korean) as reply:
            token = re.search(r'name="token" value="([^"]+)"', await reply.text())[1]
        fields = {"do": "disconnect", "source": "slack", "token": token}
        async with david.browser.post(f"{it.api.url}/accounts", data=fields, headers=korean) as reply:
            assert (reply.status, "연결된 Slack 계정이 없습니다" in await reply.text()) == (409, True)
