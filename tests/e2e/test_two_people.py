"""Two people with different rights ask everything there is: neither ever sees what only the other may see (law 7).

David is in the private channel `leadership`, Taeyoung in `채용-위원회`. Whatever each may read the other asks for as well:
right after, at the same moment, by taking up the other's stream, by address, by model, on the page.
"""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager

import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from orchestrator.access import Scope
from tests.clock import HANGING
from tests.e2e.a_valkey import a_valkey
from tests.e2e.conftest import serving
from tests.e2e.identity_provider import identity_provider
from tests.e2e.workplace_accounts import DAVID, TAEYOUNG, people_settings, receipt_of, somebody, until_ready
from tests.examples import sample

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOW = "2026-11-20T10:00:00+09:00"
OF_DAVID = ("this morning: new pricing", "31.4k", "1분기 기준 -1.8%", "hold the customer mail", "C01LDR0015")
OF_TAEYOUNG = ("연봉 밴드는 L5", "후보자 A님", "Candidate A for me", "저도 A님 추천", "C01HIR0016")
QUESTIONS = (
    "When does the new pricing take effect?",
    "새 요금은 언제부터 적용되나요?",
    "GCP bill for October against the budget",
    "시니어 SRE 최종 후보",
    "senior SRE candidate offer",
    "오퍼 연봉 밴드",
    "저도 추천드립니다",
    "매출 영향 1분기 추정",
    "hold the customer mail until we announce",
    "in:leadership pricing",
    "in:채용-위원회 후보",
    "from:sarah.kim",
)
OTHERWISE = sample(QUESTIONS, 3)
"""Asked again in each other way by day: of either person, in both languages, with a filter."""

# What is asked in this file, by method and address; a route that is not named here fails the test.
ASKED = {
    "POST /v1/search",
    "POST /v1/search/stream",
    "GET /v1/search/stream",
    "POST /v1/understand",
    "POST /v1/explain",
    "GET /v1/sources",
    "POST /v1/feedback",
    "GET /metrics",
    "GET /v1/digests",
    "GET /v1/digests/{name}",
    "POST /v1/digests/{name}/run",
    "POST /v1/digests",
    "GET /v1/digests/{name}/definition",
    "PATCH /v1/digests/{name}",
    "DELETE /v1/digests/{name}",
    "GET /v1/accounts",
    "POST /v1/accounts/{source}",
    "POST /v1/accounts/{source}/finish",
    "DELETE /v1/accounts/{source}",
    "GET /v1/kept",
    "DELETE /v1/kept",
    "GET /kept",
    "POST /kept",
    "GET /",
    "GET /search/stream",
    "GET /accounts",
    "POST /accounts",
    "GET /digest",
    "POST /digest",
    "GET /digests",
    "POST /digests",
    "GET /digests/{name:path}",
    "GET /sources",
    "GET /admin",
    "GET /admin/sources",
    "GET /admin/access",
    "GET /admin/digests",
    "ANY /mcp",
}
HOLDS_NOTHING_OF_ANYBODY = {
    "POST /v1/web/search": "the public web",
    "POST /v1/web/page": "the public web",
    "POST /v1/web/answer": "the public web",
    "POST /v1/rerank": "what is sent is ordered, and nothing else",
    "POST /rerank": "the same",
    "GET /healthz": "no data",
    "GET /readyz": "no data",
    "GET /openapi.json": "the description",
    "GET /sign-in": "a form",
    "GET /sign-in/provider": "where the identity provider is",
    "GET /sign-in/callback": "opens a session for whoever the provider names",
    "GET /.well-known/oauth-protected-resource": "who signs people in",
    "GET /.well-known/oauth-protected-resource/mcp": "who signs people in",
    "POST /admin/access": "makes and revokes keys",
    "POST /admin/roles": "says what people may",
    "POST /admin/sources": "switches a source",
    "GET /setup": "what can be set up",
    "POST /setup/code": "takes the code of the first run",
    "GET /setup/callback": "the way back from a vendor",
    "GET /setup/{tile}": "a form",
    "POST /setup/{tile}": "tries and keeps what is asked by one sign-in for everybody",
    "POST /sign-in": "takes a key",
    "POST /sign-out": "forgets a session",
    "POST /language": "a choice",
    "GET /accounts/{source}/callback": "the way back from a vendor, which says whether that went well",
    "POST /feedback": "says thanks",
    "GET /static/{name}": "files of the package",
}
ADMIN = ("/admin", "/admin/sources", "/admin/access", "/admin/digests")
TOOLS = {"search", "explain", "sources", "fetch"}
TOOLS_OF_NOBODY = {"google_web_search", "web_search", "web_page"}


