"""Notion's search, pages and errors."""

import json

import pytest

VERSION = {"Notion-Version": "2026-03-11"}
LINK = "https://www.notion.so/acme/Spec-0123456789abcdef0123456789abcdef"
ROWS = [
    {
        "id": "spec",
        "title": "결제 시스템 Payment spec",
        "text": "# Title\nbody\n\n- one\n- [x] two",
        "container": "위키",
        "author": "U02SARAH",
        "created": "2026-03-01T00:00:00Z",
        "url": LINK,
    },
    {
        "id": "retry",
        "title": "Payment retry policy",
        "text": "정책",
        "container": "결제 시스템 Payment spec",
        "created": "2026-03-02T00:00:30Z",
        "updated": "2026-03-10T12:34:56Z",
    },
    {
        "id": "notes",
        "title": "회의록",
        "text": "Payment spec was discussed",
        "container": "위키",
        "created": "2026-03-05T00:00:00Z",
    },
]


@pytest.fixture
def notion(ask):
    """Three pages, two of them in a table."""
    return ask("notion", ROWS)


@pytest.fixture
def search(notion):
    """Search with a body; the ids found, in order, or the error."""
    origins = notion.served.origins()

    def run(_version="2026-03-11", **body):
        reply = notion(
            "/v1/search", method="POST", headers={"Notion-Version": _version}, body=json.dumps(body).encode()
        )
        value = json.loads(reply.body)
        if value["object"] == "error":
            return value["status"], value["code"], value["message"]
        return [origins.get(item["id"], item["object"]) for item in value["results"]]

    return run


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("payment", ["retry", "spec"]),
        ("PAYMENT spec", ["spec", "retry"]),
        ("결제", ["spec"]),
        ("시스", ["spec"]),
        ("스템", []),
        ("discussed", []),
        ("pay", []),
        ('"payment spec"', ["spec", "retry"]),
        ("payment -retry", ["retry", "spec"]),
        ("위키", ["data_source"]),
        ("!!!", []),
    ],
)
def test_titles_are_searched_by_any_word_most_words_first(search, query, found):
    assert search(query=query) == found


def test_without_a_query_everything_comes_latest_edited_first(search):
    everything = ["retry", "notes", "data_source", "spec"]
    assert sorted(search()) == sorted(everything)
    assert search()[0] == "retry"
    assert search(query="  ")[-1] == "spec"
    assert search(sort={"timestamp": "last_edited_time", "direction": "ascending"})[0] == "spec"
    assert search(query="payment spec", sort={"timestamp": "last_edited_time", "direction": "descending"}) == [
        "retry",
        "spec",
    ]
    assert search(query="payment spec", sort={"property": "relevance"}) == ["spec", "retry"]


def test_filters(search):
    assert search(filter={"property": "object", "value": "data_source"}) == ["data_source"]
    assert "data_source" not in search(filter={"property": "object", "value": "page"})
    assert search(filter={"in_trash": True}) == []
    assert len(search(filter={"property": "object", "value": "page", "in_trash": False})) == 3


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            {"filter": {"property": "object", "value": "database"}},
            'body.filter.value should be `"page"` or `"data_source"`, instead was `"database"`',
        ),
        ({"filter": {"property": "type", "value": "page"}}, "body.filter.property"),
        ({"filter": {"value": "page"}}, "instead was `undefined`"),
        ({"filter": "page"}, "body.filter should be an object"),
        ({"filter": {"in_trash": "no"}}, "body.filter.in_trash"),
        ({"filter": {"property": "object", "value": "page", "x": 1}}, "body.filter.x should be not present"),
        ({"filters": {}}, "body.filters should be not present"),
        ({"query": 5}, "body.query should be a string"),
        ({"page_size": 500}, "body.page_size should be ≤ `100`, instead was `500`"),
        ({"page_size": 0}, "body.page_size should be ≥ `1`"),
        ({"page_size": "10"}, "body.page_size should be a number"),
        ({"page_size": True}, "body.page_size should be a number"),
        ({"sort": {"timestamp": "created_time", "direction": "ascending"}}, "body.sort.timestamp"),
        ({"sort": {"timestamp": "last_edited_time", "direction": "up"}}, "body.sort.direction"),
        ({"sort": {"timestamp": "last_edited_time"}}, "body.sort.direction"),
        ({"sort": "up"}, "body.sort should be an object"),
        ({"start_cursor": "x"}, "body.start_cursor should be a valid uuid"),
        ({"start_cursor": 3}, "body.start_cursor should be a string"),
        ({"start_cursor": "00000000-0000-4000-8000-000000000000"}, "The start_cursor provided is invalid"),
    ],
)
def test_a_wrong_body_is_a_validation_error(search, body, problem):
    status, code, message = search(**body)
    assert (status, code) == (400, "validation_error")
    assert problem in message


