"""Replies of the emulators against the vendors' own API descriptions; skipped where those are not at hand."""

import json

import aiohttp
import pytest
from graphql import build_schema, find_breaking_changes, parse, validate
from jsonschema import Draft202012Validator

from orchestrator.sandbox import SOURCES, Sandbox
from orchestrator.sandbox.linear import sdl
from tests.contract.vendors.descriptions import closed
from tests.corpora import corpus_of

PEOPLE = [{"id": "U01", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"}]
ROWS = [
    {"id": f"{source}{n}", "source": source, "kind": "item", "title": "결제 plan", "text": "# 결제\nplan <b> https://a.example", "container": "위키", "author": "U01", "to": ["U01"], "labels": ["INBOX", "P0"],
     "attachments": ["a.pdf"], "files": ["a.png"], "reactions": ["eyes"], "thread": f"{source}0", "created": f"2026-03-0{n + 1}T00:00:00Z"}
    for source in SOURCES for n in range(3)
]  # fmt: skip


@pytest.fixture
async def sandbox(tmp_path):
    """Three rows of each source."""
    async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE)) as served:
        yield served


@pytest.fixture
async def fetch():
    """Get or post; the JSON of the reply."""
    async with aiohttp.ClientSession() as session:

        async def run(url, *, headers, params=None, body=None):
            method = "GET" if body is None else "POST"
            async with session.request(method, url, headers=headers, params=params, json=body) as reply:
                return await reply.json()

        yield run


def load(shared, name):
    """One contract file."""
    return json.loads((shared / "contracts" / name).read_text(encoding="utf-8"))


def assert_valid(value, document, schema):
    """Check a value against a schema inside an OpenAPI document."""
    Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": document["components"]}).validate(
        value
    )


@pytest.mark.parametrize(
    ("method", "parameters", "schema"),
    [
        ("search.messages", {"query": "결제"}, "search_messages_ok"),
        ("search.messages", {"query": "결제", "cursor": "*", "count": "1"}, "search_messages_ok"),
        ("search.messages", {}, "search_messages_err"),
        ("auth.test", {}, "auth_test_ok"),
        ("users.info", {"user": "nobody"}, "users_info_err"),
        ("conversations.replies", {"channel": "C0"}, "conversations_replies_err"),
    ],
)
async def test_slack(sandbox, fetch, shared, method, parameters, schema):
    endpoint = sandbox.endpoints["slack"]
    value = await fetch(
        endpoint.base_url + method, headers={"Authorization": f"Bearer {endpoint.token}"}, params=parameters
    )
    document = load(shared, "slack_search_2026.openapi.json")
    assert_valid(value, document, schema)
    if not value["ok"]:
        assert value["error"] in document["components"]["schemas"][schema]["properties"]["error"]["x-known-values"]


@pytest.mark.parametrize(
    ("method", "body", "schema"),
    [
        ("assistant.search.context", {"query": "결제", "term_clauses": ["결제"]}, "assistant_search_context_ok"),
        ("assistant.search.context", {"query": "결제", "limit": 1}, "assistant_search_context_ok"),
        ("assistant.search.context", {"query": "x", "content_types": ["files"]}, "assistant_search_context_ok"),
        ("assistant.search.context", {}, "assistant_search_context_err"),
        ("assistant.search.context", {"query": "x", "cursor": "y"}, "assistant_search_context_err"),
        ("assistant.search.context", {"query": "x", "term_clauses": []}, "assistant_search_context_err"),
        ("assistant.search.info", {}, "assistant_search_info_ok"),
    ],
)
async def test_slack_real_time_search(sandbox, fetch, shared, method, body, schema):
    endpoint = sandbox.endpoints["slack"]
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    value = await fetch(endpoint.base_url + method, headers=headers, body=body)
    document = load(shared, "slack_search_2026.openapi.json")
    assert_valid(value, document, schema)
    if not value["ok"]:
        assert value["error"] in document["components"]["schemas"][schema]["properties"]["error"]["x-known-values"]


