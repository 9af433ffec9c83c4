"""Jira's JQL, text search, fields, paging, signing in and errors."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.wire import WireRequest
from tests.rows import each_row

JSON = {"Content-Type": "application/json"}
ROWS = [
    {"id": "i1", "key": "PAY-1", "title": "결제 장애 대응", "text": "Gateway timeouts on checkout", "container": "Payments", "state": "In Progress", "author": "U02SARAH", "assignee": "U03BORA", "labels": ["bug", "p0"], "priority": 1, "due": "2026-03-20", "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"author": "U01HANEUL", "created": "2026-03-02T00:00:00Z", "text": "rollback helped"}]},
    {"id": "i2", "key": "PAY-2", "title": "Checkout Timeout", "text": "결제 화면이 느리다. 장애가 아니다", "container": "Payments", "state": "Done", "author": "U03BORA", "assignee": "U01HANEUL", "labels": ["bug"], "priority": 3, "created": "2026-02-01T00:00:00Z", "updated": "2026-02-20T00:00:00Z", "completed": "2026-02-19T00:00:00Z"},
    {"id": "i3", "key": "OPS-7", "title": "Café réservation", "container": "Ops Team", "state": "Backlog", "created": "2026-03-15T00:00:00Z"},
    {"id": "i4", "title": "C++ build: a-b_c", "text": "# Steps\n- one\n- two\n```\nmake\n```\nmore", "container": "Ops Team", "state": "odd", "team": "OPS", "priority": 9, "created": "2026-03-16T00:00:00Z"},
]  # fmt: skip


class Jira:
    """Asks in JQL."""

    def __init__(self, asker):
        self.asker = asker

    def post(self, path, body, *, token="", headers=JSON):
        """Status and value of a reply."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        reply = self.asker(f"/rest/api/3/{path}", method="POST", headers=headers, body=content, token=token)
        return reply.status, json.loads(reply.body)

    def search(self, jql, **more):
        """Status and value of a search."""
        return self.post("search/jql", {"jql": jql, **more})

    def keys(self, jql):
        """Keys of the issues found."""
        status, value = self.search(jql, fields=["summary"])
        assert status == 200, value
        return [issue["key"] for issue in value["issues"]]

    def says(self, jql):
        """What is wrong with a query."""
        status, value = self.search(jql)
        assert status == 400, value
        return value["errorMessages"][0]

    def get(self, path, query=(), *, token=""):
        """Status and value of a reply."""
        reply = self.asker(f"/rest/api/3/{path}", query=query, token=token)
        return reply.status, json.loads(reply.body)


@pytest.fixture
def jira(ask):
    """Four issues of two projects."""
    return Jira(ask("jira", ROWS))


def account(jira, name):
    """Somebody's account id."""
    return next(user["accountId"] for user in jira.get("users/search")[1] if user["displayName"] == name)


@each_row(
    ("text", "found"),
    [
        ("timeout", ["PAY-2", "PAY-1"]),
        ("timeouts", ["PAY-2", "PAY-1"]),
        ("결제", ["PAY-1", "PAY-2"]),
        ("장애", ["PAY-1"]),
        ("장애*", ["PAY-1", "PAY-2"]),
        ("장애 OR 장애*", ["PAY-1", "PAY-2"]),
        ("timeout checkout", ["PAY-2", "PAY-1"]),
        ("timeout AND reservation", []),
        ("timeout OR café", ["PAY-2", "OPS-7", "PAY-1"]),
        ("timeout && checkout", ["PAY-2", "PAY-1"]),
        ("timeout || réservation", ["PAY-2", "OPS-7", "PAY-1"]),
        ('\\"checkout timeout\\"', ["PAY-2"]),
        ('\\"timeout checkout\\"', []),
        ('\\"timeout checkout\\"~3', []),
        ("timeout -gateway", ["PAY-2"]),
        ("timeout NOT gateway", ["PAY-2"]),
        ("+timeout !gateway", ["PAY-2"]),
        ("-gateway", []),
        ("NOT gateway", []),
        ("(timeout OR café) AND réservation", ["OPS-7"]),
        ("time*", ["PAY-2", "PAY-1"]),
        ("timeo?t", ["PAY-2", "PAY-1"]),
        ("timeout~0.8", ["PAY-2", "PAY-1"]),
        ("timeout^4", ["PAY-2", "PAY-1"]),
        ("C\\\\+\\\\+", ["OPS-8"]),
        ("a\\\\-b", ["OPS-8"]),
        ("rollback", ["PAY-1"]),
        ("zebra", []),
        ("\\\\-", []),
    ],
)
def test_text_search_keeps_what_jira_documents_of_lucene(jira, text, found):
    assert sorted(jira.keys(f'text ~ "{text}"')) == sorted(found)


