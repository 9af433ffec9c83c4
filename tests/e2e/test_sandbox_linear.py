"""The Linear emulator over real sockets with aiohttp."""

import time

import aiohttp
import pytest

from orchestrator.sandbox import Fault, Sandbox
from tests.corpora import corpus_of

ROWS = [
    {
        "id": f"i{n}",
        "source": "linear",
        "kind": "issue",
        "key": f"PAY-{n}",
        "title": f"결제 timeout {n}",
        "state": "Todo",
        "created": f"2026-03-0{n}T01:00:00Z",
    }
    for n in range(1, 6)
]
SEARCH = """
query Search($term: String!, $filter: IssueFilter, $first: Int, $after: String) {
  searchIssues(term: $term, filter: $filter, first: $first, after: $after) {
    totalCount nodes { identifier title state { type } } pageInfo { hasNextPage endCursor }
  }
}
"""


@pytest.fixture
async def sandbox(tmp_path):
    """Five issues, served."""
    async with Sandbox(corpus_of(tmp_path, ROWS)) as served:
        yield served


@pytest.fixture
async def ask(sandbox):
    """Post a query; status, headers and value."""
    endpoint = sandbox.endpoints["linear"]
    async with aiohttp.ClientSession(headers={"Authorization": endpoint.token}) as session:

        async def post(query, **variables):
            async with session.post(endpoint.base_url, json={"query": query, "variables": variables}) as reply:
                return reply.status, reply.headers, await reply.json()

        yield post


async def test_searching_with_a_filter_page_by_page(ask, sandbox):
    seen, after = [], None
    while True:
        wanted = {"createdAt": {"gte": "2026-03-02"}, "state": {"type": {"eq": "unstarted"}}}
        status, _, value = await ask(SEARCH, term="결제", filter=wanted, first=3, after=after)
        assert status == 200
        found = value["data"]["searchIssues"]
        seen += [node["identifier"] for node in found["nodes"]]
        if not found["pageInfo"]["hasNextPage"]:
            break
        after = found["pageInfo"]["endCursor"]
    assert sorted(seen) == ["PAY-2", "PAY-3", "PAY-4", "PAY-5"]
    assert sandbox.requests[0].hits == found["totalCount"] == 4
    assert sandbox.requests[0].query["variables"]["term"] == "결제"


async def test_what_linear_does_not_know_is_400_and_what_fails_in_a_field_is_200(ask):
    status, _, value = await ask(SEARCH, term="x", filter={"createdAt": {"after": "2026"}})
    assert (status, value["errors"][0]["extensions"]["code"]) == (400, "GRAPHQL_VALIDATION_FAILED")
    status, _, value = await ask('{ issue(id: "NO-1") { id } }')
    assert (status, value["errors"][0]["message"]) == (200, "Entity not found: Issue")


async def test_throttling_is_a_400_whose_reset_is_in_milliseconds(ask, sandbox):
    sandbox.set_fault("linear", Fault(retry_after=30))
    before = time.time()
    status, headers, value = await ask(SEARCH, term="x")
    assert (status, value["errors"][0]["extensions"]["code"]) == (400, "RATELIMITED")
    assert headers["X-RateLimit-Requests-Remaining"] == "0"
    assert before + 29 < int(headers["X-RateLimit-Requests-Reset"]) / 1000 <= time.time() + 30
    assert "Retry-After" not in headers


@pytest.mark.parametrize(
    ("wanted", "code"),
    [(500, "INTERNAL_SERVER_ERROR"), (401, "AUTHENTICATION_ERROR"), (403, "FORBIDDEN"), (404, "INPUT_ERROR")],
)
async def test_other_faults_keep_their_status(ask, sandbox, wanted, code):
    sandbox.set_fault("linear", Fault(status=wanted))
    status, _, value = await ask(SEARCH, term="x")
    assert (status, value["errors"][0]["extensions"]["code"]) == (wanted, code)