class Pair:
    """A running server, and two people who have connected their accounts."""

    def __init__(self, api, david, taeyoung):
        self.api, self.david, self.taeyoung = api, david, taeyoung

    @property
    def sides(self):
        """Each with what the other may not see."""
        return ((self.david, OF_TAEYOUNG, OF_DAVID), (self.taeyoung, OF_DAVID, OF_TAEYOUNG))


@asynccontextmanager
async def opened(serve, tmp_path, index_url, shared=""):
    """The server, with the memory that processes share where there is one."""
    async with AsyncExitStack() as stack:
        provider = await stack.enter_async_context(identity_provider())
        people = people_settings(index_url, provider)

        def settings(url, sandbox):
            told = {**people(url, sandbox), **({"shared": {"uri": shared}} if shared else {})}
            daily = {"person": f"{provider.url}#david", "period": "daily"}
            everything = [str(scope) for scope in Scope]
            return {**told, "oidc": provider.settings(scopes=everything), "digests": {"leaders": daily}}

        api = await stack.enter_async_context(serve(tmp_path, more=settings, mcp=True))
        await until_ready(api)
        david = await stack.enter_async_context(somebody(api, provider, "david", DAVID))
        taeyoung = await stack.enter_async_context(somebody(api, provider, "taeyoung", TAEYOUNG))
        await david.connect()
        await taeyoung.connect()
        yield Pair(api, david, taeyoung)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def two(tmp_path_factory, module_url):
    """Two people before a server that remembers whatever was asked of it: for tests that change nothing of theirs."""
    async with opened(serving, tmp_path_factory.mktemp("two"), module_url) as pair:
        yield pair


@pytest.fixture
def pair(serve, tmp_path, index_url):
    """A function: two people before a server of their own."""
    return lambda shared="": opened(serve, tmp_path, index_url, shared)


def free_of(text, secrets, question=""):
    """Whether a reply holds nothing of the other's; what was asked for may be repeated."""
    held = [secret for secret in secrets if secret in text and secret not in question]
    assert not held, (question, held)


async def whole(person, method, path, body=None, **headers):
    """Everything that one request brings back, headers included."""
    sent = {**person.auth, **headers}
    async with person.browser.request(method, person.api.url + path, json=body, headers=sent) as reply:
        return reply.status, str(dict(reply.headers)) + await reply.text()


async def searched(person, question):
    return (await whole(person, "POST", "/v1/search", {"question": question, "limit": 50, "now": NOW}))[1]


async def test_each_finds_their_own_and_nothing_of_the_others(two):
    seen = {DAVID: "", TAEYOUNG: ""}
    for question in QUESTIONS:
        for person, others, _ in two.sides:  # one right after the other: what is remembered is remembered by person
            text = await searched(person, question)
            free_of(text, others, question)
            seen[person.handle] += text
        texts = await asyncio.gather(
            *(searched(person, f"{question} ") for person, _, _ in two.sides for _ in range(2))
        )
        for text, others in zip(texts, (OF_TAEYOUNG, OF_TAEYOUNG, OF_DAVID, OF_DAVID), strict=True):
            free_of(text, others, question)
    # Or this test would pass with nobody finding anything.
    for person, _, own in two.sides:
        missed = [secret for secret in own if secret not in seen[person.handle]]
        assert len(missed) <= 1, missed


async def test_every_route_that_there_is(two):
    assert routes(two.api.app) == ASKED | HOLDS_NOTHING_OF_ANYBODY.keys()
    for question in QUESTIONS:
        body = {"question": question, "now": NOW}
        for person, others, _ in two.sides:
            for path in ("/v1/understand", "/v1/explain"):
                status, text = await whole(person, "POST", path, body)
                assert status == 200, text
                free_of(text, others, question)
    for person, others, _ in two.sides:
        for path in ("/v1/sources", "/v1/accounts", "/accounts", "/v1/kept", "/kept", "/sources", "/metrics", *ADMIN):
            status, text = await whole(person, "GET", path)
            assert status in ({200, 403} if path == "/metrics" else {200}), text
            free_of(text, others)


async def test_a_source_tells_each_who_they_are(two):
    said = {}
    for person, _, _ in two.sides:
        _, document = await person.request("GET", "/v1/sources")
        said[person.handle] = next(each["account"] for each in document["sources"] if each["name"] == "slack")
    assert said == {DAVID: DAVID, TAEYOUNG: TAEYOUNG}


