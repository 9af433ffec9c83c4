"""Google Drive's query language: what it accepts, what it refuses, and which files it finds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox.drive.search import All, Any, Condition, Member, Not, QueryError, parse
from orchestrator.sandbox.google import FieldError, limited, mask_of, masked
from tests.rows import each_row

FILES = "/drive/v3/files"
ROWS = [
    {"id": "plan", "kind": "document", "title": "마이그레이션 계획", "text": "API를 12월에 옮긴다. 배포 일정은 미정.", "author": "U01HANEUL",
     "container": "결제 플랫폼", "created": "2026-01-10T00:00:00Z", "updated": "2026-03-01T00:00:00Z", "saved": True},
    {"id": "budget", "kind": "spreadsheet", "title": "Budget_2026 final", "text": "team,EUR\nHello there world", "author": "U02SARAH",
     "container": "Finance", "created": "2026-02-01T00:00:00Z", "to": ["U01HANEUL"]},
    {"id": "deck", "kind": "presentation", "title": "HelloWorld deck", "text": "hello_world slides", "author": "U02SARAH", "team": "Marketing",
     "created": "2026-02-02T00:00:00Z"},
    {"id": "contract", "kind": "pdf", "title": "contract.pdf", "text": "Norvale agrees to pay", "author": "U03BORA", "team": "Legal", "container": "2026",
     "created": "2026-02-03T00:00:00Z"},
    {"id": "old", "kind": "document", "title": "Old plan", "text": "plan of last year", "author": "U01HANEUL", "state": "trashed",
     "created": "2025-01-01T00:00:00Z", "description": "superseded by the new one"},
    {"id": "secret", "kind": "document", "title": "Salaries", "text": "plan", "author": "U02SARAH", "private": True, "created": "2026-01-01T00:00:00Z"},
]  # fmt: skip
EVERYWHERE = {"corpora": "allDrives", "includeItemsFromAllDrives": "true", "supportsAllDrives": "true"}


@pytest.fixture
def drive(ask):
    """Six files in two shared drives and three folders, one of them in nobody's sight."""
    return ask("drive", ROWS)


@pytest.fixture
def found(drive):
    """The rows that a query finds, folders left out."""
    origins = drive.served.origins()

    def run(q, **more):
        query = {"q": q, "pageSize": 100, **EVERYWHERE, **more}
        files = drive.json(FILES, query=query)["files"]
        return [origins[file["id"]] for file in files if file["id"] in origins]

    return run


@each_row(
    ("q", "rows"),
    [
        ("fullText contains 'plan'", ["old"]),
        ("fullText contains 'HelloWorld'", ["deck"]),
        ("fullText contains 'Hello'", ["deck", "budget"]),
        ("fullText contains '\"Hello there\"'", ["budget"]),
        ("fullText contains '\"Hello world\"'", ["deck"]),
        ("fullText contains 'world Hello'", ["deck", "budget"]),
        ("fullText contains '일정은'", ["plan"]),
        ("fullText contains '일정'", []),
        ("fullText contains 'superseded'", ["old"]),
        ("fullText contains '!!!'", []),
        ("not fullText contains 'Hello'", ["plan", "contract", "old"]),
        ("name contains 'Hello'", ["deck"]),
        ("name contains 'World'", []),
        ("name contains '마이그'", ["plan"]),
        ("name contains 'fin budg'", ["budget"]),
        ("name = 'contract.pdf'", ["contract"]),
        ("name != 'contract.pdf' and trashed = false", ["plan", "deck", "budget"]),
        ("mimeType = 'application/pdf'", ["contract"]),
        ("mimeType contains 'google-apps.pres'", ["deck"]),
        ("mimeType != 'application/pdf' and mimeType != 'application/vnd.google-apps.document'", ["deck", "budget"]),
        ("modifiedTime >= '2026-03-01T09:00:00+09:00'", ["plan"]),
        ("modifiedTime > '2026-03-01T00:00:00Z'", []),
        ("createdTime < '2026-02-02' and createdTime >= '2026-02-01'", ["budget"]),
        ("modifiedTime = '2026-02-02T00:00:00.000Z' or modifiedTime != '2026-02-02' and starred = true", ["plan", "deck"]),
        ("'me' in owners and not trashed", ["plan"]),
        ("'SARAH@acme.example' in owners", ["budget"]),
        ("'me' in writers", ["plan", "budget", "old"]),
        ("'bora@acme.example' in readers", ["contract"]),
        ("sharedWithMe", ["budget"]),
        ("sharedWithMe = true and starred != true", ["budget"]),
        ("starred", ["plan"]),
        ("trashed = true", ["old"]),
        ("trashed != true and visibility = 'limited'", ["plan", "contract", "deck", "budget"]),
        ("visibility != 'limited'", []),
        ("(name contains 'hello' or name contains 'budget') and 'sarah@acme.example' in owners", ["budget"]),
        ("", ["plan", "contract", "deck", "budget", "old"]),
    ],
)  # fmt: skip
def test_what_a_query_finds(found, q, rows):
    """Whole tokens in texts, beginnings in names; without words, and among equals, the latest first."""
    assert found(q) == rows


