"""The Notion emulator through Notion's client."""

import pytest
from notion_client import APIErrorCode, APIResponseError, AsyncClient
from notion_client.client import RetryOptions
from notion_client.helpers import async_collect_paginated_api

from orchestrator.sandbox import Fault, Sandbox
from tests.corpora import corpus_of

ROWS = [
    {
        "id": f"p{n}",
        "source": "notion",
        "kind": "page",
        "title": f"결제 정책 {n}",
        "text": "# 본문\n내용",
        "container": "위키",
        "created": f"2026-03-0{n}T01:00:00Z",
    }
    for n in range(1, 6)
]


@pytest.fixture
async def sandbox(tmp_path):
    """Five pages, served."""
    async with Sandbox(corpus_of(tmp_path, ROWS)) as served:
        yield served


@pytest.fixture
async def client(sandbox):
    """Notion's client, pointed at it."""
    endpoint = sandbox.endpoints["notion"]
    async with AsyncClient(
        auth=endpoint.token, base_url=endpoint.base_url, notion_version="2026-03-11", retry=False
    ) as made:
        yield made


async def test_searching_titles(client, sandbox):
    reply = await client.search(query="정책", filter={"property": "object", "value": "page"}, page_size=2)
    assert [page["properties"]["Name"]["title"][0]["plain_text"] for page in reply["results"]] == [
        "결제 정책 5",
        "결제 정책 4",
    ]
    assert reply["has_more"] is True
    assert sandbox.requests[-1].query == {
        "query": "정책",
        "filter": {"property": "object", "value": "page"},
        "page_size": 2,
    }
    assert sandbox.requests[-1].hits == 5


async def test_the_client_collects_all_pages(client):
    found = await async_collect_paginated_api(client.search, query="정책", page_size=2)
    assert len({page["id"] for page in found}) == 5


async def test_content_and_users(client):
    page = (await client.search(query="정책"))["results"][0]
    assert (await client.pages.retrieve(page["id"]))["url"] == page["url"]
    assert (await client.pages.retrieve_markdown(page["id"]))["markdown"] == "# 본문\n내용"
    assert [block["type"] for block in (await client.blocks.children.list(page["id"]))["results"]] == [
        "heading_1",
        "paragraph",
    ]
    assert (await client.users.me())["type"] == "bot"
    assert (await client.users.list())["results"]
    assert (await client.data_sources.retrieve(page["parent"]["data_source_id"]))["object"] == "data_source"


async def test_the_client_s_default_version_searches_but_has_no_markdown(sandbox):
    endpoint = sandbox.endpoints["notion"]
    async with AsyncClient(auth=endpoint.token, base_url=endpoint.base_url) as client:
        page = (await client.search(query="정책"))["results"][0]
        with pytest.raises(APIResponseError, match="2026-03-11 or later"):
            await client.pages.retrieve_markdown(page["id"])


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"filter": {"property": "object", "value": "database"}}, APIErrorCode.ValidationError),
        ({"page_size": 500}, APIErrorCode.ValidationError),
        ({"start_cursor": "nowhere"}, APIErrorCode.ValidationError),
        ({"auth": "ntn_wrong"}, APIErrorCode.Unauthorized),
    ],
)
async def test_errors_reach_the_client_as_notion_s(client, options, code):
    with pytest.raises(APIResponseError) as caught:
        await client.search(**options)
    assert caught.value.code == code
    assert caught.value.request_id


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(retry_after=3), APIErrorCode.RateLimited),
        (Fault(status=503), APIErrorCode.ServiceUnavailable),
        (Fault(status=500), APIErrorCode.InternalServerError),
    ],
)
async def test_faults_reach_the_client_as_notion_s(client, sandbox, fault, code):
    sandbox.set_fault("notion", fault)
    with pytest.raises(APIResponseError) as caught:
        await client.search(query="정책")
    assert caught.value.code == code
    assert caught.value.headers.get("Retry-After") == ("3" if fault.retry_after else None)


async def test_the_client_waits_when_throttled(sandbox):
    sandbox.set_fault("notion", Fault(retry_after=0, every=2))
    endpoint = sandbox.endpoints["notion"]
    async with AsyncClient(
        auth=endpoint.token, base_url=endpoint.base_url, retry=RetryOptions(max_retries=1)
    ) as client:
        assert (await client.search(query="정책"))["results"]
        assert (await client.search(query="정책"))["results"]
    assert [record.status for record in sandbox.requests] == [200, 429, 200]