@pytest.mark.parametrize(
    ("body", "code"),
    [(b"{", "invalid_json"), (b"\xff", "invalid_json"), (b"[" * 10_000, "invalid_json"), (b"[]", "validation_error")],
)
def test_a_body_that_is_no_object(notion, body, code):
    reply = notion("/v1/search", method="POST", headers=VERSION, body=body)
    assert (reply.status, json.loads(reply.body)["code"]) == (400, code)


def test_pages_of_results_go_once_through_everything(notion):
    seen, cursor = [], None
    while True:
        body = {"page_size": 1} | ({"start_cursor": cursor} if cursor else {})
        page = json.loads(notion("/v1/search", method="POST", headers=VERSION, body=json.dumps(body).encode()).body)
        seen += [item["id"] for item in page["results"]]
        cursor = page["next_cursor"]
        assert page["has_more"] is (cursor is not None)
        if cursor is None:
            break
    assert len(set(seen)) == len(seen) == 4
    assert page["request_status"] == {"type": "complete"}


def test_more_results_than_notion_gives_are_cut_and_say_so(ask, monkeypatch):
    monkeypatch.setattr("orchestrator.sandbox.notion.MAX_RESULTS", 3)
    asker = ask("notion", [{"title": f"note {n}"} for n in range(4)])
    pages, cursor = [], None
    while not pages or cursor:
        body = {"query": "note", "page_size": 2} | ({"start_cursor": cursor} if cursor else {})
        reply = asker("/v1/search", method="POST", headers=VERSION, body=json.dumps(body).encode())
        pages.append(json.loads(reply.body))
        cursor = pages[-1]["next_cursor"]
    assert [len(page["results"]) for page in pages] == [2, 1]
    assert pages[0]["request_status"] == {"type": "complete"}
    assert pages[1]["request_status"] == {"type": "incomplete", "incomplete_reason": "query_result_limit_reached"}


@pytest.mark.parametrize(
    ("headers", "token", "status", "code"),
    [
        (VERSION, None, 401, "unauthorized"),
        (VERSION, "ntn_wrong", 401, "unauthorized"),
        ({}, "", 400, "missing_version"),
        ({"Notion-Version": "2022-06-28"}, "", 400, "validation_error"),
        ({"Notion-Version": "soon"}, "", 400, "validation_error"),
    ],
)
def test_token_and_version_are_required(notion, headers, token, status, code):
    reply = notion("/v1/users/me", token=token, headers=headers)
    assert (reply.status, json.loads(reply.body)["code"]) == (status, code)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/everything", 400, "invalid_request_url"),
        ("GET", "/", 400, "invalid_request_url"),
        ("GET", "/v1/search", 405, "invalid_request_url"),
        ("GET", "/v1/pages/xyz", 400, "validation_error"),
        ("GET", "/v1/pages/00000000-0000-4000-8000-000000000000", 404, "object_not_found"),
        ("GET", "/v1/blocks/00000000-0000-4000-8000-000000000000/children", 404, "object_not_found"),
        ("GET", "/v1/users/00000000-0000-4000-8000-000000000000", 404, "object_not_found"),
        ("GET", "/v1/data_sources/00000000-0000-4000-8000-000000000000", 404, "object_not_found"),
        ("GET", "/v1/databases/00000000-0000-4000-8000-000000000000", 404, "object_not_found"),
        ("GET", "/v1/databases/0123456789abcdef0123456789abcdef", 404, "object_not_found"),
        ("GET", "/v1/databases/xyz", 400, "validation_error"),
    ],
)
def test_what_is_not_there(notion, method, path, status, code):
    reply = notion(path, method=method, headers=VERSION)
    error = json.loads(reply.body)
    assert (reply.status, error["object"], error["code"], error["status"]) == (status, "error", code, status)
    assert error["request_id"]


