"""The sandbox as a whole over real sockets: ports, tokens, faults, records, its end."""

import asyncio
import io
import json
import socket
import time
from datetime import UTC, datetime

import aiohttp
import pytest
from blockbuster import blockbuster_ctx

from orchestrator.sandbox import SOURCES, Fault, Sandbox, load_corpus, serve
from tests.clock import HANGING
from tests.corpora import corpus_of

HTTP = tuple(source for source in SOURCES if source != "imap")  # which is a program of its own, tested by itself
WEB = ("brave", "gemini", "searxng", "serpapi")
ROWS = [
    {
        "id": source,
        "source": source,
        "kind": "item",
        "title": "결제 plan",
        "text": "결제 plan",
        "author": "U01",
        "author_name": "이하늘",
        "to": ["U01"],
        "created": "2026-03-01T00:00:00Z",
        **({"url": f"https://{source}.example/plan"} if source in WEB else {}),  # a page of the web is its address
    }
    for source in HTTP
]


@pytest.fixture
def corpus(tmp_path):
    """One row of each source."""
    return corpus_of(tmp_path, ROWS)


@pytest.fixture
async def session():
    """A plain HTTP client."""
    async with aiohttp.ClientSession() as made:
        yield made


def slack_search(sandbox, query="결제"):
    """URL and parameters of a Slack search."""
    endpoint = sandbox.endpoints["slack"]
    return {"url": f"{endpoint.base_url}search.messages", "params": {"query": query, "token": endpoint.token}}


async def test_each_source_has_a_loopback_port_of_its_own(corpus):
    async with Sandbox(corpus) as sandbox:
        urls = {source: endpoint.base_url for source, endpoint in sandbox.endpoints.items()}
        assert list(urls) == list(HTTP)
        assert len({url.split(":")[2].split("/")[0] for url in urls.values()}) == len(HTTP)
        assert all(url.startswith("http://127.0.0.1:") for url in urls.values())
        assert urls["slack"].endswith("/api/")
        assert urls["linear"].endswith("/graphql")
        for source in HTTP:
            assert source in sandbox.origins(source).values()
    assert not sandbox.endpoints


async def test_ports_may_be_chosen_and_a_taken_one_is_told(corpus):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        probe.listen()
        port = probe.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port} for {SOURCES[0]}; choose another port"):
            async with Sandbox(corpus, port=port):
                pass
    async with Sandbox(corpus, port=port, sources=["slack"]) as sandbox:
        assert sandbox.endpoints["slack"].base_url == f"http://127.0.0.1:{port}/api/"


async def test_sources_without_rows_are_served_only_when_named(tmp_path):
    row = next(row for row in ROWS if row["source"] == "slack")
    (tmp_path / "rows.jsonl").write_text(json.dumps(row), encoding="utf-8")
    corpus = load_corpus(tmp_path)
    async with Sandbox(corpus) as sandbox:
        assert list(sandbox.endpoints) == ["slack"]
        with pytest.raises(ValueError, match="'gmail' is not served; served are: slack"):
            sandbox.origins("gmail")
    async with Sandbox(corpus, sources=["gmail", "notion"]) as sandbox:
        assert list(sandbox.endpoints) == ["gmail", "notion"]


@pytest.mark.parametrize(
    "wrong",
    [{"sources": ["nosuch"]}, {"faults": {"nosuch": Fault()}}, {"tokens": {"nosuch": "x"}}, {"owner": "nobody"}],
)
def test_names_that_are_nobody_s_are_refused(corpus, wrong):
    with pytest.raises(ValueError, match=r"choose from .*slack|nobody called 'nobody'"):
        Sandbox(corpus, **wrong)


async def test_tokens_time_and_owner_can_be_given(corpus, session):
    now = datetime(2026, 3, 2, tzinfo=UTC)
    async with Sandbox(
        corpus, tokens={"slack": "xoxp-mine"}, now=now, owner="이하늘", timezone="UTC", sources=["slack"]
    ) as sandbox:
        assert sandbox.endpoints["slack"].token == "xoxp-mine"
        async with session.get(**slack_search(sandbox, "from:me on:yesterday")) as reply:
            assert (await reply.json())["messages"]["total"] == 1


async def test_a_body_over_one_megabyte_is_refused_everywhere(corpus, session):
    async with Sandbox(corpus) as sandbox:
        for source, endpoint in sandbox.endpoints.items():
            async with session.post(endpoint.base_url, data=io.BytesIO(b"x" * (1024 * 1024 + 1))) as reply:
                assert reply.status == 413
                if source == "searxng":  # which answers every error with a page
                    assert "too large" in await reply.text()
                else:
                    assert isinstance(await reply.json(), dict)
        assert {record.status for record in sandbox.requests} == {413}