@each_row(
    ("text", "says"),
    [
        ("", "does not support searching for an empty string"),
        ("*time", "not allowed to start with character '*'"),
        ("?ime", "not allowed to start with character '?'"),
        ("a:b", "Unable to parse the text"),
        ("(a", "Unable to parse the text"),
        ("a)", "Unable to parse the text"),
        ("[a]", "Unable to parse the text"),
        ("OR", "Unable to parse the text"),
        ("a AND", "Unable to parse the text"),
        ('\\"a', "Unable to parse the text"),
        ("a\\\\", "Unable to parse the text"),
        ("/a/", "Unable to parse the text"),
        ("(" * 200 + "a" + ")" * 200, "Unable to parse the text"),
    ],
)
def test_text_that_cannot_be_parsed_is_refused(jira, text, says):
    assert says in jira.says(f'text ~ "{text}"')


@each_row(
    ("jql", "found"),
    [
        ("project = PAY", ["PAY-2", "PAY-1"]),
        ('project = "ops team"', ["OPS-8", "OPS-7"]),
        ("project = 10001", ["OPS-8", "OPS-7"]),
        ("project != PAY", ["OPS-8", "OPS-7"]),
        ("project in (PAY, OPS) AND statusCategory = Done", ["PAY-2"]),
        ("project not in (PAY)", ["OPS-8", "OPS-7"]),
        ("statusCategory != Done", ["OPS-8", "OPS-7", "PAY-1"]),
        ('statusCategory = "In Progress"', ["OPS-8", "PAY-1"]),
        ("statusCategory = new", ["OPS-7"]),
        ("statuscategory = 3", ["PAY-2"]),
        ("status = Done", ["PAY-2"]),
        ("assignee IS EMPTY", ["OPS-8", "OPS-7"]),
        ("assignee = EMPTY", ["OPS-8", "OPS-7"]),
        ("assignee is not null", ["PAY-2", "PAY-1"]),
        ("assignee != EMPTY", ["PAY-2", "PAY-1"]),
        ("assignee = currentUser()", ["PAY-2"]),
        ("assignee != currentUser()", ["PAY-1"]),
        ("NOT assignee = currentUser()", ["PAY-1"]),
        ("NOT (assignee = currentUser() OR project = OPS)", ["PAY-1"]),
        ("NOT (assignee = currentUser() AND project = PAY)", ["OPS-8", "OPS-7", "PAY-1"]),
        ("assignee in (EMPTY, currentUser())", ["OPS-8", "OPS-7", "PAY-2"]),
        ("reporter is empty", ["OPS-8", "OPS-7"]),
        ("creator is not empty", ["PAY-2", "PAY-1"]),
        ("labels = bug", ["PAY-2", "PAY-1"]),
        ("labels in (p0, x)", ["PAY-1"]),
        ("labels != p0", ["PAY-2"]),
        ("labels is empty", ["OPS-8", "OPS-7"]),
        ("priority > Medium", ["PAY-1"]),
        ("type = Task and resolution = Done", ["PAY-2"]),
        ("resolution is empty and key = pay-1", ["PAY-1"]),
        ("issuekey in (PAY-1, 10001)", ["PAY-2", "PAY-1"]),
        ("key < PAY-2 and project = PAY", ["PAY-1"]),
        ('created >= "2026-03-01 09:00"', ["OPS-8", "OPS-7", "PAY-1"]),
        ('created > "2026-03-01 09:00"', ["OPS-8", "OPS-7"]),
        ('created < "2026/03/01 09:01" AND created >= "2026/03/01"', ["PAY-1"]),
        ("created >= -5d", ["OPS-8"]),
        ('created >= "-1w"', ["OPS-8", "OPS-7"]),
        ("created >= startOfWeek()", ["OPS-8", "OPS-7"]),
        ("created >= startOfMonth()", ["OPS-8", "OPS-7", "PAY-1"]),
        ("created <= now() AND created >= startOfYear()", ["OPS-8", "OPS-7", "PAY-2", "PAY-1"]),
        ("updated < startOfDay()", ["OPS-8", "OPS-7", "PAY-2", "PAY-1"]),
        ('due = "2026-03-20"', ["PAY-1"]),
        ("duedate is empty and resolved is not empty", ["PAY-2"]),
        ("NOT created >= -5d", ["OPS-7", "PAY-2", "PAY-1"]),
        ("summary ~ timeout", ["PAY-2"]),
        ("description ~ timeout", ["PAY-1"]),
        ("comment ~ rollback", ["PAY-1"]),
        ("description is empty", ["OPS-7"]),
        ("text !~ timeout", ["OPS-8", "OPS-7"]),
        ("NOT text ~ timeout", ["OPS-8", "OPS-7"]),
        ("! project = PAY", ["OPS-8", "OPS-7"]),
        ("project = PAY && text ~ rollback || project = OPS & text ~ réservation", ["OPS-7", "PAY-1"]),
        ("project = 'PAY'\n\tand (labels = bug)", ["PAY-2", "PAY-1"]),
        ("created is not empty order by created", ["OPS-8", "OPS-7", "PAY-1", "PAY-2"]),
        ("created is not empty order by created asc", ["PAY-2", "PAY-1", "OPS-7", "OPS-8"]),
        ("created is not empty ORDER BY project, priority desc", ["OPS-8", "OPS-7", "PAY-1", "PAY-2"]),
        ("created is not empty order by assignee DESC, key ASC", ["PAY-1", "PAY-2", "OPS-7", "OPS-8"]),
    ],
)
def test_clauses(jira, jql, found):
    assert jira.keys(jql) == found if "order" in jql.lower() else sorted(jira.keys(jql)) == sorted(found)


