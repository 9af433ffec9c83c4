"""Replies of the GitHub emulator against GitHub's own descriptions; skipped where those are not at hand."""

import json

import aiohttp
import pytest
from graphql import build_schema, find_breaking_changes
from jsonschema import Draft202012Validator

from orchestrator.sandbox import Sandbox
from orchestrator.sandbox.github.graph import sdl
from tests.corpora import corpus_of

PEOPLE = [{"id": "U01", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"}]
ROWS = [
    {"id": f"g{n}", "source": "github", "kind": kind, "title": "결제 plan", "text": "# 결제\nplan <b> https://a.example", "container": "acme/app", "author": "U01", "assignee": "U01", "labels": ["P0"],
     "merged": "True", "comments": [{"author": "U01", "text": "plan"}, {"text": "ok"}], "created": f"2026-03-0{n + 1}T00:00:00Z"}
    for n, kind in enumerate(["item", "prs", "discussion", "code"])
]  # fmt: skip


@pytest.fixture
async def fetch(tmp_path):
    """Ask the served emulator; the JSON of the reply."""
    async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE)) as served:
        endpoint = served.endpoints["github"]
        headers = {"Authorization": f"Bearer {endpoint.token}", "Accept": "application/vnd.github.text-match+json"}
        async with aiohttp.ClientSession(headers=headers) as session:

            async def ask(path):
                async with session.get(f"{endpoint.base_url}{path}") as reply:
                    return await reply.json()

            yield ask


@pytest.fixture(scope="module")
def description(shared):
    """GitHub's own description of the part of its REST API that searches."""
    path = shared / "contracts" / "github_search.openapi.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not at hand")
    return json.loads(path.read_text(encoding="utf-8"))


def nullable(part):
    """OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(part, dict):
        made = {name: nullable(inner) for name, inner in part.items() if name not in ("nullable", "example")}
        return {"anyOf": [made, {"type": "null"}]} if part.get("nullable") is True else made
    return [nullable(inner) for inner in part] if isinstance(part, list) else part


def assert_valid(value, description, path, status="200"):
    operation = description["paths"][path]["get"]
    response = operation["responses"][status]
    if "$ref" in response:
        response = description["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    schema = {
        **nullable(response["content"]["application/json"]["schema"]),
        "components": nullable(description["components"]),
    }
    problems = [
        f"{list(each.absolute_path)}: {each.message}" for each in Draft202012Validator(schema).iter_errors(value)
    ]
    assert problems == []


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/search/issues?q=plan", "/search/issues"),
        ("/search/issues?q=nothing", "/search/issues"),
        ("/search/code?q=plan", "/search/code"),
        ("/repos/acme/app/issues/1", "/repos/{owner}/{repo}/issues/{issue_number}"),
        ("/repos/acme/app/issues/1/comments", "/repos/{owner}/{repo}/issues/{issue_number}/comments"),
        ("/rate_limit", "/rate_limit"),
        ("/user", "/user"),
    ],
)
async def test_replies_are_as_github_describes_them(fetch, description, path, template):
    assert_valid(await fetch(path), description, template)


async def test_contents_are_as_github_describes_them(fetch, description):
    value = await fetch("/repos/acme/app/contents/결제 plan")
    schema = {"$ref": "#/components/schemas/content-file", "components": nullable(description["components"])}
    assert [each.message for each in Draft202012Validator(schema).iter_errors(value)] == []


@pytest.mark.parametrize(
    ("path", "template", "status"),
    [
        ("/search/issues", "/search/issues", "422"),
        ("/search/code?q=repo:acme/app", "/search/code", "422"),
        ("/repos/acme/app/issues/9", "/repos/{owner}/{repo}/issues/{issue_number}", "404"),
    ],
)
async def test_refusals_are_as_github_describes_them(fetch, description, path, template, status):
    assert_valid(await fetch(path), description, template, status)


async def test_the_check_can_fail(fetch, description):
    value = await fetch("/search/issues?q=plan")
    value["items"][0]["number"] = "one"
    with pytest.raises(AssertionError, match="number"):
        assert_valid(value, description, "/search/issues")


def test_github_s_own_schema_accepts_whatever_the_emulator_accepts(shared):
    """Moving a client from the emulator's schema to GitHub's breaks nothing."""
    path = shared / "contracts" / "github.schema.graphql"
    if not path.is_file():
        pytest.skip(f"{path.name} is not at hand")
    real = build_schema(path.read_text(encoding="utf-8"), assume_valid=True, assume_valid_sdl=True)
    changes = [change.description for change in find_breaking_changes(build_schema(sdl()), real)]
    assert changes == []
