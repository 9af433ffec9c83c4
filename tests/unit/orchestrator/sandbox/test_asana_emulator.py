"""Asana's search, parameters, fields, pages and errors."""

import json

import pytest

from orchestrator.sandbox.asana import FREE_TOKEN
from orchestrator.sandbox.asana.store import WORKSPACE
from orchestrator.sandbox.faults import Fault
from tests.rows import each_row

ROWS = [
    {"id": "a1", "title": "결제 장애 대응", "text": "Gateway timeout on checkout", "container": "Payments", "state": "In Progress", "author": "U02SARAH", "assignee": "U03BORA", "labels": ["bug", "p0"], "due": "2026-03-20", "project": "Checkout v2", "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z",
     "comments": [{"author": "U01HANEUL", "created": "2026-03-02T00:00:00Z", "text": "rollback helped"}]},
    {"id": "a2", "title": "Checkout Timeout", "text": "결제 화면이 느리다", "container": "Payments", "state": "Done", "author": "U03BORA", "assignee": "U01HANEUL", "labels": ["bug"], "created": "2026-02-01T00:00:00Z", "updated": "2026-02-20T00:00:00.250Z", "completed": "2026-02-19T20:00:00Z"},
    {"id": "a3", "kind": "milestone", "title": "출시", "projects": ["Checkout v2", "Ops"], "created": "2026-03-15T00:00:00Z"},
    {"id": "a4", "title": "lost", "created": "2026-03-20T02:59:50Z"},
]  # fmt: skip
SEARCH = f"/api/1.0/workspaces/{WORKSPACE}/tasks/search"
ROW = {"1208000000000000": "a1", "1208000000000001": "a2", "1208000000000002": "a3", "1208000000000003": "a4"}


class Api:
    """Asks for rows of the corpus."""

    def __init__(self, asker):
        self.asker = asker

    def found(self, **query):
        """The rows that a search finds, in order; `__` in a name stands for a dot."""
        params = {name.replace("__", "."): value for name, value in query.items()}
        reply = self.asker(SEARCH, query=params)
        assert reply.status == 200, reply.body
        return [ROW[task["gid"]] for task in json.loads(reply.body)["data"]]

    def error(self, path=SEARCH, status=400, **query):
        """The message of an error of that status."""
        reply = self.asker(path, query={name.replace("__", "."): value for name, value in query.items()})
        assert reply.status == status, reply.body
        (error,) = json.loads(reply.body)["errors"]
        return error["message"]

    def gid(self, kind, name):
        """The number of a project, tag or team."""
        listed = self.asker.json(
            f"/api/1.0/workspaces/{WORKSPACE}/typeahead", query={"resource_type": kind, "query": name}
        )
        return listed["data"][0]["gid"]


@pytest.fixture
def asana(ask):
    """Four tasks, one of which changed a moment ago."""
    return Api(ask("asana", ROWS))


@each_row(
    ("text", "found"),
    [
        ("timeout", ["a2", "a1"]),
        ("timeouts", ["a2", "a1"]),
        ("결제", ["a1", "a2"]),
        ("장애", ["a1"]),
        ("화면", []),
        ("화면이", ["a2"]),
        ("checkout zebra", []),
        ("checkout timeout", ["a2", "a1"]),
        ('"checkout timeout"', ["a2", "a1"]),
        ("timeout -checkout", ["a2", "a1"]),
        ("rollback", []),
        ("lost", []),
        ("!!", []),
        ("", []),
    ],
)
def test_search_takes_every_word_and_knows_no_operators(asana, text, found):
    assert asana.found(text=text, sort_by="relevance") == found