def test_people_are_known_by_account_only(jira):
    sarah = account(jira, "Sarah Kim")
    assert jira.keys(f'reporter = "{sarah}"') == ["PAY-1"]
    for name in ("Sarah Kim", "sarah@acme.example", "sarah"):
        assert jira.says(f'reporter = "{name}"') == f"The value '{name}' does not exist for the field 'reporter'."


@each_row(
    ("jql", "says"),
    [
        ("", "Unbounded"),
        ("order by created", "Unbounded"),
        ("project = NOPE", "The value 'NOPE' does not exist for the field 'project'."),
        ("status = Nope", "does not exist for the field 'status'"),
        ("statusCategory = Nope", "does not exist for the field 'statuscategory'"),
        ("priority = Nope", "does not exist for the field 'priority'"),
        ("key = NOPE-1", "An issue with key 'NOPE-1' does not exist for field 'key'."),
        ("nope = 1", "Field 'nope' does not exist"),
        ("cf[10010] = 1", "Field 'cf[10010]' does not exist"),
        ("text = x", "The operator '=' is not supported by the 'text' field."),
        ("project ~ x", "The operator '~' is not supported"),
        ("project > PAY", "The operator '>' is not supported"),
        ("assignee is x", "takes EMPTY only"),
        ("created < EMPTY", "does not support EMPTY"),
        ("text ~ EMPTY", "does not support EMPTY"),
        ("text ~ currentUser()", "can only be searched for text"),
        ('created > "2026-01-01T00:00"', "Date value '2026-01-01T00:00' for field 'created' is invalid"),
        ('created > "2026-02-30"', "is invalid"),
        ("created > soon", "is invalid"),
        ('created > "-99999w 99999d"', "is invalid"),
        ("created > nope()", "Unable to find JQL function 'nope()'"),
        ('created > startOfDay("-1d", 2)', "Unable to find JQL function 'startofday(-1d, 2)'"),
        ('assignee in membersOf("x")', "Unable to find JQL function"),
        ("created > startOfDay(", "Expecting ')'"),
        ("status was Done", "history"),
        ("status changed", "history"),
        ("project = select", "is a reserved JQL word"),
        ("and = 1", "is a reserved JQL word"),
        ("assignee = a@b.c", "The character '@' is a reserved JQL character"),
        ('text ~ "a', "has not been completed"),
        (r'text ~ "a\_b"', "illegal JQL escape sequence"),
        ("project", "Expecting operator"),
        ("project =", "Expecting either a value, list or function before the end"),
        ("project = )", "Expecting either a value"),
        ("= 1", "Expecting a field name"),
        ("project in PAY", "Expecting '('"),
        ("project in (PAY", "Expecting ')'"),
        ("project not PAY", "Expecting 'IN'"),
        ("(project = PAY", "Expecting ')'"),
        ("project = PAY project = OPS", "Expecting either 'OR' or 'AND'"),
        ("project = PAY order created", "Expecting 'BY'"),
        ("project = PAY order by text", "Not able to sort using field 'text'"),
        ("project = PAY order by nope", "Field 'nope' does not exist"),
        ("project = PAY order by a,b,c,d,e,f,g,h", "maximum of 7"),
        ("not " * 100 + "project = PAY", "nested too deeply"),
        ("(" * 1000, "nested too deeply"),
    ],
)
def test_what_jira_refuses(jira, jql, says):
    assert says in jira.says(jql)