async def test_a_query_of_ten_thousand_hangul_letters_is_answered(corpus, session):
    async with (
        Sandbox(corpus, sources=["slack"]) as sandbox,
        session.get(**slack_search(sandbox, "가" * 10_000)) as reply,
    ):
        assert (await reply.json())["messages"]["total"] == 0


async def test_a_delay_holds_back_one_source_only(corpus, session):
    async with Sandbox(corpus, faults={"slack": Fault(delay=0.3)}) as sandbox:
        started = time.perf_counter()
        async with session.get(**slack_search(sandbox)) as reply:
            assert (await reply.json())["ok"]
        assert time.perf_counter() - started >= 0.3
        sandbox.set_fault("slack", Fault(delay=600))
        waiting = asyncio.create_task(session.get(**slack_search(sandbox)))
        await asyncio.sleep(0.1)
        async with session.get(sandbox.endpoints["gmail"].base_url) as reply:
            assert reply.status == 404
        assert not waiting.done()
        waiting.cancel()


async def test_every_nth_request_and_setting_a_fault_anew(corpus, session):
    async with Sandbox(corpus, faults={"slack": Fault(status=503, every=2)}, sources=["slack"]) as sandbox:
        statuses = []
        for _ in range(4):
            async with session.get(**slack_search(sandbox)) as reply:
                statuses.append(reply.status)
        assert statuses == [200, 503, 200, 503]
        sandbox.set_fault("slack", None)
        async with session.get(**slack_search(sandbox)) as reply:
            assert reply.status == 200
    with pytest.raises(ValueError, match="no emulator for 'nosuch'"):
        sandbox.set_fault("nosuch", None)


async def test_a_malformed_answer_is_no_json(corpus, session):
    faults = {"slack": Fault(malformed=True)}
    async with Sandbox(corpus, faults=faults) as sandbox, session.get(**slack_search(sandbox)) as reply:
        assert reply.status == 200
        with pytest.raises(json.JSONDecodeError):
            await reply.json()


async def test_a_connection_may_be_dropped(corpus, session):
    async with Sandbox(corpus, faults={"slack": Fault(disconnect=True)}, sources=["slack"]) as sandbox:
        with pytest.raises(aiohttp.ServerDisconnectedError):
            await session.get(**slack_search(sandbox))


async def test_a_hanging_source_ends_with_the_sandbox(corpus, session):
    async with Sandbox(corpus, faults={"slack": Fault(hang=True), "gmail": Fault(delay=600)}) as sandbox:
        calls = [
            asyncio.create_task(session.get(**slack_search(sandbox))),
            asyncio.create_task(session.get(sandbox.endpoints["gmail"].base_url)),
        ]
        await asyncio.sleep(0.1)
        assert not any(call.done() for call in calls)
        started = time.perf_counter()
    assert time.perf_counter() - started < HANGING
    await asyncio.gather(*calls, return_exceptions=True)


async def test_a_client_that_goes_away_takes_its_request_with_it(corpus, session):
    async with Sandbox(corpus, faults={"slack": Fault(hang=True)}, sources=["slack"]) as sandbox:
        with pytest.raises(TimeoutError):
            await session.get(**slack_search(sandbox), timeout=aiohttp.ClientTimeout(total=0.1))
        sandbox.set_fault("slack", None)
        async with session.get(**slack_search(sandbox)) as reply:
            assert reply.status == 200


async def test_a_sandbox_can_be_opened_again(corpus, session):
    sandbox = Sandbox(corpus, sources=["slack"])
    for _ in range(2):
        async with sandbox, session.get(**slack_search(sandbox)) as reply:
            assert reply.status == 200


async def test_many_at_once_are_all_answered_and_recorded(corpus, session):
    async def search(number):
        async with session.get(**slack_search(sandbox, f"결제 -nothing{number}")) as reply:
            return (await reply.json())["messages"]["total"]

    async with Sandbox(corpus, sources=["slack"]) as sandbox:
        assert await asyncio.gather(*map(search, range(50))) == [1] * 50
        assert len(sandbox.requests) == 50


async def test_nothing_blocks_the_event_loop(corpus):
    with blockbuster_ctx():
        async with Sandbox(corpus) as sandbox, aiohttp.ClientSession() as session:
            async with session.get(**slack_search(sandbox)) as reply:
                assert (await reply.json())["messages"]["total"] == 1
            gmail = sandbox.endpoints["gmail"]
            headers, parameters = {"Authorization": f"Bearer {gmail.token}"}, {"q": "결제 newer_than:1d"}
            async with session.get(
                f"{gmail.base_url}/gmail/v1/users/me/messages", headers=headers, params=parameters
            ) as reply:
                assert reply.status == 200


async def test_serving_announces_and_stops(corpus):
    stop, seen = asyncio.Event(), []

    def announce(sandbox):
        seen.extend(sandbox.endpoints)
        stop.set()

    await serve(corpus, announce=announce, stop=stop, faults={"slack": Fault(delay=1)}, sources=["slack", "notion"])
    assert seen == ["notion", "slack"]
