"""The Slack emulator through Slack's own client."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient

from orchestrator.sandbox import Fault, Sandbox
from tests.corpora import corpus_of

ROWS = [
    {"id": f"m{n}", "source": "slack", "kind": "message", "text": f"결제 장애 보고 {n} & more", "container": "결제-개발", "author": "U01", "author_name": "이하늘", "created": f"2026-03-0{n}T01:00:00Z"}
    for n in range(1, 6)
]  # fmt: skip


@pytest.fixture
async def sandbox(tmp_path):
    """Five messages, served."""
    async with Sandbox(corpus_of(tmp_path, ROWS)) as served:
        yield served


@pytest.fixture
def client(sandbox):
    """Slack's client, pointed at it."""
    endpoint = sandbox.endpoints["slack"]
    return AsyncWebClient(token=endpoint.token, base_url=endpoint.base_url)


async def test_searching_with_dates_and_highlights(client, sandbox):
    reply = await client.search_messages(
        query="장애 after:2026-03-01 before:2026-03-04", highlight=True, count=1, sort="timestamp"
    )
    messages = reply["messages"]
    assert messages["total"] == 2
    assert messages["matches"][0]["text"] == "결제 \ue000장애\ue001 보고 3 &amp; more"
    record = sandbox.requests[-1]
    assert (record.source, record.method, record.path, record.status, record.hits) == (
        "slack",
        "GET",
        "/api/search.messages",
        200,
        2,
    )
    assert record.query["query"] == "장애 after:2026-03-01 before:2026-03-04"
    assert "xoxp-sandbox" not in repr(sandbox.requests) + repr(sandbox.endpoints)


async def test_cursors_walk_through_all_results(client):
    seen, cursor = [], "*"
    while cursor:
        page = (await client.search_messages(query="장애", count=2, cursor=cursor))["messages"]
        seen += [match["permalink"] for match in page["matches"]]
        cursor = page["pagination"]["next_cursor"]
    assert len(set(seen)) == 5


async def test_the_other_methods(client):
    assert (await client.auth_test())["user_id"] == "U01"
    assert (await client.users_list())["members"][0]["real_name"] == "이하늘"
    assert (await client.users_info(user="U01"))["user"]["id"] == "U01"
    channel = (await client.conversations_list())["channels"][0]["id"]
    history = (await client.conversations_history(channel=channel, limit=1))["messages"]
    ts = history[0]["ts"]
    assert (await client.conversations_replies(channel=channel, ts=ts))["messages"][0]["ts"] == ts
    assert (await client.chat_getPermalink(channel=channel, message_ts=ts))["permalink"].startswith(
        "https://acme.slack.com/archives/"
    )


async def test_lists_are_walked_by_the_client_itself(client):
    channel = (await client.conversations_list())["channels"][0]["id"]
    history = await client.conversations_history(channel=channel, limit=2)
    assert [len(page["messages"]) async for page in history] == [2, 2, 1]


async def test_errors_reach_the_client_as_slack_s(sandbox):
    base = sandbox.endpoints["slack"].base_url
    for token, error in (
        ("xoxp-wrong", "invalid_auth"),
        ("xoxb-sandbox", "not_allowed_token_type"),
        ("", "not_authed"),
    ):
        with pytest.raises(SlackApiError) as caught:
            await AsyncWebClient(token=token, base_url=base).search_messages(query="x")
        assert caught.value.response["error"] == error


async def test_throttling_carries_retry_after_and_the_client_can_wait(client, sandbox):
    sandbox.set_fault("slack", Fault(retry_after=7))
    with pytest.raises(SlackApiError) as caught:
        await client.search_messages(query="장애")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "7"
    client.retry_handlers.append(AsyncRateLimitErrorRetryHandler(max_retry_count=1))
    sandbox.set_fault("slack", Fault(retry_after=0, every=2))
    assert (await client.search_messages(query="장애"))["ok"]
    assert (await client.search_messages(query="장애"))["ok"], "the second was throttled once and tried again"
    assert [record.status for record in sandbox.requests][-3:] == [200, 429, 200]