async def test_streams(two):
    for question in OTHERWISE:
        body = {"question": question, "now": NOW, "limit": 50}
        for (person, others, _), (other, theirs, _) in zip(two.sides, two.sides[::-1], strict=True):
            _, text = await whole(person, "POST", "/v1/search/stream", body)
            free_of(text, others, question)
            events = [line.removeprefix("id: ") for line in text.split("\n") if line.startswith("id: ")]
            for taken in (events[0], events[-1], f"{events[0].split('-')[0]}-0"):
                _, text = await whole(other, "POST", "/v1/search/stream", body, **{"Last-Event-ID": taken})
                free_of(text, theirs, question)
                assert events[0].split("-")[0] not in text  # it is another stream
    for person, others, _ in two.sides:
        for path in ("/v1/search/stream", "/search/stream"):
            status, text = await whole(person, "GET", f"{path}?question=pricing+January")
            assert status == 200, text
            free_of(text, others)


async def test_the_page(two):
    for question in OTHERWISE:
        for person, others, _ in two.sides:
            asked = person.browser.get(person.api.url + "/", params={"question": question}, headers=person.auth)
            async with asked as reply:
                text = await reply.text()
                assert reply.status == 200, text
                assert 'class="hit"' in text, "or this test would pass with a page that asks nothing"
                free_of(text, others, question)


async def test_what_is_fetched_by_its_address(two):
    answers = [json.loads(await _body(person, "pricing 후보 budget")) for person, _, _ in two.sides]
    found = [
        {each["url"] for each in answer["results"] if channel in each["url"]}
        for answer, channel in zip(answers, ("C01LDR0015", "C01HIR0016"), strict=True)
    ]
    assert all(found)
    for addresses, (person, others, _) in zip(found, two.sides[::-1], strict=True):
        for address in sorted(addresses):
            free_of(await searched(person, address), others, address)
            async with model(person) as client:
                reply = await client.call_tool("fetch", {"address": address})
                assert not reply.structured_content["found"]
                free_of(json.dumps(reply.structured_content, ensure_ascii=False), others, address)


async def _body(person, question):
    return json.dumps(await person.search(question, now=NOW, limit=50), ensure_ascii=False)


@asynccontextmanager
async def model(person):
    """A language model's client with a person's token."""
    async with (
        httpx2.AsyncClient(headers=person.auth, trust_env=False, timeout=HANGING) as http,
        Client(streamable_http_client(person.api.url + "/mcp", http_client=http), mode="auto") as client,
    ):
        yield client


async def test_models(two):
    for person, others, _ in (*two.sides, *two.sides):
        async with model(person) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS | TOOLS_OF_NOBODY
            for question in OTHERWISE:
                for tool in ("search", "explain"):
                    reply = await client.call_tool(tool, {"question": question})
                    free_of(reply.model_dump_json(), others, question)
            reply = await client.call_tool("sources", {})
            free_of(reply.model_dump_json(), others)


async def test_feedback_and_accounts_are_each_ones_own(pair):
    async with pair() as two:
        for number, (person, _, _) in enumerate(two.sides):
            body = {"question": f"pricing {number}", "verdict": "right"}
            status, text = await whole(person, "POST", "/v1/feedback", body, **{"Idempotency-Key": "the same"})
            assert status == 204, text
        status, text = await whole(two.taeyoung, "POST", "/accounts", {"do": "disconnect", "source": "slack"})
        assert status == 403, text  # no form of this browser
        begun = await two.david.begin()
        returned = {"state": begun["state"], "code": "guessed", "ticket": begun["ticket"]}
        status, text = await whole(two.taeyoung, "POST", "/v1/accounts/slack/finish", returned)
        assert status == 403, text
        assert (await two.taeyoung.request("DELETE", "/v1/accounts/slack"))[0] == 200
        assert receipt_of(await two.david.search("pricing", now=NOW))["status"] == "ok"
        assert receipt_of(await two.taeyoung.search("pricing", now=NOW))["status"] == "not connected"


async def test_what_is_kept_is_forgotten_of_whoever_asks_alone(pair):
    async with pair() as two:
        for person in (two.david, two.taeyoung):
            await person.request("POST", "/v1/feedback", {"question": "pricing", "verdict": "right"})
        status, text = await whole(two.taeyoung, "POST", "/kept", {"do": "forget", "sure": "yes"})
        assert status == 403, text  # no form of this browser
        kept = [(await person.request("GET", "/v1/kept"))[1]["kept"] for person in (two.david, two.taeyoung)]
        assert [(each["accounts"], each["judgments"]) for each in kept] == [(1, 1), (1, 1)]
        status, gone = await two.taeyoung.request("DELETE", "/v1/kept")
        assert (status, gone["forgotten"]["accounts"]) == (200, 1)
        assert (await two.david.request("GET", "/v1/kept"))[1]["kept"] == kept[0]
        assert receipt_of(await two.david.search("pricing", now=NOW))["status"] == "ok"
        assert receipt_of(await two.taeyoung.search("pricing", now=NOW))["status"] == "not connected"


