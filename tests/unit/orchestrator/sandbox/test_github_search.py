"""GitHub's two search grammars, qualifier by qualifier."""

import json

import pytest

from orchestrator.sandbox.github.grammar import All, Any, Not, Qualifier, QueryError, parse
from orchestrator.sandbox.index import Text
from orchestrator.sandbox.logic import Tree
from tests.rows import each_row

ROWS = [
    {"id": "i1", "kind": "issue", "container": "acme/app", "title": "결제 장애 대응", "text": "Gateway timeout on checkout", "state": "open", "author": "U02SARAH", "assignee": "U03BORA", "labels": ["bug", "needs design"], "project": "API v2", "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"author": "U01HANEUL", "created": "2026-03-02T00:00:00Z", "text": "rollback helped"}]},
    {"id": "i2", "kind": "issue", "container": "acme/app", "title": "Checkout Timeout", "text": "결제 화면이 느리다", "state": "closed", "author": "U03BORA", "created": "2026-02-01T00:00:00Z", "updated": "2026-02-20T00:00:00Z", "completed": "2026-02-19T00:00:00Z"},
    {"id": "p1", "kind": "prs", "container": "acme/web", "title": "Retry the timeout", "text": "Fixes it", "state": "closed", "merged": "True", "author": "U01HANEUL", "created": "2026-03-05T00:00:00Z"},
    {"id": "p2", "kind": "pull_request", "url": "https://github.com/other/lib/pull/77", "title": "Draft timeout", "text": "", "state": "draft", "author": "U02SARAH", "created": "2026-03-06T00:00:00Z"},
    {"id": "d1", "kind": "discussion", "container": "acme/app", "title": "RFC: timeout policy", "text": "결제 재시도", "author": "U03BORA", "team": "Ideas", "created": "2026-03-07T00:00:00Z", "updated": "2026-03-19T00:00:00Z"},
    {"id": "d2", "kind": "thread", "container": "acme/web", "title": "Old policy", "text": "timeout", "state": "closed", "created": "2025-01-01T00:00:00Z"},
    {"id": "c1", "kind": "code", "container": "acme/app", "title": "src/pay/gateway.py", "text": "TIMEOUT = 5  # 결제 시간\n"},
    {"id": "c2", "kind": "file", "url": "https://github.com/acme/web/blob/trunk/docs/%EA%B2%B0%EC%A0%9C.md", "text": "# timeout\n결제가 늦다"},
    {"id": "c3", "kind": "code", "container": "acme/app", "title": "big.txt", "text": "timeout " * 60_000},
]  # fmt: skip


@pytest.fixture
def github(ask):
    """Two issues, two pull requests, two discussions and three files."""
    return ask("github", ROWS)


@pytest.fixture
def found(github):
    """Row ids that a search finds, in order."""
    origins = github.served.origins()

    def search(query, path="issues", **more):
        value = github.json(f"/search/{path}", query={"q": query, **more})
        return [origins[item["html_url"]] for item in value["items"]]

    return search


@pytest.fixture
def discussed(github):
    """Row ids of the discussions that GraphQL finds."""
    origins = github.served.origins()
    document = (
        "query($q: String!) { search(type: DISCUSSION, query: $q, first: 10) { nodes { ... on Discussion { url } } } }"
    )

    def search(query):
        body = json.dumps({"query": document, "variables": {"q": query}}).encode()
        value = json.loads(github("/graphql", method="POST", body=body).body)
        return [origins[node["url"]] for node in value["data"]["search"]["nodes"]]

    return search


@each_row(
    ("query", "rows"),
    [
        ("timeout", ["i2", "p2", "p1", "i1"]),
        ("timeout is:issue", ["i2", "i1"]),
        ("is:pull-request", ["p2", "p1"]),
        ("is:pr timeout", ["p2", "p1"]),
        ("결제", ["i1", "i2"]),
        ("장애가", []),
        ("rollback", ["i1"]),
        ("rollback in:title,body", []),
        ("timeouts", []),
        ('"checkout timeout"', ["i2"]),
        ('"timeout on"', ["i1"]),
        ("timeout NOT checkout", ["p2", "p1"]),
        ("timeout NOT checkout NOT draft", ["p1"]),
        ("(checkout OR draft) timeout", ["i2", "p2", "i1"]),
        ("결제 (rollback OR (화면 checkout)) is:issue", ["i2", "i1"]),
        ("timeout AND draft", ["p2"]),
        ("author:sarah", ["i1", "p2"]),
        ("author:@me", ["p1"]),
        ("-author:sarah timeout", ["i2", "p1"]),
        ("assignee:bora", ["i1"]),
        ("no:assignee is:issue", ["i2"]),
        ("commenter:@me", ["i1"]),
        ("involves:haneul", ["i1", "p1"]),
        ("repo:acme/web", ["p1"]),
        ("repo:acme/app repo:acme/web", []),
        ("(repo:acme/web OR repo:other/lib)", ["p2", "p1"]),
        ("org:other", ["p2"]),
        ("-org:acme", ["p2"]),
        ("user:acme timeout", ["i2", "p1", "i1"]),
        ("is:open", ["i1", "p2"]),
        ("state:closed", ["i2", "p1"]),
        ("is:merged", ["p1"]),
        ("is:unmerged", ["p2"]),
        ("is:draft", ["p2"]),
        ("is:nonsense", []),
        ('label:"needs design"', ["i1"]),
        ("label:bug,other", ["i1"]),
        ('milestone:"api v2"', ["i1"]),
        ("created:>=2026-03-05", ["p2", "p1"]),
        ("created:>2026-03-05", ["p2"]),
        ("created:<2026-02-02", ["i2"]),
        ("created:<=2026-02-01", ["i2"]),
        ("created:2026-03-05", ["p1"]),
        ("created:2026-03-01T00:00:00Z..2026-03-05T00:00:00Z", ["i1", "p1"]),
        ("created:2026-03-01T09:00:00+09:00", ["i1"]),
        ("updated:*..2026-02-28", ["i2"]),
        ("updated:2026-03-10..*", ["i1"]),
        ("closed:2026-02-19", ["i2"]),
        ("color:red timeout", []),
        ("path:src is:issue", ["i1", "i2"]),
        ("***", ["i1", "p2", "p1", "i2"]),
    ],
)
def test_issues_and_pull_requests(found, query, rows):
    assert sorted(found(query)) == sorted(rows)


def test_the_best_stand_first_unless_an_order_is_wanted(found):
    assert found("timeout checkout")[0] == "i2"
    assert found("timeout", sort="created") == ["p2", "p1", "i1", "i2"]
    assert found("timeout", sort="updated", order="asc") == ["i2", "p1", "p2", "i1"]
    assert found("timeout", sort="comments")[0] == "i1"


@each_row(
    ("query", "message"),
    [
        ("a" * 257, "The search is longer than 256 characters."),
        ("a OR b OR c OR d OR e OR f OR g", "More than five AND / OR / NOT operators were used."),
        ("((((((a))))))", "The search nests deeper than 5 levels."),
        ("(a", "The search has a parenthesis that was never closed."),
        ("a)", "The search has a parenthesis that was never opened."),
        ("created:yesterday", "'YESTERDAY' is not a recognized date/time format."),
        ("repo:acme/typo", "The listed users and repositories cannot be searched"),
        ("author:nobody-here", "The listed users and repositories cannot be searched"),
    ],
)
def test_what_cannot_be_searched_is_422(github, query, message):
    reply = github("/search/issues", query={"q": query})
    value = json.loads(reply.body)
    assert (reply.status, value["message"]) == (422, "Validation Failed")
    assert message in value["errors"][0]["message"]


def test_qualifiers_and_operators_do_not_count_as_characters(found):
    assert found(f"{'timeout ' * 20} is:issue repo:acme/app author:sarah created:>=2026-01-01T00:00:00Z") == ["i1"]


@each_row(
    ("query", "rows"),
    [
        ("timeout", ["d1", "d2"]),
        ("재시도", ["d1"]),
        ("repo:acme/app", ["d1"]),
        ("repo:acme/app repo:acme/web timeout", ["d1", "d2"]),
        ("org:acme is:open", ["d1"]),
        ("is:closed", ["d2"]),
        ("author:bora", ["d1"]),
        ("category:ideas", ["d1"]),
        ("created:<2026-01-01", ["d2"]),
        ("created:<2020-01-01 created:<2026-01-01", ["d2"]),
        ("policy OR retry", []),
        ("(policy", ["d1", "d2"]),
        ("policy NOT rfc", ["d2"]),
        ("sort:created-asc", ["d2", "d1"]),
        ("repo:acme/typo", []),
    ],
)
def test_discussions_know_no_or_and_places_add_up(discussed, query, rows):
    got = discussed(query)
    assert (got if query.startswith("sort:") else sorted(got)) == rows


@each_row(
    ("query", "rows"),
    [
        ("timeout", ["c1", "c2"]),
        ("결제", ["c1", "c2"]),
        ("timeout repo:acme/web", ["c2"]),
        ("timeout repo:acme/web repo:acme/app", ["c1", "c2"]),
        ("timeout org:acme NOT 늦다", ["c1"]),
        ("timeout path:src", ["c1"]),
        ("timeout filename:gateway", ["c1"]),
        ("timeout extension:md", ["c2"]),
        ("timeout -extension:md", ["c1"]),
        ("timeout language:python", ["c1", "c2"]),
        ("timeout author:sarah", []),
        ("timeout OR zebra", []),
    ],
)
def test_code_is_found_by_its_words(found, query, rows):
    """A big file is not searched."""
    assert sorted(found(query, path="code")) == rows


def test_code_wants_a_word(github):
    reply = github("/search/code", query={"q": "repo:acme/app"})
    assert (reply.status, json.loads(reply.body)["errors"][0]["message"]) == (
        422,
        "Must include at least one search term",
    )


def test_the_grammars_as_trees():
    assert parse("a NOT b -is:open", advanced=True) == All(
        (All((Text("a"), Not(Text("b")), Not(Qualifier("is", "open")))),)
    )
    assert parse("a OR b", advanced=True) == All((Any((All((Text("a"),)), All((Text("b"),)))),))
    assert parse("a OR b", advanced=False) == All((All((Text("a"), Text("OR"), Text("b"))),))
    assert parse('NOT "a b"', advanced=True) == All((All((Text("NOT"), Text("a b", quoted=True))),))
    assert parse('"open', advanced=True) == All((All((Text("open", quoted=True),)),))
    assert parse("NOT", advanced=False) == All((All((Text("NOT"),)),))
    assert [leaf for leaf, wanted in Tree(parse("a NOT b", advanced=True)).leaves() if not wanted] == [Text("b")]
    with pytest.raises(QueryError):
        parse(")", advanced=True)