async def test_slack_matches_have_the_keys_of_slack_s_example(sandbox, fetch, shared):
    """The schema leaves matches open, and wants members and channels to be strings, which no server sends."""
    endpoint = sandbox.endpoints["slack"]
    value = await fetch(
        f"{endpoint.base_url}search.messages",
        headers={"Authorization": f"Bearer {endpoint.token}"},
        params={"query": "결제"},
    )
    operation = load(shared, "slack_search_2026.openapi.json")["paths"]["/search.messages"]["get"]
    example = operation["responses"]["200"]["content"]["application/json"]["examples"]["success"]["value"]["messages"]
    for match in value["messages"]["matches"]:
        assert match.keys() >= example["matches"][0].keys()
        assert match["channel"].keys() >= example["matches"][0]["channel"].keys()
    assert value["messages"]["pagination"].keys() == example["pagination"].keys()
    assert value["messages"]["paging"].keys() == example["paging"].keys()


@pytest.mark.parametrize("version", ["2025-09-03", "2026-03-11"])
async def test_notion(sandbox, fetch, shared, version):
    """The contract is generated from types that keep `archived` for older versions; 2026-03-11 no longer sends it."""
    endpoint, document = sandbox.endpoints["notion"], load(shared, "notion_search.openapi.json")
    headers = {"Authorization": f"Bearer {endpoint.token}", "Notion-Version": version}
    everything = await fetch(f"{endpoint.base_url}/v1/search", headers=headers, body={})
    assert all(("archived" in item) is (version < "2026-03-11") for item in everything["results"])
    everything["results"] = [{"archived": False, **item} for item in everything["results"]]
    assert_valid(everything, document, "NotionSearchResponse")
    assert {item["object"] for item in everything["results"]} == {"page", "data_source"}
    for item in everything["results"]:
        assert_valid(item, document, "PageObjectResponse" if item["object"] == "page" else "DataSourceObjectResponse")
    for user in (await fetch(f"{endpoint.base_url}/v1/users", headers=headers))["results"]:
        assert_valid(user, document, "UserObjectResponse")
    wrong = await fetch(
        f"{endpoint.base_url}/v1/search", headers=headers, body={"filter": {"property": "object", "value": "database"}}
    )
    assert_valid(wrong, document, "NotionError")


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("messages?q=결제", "ListMessagesResponse"),
        ("messages?q=nothing", "ListMessagesResponse"),
        ("messages/{id}", "Message"),
        ("messages/{id}?format=metadata", "Message"),
        ("messages/{id}?format=raw", "Message"),
        ("threads/{thread}", "Thread"),
        ("labels", "ListLabelsResponse"),
        ("profile", "Profile"),
    ],
)
async def test_gmail(sandbox, fetch, shared, path, schema):
    endpoint = sandbox.endpoints["gmail"]
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    number = next(iter(sandbox.origins("gmail")))
    mails = f"{endpoint.base_url}/gmail/v1/users/me"
    thread = (await fetch(f"{mails}/messages/{number}", headers=headers))["threadId"]
    value = await fetch(f"{mails}/{path.format(id=number, thread=thread)}", headers=headers)
    schemas = load(shared, "gmail.v1.search.discovery.json")["schemas"]
    document = {"components": {"schemas": {name: closed(part) for name, part in schemas.items()}}}
    assert_valid(value, document, schema)


DOCUMENTS = [
    'query($f: IssueFilter) { searchIssues(term: "x", filter: $f, first: 5, includeComments: true) { totalCount nodes { identifier labels { nodes { name } } } } }',
    '{ issues(filter: {assignee: {isMe: {eq: true}}, state: {type: {in: ["started"]}}, createdAt: {gte: "-P2W"}}, orderBy: updatedAt) { nodes { id } } }',
    '{ issue(id: "A-1") { comments { nodes { body user { displayName } } } } viewer { isMe } rateLimitStatus { limits { reset } } }',
]  # fmt: skip


def test_linear_s_own_schema_accepts_whatever_the_emulator_accepts(shared):
    """Moving a client from the emulator's schema to Linear's breaks nothing."""
    emulated = build_schema(sdl())
    real = build_schema((shared / "contracts" / "linear.schema.graphql").read_text(encoding="utf-8"))
    assert [change.description for change in find_breaking_changes(emulated, real)] == []
    for document in DOCUMENTS:
        assert validate(emulated, parse(document)) == validate(real, parse(document)) == []
