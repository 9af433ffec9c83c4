"""Gmail's query grammar, operator by operator, as messages.list answers it."""

import pytest

from orchestrator.sandbox.gmail.search import All, Any, Field, Not, parse
from orchestrator.sandbox.index import Text
from tests.rows import each_row

ROWS = [
    {"id": "plan", "title": "Deploy plan", "text": "Rollback steps attached", "author": "U02SARAH", "to": ["U01HANEUL"], "cc": ["U03BORA"], "labels": ["INBOX", "UNREAD", "Team/Infra Ops"], "attachments": ["runbook.pdf"], "created": "2026-03-01T12:00:00Z"},
    {"id": "reply", "title": "Re: Deploy plan", "text": "see https://docs.google.com/document/d/1 for the plan b", "author": "U01HANEUL", "to": ["U02SARAH"], "thread": "plan", "created": "2026-03-02T12:00:00Z"},
    {"id": "outage", "title": "결제 장애 보고", "text": "어제 장애가 있었습니다", "author": "U03BORA", "to": ["U01HANEUL"], "labels": ["INBOX", "IMPORTANT", "STARRED"], "created": "2026-03-10T00:00:00Z"},
    {"id": "news", "title": "Weekly deals", "text": "plan your week", "author": "shop@deals.example", "to": ["U01HANEUL"], "labels": ["INBOX", "CATEGORY_PROMOTIONS"], "created": "2026-03-10T09:00:00Z"},
    {"id": "spam", "title": "You won a plan", "author": "x@spam.example", "to": ["U01HANEUL"], "labels": ["SPAM"], "created": "2026-03-11T00:00:00Z"},
    {"id": "trash", "title": "Old plan", "author": "U02SARAH", "to": ["U01HANEUL"], "bcc": ["U03BORA"], "labels": ["TRASH"], "created": "2026-03-12T00:00:00Z"},
]  # fmt: skip


@pytest.fixture
def search(ask):
    """Ask a query; the ids found, in order."""
    asker = ask("gmail", ROWS)
    origins = asker.served.origins()

    def run(query, **options):
        reply = asker.json("/gmail/v1/users/me/messages", query={"q": query, **options})
        assert "error" not in reply, reply
        return [origins[message["id"]] for message in reply.get("messages", [])]

    return run


@each_row(
    ("query", "found"),
    [
        ("", ["news", "outage", "reply", "plan"]),
        ("plan", ["news", "reply", "plan"]),
        ("deploy PLAN", ["reply", "plan"]),
        ("plans", []),
        ("pla", []),
        ('"deploy plan"', ["reply", "plan"]),
        ('"plan deploy"', []),
        ("장애", ["outage"]),
        ("장애가", ["outage"]),
        ("plan -deploy", ["news"]),
        ("-plan", ["outage"]),
        ('-"deploy plan" plan', ["news"]),
        ("rollback OR 장애", ["outage", "plan"]),
        ("plan rollback OR week", ["news", "plan"]),
        ("plan OR", ["news", "reply", "plan"]),
        ("OR plan", ["news", "reply", "plan"]),
        ("plan or deploy", []),
        ("plan AND deploy", ["reply", "plan"]),
        ("{rollback week}", ["news", "plan"]),
        ("{rollback week 장애} -{week}", ["outage", "plan"]),
        ("(plan deploy) rollback", ["plan"]),
        ("-(plan deploy) plan", ["news"]),
        ("plan (rollback OR week)", ["news", "plan"]),
        ("+rollback", ["plan"]),
        ("runbook", ["plan"]),
        ("sarah", ["reply", "plan"]),
        ("최보라", ["outage", "plan"]),
        ("()", ["news", "outage", "reply", "plan"]),
        ("!!!", ["news", "outage", "reply", "plan"]),
        ("foo:plan", []),
        ("docs:google", ["reply"]),
        ("google:docs", []),
        ("https://docs.google.com/document", ["reply"]),
        ('"deploy', ["reply", "plan"]),
        ("(plan", ["news", "reply", "plan"]),
        ("plan) deploy", ["reply", "plan"]),
        ("rollback AROUND 3 attached", []),
    ],
)
def test_words(search, query, found):
    assert search(query) == found


