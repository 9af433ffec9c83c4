"""GitHub's endpoints: who may ask, paging, text matches, contents, GraphQL and its errors."""

import base64
import json

import pytest

from orchestrator.sandbox import Fault

ROWS = [
    {"id": "i1", "kind": "issue", "container": "acme/app", "title": "결제 timeout", "text": "Gateway **timeout** on checkout", "author": "U02SARAH", "assignee": "U03BORA", "labels": ["bug"], "created": "2026-03-01T00:00:00Z",
     "comments": [{"author": "U01HANEUL", "created": "2026-03-02T00:00:00Z", "text": "a timeout again"}, {"text": "bot"}]},
    {"id": "p1", "kind": "prs", "container": "결제 팀", "title": "Fix", "text": "", "state": "closed", "merged": "True"},
    {"id": "d1", "kind": "discussion", "container": "acme/app", "title": "RFC", "text": "timeout", "author": "U03BORA", "created": "2026-03-07T00:00:00Z"},
    {"id": "c1", "kind": "code", "container": "acme/app", "title": "docs/배포 계획.md", "text": "timeout\n배포는 금요일"},
    {"id": "c2", "kind": "code", "container": "acme/app", "text": "x" * (1024 * 1024 + 1)},
]  # fmt: skip


@pytest.fixture
def github(ask):
    """An issue, a pull request, a discussion and two files."""
    return ask("github", ROWS)


@pytest.fixture
def query(github):
    """Asks in GraphQL; the whole reply."""

    def post(document, **variables):
        body = json.dumps({"query": document, "variables": variables}).encode()
        return json.loads(github("/graphql", method="POST", body=body).body)

    return post


@pytest.mark.parametrize(
    ("headers", "token", "status", "message"),
    [
        ({}, None, 401, "Requires authentication"),
        ({}, "wrong", 401, "Bad credentials"),
        ({"Authorization": "Basic Z2l0"}, None, 401, "Bad credentials"),
        ({"Authorization": "token github_pat_sandbox"}, None, 200, None),
        ({"X-GitHub-Api-Version": "2026-03-10"}, "", 200, None),
        ({"X-GitHub-Api-Version": "1999-01-01"}, "", 400, "The version '1999-01-01' is not supported"),
    ],
)
def test_who_may_ask(github, headers, token, status, message):
    reply = github("/user", headers=headers, token=token)
    assert reply.status == status
    assert message is None or json.loads(reply.body)["message"].startswith(message)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nope",
        "/search/users",
        "/repos/acme/app/issues/99",
        "/repos/acme/app/issues/2",
        "/repos/acme/app/contents/gone.py",
    ],
)
def test_what_is_not_there_is_404(github, path):
    assert github(path).status == 404


def test_an_app_s_user_token_has_to_say_what_it_searches(github):
    refused = github("/search/issues", query={"q": "timeout"}, token="ghu_sandbox")
    assert (refused.status, "is:issue" in refused.body.decode()) == (422, True)
    assert github("/search/issues", query={"q": "timeout is:issue"}, token="ghu_sandbox").status == 200
    assert github("/search/issues", query={"q": "timeout -is:issue"}, token="ghu_sandbox").status == 422


@pytest.mark.parametrize(
    ("asked", "field"),
    [({}, "q"), ({"q": " "}, "q"), ({"q": "x", "sort": "size"}, "sort"), ({"q": "x", "order": "up"}, "order")],
)
def test_bad_parameters_are_422(github, asked, field):
    reply = github("/search/issues", query=asked)
    assert (reply.status, json.loads(reply.body)["errors"][0]["field"]) == (422, field)


def test_text_matches_only_where_they_are_asked_for(github):
    plain = github.json("/search/issues", query={"q": "timeout"})["items"][0]
    assert "text_matches" not in plain
    headers = {"Accept": "application/vnd.github.text-match+json"}
    item = github.json("/search/issues", query={"q": "timeout"}, headers=headers)["items"][0]
    assert [(m["object_type"], m["property"]) for m in item["text_matches"]] == [
        ("Issue", "title"), ("Issue", "body"), ("IssueComment", "body"),
    ]  # fmt: skip
    for match in item["text_matches"]:
        start, end = match["matches"][0]["indices"]
        assert match["fragment"][start:end].casefold() == "timeout"
    file = github.json("/search/code", query={"q": "배포는"}, headers=headers)["items"][0]
    assert file["text_matches"][0]["fragment"] == "timeout\n배포는 금요일"