def test_strings_may_hold_anything_by_escapes(jira):
    assert jira.keys(r'project = "\u0050AY" and summary ~ "Checkout\nTimeout"') == ["PAY-2"]
    assert jira.keys(r"text ~ 'it\'s' or project = 'PA\u0059'") == jira.keys("project = PAY")


def test_the_best_comes_first_and_titles_weigh_more(jira):
    assert jira.keys("text ~ timeout") == ["PAY-2", "PAY-1"]


# ---- pages and bodies


def test_pages_by_token_without_a_total(jira):
    status, value = jira.search("project is not empty order by key asc", maxResults=3, fields=["summary"])
    assert status == 200
    assert value.keys() == {"issues", "isLast", "nextPageToken"}
    assert [issue["key"] for issue in value["issues"]] == ["OPS-7", "OPS-8", "PAY-1"]
    token = value["nextPageToken"]
    _, rest = jira.search(
        "project is not empty order by key asc", maxResults=3, fields=["summary"], nextPageToken=token
    )
    assert rest == {"issues": rest["issues"], "isLast": True}
    assert [issue["key"] for issue in rest["issues"]] == ["PAY-2"]
    for jql, wrong in (("project = PAY", token), ("project is not empty", "x"), ("project = PAY", "eDp5")):
        status, value = jira.search(jql, nextPageToken=wrong)
        assert (status, value["errorMessages"]) == (400, ["The provided nextPageToken is invalid or has expired."])


def test_only_numbers_unless_fields_are_asked_for(jira):
    assert jira.search("key = PAY-1")[1]["issues"] == [{"id": "10000"}]
    (issue,) = jira.search("key = PAY-1", fields=["key"])[1]["issues"]
    assert issue["key"] == "PAY-1"
    assert "fields" not in issue
    (issue,) = jira.search("key = PAY-1", fields=["*all", "-summary"])[1]["issues"]
    assert "summary" not in issue["fields"]
    assert issue["fields"]["created"] == "2026-03-01T09:00:00.000+0900"
    assert issue["fields"]["status"]["statusCategory"]["key"] == "indeterminate"
    assert issue["fields"]["priority"] == {"name": "Highest"}


def test_descriptions_are_documents(jira):
    (issue,) = jira.search("key = OPS-8", fields=["description", "priority", "resolution"])[1]["issues"]
    blocks = issue["fields"]["description"]["content"]
    assert [block["type"] for block in blocks] == ["heading", "bulletList", "codeBlock", "paragraph"]
    assert len(blocks[1]["content"]) == 2
    assert issue["fields"]["priority"] == {"name": "Medium"}
    (done, other) = jira.search("project = PAY order by key desc", fields=["resolution", "resolutiondate"])[1]["issues"]
    assert done["fields"]["resolutiondate"] == "2026-02-19T09:00:00.000+0900"
    assert other["fields"] == {"resolution": None, "resolutiondate": None}