@each_row(
    ("query", "found"),
    [
        ({}, ["a3", "a1", "a2"]),
        ({"sort_by": "relevance"}, ["a3", "a1", "a2"]),
        ({"sort_by": "created_at"}, ["a3", "a1", "a2"]),
        ({"sort_by": "created_at", "sort_ascending": "true"}, ["a2", "a1", "a3"]),
        ({"sort_by": "due_date"}, ["a1", "a2", "a3"]),
        ({"sort_by": "completed_at"}, ["a2", "a1", "a3"]),
        ({"sort_by": "likes"}, ["a3", "a2", "a1"]),
        ({"limit": "1"}, ["a3"]),
        ({"opt_pretty": "true"}, ["a3", "a1", "a2"]),
        ({"completed": "true"}, ["a2"]),
        ({"completed": "false"}, ["a3", "a1"]),
        ({"is_subtask": "true"}, []),
        ({"is_blocked": "false", "limit": "1"}, ["a3"]),
        ({"resource_subtype": "milestone"}, ["a3"]),
        ({"resource_subtype": "approval"}, []),
        ({"assignee__any": "me"}, ["a2"]),
        ({"assignee__any": "bora@acme.example"}, ["a1"]),
        ({"assignee__any": "BORA@acme.example,me"}, ["a1", "a2"]),
        ({"assignee__any": "1200000000100002"}, ["a1"]),
        ({"assignee__any": "99"}, []),
        ({"assignee__any": "nobody@acme.example"}, []),
        ({"assignee__not": "me"}, ["a3", "a1"]),
        ({"created_by__any": "sarah@acme.example"}, ["a1"]),
        ({"created_by__not": "sarah@acme.example"}, ["a3", "a2"]),
        ({"followers__any": "bora@acme.example"}, ["a1", "a2"]),
        ({"assigned_by__any": "me"}, []),
        ({"liked_by__not": "me", "limit": "1"}, ["a3"]),
        ({"commented_on_by__not": "me"}, ["a3", "a2"]),
        ({"portfolios__any": "7"}, []),
        ({"created_at__after": "2026-03-01T00:00:00Z"}, ["a3"]),
        ({"created_at__before": "2026-03-01T09:00:00+09:00"}, ["a2"]),
        ({"modified_at__after": "2026-02-20T00:00:00.100Z", "modified_at__before": "2026-03-10T00:00:00Z"}, ["a2"]),
        ({"completed_at__after": "2026-01-01T00:00:00Z"}, ["a2"]),
        ({"due_at__after": "2026-01-01T00:00:00Z"}, []),
        ({"completed_on": "2026-02-20"}, ["a2"]),
        ({"completed_on": "null"}, ["a3", "a1"]),
        ({"created_on__after": "2026-03-01"}, ["a3"]),
        ({"due_on__before": "2026-03-21"}, ["a1"]),
        ({"due_on": "2026-03-20"}, ["a1"]),
        ({"start_on": "null", "limit": "1"}, ["a3"]),
        ({"text": "timeout", "completed": "true"}, ["a2"]),
        ({"text": "timeout", "sort_by": "modified_at"}, ["a1", "a2"]),
    ],
)
def test_parameters(asana, query, found):
    assert asana.found(**query) == found


def test_projects_sections_tags_and_teams(asana):
    checkout, ops, payments = (asana.gid("project", name) for name in ("Checkout", "Ops", "Payments"))
    assert asana.found(projects__any=checkout) == ["a3", "a1"]
    assert asana.found(projects__any=f"{ops},{payments}") == ["a3", "a2"]
    assert asana.found(projects__all=f"{checkout},{ops}") == ["a3"]
    assert asana.found(projects__not=checkout) == ["a2"]
    assert asana.found(tags__all=f"{asana.gid('tag', 'bug')},{asana.gid('tag', 'p0')}") == ["a1"]
    assert asana.found(teams__any=asana.gid("team", "Payments")) == ["a1", "a2"]
    task = asana.asker.json(SEARCH, query={"text": "장애", "opt_fields": "memberships.section.name"})["data"][0]
    section = task["memberships"][0]["section"]
    assert section["name"] == "In Progress"
    assert asana.found(sections__any=section["gid"]) == ["a1"]
    assert asana.found(sections__any=section["gid"], projects__any=payments) == ["a1", "a2"], "a union, not both"