def test_pages_are_linked_and_end_at_a_thousand(ask):
    many = ask("github", [{"kind": "issue", "title": "timeout", "container": "acme/app"} for _ in range(1003)])
    seen = set()
    for page in range(1, 11):
        reply = many("/search/issues", query={"q": "timeout", "per_page": "500", "page": page})
        items = json.loads(reply.body)["items"]
        assert len(items) == 100
        seen |= {item["number"] for item in items}
        assert ('rel="next"' in reply.headers.get("Link", "")) is (page < 10)
        assert ('rel="prev"' in reply.headers.get("Link", "")) is (page > 1)
    assert len(seen) == 1000
    assert many("/search/issues", query={"q": "timeout", "per_page": 100, "page": 11}).status == 422
    assert many.json("/search/issues", query={"q": "timeout", "per_page": "x", "page": "0"})["total_count"] == 1003


def test_an_issue_and_its_comments(github):
    issue = github.json("/repos/acme/app/issues/1")
    assert (issue["title"], issue["comments"], issue["user"]["login"], issue["assignee"]["login"]) == (
        "결제 timeout", 2, "sarah", "bora",
    )  # fmt: skip
    comments = github.json("/repos/ACME/App/issues/1/comments")
    assert [comment["body"] for comment in comments] == ["a timeout again", "bot"]
    assert comments[1]["user"] is None
    pull = github.json("/repos/acme/acme/issues/1")
    assert pull["pull_request"]["merged_at"]


def test_contents_of_files(github):
    small = github.json("/repos/acme/app/contents/docs/배포 계획.md", query={"ref": "main"})
    assert base64.b64decode(small["content"]).decode() == "timeout\n배포는 금요일"
    assert small["html_url"] == "https://github.com/acme/app/blob/main/docs/%EB%B0%B0%ED%8F%AC%20%EA%B3%84%ED%9A%8D.md"
    big = github.json("/repos/acme/app/contents/c2.txt")
    assert (big["encoding"], big["content"]) == ("none", "")
    assert github("/repos/acme/app/contents/c2.txt", query={"ref": "other"}).status == 404


def test_limits_are_told_by_kind_of_request(github):
    assert github("/search/code", query={"q": "timeout"}).headers["X-RateLimit-Resource"] == "code_search"
    assert github("/search/issues", query={"q": "x"}).headers["X-RateLimit-Limit"] == "30"
    assert github.json("/rate_limit")["resources"]["graphql"]["limit"] == 5000


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "Bad credentials"),
        (403, "Resource not accessible by personal access token"),
        (404, "Not Found"),
        (418, "A fault of the sandbox"),
        (500, "Server Error"),
    ],
)
def test_faults_are_worded_as_github_words_them(github, status, message):
    reply = github.served.refuse(Fault(status=status))
    assert (reply.status, json.loads(reply.body)["message"]) == (status, message)


def test_throttling_is_a_secondary_limit(github):
    reply = github.served.refuse(Fault(retry_after=7))
    assert (reply.status, reply.headers["Retry-After"]) == (429, "7")
    assert "secondary rate limit" in reply.body.decode()
    assert github.served.too_large().status == 413


# ---- GraphQL

SEARCH = """query($after: String, $first: Int = 1) {
  search(type: ISSUE, query: "timeout", first: $first, after: $after) {
    issueCount pageInfo { hasNextPage endCursor } edges { textMatches { property fragment } node { __typename ... on Issue { number } } }
  }
}"""