@each_row(
    "body",
    [
        {"jql": 42},
        {"jql": "project = PAY", "startAt": 0},
        {"jql": "project = PAY", "maxResults": "ten"},
        {"jql": "project = PAY", "maxResults": True},
        {"jql": "project = PAY", "fields": [1]},
        {"jql": "project = PAY", "expand": ["names"]},
        [],
        b"{",
        b"[" * 100_000,
    ],
)
def test_bodies_are_what_the_contract_says(jira, body):
    status, value = jira.post("search/jql", body)
    assert status == 400
    assert value["errorMessages"] == ["Invalid request payload. Refer to the REST API documentation and try again."]


def test_other_ways_to_ask_wrongly(jira):
    assert jira.search("project = PAY", maxResults=0)[0] == 400
    assert jira.post("search/jql", {"jql": "project = PAY"}, headers={})[0] == 415
    assert jira.get("nope")[0] == 404
    assert jira.get("issue/bulkfetch")[0] == 404
    assert jira.post("myself", {})[0] == 405
    assert jira.asker("/nope").status == 404
    for path in ("/rest/api/2/search", "/rest/api/3/search", "/rest/api/latest/search"):
        assert jira.asker(path, query={"jql": "project = PAY"}).status == 410
    assert jira.asker.served.too_large().status == 413


def test_searching_by_get_and_counting(jira):
    status, value = jira.get(
        "search/jql",
        [("jql", "project = PAY"), ("fields", "summary, status"), ("fields", "labels"), ("maxResults", "1")],
    )
    assert status == 200
    assert set(value["issues"][0]["fields"]) == {"summary", "status", "labels"}
    assert not value["isLast"]
    assert jira.get("search/jql", {"jql": "project = PAY", "maxResults": "x"})[0] == 400
    assert jira.post("search/approximate-count", {"jql": "project = PAY"}) == (200, {"count": 2})


def test_reading_issues_by_name(jira):
    status, value = jira.post(
        "issue/bulkfetch", {"issueIdsOrKeys": ["pay-2", "NOPE-1", "10000"], "fields": ["summary"]}
    )
    assert status == 200
    assert [issue["key"] for issue in value["issues"]] == ["PAY-1", "PAY-2"]
    assert [error["id"] for error in value["issueErrors"]] == ["NOPE-1"]
    _, value = jira.post("issue/bulkfetch", {"issueIdsOrKeys": ["PAY-2"]})
    assert "summary" in value["issues"][0]["fields"]
    assert jira.post("issue/bulkfetch", {"issueIdsOrKeys": []})[0] == 400
    assert jira.get("issue/pay-1", {"fields": "summary"})[1]["fields"] == {"summary": "결제 장애 대응"}
    assert jira.get("issue/NOPE-1")[0] == 404


def test_people_projects_and_whose_token_it_is(jira):
    assert jira.get("myself")[1]["displayName"] == "이하늘"
    assert [user["displayName"] for user in jira.get("users/search", {"startAt": "1", "maxResults": "1"})[1]] == [
        "Sarah Kim"
    ]
    assert [user["displayName"] for user in jira.get("user/search", {"query": "KIM"})[1]] == ["Sarah Kim"]
    status, value = jira.get("project/search", {"maxResults": "1"})
    assert (status, value["isLast"], value["total"]) == (200, False, 2)
    assert [each["key"] for each in jira.get("project/search", {"query": "ops"})[1]["values"]] == ["OPS"]
    assert jira.get("project/search", {"startAt": "-1"})[0] == 400
    assert jira.get("serverInfo")[1]["deploymentType"] == "Cloud"


# ---- signing in