@each_row(
    ("query", "says"),
    [
        ({"sort_by": "priority"}, "sort_by: Not one of"),
        ({"sort_ascending": "yes"}, "sort_ascending: Not a boolean"),
        ({"completed": "1"}, "completed: Not a boolean"),
        ({"limit": "0"}, "limit: Must be between 1 and 100"),
        ({"limit": "101"}, "limit: Must be between 1 and 100"),
        ({"resource_subtype": "task"}, "resource_subtype: Not one of"),
        ({"assignee__any": "민수"}, "assignee.any: Not a recognized ID: 민수"),
        ({"assignee__any": "1,,2"}, "assignee.any: Not a recognized ID"),
        ({"assignee__all": "1"}, "assignee.all: No such parameter"),
        ({"assignee": "1"}, "assignee: No such parameter"),
        ({"projects__any": "me"}, "projects.any: Not a recognized ID: me"),
        ({"teams__not": "1"}, "teams.not: No such parameter"),
        ({"created_at__after": "2026-03-01"}, "created_at.after: Not a valid datetime"),
        ({"created_at__after": "2026-03-01T00:00:00"}, "created_at.after: Not a valid datetime"),
        ({"created_at__after": "2026-13-01T00:00:00Z"}, "created_at.after: Not a valid datetime"),
        ({"created_at__after": "0001-01-01T00:00:00+09:00"}, "created_at.after: Not a valid datetime"),
        ({"created_at": "2026-03-01T00:00:00Z"}, "created_at: No such parameter"),
        ({"start_at__after": "2026-03-01T00:00:00Z"}, "start_at.after: No such parameter"),
        ({"due_on": "tomorrow"}, "due_on: Not a valid date"),
        ({"due_on": "2026-02-30"}, "due_on: Not a valid date"),
        ({"custom_fields__1__value": "x"}, "custom_fields.1.value: No such parameter"),
        ({"query": "x"}, "query: No such parameter"),
    ],
)
def test_what_asana_does_not_know_is_refused(asana, query, says):
    assert says in asana.error(**query)


def test_only_the_fields_asked_for_are_given(asana):
    search = {"text": "장애"}
    (compact,) = asana.asker.json(SEARCH, query=search)["data"]
    assert compact == {
        "gid": "1208000000000000",
        "resource_type": "task",
        "name": "결제 장애 대응",
        "resource_subtype": "default_task",
    }
    fields = "notes,created_by,assignee.name,assignee.email,projects,tags.name,memberships,no_such_field,due_on.x"
    (task,) = asana.asker.json(SEARCH, query={**search, "opt_fields": fields})["data"]
    assert task == {
        "gid": "1208000000000000",
        "notes": "Gateway timeout on checkout",
        "created_by": {"gid": "1200000000100001", "resource_type": "user"},
        "assignee": {"gid": "1200000000100002", "name": "최보라", "email": "bora@acme.example"},
        "projects": [{"gid": "1200000000200000", "resource_type": "project", "name": "Checkout v2"}],
        "tags": [{"gid": "1200000000400000", "name": "bug"}, {"gid": "1200000000400001", "name": "p0"}],
        "memberships": [
            {
                "project": {"gid": "1200000000200000", "resource_type": "project", "name": "Checkout v2"},
                "section": {"gid": "1200000000300000", "resource_type": "section", "name": "In Progress"},
            }
        ],
        "due_on": "2026-03-20",
    }


def test_a_task_in_full_and_a_task_that_the_search_does_not_know_yet(asana):
    task = asana.asker.json("/api/1.0/tasks/1208000000000001")["data"]
    assert (task["completed"], task["completed_at"], task["modified_at"]) == (
        True,
        "2026-02-19T20:00:00.000Z",
        "2026-02-20T00:00:00.250Z",
    )
    assert (
        task["permalink_url"] == f"https://app.asana.com/1/{WORKSPACE}/project/1200000000200001/task/1208000000000001"
    )
    assert task["created_by"] == {"gid": "1200000000100002", "resource_type": "user"}
    lost = asana.asker.json("/api/1.0/tasks/1208000000000003", query={"opt_fields": "name,permalink_url"})["data"]
    assert lost == {
        "gid": "1208000000000003",
        "name": "lost",
        "permalink_url": f"https://app.asana.com/1/{WORKSPACE}/task/1208000000000003",
    }
    assert "a4" not in asana.found()


def test_people_projects_and_workspaces(asana):
    me = asana.asker.json("/api/1.0/users/me", query={"opt_fields": "email,workspaces.name"})["data"]
    assert me == {
        "gid": "1200000000100000",
        "email": "haneul@acme.example",
        "workspaces": [{"gid": WORKSPACE, "name": "Acme"}],
    }
    assert asana.asker.json("/api/1.0/users/sarah@acme.example")["data"]["name"] == "Sarah Kim"
    assert asana.asker.json("/api/1.0/workspaces")["data"] == [
        {"gid": WORKSPACE, "resource_type": "workspace", "name": "Acme"}
    ]
    project = asana.asker.json("/api/1.0/projects/1200000000200000")["data"]
    assert (project["name"], project["workspace"]["gid"]) == ("Checkout v2", WORKSPACE)
    typeahead = f"/api/1.0/workspaces/{WORKSPACE}/typeahead"
    for kind, names in [("user", ["최보라"]), ("task", []), ("goal", [])]:
        found = asana.asker.json(typeahead, query={"resource_type": kind, "query": "보라"})["data"]
        assert [each["name"] for each in found] == names
    assert len(asana.asker.json(typeahead, query={"resource_type": "task", "count": "2"})["data"]) == 2


