"""KQL as Graph's search answers it: the grammar, and the properties of each type of thing."""

from __future__ import annotations

import json

import pytest

from orchestrator.sandbox.microsoft365.grammar import All, Any, KqlError, Not, Property, Text, parse
from orchestrator.sandbox.microsoft365.search import span
from tests.rows import each_row

ROWS = [
    {"id": "plan", "kind": "mail", "title": "Deploy plan", "text": "Rollback steps attached", "author": "U02SARAH", "to": ["U01HANEUL"], "attachments": ["runbook.pdf"], "created": "2026-03-01T12:00:00Z"},
    {"id": "outage", "kind": "mail", "title": "결제 장애 보고", "text": "어제 장애가 있었습니다", "author": "U03BORA", "to": ["U01HANEUL"], "created": "2026-03-09T15:30:00Z"},
    {"id": "chat", "kind": "message", "text": "the plan is ready, 장애는 끝", "author": "U03BORA", "container": "eng", "created": "2026-03-11T00:00:00Z"},
    {"id": "doc", "kind": "file", "title": "Deploy plan.docx", "text": "steps & checks", "author": "U02SARAH", "container": "Team Site", "created": "2026-01-05T00:00:00Z", "updated": "2026-03-09T23:00:00Z"},
    {"id": "sheet", "kind": "file", "title": "예산.xlsx", "text": "결제 예산표", "author": "U03BORA", "container": "Pay", "created": "2026-02-05T00:00:00Z"},
    {"id": "site", "kind": "site", "title": "Team Site", "text": "plans and steps", "author": "U02SARAH", "container": "Team Site", "created": "2025-02-05T00:00:00Z"},
]  # fmt: skip
STORED = ["driveItem", "listItem", "site"]


@pytest.fixture
def search(ask):
    """Ask a query of mail, messages or what lies in SharePoint; the ids found, in order."""
    asker = ask("microsoft365", ROWS)
    origins = asker.served.origins()

    def run(query, *types, **options):
        asked = {"entityTypes": list(types), "query": {"queryString": query}, **options}
        body = json.dumps({"requests": [asked]}).encode()
        reply = asker.json("/v1.0/search/query", method="POST", body=body)
        assert "error" not in reply, reply
        return [origins[hit["hitId"]] for hit in reply["value"][0]["hitsContainers"][0].get("hits", [])]

    return run


@each_row(
    ("query", "found"),
    [
        ("plan", ["chat", "plan"]),
        ("PLAN", ["chat", "plan"]),
        ("plans", []),
        ("pla*", ["chat", "plan"]),
        ("*lan", []),  # no word by its end
        ("장애", ["outage"]),  # a word as it stands; particles are written on
        ("장애*", ["chat", "outage"]),
        ("(장애 OR 장애*)", ["chat", "outage"]),
        ("deploy plan", ["plan"]),
        ("deploy AND plan", ["plan"]),
        ('"deploy plan"', ["plan"]),
        ('"plan deploy"', []),
        ('"deploy pl"*', ["plan"]),
        ("plan -deploy", ["chat"]),
        ("plan NOT deploy", ["chat"]),
        ("plan AND NOT deploy", ["chat"]),
        ("+plan +deploy", ["plan"]),
        ("NOT plan", ["outage"]),
        ("rollback OR 장애", ["outage", "plan"]),
        ("plan rollback OR ready", ["chat", "plan"]),  # side by side binds least
        ("(plan AND rollback) OR ready", ["chat", "plan"]),
        ("plan or deploy", []),  # operators are in capitals
        ("deploy runbook", ["plan"]),
        ('"!!!"', []),
        ("from:sarah", ["plan"]),
        ("FROM:sarah", ["plan"]),
        ('from:"Sarah Kim"', ["plan"]),
        ('from:"sarah@acme.example"', ["plan"]),
        ("from:최보라", ["chat", "outage"]),
        ("from:최*", ["chat", "outage"]),
        ("from:sarah from:최보라", ["chat", "outage", "plan"]),  # one property twice is either
        ("from:sarah AND from:최보라", []),
        ("from:(sarah OR 최보라)", ["chat", "outage", "plan"]),
        ("from:(NOT sarah)", ["chat", "outage"]),
        ("from:(sarah 최보라)", []),
        ("from: sarah", []),  # a blank makes it words
        ("from<>sarah", ["chat", "outage"]),
        ("to:haneul", ["outage", "plan"]),
        ("author:sarah", []),  # mail has no author
        ("nosuch:sarah", []),
        ("subject:plan", ["plan"]),
        ("body:rollback", ["plan"]),
        ("attachment:runbook", ["plan"]),
        ("hasattachment:true", ["plan"]),
        ("hasattachment:false", ["chat", "outage"]),
        ("received>=2026-03-10", ["outage"]),  # 00:30 of that day where the mailbox is
        ("received<2026-03-10", ["plan"]),
        ("received:2026-03-10", ["outage"]),
        ("received=2026-03-10T00:00:00Z", []),
        ("received>2026-03-01", ["outage"]),
        ("received<=2026-03-01", ["plan"]),
        ("received<>2026-03-01", ["outage"]),
        ("received:2026-03-01..2026-03-10", ["outage", "plan"]),
        ("received>=2026-03-09T15:30:00Z", ["outage"]),
        ("received>2026-03-09T15:30:00.0Z", []),
        ("received>=yesterday", []),
        ("received:2026-02-30", []),
        ("received:soon", []),
        ("sent>=2026-03-11", ["chat"]),
        ("sent<today", ["chat", "outage", "plan"]),
    ],
)
def test_mail_and_messages(search, query, found):
    """Asked apart, as they must be."""
    asked = [*search(query, "message"), *search(query, "chatMessage")]
    assert sorted(asked) == sorted(found)