def test_a_page_carries_the_id_of_its_link_and_its_parent(notion):
    page = notion.json("/v1/pages/0123456789abcdef0123456789abcdef", headers=VERSION)
    assert (page["id"], page["url"]) == ("01234567-89ab-cdef-0123-456789abcdef", LINK)
    assert page["parent"]["type"] == "data_source_id"
    assert page["properties"]["Name"]["title"][0]["plain_text"] == "결제 시스템 Payment spec"
    assert "archived" not in page
    source = notion.json(f"/v1/data_sources/{page['parent']['data_source_id']}", headers=VERSION)
    assert source["title"][0]["plain_text"] == "위키"


def test_a_database_is_the_frame_of_its_data_source(notion):
    page = notion.json("/v1/pages/0123456789abcdef0123456789abcdef", headers=VERSION)
    parent = page["parent"]
    database = notion.json(f"/v1/databases/{parent['database_id']}", headers=VERSION)
    assert (database["object"], database["id"]) == ("database", parent["database_id"])
    assert database["data_sources"] == [{"id": parent["data_source_id"], "name": "위키"}]
    assert database["title"][0]["plain_text"] == "위키"
    assert "properties" not in database, "they are the data source's since 2025-09-03"


def test_a_page_inside_a_page_and_the_older_version(notion):
    found = notion("/v1/search", method="POST", headers={"Notion-Version": "2025-09-03"}, body=b'{"query": "retry"}')
    page = json.loads(found.body)["results"][0]
    assert page["parent"] == {"type": "page_id", "page_id": "01234567-89ab-cdef-0123-456789abcdef"}
    assert page["properties"]["title"]["title"][0]["plain_text"] == "Payment retry policy"
    assert page["last_edited_time"] == "2026-03-10T12:34:00.000Z", "to the minute"
    assert page["archived"] is False


def test_content_as_markdown_needs_the_newer_version(notion):
    path = "/v1/pages/0123456789abcdef0123456789abcdef/markdown"
    assert notion.json(path, headers=VERSION)["markdown"] == ROWS[0]["text"]
    assert notion(path, headers={"Notion-Version": "2025-09-03"}).status == 400


def test_content_as_blocks(notion):
    path = "/v1/blocks/0123456789abcdef0123456789abcdef/children"
    listed = notion.json(path, headers=VERSION)["results"]
    assert [block["type"] for block in listed] == ["heading_1", "paragraph", "bulleted_list_item", "to_do"]
    assert listed[3]["to_do"]["checked"] is True
    first = notion.json(path, headers=VERSION, query={"page_size": 3})
    rest = notion.json(path, headers=VERSION, query={"page_size": 3, "start_cursor": first["next_cursor"]})
    assert [block["id"] for block in first["results"] + rest["results"]] == [block["id"] for block in listed]
    assert notion(path, headers=VERSION, query={"page_size": 101}).status == 400
    assert notion(path, headers=VERSION, query={"page_size": "x"}).status == 400
    assert notion(path, headers=VERSION, query={"start_cursor": "x"}).status == 400


def test_every_kind_of_line_becomes_its_block(ask):
    text = (
        "## h2\n### h3\n###### h6\n1. one\n> said\n---\n```python\nx = 1\n- not a list\n```\nplain\nlines\n\n"
        + "가" * 4001
    )
    asker = ask("notion", [{"title": "t", "text": text}])
    number = next(name for name in asker.served.origins() if not name.startswith("http"))
    listed = asker.json(f"/v1/blocks/{number}/children", headers=VERSION)["results"]
    assert [block["type"] for block in listed] == [
        "heading_2", "heading_3", "heading_3", "numbered_list_item", "quote", "divider", "code", "paragraph", "paragraph",
    ]  # fmt: skip
    assert listed[6]["code"]["rich_text"][0]["plain_text"] == "x = 1\n- not a list"
    assert listed[7]["paragraph"]["rich_text"][0]["plain_text"] == "plain\nlines"
    assert [len(part["plain_text"]) for part in listed[8]["paragraph"]["rich_text"]] == [2000, 2000, 1]