def test_lists_go_on_by_an_offset_where_a_limit_was_given(asana):
    assert "next_page" not in asana.asker.json("/api/1.0/users")
    seen, offset = [], None
    while True:
        query = {"workspace": WORKSPACE, "limit": "2", **({"offset": offset} if offset else {})}
        page = asana.asker.json("/api/1.0/users", query=query)
        seen += [user["name"] for user in page["data"]]
        if page["next_page"] is None:
            break
        offset = page["next_page"]["offset"]
        assert page["next_page"]["uri"].startswith("https://app.asana.com/api/1.0/users?limit=2&offset=")
    assert seen == ["이하늘", "Sarah Kim", "최보라"]


@each_row(
    ("path", "query", "status", "says"),
    [
        ("/api/1.0/workspaces/7/tasks/search", {}, 404, "workspace: Unknown object: 7"),
        ("/api/1.0/workspaces/acme/tasks/search", {}, 400, "workspace: Not a recognized ID: acme"),
        ("/api/1.0/tasks/1", {}, 404, "task: Unknown object: 1"),
        ("/api/1.0/projects/1", {}, 404, "project: Unknown object: 1"),
        ("/api/1.0/users/1", {}, 404, "user: Unknown object: 1"),
        ("/api/1.0/users", {"workspace": "7"}, 404, "workspace: Unknown object: 7"),
        ("/api/1.0/users", {"limit": "1000"}, 400, "limit: Must be between 1 and 100"),
        ("/api/1.0/users", {"offset": "뭐"}, 400, "offset: Your pagination token is invalid."),
        ("/api/1.0/users", {"offset": "abc"}, 400, "offset: Your pagination token is invalid."),
        ("/api/1.0/users", {"offset": "cGFnZTp4"}, 400, "offset: Your pagination token is invalid."),
        (f"/api/1.0/workspaces/{WORKSPACE}/typeahead", {}, 400, "resource_type: Missing input"),
        (f"/api/1.0/workspaces/{WORKSPACE}/typeahead", {"resource_type": "x"}, 400, "resource_type: Not one of"),
        (f"/api/1.0/workspaces/{WORKSPACE}/typeahead", {"resource_type": "user", "count": "0"}, 400, "count: Must be"),
        ("/api/1.0/nowhere", {}, 404, "No matching route"),
        ("/workspaces", {}, 404, "No matching route"),
    ],
)
def test_requests_that_are_not_asana_s(asana, path, query, status, says):
    assert says in asana.error(path, status, **query)


def test_nothing_is_written(asana):
    assert asana.asker("/api/1.0/tasks/1208000000000001", method="PUT").status == 404


def test_whoever_asks_signs(asana):
    for token in (None, "wrong"):
        reply = asana.asker(SEARCH, token=token)
        assert reply.status == 401
        assert json.loads(reply.body)["errors"][0]["message"] == "Not Authorized"


def test_without_a_paid_plan_there_is_no_search(asana):
    assert asana.asker(SEARCH, token=FREE_TOKEN).status == 402
    assert asana.asker("/api/1.0/tasks/1208000000000001", token=FREE_TOKEN).status == 200


def test_faults_and_large_bodies_have_asana_s_shape(asana):
    served = asana.asker.served
    throttled = served.refuse(Fault(retry_after=7))
    assert (throttled.status, throttled.headers["Retry-After"]) == (429, "7")
    broken = json.loads(served.refuse(Fault(status=500)).body)["errors"][0]
    assert broken.keys() == {"message", "phrase"}
    assert json.loads(served.refuse(Fault(status=418)).body)["errors"][0]["message"].endswith("418.")
    assert served.too_large().status == 413


def test_what_is_found_is_recorded(asana):
    reply = asana.asker(SEARCH, query={"text": "결제", "limit": "1"})
    assert (reply.hits, reply.asked["text"]) == (2, "결제")
    assert "token" not in reply.asked


def test_every_number_and_address_leads_to_a_row(asana):
    origins = asana.asker.served.origins()
    assert {name: row for name, row in origins.items() if name.isdigit()} == ROW
    assert all(name.startswith("https://app.asana.com/1/") for name in origins.keys() - ROW.keys())