def test_a_folder_and_a_shared_drive_are_places(drive, found):
    """Parents are direct; a shared drive is its top folder, and searched by a parameter of its own."""
    folders = drive.json(FILES, query={"q": "mimeType = 'application/vnd.google-apps.folder'", **EVERYWHERE})["files"]
    ids = {folder["name"]: folder["id"] for folder in folders}
    assert ids.keys() == {"결제 플랫폼", "Finance", "2026"}
    assert found(f"'{ids['결제 플랫폼']}' in parents") == ["plan"]
    assert found("'root' in parents") == ["old"]
    legal = {each["name"]: each["id"] for each in drive.json("/drive/v3/drives")["drives"]}["Legal"]
    assert found(f"'{legal}' in parents") == []
    assert found("", corpora="drive", driveId=legal) == ["contract"]


def test_what_each_corpora_holds(found):
    """Shared drives only where they are asked for."""
    assert found("trashed = false", corpora="user") == ["plan", "budget"]
    assert found("trashed = false", corpora="domain") == ["plan", "budget"]
    assert found("trashed = false") == ["plan", "contract", "deck", "budget"]


@each_row(
    ("order", "first"),
    [
        ("modifiedTime", "old"), ("modifiedTime desc", "plan"), ("name", "budget"), ("name desc", "plan"), ("createdTime desc", "contract"),
        ("starred,name_natural", "budget"), ("starred desc", "plan"), ("quotaBytesUsed", "old"), ("folder,recency desc", "plan"), ("sharedWithMeTime", "old"),
    ],
)  # fmt: skip
def test_orders(found, order, first):
    assert found("", orderBy=order)[0] == first


@each_row(
    "q",
    [
        "plan", "'plan'", "name", "name contains", "name contains plan", 'name contains "plan"', "name > 'a'", "fullText = 'a'", "title contains 'a'",
        "name contains 'it's'", "name contains 'a", "name contains 'a' name contains 'b'", "name contains 'a' and", "(name = 'a'", "name = 'a')", "()",
        "not", "trashed = 'false'", "trashed = maybe", "trashed > true", "modifiedTime > 'yesterday'", "modifiedTime > '2026-13-01'", "modifiedTime > 2026",
        "modifiedTime > '0001-01-01T00:00:00+14:00'", "'a' in name", "'a' of owners", "owners in 'a'", "sharedWithMe = false", "sharedWithMe != true",
        "not sharedWithMe", "name AND name", "name = 'a' OR name = 'b'", "#", "fullText contains contains 'a'", "and 'a' in owners", "(" * 500 + "starred" + ")" * 500,
    ],
)  # fmt: skip
def test_what_is_refused(drive, q):
    """As Google says it: which parameter, and no more."""
    error = drive.json(FILES, query={"q": q})["error"]
    assert (error["code"], error["message"]) == (400, "Invalid Value")
    assert error["errors"][0] == {
        "message": "Invalid Value", "domain": "global", "reason": "invalid", "locationType": "parameter", "location": "q",
    }  # fmt: skip


def test_the_tree_of_a_query():
    """Quotes and backslashes are escaped by a backslash; and binds closer than or."""
    assert parse("") == All(())
    assert parse(r"name = 'it\'s \\ it'") == Condition("name", "=", r"it's \ it")
    a, b, c = (Member(letter, "owners") for letter in "abc")
    assert parse("'a' in owners or 'b' in owners and not 'c' in owners") == Any((a, All((b, Not(c)))))
    assert parse("('a' in owners or 'b' in owners) and 'c' in owners") == All((Any((a, b)), c))


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            ["'", "\\", "(", ")", "not ", "name ", "contains ", "'a' ", "in ", "owners ", "and ", "or ", "= ", "true "]
        ),
        max_size=20,
    ).map("".join)
)
def test_any_query_is_read_or_refused(text):
    """Nothing else comes of it."""
    try:
        parse(text)
    except QueryError:
        return


KNOWN = mask_of("a,b(c,d(e)),f")
VALUE = {"a": 1, "b": [{"c": 2, "d": {"e": 3}}, {"c": 4}], "f": 5}


@each_row(
    ("text", "left"),
    [
        ("a", {"a": 1}),
        ("a,f", {"a": 1, "f": 5}),
        ("b", {"b": VALUE["b"]}),
        ("b(c)", {"b": [{"c": 2}, {"c": 4}]}),
        ("b/d/e, a", {"b": [{"d": {"e": 3}}, {}], "a": 1}),
        ("b(d(e))", {"b": [{"d": {"e": 3}}, {}]}),
        ("*", VALUE),
        ("b/*", {"b": VALUE["b"]}),
    ],
)
def test_what_a_mask_leaves(text, left):
    assert masked(VALUE, limited(mask_of(text), KNOWN)) == left


@each_row(
    "text",
    [
        "x",
        "b(x)",
        "a(b)",
        "",
        "a,",
        ",a",
        "a b",
        "b(",
        "b(c",
        "b()",
        "b)",
        "a;b",
        "/a",
        "b/",
        "a(" * 20 + "a" + ")" * 20,
    ],
)
def test_masks_that_are_refused(text):
    with pytest.raises(FieldError):
        limited(mask_of(text), KNOWN)


@given(st.text(alphabet="ab(),/* ", max_size=30))
def test_any_mask_is_read_or_refused(text):
    try:
        json.dumps(masked(VALUE, limited(mask_of(text), KNOWN)))
    except FieldError:
        return
