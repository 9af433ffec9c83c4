"""Replies that stand for Jira's, the sandbox's and the recorded ones, against Atlassian's own description of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from connectors.registry import load_source
from connectors.testing.exemplar import filed_exemplars
from orchestrator.sandbox import Corpus, Directory, Person, Row
from orchestrator.sandbox.jira import JiraEmulator
from orchestrator.sandbox.wire import Situation, WireRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SCHEMAS = {
    "search/jql": "SearchAndReconcileResults",
    "issue/bulkfetch": "BulkIssueResults",
    "search/approximate-count": "JQLCountResultsBean",
    "myself": "User",
    "users/search": ["User"],
    "user/search": ["User"],
    "project/search": "PageBeanProject",
    "issue/PAY-1": "IssueBean",
}
MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
OWNER = Person(id="U01", name="이하늘", handle="haneul", email="haneul@acme.example")
ROW = Row(
    "i1", "jira", "issue", "# 왜\n- 결제\n서명", "웹훅", "결제 플랫폼", "U01", "", MOMENT, MOMENT, "",
    {"key": "PAY-1", "assignee": "U01", "labels": ["p0"], "due": "2026-03-02", "state": "Done", "completed": "2026-03-02"},
)  # fmt: skip


@pytest.fixture(scope="module")
def described(shared: Path) -> dict[str, Any]:
    """Atlassian's description, which is not part of the project."""
    path = shared / "contracts" / "jira_search.openapi.json"
    if not path.is_file():
        pytest.skip(f"{path.name} is not beside this checkout")
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def problems(described: dict[str, Any], value: object, schema: str | list[str]) -> list[str]:
    """What the description has against a reply."""
    from jsonschema import Draft202012Validator

    if isinstance(schema, list):
        assert isinstance(value, list)
        return [problem for each in value for problem in problems(described, each, schema[0])]
    wanted = {"$ref": f"#/components/schemas/{schema}", "components": described["components"]}
    return [error.message for error in Draft202012Validator(wanted).iter_errors(value)]


@cache
def emulator() -> JiraEmulator:
    corpus = Corpus({"jira": [ROW]}, Directory([OWNER]), {})
    return JiraEmulator(Situation(corpus, OWNER, lambda: MOMENT, ZoneInfo("Asia/Seoul")))


def answer(method: str, path: str, body: object = None) -> Any:
    headers = {"authorization": f"Bearer {emulator().tokens[0]}", "content-type": "application/json"}
    content = b"" if body is None else json.dumps(body).encode()
    return json.loads(emulator().answer(WireRequest(method, f"/rest/api/3/{path}", "", headers, content)).body)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "search/jql", {"jql": "project = PAY", "fields": ["*all"]}),
        ("POST", "search/jql", {"jql": "project = PAY"}),
        ("POST", "search/approximate-count", {"jql": "project = PAY"}),
        ("POST", "issue/bulkfetch", {"issueIdsOrKeys": ["PAY-1", "NOPE-1"], "fields": ["summary"]}),
        ("GET", "issue/PAY-1", None),
        ("GET", "myself", None),
        ("GET", "users/search", None),
        ("GET", "project/search", None),
    ],
)
def test_the_sandbox_answers_as_jira_describes(described: dict[str, Any], method: str, path: str, body: object) -> None:
    """Every key is one that Jira's replies have, of the type it has there."""
    value = answer(method, path, body)
    assert value
    assert problems(described, value, SCHEMAS[path]) == []


def test_errors_of_the_sandbox_are_jiras(described: dict[str, Any]) -> None:
    """As is what the sandbox says when it refuses."""
    value = answer("POST", "search/jql", {"jql": "project = NOPE"})
    assert value["errorMessages"]
    assert problems(described, value, "ErrorCollection") == []


def recorded() -> Iterator[tuple[str, str, Any]]:
    """The replies of exemplars that show what works: name, path, body."""
    for filed in filed_exemplars(load_source("jira")):
        if filed.drawer == "exemplary":
            for exchange in filed.exemplar.exchanges:
                yield filed.name, exchange.request.path.removeprefix("/rest/api/3/"), exchange.reply.body


@pytest.mark.parametrize(
    ("name", "path", "body"), [pytest.param(*each, id=f"{each[0]}-{n}") for n, each in enumerate(recorded())]
)
def test_what_was_recorded_is_what_jira_describes(described: dict[str, Any], name: str, path: str, body: Any) -> None:
    """An exemplar teaches nothing that Jira would not send."""
    assert problems(described, body, SCHEMAS[path]) == [], name


def test_the_check_can_fail(described: dict[str, Any]) -> None:
    """A total is what Jira no longer tells."""
    assert problems(described, {"issues": [], "total": 3}, "SearchAndReconcileResults")
    assert problems(described, {"accountId": 7}, "User")