def test_users(notion):
    first = notion.json("/v1/users", headers=VERSION, query={"page_size": 2})
    rest = notion.json("/v1/users", headers=VERSION, query={"page_size": 2, "start_cursor": first["next_cursor"]})
    users = first["results"] + rest["results"]
    assert [user["type"] for user in users] == ["person", "person", "person", "bot"]
    assert notion.json(f"/v1/users/{users[1]['id']}", headers=VERSION)["person"]["email"] == "sarah@acme.example"
    assert notion.json("/v1/users/me", headers=VERSION)["id"] == users[3]["id"]


def test_the_record_holds_the_body_and_the_total(notion):
    reply = notion("/v1/search", method="POST", headers=VERSION, body=b'{"query": "payment", "page_size": 1}')
    assert (reply.asked, reply.hits) == ({"query": "payment", "page_size": 1}, 2)


ROW = {
    "id": "lease",
    "title": "임대차 갱신",
    "text": "",
    "container": "위키",
    "created": "2026-03-06T00:00:00Z",
    "assignee": "U02SARAH",
    "state": "In progress",
    "due": "2026-12-01",
    "labels": ["법무"],
    "fields": {
        "금액": 4200000,
        "Approved": False,
        "Signed": "2026-11-20",
        "Link": "https://acme.example",
        "비고": "초안",
    },
}


def properties(ask, rows, path):
    value = json.loads(ask("notion", rows)(path, headers=VERSION).body)
    return value["properties"]


def test_a_row_of_a_table_has_what_the_corpus_says_of_it_in_columns(ask):
    served = ask("notion", [*ROWS, ROW]).served
    number = next(each for each, row in served.origins().items() if row == "lease" and "://" not in each)
    found = properties(ask, [*ROWS, ROW], f"/v1/pages/{number}")
    held = {name: (each["type"], each[each["type"]]) for name, each in found.items()}
    assert held["Owner"][1][0]["object"] == "user"
    assert (held["Status"][0], held["Status"][1]["name"]) == ("status", "In progress")
    assert held["Due"] == ("date", {"start": "2026-12-01", "end": None, "time_zone": None})
    assert [each["name"] for each in held["Labels"][1]] == ["법무"]
    assert (held["금액"], held["Approved"], held["Link"]) == (
        ("number", 4200000),
        ("checkbox", False),
        ("url", "https://acme.example"),
    )
    assert (held["Signed"][0], held["비고"][0], held["비고"][1][0]["plain_text"]) == ("date", "rich_text", "초안")
    assert held["Name"][1][0]["plain_text"] == "임대차 갱신"


def test_a_page_that_stands_in_no_table_has_its_title_alone(ask):
    served = ask("notion", [*ROWS, ROW | {"container": ""}]).served
    number = next(each for each, row in served.origins().items() if row == "lease" and "://" not in each)
    assert list(properties(ask, [*ROWS, ROW | {"container": ""}], f"/v1/pages/{number}")) == ["title"]


def test_a_data_source_describes_the_columns_of_its_rows(ask):
    body = json.dumps({"query": "위키"}).encode()
    reply = ask("notion", [*ROWS, ROW])("/v1/search", method="POST", headers=VERSION, body=body)
    (found,) = (each for each in json.loads(reply.body)["results"] if each["object"] == "data_source")
    types = {name: each["type"] for name, each in found["properties"].items()}
    assert types["Owner"] == "people"
    groups = {each["name"]: len(each["option_ids"]) for each in found["properties"]["Status"]["status"]["groups"]}
    assert groups == {"To-do": 0, "In progress": 1, "Complete": 0}