@each_row(
    ("query", "found"),
    [
        ("from:sarah@acme.example", ["plan"]),
        ("from:sarah", ["plan"]),
        ("from:(sarah OR bora)", ["outage", "plan"]),
        ("from:{sarah bora}", ["outage", "plan"]),
        ('from:"Sarah Kim"', ["plan"]),
        ("from:최보라", ["outage"]),
        ("from:acme.example", ["outage", "reply", "plan"]),
        ("from:me", ["reply"]),
        ("to:me", ["news", "outage", "plan"]),
        ("to:sarah", ["reply"]),
        ("cc:me", []),
        ("bcc:me", []),
        ("deliveredto:me", ["news", "outage", "plan"]),
        ("to:bora", []),
        ("cc:bora", ["plan"]),
        ("bcc:bora", []),
        ("bcc:bora in:anywhere", ["trash"]),
        ("deliveredto:bora@acme.example", ["plan"]),
        ("-from:me deploy", ["plan"]),
        ("from:nobody", []),
        ("subject:plan", ["reply", "plan"]),
        ("subject:(deploy plan)", ["reply", "plan"]),
        ("subject:(deploy -re)", ["plan"]),
        ('subject:"결제 장애"', ["outage"]),
        ("subject:week", []),
        ("SUBJECT:weekly", ["news"]),
        ("label:team-infra-ops", ["plan"]),
        ("label:Team/Infra-Ops", ["plan"]),
        ("label:inbox", ["news", "outage", "plan"]),
        ("label:nowhere", []),
        ("in:inbox", ["news", "outage", "plan"]),
        ("in:sent", ["reply"]),
        ("in:spam", ["spam"]),
        ("in:trash", ["trash"]),
        ("in:anywhere plan", ["trash", "spam", "news", "reply", "plan"]),
        ("in:drafts", []),
        ("is:unread", ["plan"]),
        ("is:read", ["news", "outage", "reply"]),
        ("is:starred", ["outage"]),
        ("is:important", ["outage"]),
        ("is:muted", []),
        ("category:promotions", ["news"]),
        ("category:primary", ["outage", "reply", "plan"]),
        ("category:social", []),
        ("has:attachment", ["plan"]),
        ("has:document", ["reply"]),
        ("has:drive", ["reply"]),
        ("has:youtube", []),
        ("has:userlabels", ["plan"]),
        ("has:nouserlabels plan", ["news", "reply"]),
        ("has:cheese", []),
        ("filename:pdf", ["plan"]),
        ("filename:runbook.pdf", ["plan"]),
        ("filename:doc", []),
        ("list:anything", []),
        ("larger:20K", ["plan"]),
        ("size:20000", ["plan"]),
        ("smaller:20K plan", ["news", "reply"]),
        ("larger:big", []),
        ("larger:1M", []),
        ("from:", []),
        ("from:()", ["news", "outage", "reply", "plan"]),
        ("rfc822msgid:<no:such@id>", []),
    ],
)
def test_operators(search, query, found):
    assert search(query) == found


@each_row(
    ("query", "found"),
    [
        ("after:2026/03/10", ["news"]),
        ("before:2026/03/10", ["outage", "reply", "plan"]),
        ("after:03/10/2026", ["news"]),
        ("newer:2026/3/10", ["news"]),
        ("older:2026/03/02", ["plan"]),
        ("after:2026/03/02 before:2026/03/10", ["outage", "reply"]),
        ("after:1773100800", ["news"]),
        ("after:1773100799", ["news", "outage"]),
        ("before:1773100800", ["reply", "plan"]),
        ("before:1773100801", ["outage", "reply", "plan"]),
        ("newer_than:11d", ["news", "outage"]),
        ("older_than:10d", ["outage", "reply", "plan"]),
        ("newer_than:1m", ["news", "outage", "reply", "plan"]),
        ("older_than:1y", []),
        ("older_than:5000y", []),
        ("newer_than:2h", []),
        ("after:2026-03-10", []),
        ("after:2026/02/30", []),
        ("after:soon", []),
        ("before:9999/12/31", ["news", "outage", "reply", "plan"]),
    ],
)
def test_days_begin_in_california_and_boundaries_are_excluded(search, query, found):
    """2026-03-10 00:00 UTC is still the 9th there; epoch seconds mean the same everywhere."""
    assert search(query) == found


def test_spam_and_trash_are_hidden_unless_asked_for(search):
    assert search("plan", includeSpamTrash="true") == ["trash", "spam", "news", "reply", "plan"]
    assert search("plan", labelIds="TRASH") == ["trash"]


def test_the_grammar_as_a_tree():
    assert parse('a OR -b from:(c "d e") x:y -{f g} after:2026/01/01') == All(
        (
            Any((Text("a"), Not(Text("b")))),
            Field("from", All((Text("c"), Text("d e", quoted=True)))),
            Text("x:y"),
            Not(Any((Text("f"), Text("g")))),
            Field("after", Text("2026/01/01")),
        )
    )
    assert parse("a OR b OR c") == All((Any((Text("a"), Text("b"), Text("c"))),))
    assert parse("rfc822msgid:<a:b@c>") == All((Field("rfc822msgid", Text("<a:b@c>")),))
    assert parse("from:(") == parse("from:()") == All(())
    assert parse("from: bora") == All((Text("from:"), Text("bora")))