def test_a_wrong_token_is_401_and_none_is_anonymous(jira):
    for token in ("wrong", "jira_oauth_sandbox2"):
        reply = jira.asker("/rest/api/3/myself", token=token)
        assert reply.status == 401
        assert reply.headers["X-Seraph-LoginReason"] == "AUTHENTICATED_FAILED"
    assert jira.get("myself", token=None)[0] == 401
    assert jira.post("search/jql", {"jql": "project = PAY"}, token=None) == (200, {"issues": [], "isLast": True})
    assert jira.get("users/search", token=None) == (200, [])
    assert jira.get("issue/PAY-1", token=None)[0] == 404
    assert jira.post("issue/bulkfetch", {"issueIdsOrKeys": ["PAY-1"]}, token=None)[1]["issues"] == []


def test_an_api_token_needs_its_address(jira):
    def basic(text):
        pair = base64.b64encode(text.encode()).decode()
        headers = {"authorization": f"Basic {pair}"}
        return jira.asker.served.answer(WireRequest("GET", "/rest/api/3/myself", "", headers)).status

    assert basic("haneul@acme.example:ATATT-sandbox") == 200
    assert basic("sarah@acme.example:ATATT-sandbox") == 401
    assert basic("haneul@acme.example:wrong") == 401
    for header in ("Basic ???", "Basic", "Digest x", "Bearer ATATT-sandbox"):
        request = WireRequest("GET", "/rest/api/3/myself", "", {"authorization": header})
        assert jira.asker.served.answer(request).status == 401


def test_faults_in_jiras_own_way(jira):
    throttled = jira.asker.served.refuse(Fault(retry_after=3))
    assert (throttled.status, throttled.headers["Retry-After"]) == (429, "3")
    assert throttled.headers["RateLimit-Reason"] == "jira-burst-based"
    assert jira.asker.served.refuse(Fault(status=503)).status == 503


def test_the_row_behind_each_name(jira):
    origins = jira.asker.served.origins()
    assert origins["PAY-1"] == origins["10000"] == origins["https://acme.atlassian.net/browse/PAY-1"] == "i1"
    assert origins["OPS-8"] == "i4"


# ---- hostile input


MARKS = ["project", "=", "!=", "~", "(", ")", '"', "'", "\\", " ", "and", "or", "not", "in", "is", "empty", "order by", ",", "text ~ ", "PAY", "결제", "currentUser()", "-7d", "cf[1]", "\x00", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]  # fmt: skip


@given(st.one_of(st.text(max_size=100), st.lists(st.sampled_from(MARKS), max_size=25).map(" ".join)), st.booleans())
def test_no_query_is_a_server_error(served, text, wrapped):
    jql = f"text ~ {json.dumps(text, ensure_ascii=False)}" if wrapped else text
    content = json.dumps({"jql": jql}).encode()
    headers = {"authorization": "Bearer jira_oauth_sandbox", "content-type": "application/json"}
    assert served.answer(WireRequest("POST", "/rest/api/3/search/jql", "", headers, content)).status in (200, 400)


@given(
    st.sampled_from(["GET", "POST", "PUT", "X"]),
    st.sampled_from(["search/jql", "issue/bulkfetch", "issue/x", "myself", "users/search", "", "x/y"])
    | st.text(max_size=20),
    st.text(max_size=40),
    st.binary(max_size=60)
    | st.sampled_from([b"null", b"[[", b'{"jql": null}', b'{"issueIdsOrKeys": [1]}', b'{"jql": "\\ud800"}']),
)
def test_no_request_is_a_server_error(served, method, path, query, body):
    headers = {"authorization": "Bearer jira_oauth_sandbox", "content-type": "application/json"}
    assert served.answer(WireRequest(method, f"/rest/api/3/{path}", query, headers, body)).status < 500


@pytest.fixture(scope="module")
def served():
    """An emulator for many examples."""
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from orchestrator.sandbox import Corpus, Directory, Person, Row
    from orchestrator.sandbox.jira import JiraEmulator
    from orchestrator.sandbox.wire import Situation

    owner = Person(id="U01", name="이하늘", handle="haneul", email="haneul@acme.example")
    row = Row("i1", "jira", "issue", "결제 장애가 났다", "plan b", "Pay", "U01", "", None, None, "", {"key": "PAY-1"})
    corpus = Corpus({"jira": [row]}, Directory([owner]), {})
    return JiraEmulator(Situation(corpus, owner, lambda: datetime(2026, 3, 20, tzinfo=UTC), ZoneInfo("Asia/Seoul")))
