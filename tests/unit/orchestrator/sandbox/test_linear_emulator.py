"""Linear's search, filters, paging and errors."""

import json

import pytest

from tests.rows import each_row

JSON = {"Content-Type": "application/json"}
ROWS = [
    {"id": "i1", "key": "PAY-1", "title": "결제 장애 대응", "text": "Gateway timeout on checkout", "container": "Payments", "state": "In Progress", "author": "U02SARAH", "assignee": "U03BORA", "labels": ["bug", "p0"], "priority": 1, "due": "2026-03-20", "project": "Checkout v2", "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"author": "U01HANEUL", "created": "2026-03-02T00:00:00Z", "text": "rollback helped"}]},
    {"id": "i2", "key": "PAY-2", "title": "Checkout Timeout", "text": "결제 화면이 느리다", "container": "Payments", "state": "Done", "author": "U03BORA", "assignee": "U01HANEUL", "labels": ["bug"], "priority": 3, "created": "2026-02-01T00:00:00Z", "updated": "2026-02-20T00:00:00Z", "completed": "2026-02-19T00:00:00Z"},
    {"id": "i3", "key": "OPS-7", "title": "Café réservation", "container": "Ops", "state": "Backlog", "created": "2026-03-15T00:00:00Z"},
]  # fmt: skip


class Linear:
    """Asks in GraphQL."""

    def __init__(self, asker):
        self.asker = asker

    def post(self, query, variables=None, *, token="lin_api_sandbox", **body):
        """Status and value of a reply."""
        content = json.dumps({"query": query, "variables": variables, **body}).encode()
        headers = JSON | ({"Authorization": token} if token else {})
        reply = self.asker("/graphql", method="POST", token=None, headers=headers, body=content)
        return reply.status, json.loads(reply.body)

    def data(self, query, variables=None):
        """The data of a reply without errors."""
        status, value = self.post(query, variables)
        assert status == 200, value
        assert "errors" not in value, value
        return value["data"]

    def filtered(self, wanted):
        """Identifiers of the issues a filter keeps, newest first."""
        nodes = self.data("query($f: IssueFilter) { issues(filter: $f) { nodes { identifier } } }", {"f": wanted})[
            "issues"
        ]["nodes"]
        return [node["identifier"] for node in nodes]

    def searched(self, term, options="", **variables):
        """Identifiers of the issues a search finds, best first."""
        query = f"query($term: String!) {{ searchIssues(term: $term {options}) {{ nodes {{ identifier }} }} }}"
        return [node["identifier"] for node in self.data(query, {"term": term, **variables})["searchIssues"]["nodes"]]


@pytest.fixture
def linear(ask):
    """Three issues of two teams."""
    return Linear(ask("linear", ROWS))


@each_row(
    ("term", "found"),
    [
        ("timeout", ["PAY-2", "PAY-1"]),
        ("결제", ["PAY-1", "PAY-2"]),
        ("장애가", []),
        ("timeouts", ["PAY-2", "PAY-1"]),
        ("reservation", []),
        ("checkout zebra", ["PAY-2", "PAY-1"]),
        ('"timeout checkout"', ["PAY-2", "PAY-1"]),
        ("timeout -checkout", ["PAY-2", "PAY-1"]),
        ("about OPS-7", ["OPS-7"]),
        ("pay-1 timeout", ["PAY-1", "PAY-2"]),
        ("PAY", []),
        ("rollback", []),
        ("", []),
        ("!!", []),
    ],
)
def test_search_takes_any_word_and_knows_no_operators(linear, term, found):
    assert linear.searched(term) == found


def test_search_looks_into_comments_when_asked(linear):
    assert linear.searched("rollback", ", includeComments: true") == ["PAY-1"]


def test_search_can_be_filtered_ordered_and_boosted(linear):
    assert linear.searched("timeout", ', filter: {state: {type: {eq: "started"}}}') == ["PAY-1"]
    assert linear.searched("timeout", ", orderBy: createdAt") == ["PAY-1", "PAY-2"]
    assert linear.searched("timeout", ", orderBy: updatedAt") == ["PAY-1", "PAY-2"]
    assert linear.searched("timeout 예약 réservation") == ["OPS-7", "PAY-2", "PAY-1"]
    team = linear.data('{ team(id: "PAY") { id name } }')["team"]
    assert linear.searched("timeout 예약 réservation", f', teamId: "{team["id"]}"') == ["PAY-2", "OPS-7", "PAY-1"]


@each_row(
    ("wanted", "found"),
    [
        ({}, ["OPS-7", "PAY-1", "PAY-2"]),
        ({"title": {"contains": "Timeout"}}, ["PAY-2"]),
        ({"title": {"contains": "timeout"}}, []),
        ({"title": {"containsIgnoreCase": "timeout"}}, ["PAY-2"]),
        ({"title": {"containsIgnoreCaseAndAccent": "CAFE RESERVATION"}}, ["OPS-7"]),
        ({"title": {"containsIgnoreCaseAndAccent": "장애"}}, ["PAY-1"]),
        ({"title": {"notContains": "Timeout"}}, ["OPS-7", "PAY-1"]),
        ({"title": {"notContainsIgnoreCase": "TIMEOUT"}}, ["OPS-7", "PAY-1"]),
        ({"title": {"startsWith": "결제"}}, ["PAY-1"]),
        ({"title": {"startsWithIgnoreCase": "checkout"}}, ["PAY-2"]),
        ({"title": {"notStartsWith": "결제"}}, ["OPS-7", "PAY-2"]),
        ({"title": {"endsWith": "대응"}}, ["PAY-1"]),
        ({"title": {"notEndsWith": "대응"}}, ["OPS-7", "PAY-2"]),
        ({"title": {"eq": "Checkout Timeout"}}, ["PAY-2"]),
        ({"title": {"eqIgnoreCase": "checkout timeout"}}, ["PAY-2"]),
        ({"title": {"neqIgnoreCase": "checkout timeout"}}, ["OPS-7", "PAY-1"]),
        ({"title": {"neq": "Checkout Timeout"}}, ["OPS-7", "PAY-1"]),
        ({"title": {"in": ["Checkout Timeout", "x"]}}, ["PAY-2"]),
        ({"title": {"nin": ["Checkout Timeout", "x"]}}, ["OPS-7", "PAY-1"]),
        ({"description": {"null": True}}, ["OPS-7"]),
        ({"description": {"null": False, "contains": "결제"}}, ["PAY-2"]),
        ({"number": {"gte": 2}}, ["OPS-7", "PAY-2"]),
        ({"priority": {"lt": 2, "neq": 0}}, ["PAY-1"]),
        ({"priority": {"in": [1, 3]}}, ["PAY-1", "PAY-2"]),
        ({"assignee": {"email": {"eq": "bora@acme.example"}}}, ["PAY-1"]),
        ({"assignee": {"displayName": {"eq": "bora"}}}, ["PAY-1"]),
        ({"assignee": {"name": {"contains": "보라"}}}, ["PAY-1"]),
        ({"assignee": {"isMe": {"eq": True}}}, ["PAY-2"]),
        ({"assignee": {"null": True}}, ["OPS-7"]),
        ({"assignee": {"null": False}}, ["PAY-1", "PAY-2"]),
        ({"assignee": {"name": {"neq": "최보라"}}}, ["PAY-2"]),
        ({"assignee": {"or": [{"null": True}, {"isMe": {"eq": True}}]}}, ["OPS-7", "PAY-2"]),
        ({"assignee": {"and": [{"null": True}]}}, ["OPS-7"]),
        ({"creator": {"name": {"eq": "Sarah Kim"}}}, ["PAY-1"]),
        ({"team": {"key": {"eq": "OPS"}}}, ["OPS-7"]),
        ({"team": {"name": {"startsWith": "Pay"}}}, ["PAY-1", "PAY-2"]),
        ({"state": {"type": {"nin": ["completed", "canceled"]}}}, ["OPS-7", "PAY-1"]),
        ({"state": {"name": {"eq": "In Progress"}}}, ["PAY-1"]),
        ({"project": {"name": {"eq": "Checkout v2"}}}, ["PAY-1"]),
        ({"project": {"null": True}}, ["OPS-7", "PAY-2"]),
        ({"labels": {"some": {"name": {"eq": "p0"}}}}, ["PAY-1"]),
        ({"labels": {"name": {"in": ["p0"]}}}, ["PAY-1"]),
        ({"labels": {"every": {"name": {"eq": "bug"}}}}, ["OPS-7", "PAY-2"]),
        ({"labels": {"length": {"eq": 0}}}, ["OPS-7"]),
        ({"labels": {"null": True}}, ["OPS-7"]),
        ({"labels": {"and": [{"name": {"eq": "bug"}}, {"name": {"eq": "p0"}}]}}, ["PAY-1"]),
        ({"labels": {"or": [{"name": {"eq": "p0"}}, {"length": {"eq": 0}}]}}, ["OPS-7", "PAY-1"]),
        ({"comments": {"some": {"body": {"contains": "rollback"}}}}, ["PAY-1"]),
        ({"comments": {"some": {"user": {"email": {"eq": "haneul@acme.example"}}}}}, ["PAY-1"]),
        ({"createdAt": {"gte": "2026-03-01"}}, ["OPS-7", "PAY-1"]),
        ({"createdAt": {"gt": "2026-03-01"}}, ["OPS-7"]),
        ({"createdAt": {"lte": "2026-02-01T09:00:00+09:00"}}, ["PAY-2"]),
        ({"createdAt": {"lt": "2026-02-01T09:00:00+09:00"}}, []),
        ({"createdAt": {"lt": "2026-03"}}, ["PAY-2"]),
        ({"createdAt": {"gte": "2026"}}, ["OPS-7", "PAY-1", "PAY-2"]),
        ({"createdAt": {"gt": "-P1W"}}, ["OPS-7"]),
        ({"createdAt": {"gt": "-P1M"}}, ["OPS-7", "PAY-1"]),
        ({"createdAt": {"gt": "-P9999Y"}}, ["OPS-7", "PAY-1", "PAY-2"]),
        ({"updatedAt": {"gte": "-P2W1DT12H"}}, ["OPS-7", "PAY-1"]),
        ({"completedAt": {"null": False}}, ["PAY-2"]),
        ({"completedAt": {"lt": "2026-03-01"}}, ["PAY-2"]),
        ({"dueDate": {"lte": "2026-03-20"}}, ["PAY-1"]),
        ({"dueDate": {"lt": "P1D"}}, ["PAY-1"]),
        ({"dueDate": {"eq": "2026-03-20"}}, ["PAY-1"]),
        ({"dueDate": {"null": True}}, ["OPS-7", "PAY-2"]),
        ({"or": [{"number": {"eq": 7}}, {"title": {"contains": "장애"}}], "priority": {"lte": 1}}, ["OPS-7", "PAY-1"]),
        ({"and": [{"number": {"gt": 1}}, {"number": {"lt": 7}}]}, ["PAY-2"]),
        ({"and": [], "or": [{"number": {"eq": 7}}]}, ["OPS-7"]),
        ({"number": {"eq": None}}, []),
        ({"assignee": None}, ["OPS-7", "PAY-1", "PAY-2"]),
        ({"labels": None, "number": None}, ["OPS-7", "PAY-1", "PAY-2"]),
    ],
)
def test_filters(linear, wanted, found):
    assert linear.filtered(wanted) == found


@each_row(
    "query",
    [
        '{ searchIssues(query: "x") { nodes { id } } }',
        "{ searchIssues { nodes { id } } }",
        '{ searchIssues(term: "x") { nodes { color } } }',
        '{ issues(filter: {title: {like: "x"}}) { nodes { id } } }',
        '{ issues(filter: {createdAt: {after: "2026"}}) { nodes { id } } }',
        '{ issues(filter: {createdAt: {gte: "yesterday"}}) { nodes { id } } }',
        '{ issues(filter: {createdAt: {gte: "P"}}) { nodes { id } } }',
        "{ issues(filter: {createdAt: {gte: 2026}}) { nodes { id } } }",
        "{ issues(filter: {not: {number: {eq: 1}}}) { nodes { id } } }",
        "{ issues(orderBy: priority) { nodes { id } } }",
        "{ issues(filter: {title: {null: true}}) { nodes { id } } }",
        "mutation { issueCreate { id } }",
        "query A { viewer { id } } query B { viewer { id } }",
        "query($x: Int!) { issues(first: $x) { nodes { id } } }",
    ],
)
def test_what_the_schema_does_not_know_is_a_validation_error(linear, query):
    status, value = linear.post(query)
    assert status == 400
    assert value["errors"][0]["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    assert "data" not in value


@each_row("query", ["{", "query {", "{ a(b: }", "{" * 5000, "{ viewer { id } } " * 5000])
def test_what_is_not_graphql_is_a_parse_error(linear, query):
    status, value = linear.post(query)
    assert status == 400
    assert value["errors"][0]["extensions"]["code"] == "GRAPHQL_PARSE_FAILED"


def test_filters_nested_without_end_are_refused(linear):
    wanted = {"number": {"eq": 1}}
    for _ in range(400):
        wanted = {"and": [wanted]}
    status, value = linear.post("query($f: IssueFilter) { issues(filter: $f) { nodes { id } } }", {"f": wanted})
    assert status == 400
    assert "nested too deeply" in value["errors"][0]["message"]


@each_row(
    ("query", "message"),
    [
        ('{ issue(id: "PAY-99") { id } }', "Entity not found: Issue"),
        ('{ user(id: "x") { id } }', "Entity not found: User"),
        ('{ team(id: "x") { id } }', "Entity not found: Team"),
        ("{ issues(first: 251) { nodes { id } } }", "Argument Validation Error"),
        ("{ issues(first: 0) { nodes { id } } }", "Argument Validation Error"),
        ("{ issues(first: 1, last: 1) { nodes { id } } }", "Argument Validation Error"),
        ('{ issues(after: "x") { nodes { id } } }', "Argument Validation Error"),
    ],
)
def test_field_errors_come_with_http_200(linear, query, message):
    status, value = linear.post(query)
    assert status == 200
    assert message in value["errors"][0]["message"]
    assert value["errors"][0]["path"]
    assert value["data"] is None


def test_a_query_over_ten_thousand_points_is_refused(linear):
    status, value = linear.post("{ issues(first: 250) { nodes { id labels { nodes { name } } } } }")
    assert status == 400
    assert "Query too complex" in value["errors"][0]["message"]
    fragment = "query($n: Int) { issues(first: $n) { nodes { ...F } } } fragment F on Issue { labels(first: 5) { nodes { ... on IssueLabel { name } } } }"
    assert linear.post(fragment, {"n": 250})[0] == 200


@each_row(
    ("token", "status"),
    [
        ("lin_api_sandbox", 200),
        ("Bearer lin_oauth_sandbox", 200),
        ("Bearer lin_api_sandbox", 400),
        ("lin_oauth_sandbox", 401),
        ("lin_api_wrong", 401),
        ("", 401),
        (None, 401),
    ],
)
def test_keys_go_bare_and_oauth_tokens_as_bearer(linear, token, status):
    found, value = linear.post("{ viewer { id } }", token=token)
    assert found == status
    if status != 200:
        assert value["errors"][0]["extensions"]["code"] == "AUTHENTICATION_ERROR"


@each_row(
    ("path", "method", "headers", "body", "status"),
    [
        ("/", "POST", JSON, b"{}", 404),
        ("/graphql", "GET", JSON, b"", 405),
        ("/graphql", "POST", {}, b'{"query": "{ viewer { id } }"}', 400),
        ("/graphql", "POST", JSON, b"", 400),
        ("/graphql", "POST", JSON, b"[]", 400),
        ("/graphql", "POST", JSON, b"\xff", 400),
        ("/graphql", "POST", JSON, b'{"query": 3}', 400),
        ("/graphql", "POST", JSON, b'{"query": " "}', 400),
        ("/graphql", "POST", JSON, b'{"query": "{ viewer { id } }", "variables": []}', 200),
        ("/graphql", "POST", JSON, b'{"query": "{ viewer { id } }", "variables": [1]}', 400),
        ("/graphql", "POST", JSON, b'{"query": "{ viewer { id } }", "operationName": 1}', 400),
    ],
)
def test_requests_that_are_not_linear_s(linear, path, method, headers, body, status):
    reply = linear.asker(
        path, method=method, token=None, headers={**headers, "Authorization": "lin_api_sandbox"}, body=body
    )
    assert reply.status == status


def test_pages_go_once_through_everything_both_ways(linear):
    query = "query($after: String, $before: String, $first: Int, $last: Int) { issues(first: $first, after: $after, last: $last, before: $before) { edges { cursor node { identifier } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }"
    seen, cursor = [], None
    while True:
        page = linear.data(query, {"first": 2, "after": cursor})["issues"]
        seen += [edge["node"]["identifier"] for edge in page["edges"]]
        cursor = page["pageInfo"]["endCursor"]
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert seen == ["OPS-7", "PAY-1", "PAY-2"]
    back = linear.data(query, {"last": 1, "before": page["pageInfo"]["startCursor"]})["issues"]
    assert back["edges"][0]["node"]["identifier"] == "PAY-1"
    assert back["pageInfo"]["hasPreviousPage"] is True


def test_an_issue_in_full(linear):
    issue = linear.data(
        '{ issue(id: "PAY-1") { id number url priorityLabel dueDate createdAt branchName labelIds trashed project { name url slugId } creator { initials url } labels(filter: {name: {eq: "p0"}}) { nodes { name } } comments { nodes { body url user { displayName } } } } }'
    )["issue"]
    assert issue["number"] == 1
    assert issue["url"] == "https://linear.app/acme/issue/PAY-1"
    assert (issue["priorityLabel"], issue["dueDate"], issue["createdAt"]) == (
        "Urgent",
        "2026-03-20",
        "2026-03-01T00:00:00.000Z",
    )
    assert [label["name"] for label in issue["labels"]["nodes"]] == ["p0"]
    assert len(issue["labelIds"]) == 2
    assert issue["comments"]["nodes"][0]["user"] == {"displayName": "haneul"}
    assert issue["creator"]["initials"] == "SK"
    assert linear.data(f'{{ issue(id: "{issue["id"]}") {{ identifier }} }}')["issue"]["identifier"] == "PAY-1"


def test_members_teams_and_budget(linear):
    data = linear.data(
        '{ viewer { isMe displayName } user(id: "me") { email } users(filter: {email: {startsWith: "sarah"}}) { nodes { title } } teams { nodes { key displayName } } organization { urlKey } rateLimitStatus { limits { allowedAmount reset } } }'
    )
    assert data["viewer"] == {"isMe": True, "displayName": "haneul"}
    assert data["user"] == {"email": "haneul@acme.example"}
    assert data["users"]["nodes"] == [{"title": "PM"}]
    assert [team["key"] for team in data["teams"]["nodes"]] == ["PAY", "OPS"]
    assert data["rateLimitStatus"]["limits"][0]["allowedAmount"] == 2500


def test_every_reply_carries_the_budget_in_epoch_milliseconds(linear):
    reply = linear.asker(
        "/graphql",
        method="POST",
        token=None,
        headers=JSON | {"Authorization": "lin_api_sandbox"},
        body=b'{"query": "{ viewer { id } }"}',
    )
    assert reply.headers["X-RateLimit-Requests-Limit"] == "2500"
    assert len(reply.headers["X-RateLimit-Requests-Reset"]) == 13
    assert reply.headers["X-Complexity"] == "1"
    assert b"2500.0" not in reply.body


def test_total_count_is_a_whole_number_and_recorded(linear):
    body = json.dumps(
        {"query": '{ searchIssues(term: "timeout", first: 1) { totalCount metadata: nodes { metadata } } }'}
    ).encode()
    reply = linear.asker(
        "/graphql", method="POST", token=None, headers=JSON | {"Authorization": "lin_api_sandbox"}, body=body
    )
    assert b'"totalCount":2,' in reply.body
    assert reply.hits == 2
    assert "term" in reply.asked["query"]


def test_pull_requests_of_a_foreign_corpus_become_issues(ask):
    rows = [
        {"title": "one", "state": "closed", "merged": "True"},
        {"title": "two", "state": "closed", "merged": "False"},
        {"title": "three", "state": "open"},
        {"title": "four", "state": "Triage"},
        {"title": "five"},
    ]
    nodes = Linear(ask("linear", rows)).data("{ issues { nodes { identifier state { name type } team { key } } } }")[
        "issues"
    ]["nodes"]
    assert {(node["identifier"], node["state"]["name"], node["state"]["type"]) for node in nodes} == {
        ("LIN-1", "Done", "completed"), ("LIN-2", "Canceled", "canceled"), ("LIN-3", "In Progress", "started"), ("LIN-4", "Triage", "unstarted"), ("LIN-5", "Backlog", "backlog"),
    }  # fmt: skip


def test_numbers_given_out_avoid_those_taken(ask):
    rows = [{"title": "old", "key": "PAY-3"}, {"title": "new", "team": "PAY"}]
    nodes = Linear(ask("linear", rows)).data("{ issues { nodes { identifier } } }")["issues"]["nodes"]
    assert {node["identifier"] for node in nodes} == {"PAY-3", "PAY-4"}