def test_searching_in_graphql(query):
    found = query(SEARCH)["data"]["search"]
    assert (found["issueCount"], found["pageInfo"]["hasNextPage"]) == (1, False)
    assert found["edges"][0]["node"] == {"__typename": "Issue", "number": 1}
    assert {match["property"] for match in found["edges"][0]["textMatches"]} == {"title", "body", "comments.body"}
    assert query(SEARCH, after=found["pageInfo"]["endCursor"])["data"]["search"]["edges"] == []
    assert query('{ search(type: USER, query: "x", first: 1) { userCount } }')["data"]["search"]["userCount"] == 0
    assert query('{ search(type: ISSUE, query: "(", first: 1) { issueCount } }')["data"]["search"]["issueCount"] == 0


@pytest.mark.parametrize(
    ("variables", "kind"),
    [
        ({"first": None}, "MISSING_PAGINATION_BOUNDARIES"),
        ({"first": 101}, "EXCESSIVE_PAGINATION"),
        ({"after": "nonsense"}, "INVALID_CURSOR_ARGUMENTS"),
        ({"after": "Y3Vyc29yOngK"}, "INVALID_CURSOR_ARGUMENTS"),
    ],
)
def test_pages_that_cannot_be(query, variables, kind):
    value = query(SEARCH, **variables)
    assert value["errors"][0]["type"] == kind


THING = """query($number: Int!, $name: String = "app") { repository(owner: "acme", name: $name) {
  issueOrPullRequest(number: $number) { ... on Issue { title stateReason assignees(first: 1) { nodes { login name } } comments { totalCount } } }
  discussion(number: $number) { title isAnswered category { name } author { login ... on User { name } } }
} }"""


def test_a_number_is_one_thing_and_the_other_is_an_error_beside_it(query):
    value = query(THING, number=2)
    assert value["data"]["repository"]["discussion"] == {
        "title": "RFC", "isAnswered": False, "category": {"name": "General"}, "author": {"login": "bora", "name": "최보라"},
    }  # fmt: skip
    assert [(error["type"], error["path"]) for error in value["errors"]] == [
        ("NOT_FOUND", ["repository", "issueOrPullRequest"])
    ]
    value = query(THING, number=1)
    assert value["data"]["repository"]["issueOrPullRequest"]["assignees"]["nodes"] == [
        {"login": "bora", "name": "최보라"}
    ]
    assert query(THING, number=1, name="gone")["data"] == {"repository": None}


def test_an_organisation_its_members_and_repositories(query):
    value = query(
        '{ organization(login: "ACME") { login membersWithRole(first: 2) { totalCount nodes { login name } pageInfo { hasNextPage } } } }'
    )
    members = value["data"]["organization"]["membersWithRole"]
    assert (members["totalCount"], members["pageInfo"]["hasNextPage"]) == (3, True)
    assert members["nodes"][0] == {"login": "haneul", "name": "이하늘"}
    value = query(
        '{ repositoryOwner(login: "acme") { repositories(first: 9, orderBy: {field: NAME, direction: ASC}) { nodes { nameWithOwner } } } }'
    )
    assert {node["nameWithOwner"] for node in value["data"]["repositoryOwner"]["repositories"]["nodes"]} == {
        "acme/acme",
        "acme/app",
    }
    assert query('{ organization(login: "gone") { login } }')["errors"][0]["type"] == "NOT_FOUND"


def test_the_viewer_and_the_limit(query):
    value = query(
        "{ viewer { login name url repositories(first: 1) { totalCount } } rateLimit { limit cost resetAt } }"
    )
    assert value["data"]["viewer"]["login"] == "haneul"
    assert value["data"]["rateLimit"]["limit"] == 5000


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"query": 1}', 400),
        (b'{"query": "{viewer{login}}", "variables": []}', 200),
        (b'{"query": "{viewer{login}}", "variables": 3}', 400),
    ],
)
def test_bodies_that_are_no_question(github, body, status):
    assert github("/graphql", method="POST", body=body).status == status


@pytest.mark.parametrize("document", ["{", "{ nope }", "{ viewer { nope } }", "{ a: " + "{ x " * 5000])
def test_documents_that_are_none_are_told_with_200(query, document):
    value = query(document)
    assert value["errors"]
    assert value.get("data") is None