async def test_digests(two):
    status, text = await whole(two.david, "GET", "/v1/digests/leaders?since=2026-09-01")
    assert status == 200, text
    assert any(secret in text for secret in OF_DAVID)  # or this test would pass with nothing in it
    free_of(text, OF_TAEYOUNG)
    for method, path in (("GET", ""), ("GET", "/leaders"), ("POST", "/leaders/run")):
        status, text = await whole(two.taeyoung, method, f"/v1/digests{path}")
        assert status == (404 if path else 200), text
        free_of(text, OF_DAVID)
    status, text = await whole(two.david, "GET", "/digests/leaders?since=2026-09-01")
    assert (status, any(secret in text for secret in OF_DAVID)) == (200, True), text
    free_of(text, OF_TAEYOUNG)
    for path in ("", "/leaders", "/leaders?since=2026-09-01"):
        status, text = await whole(two.taeyoung, "GET", f"/digests{path}")
        assert status == (404 if path else 200), text
        assert 'href="/digests/leaders"' not in text
        free_of(text, OF_DAVID)
    status, text = await whole(two.david, "POST", "/v1/digests/leaders/run")
    assert status == 200, text
    free_of(text, OF_TAEYOUNG)


async def test_digests_of_their_own(pair):
    async with pair() as two:
        for person, others, _ in two.sides:
            body = {"name": "mine", "period": "daily", "sources": ["slack"]}
            status, text = await whole(person, "POST", "/v1/digests", body)
            assert status == 201, text
            free_of(text, others)
        for (person, others, own), (other, theirs, _) in zip(two.sides, two.sides[::-1], strict=True):
            status, text = await whole(person, "GET", "/v1/digests/mine?since=2026-09-01")
            assert (status, any(secret in text for secret in own)) == (200, True), text
            free_of(text, others)
            _, listed = await person.request("GET", "/v1/digests")
            full = {each["person"] for each in listed["digests"]}
            assert len(full) == 1
            name = f"only-{person.handle}"
            assert (await whole(person, "POST", "/v1/digests", {"name": name}))[0] == 201
            for method, path in (("GET", ""), ("GET", "/definition"), ("PATCH", ""), ("DELETE", ""), ("POST", "/run")):
                status, text = await whole(
                    other, method, f"/v1/digests/{name}{path}", {} if method == "PATCH" else None
                )
                assert status == 404, text
            status, text = await whole(other, "GET", f"/digest?name={name}")
            assert status == 404, text
            free_of(text, theirs)
            status, text = await whole(person, "GET", f"/digest?name={name}")
            assert (status, f'value="{name}"' in text) == (200, True), text
            assert (await whole(other, "POST", "/digest", {"old": name, "kind": "daily"}))[0] == 403
            assert (await whole(other, "POST", "/digests", {"do": "remove", "name": name}))[0] == 403
            assert (await whole(person, "GET", f"/v1/digests/{name}/definition"))[0] == 200


async def test_another_account_in_place_of_the_first_remembers_nothing_of_it(pair):
    async with pair() as two:
        question = QUESTIONS[0]
        assert "this morning: new pricing" in await searched(two.david, question)
        two.david.handle = TAEYOUNG  # the same person signs in to Slack as somebody else
        await two.david.connect()
        free_of(await searched(two.david, question), OF_DAVID, question)


async def test_a_key_for_programs_sees_neither(two):
    for question in OTHERWISE:
        body = {"question": question, "now": NOW, "limit": 50}
        async with two.api.post("/v1/search", body) as reply:
            text = await reply.text()
            free_of(text, OF_DAVID + OF_TAEYOUNG, question)
            assert receipt_of(json.loads(text))["status"] == "not connected"


async def test_pages_that_processes_share(pair):
    with a_valkey() as server:
        async with pair(server.connection_url) as two:
            for question in OTHERWISE:
                for person, others, _ in (*two.sides, *two.sides[::-1]):
                    free_of(await searched(person, question), others, question)


def routes(app):
    """Every method and address of the application."""
    described = {f"{method.upper()} {path}" for path, found in app.openapi()["paths"].items() for method in found}
    others = {
        f"{method} {route.path}"
        for route in app.routes
        if getattr(route, "path", None)
        for method in (route.methods or {"ANY"}) - {"HEAD"}
        if f"{method} {getattr(route, 'path_format', '')}" not in described
    }
    return described | others