@each_row(
    ("query", "found"),
    [
        ("steps", ["doc", "site"]),
        ("author:sarah", ["doc", "site"]),
        ("CreatedBy:sarah", ["doc", "site"]),
        ("from:sarah", []),
        ("filename:plan", ["doc"]),
        ("filetype:xlsx", ["sheet"]),
        ("title:예산*", ["sheet"]),
        ("isDocument:true", ["doc", "sheet"]),
        ("isDocument=false", ["site"]),
        ('path:"https://acme.sharepoint.com/sites/Team-Site"', ["doc", "site"]),
        ('path:"https://acme.sharepoint.com/sites/Team-Site/Shared Documents"', ["doc"]),
        ("path:https://acme.sharepoint.com/sites/Pay/", ["sheet"]),
        ("LastModifiedTime>=2026-03-09", ["doc"]),
        ("LastModifiedTime>=2026-03-10", []),  # days of UTC
        ("LastModifiedTime<2026-02-05", ["site"]),
        ("Created<2026-02-05", ["doc", "site"]),
        ("received>=2020-01-01", []),
    ],
)
def test_files_and_sites(search, query, found):
    assert sorted(search(query, *STORED)) == sorted(found)


@each_row(
    ("query", "tree"),
    [
        ("a b", All((Text("a"), Text("b")))),
        ("a OR b AND c", Any((Text("a"), All((Text("b"), Text("c")))))),
        ("a b OR c", All((Text("a"), Any((Text("b"), Text("c")))))),
        ("NOT -a", Text("a")),
        ("NOT NOT NOT a", Not(Text("a"))),
        ('x:"a b" x:c', Any((Property("x", ":", Text("a b")), Property("x", ":", Text("c"))))),
        ("x>=1 AND x<2", All((Property("x", ">=", Text("1")), Property("x", "<", Text("2"))))),
        ('"a"*', Text("a", begun=True)),
        ("x:a*", Property("x", ":", Text("a", begun=True))),
        ("((a))", Text("a")),
    ],
)
def test_the_grammar(query, tree):
    assert parse(query) == tree


@each_row(
    "query",
    ["", "  ", "AND", "OR a", "a AND", "a OR", "NOT", "()", "(a", "a)", '"a', "a NEAR(n=3) b", "XRANK", "WORDS(a, b)",
     "x:(y:z)", "x:(a", "(" * 50 + "a" + ")" * 50, "a" * 5000],
)  # fmt: skip
def test_what_is_no_query(query):
    """Nothing to search for, an operator without what it joins, a parenthesis or quotation mark left open."""
    with pytest.raises(KqlError):
        parse(query)


def test_a_word_that_only_looks_like_an_operator():
    assert parse("nearby ANDROID") == All((Text("nearby"), Text("ANDROID")))


def test_days_at_the_ends_of_the_calendar_are_no_days():
    from datetime import date

    assert span("9999-12-31", date(2026, 1, 1), None) is None
    assert span("today..soon", date(2026, 1, 1), None) is None
