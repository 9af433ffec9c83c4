"""Slack's query grammar, rule by rule, as search.messages answers it."""

import pytest

from orchestrator.sandbox.slack.search import Modifier, Needle, parse

ROWS = [
    {"id": "plan", "text": "Deploy plan for the billing API", "container": "platform", "author": "U02SARAH", "created": "2026-03-02T01:00:00Z"},
    {"id": "plans", "text": "deploying billing plans tomorrow", "container": "platform", "author": "U03BORA", "created": "2026-03-03T01:00:00Z", "reactions": ["eyes"]},
    {"id": "outage", "text": "어제 결제 장애가 났습니다 https://status.example/1", "container": "결제-개발", "author": "U01HANEUL", "created": "2026-03-04T01:00:00Z"},
    {"id": "cause", "text": "장애의 원인은 인증서 만료", "container": "결제-개발", "author": "U03BORA", "created": "2026-03-05T01:00:00Z", "thread": "outage"},
    {"id": "secret", "text": "billing reorg", "container": "leadership", "author": "U02SARAH", "created": "2026-03-06T01:00:00Z", "private": True, "files": ["org.png"], "pinned": True, "saved": True},
    {"id": "night", "text": "late note", "container": "platform", "author": "U02SARAH", "created": "2026-03-09T15:30:00Z"},
]  # fmt: skip


@pytest.fixture
def search(ask):
    """Ask a query; the ids found, in order."""
    asker = ask("slack", ROWS)
    origins = asker.served.origins()

    def run(query: str, **options):
        reply = asker.json("/api/search.messages", query={"query": query, **options})
        assert reply["ok"], reply
        return [origins[match["permalink"]] for match in reply["messages"]["matches"]]

    run.ask = asker
    return run


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("billing", {"plan", "plans", "secret"}),
        ("billing plan", {"plan", "plans"}),
        ("plan BILLING", {"plan", "plans"}),
        ('"billing plans"', {"plans"}),
        ('"plans billing"', set()),
        ('"billing plan"', set()),
        ("billing -deploy", {"secret"}),
        ("dep*", {"plan", "plans"}),
        ("de*", set()),
        ("bil", set()),
        ("bill", {"plan", "plans", "secret"}),
        ("장애", {"outage", "cause"}),
        ("애가", set()),
        ('"결제 장애"', {"outage"}),
        ("billing OR outage", set()),
        ("(billing)", {"plan", "plans", "secret"}),
        ("billing:plan", {"plans"}),
        ("plan:billing", set()),
        ("nothing-like-it", set()),
        ('"billing', {"plan", "plans", "secret"}),
        ("!!!", set()),
        ("-billing", set()),
    ],
)
def test_words(search, query, found):
    assert set(search(query)) == found


def test_a_dash_before_a_quote_is_no_operator(search):
    """Slack documents -word, not -"phrase"; the stricter reading requires the phrase."""
    assert search('billing -"deploy plan"') == ["plan"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("from:@sarah", {"plan", "secret", "night"}),
        ("from:sarah", {"plan", "secret", "night"}),
        ("FROM:SARAH", {"plan", "secret", "night"}),
        ("from:<@U02SARAH>", {"plan", "secret", "night"}),
        ("from:<@U02SARAH|sarah>", {"plan", "secret", "night"}),
        ("from:me", {"outage"}),
        ("from:@nobody", set()),
        ("from:U02SARAH", set()),
        ("from:sarah@acme.example", set()),
        ("from:", set()),
        ("-from:sarah billing", {"plans"}),
        ("in:#platform", {"plan", "plans", "night"}),
        ("in:platform", {"plan", "plans", "night"}),
        ("in:결제-개발", {"outage", "cause"}),
        ("in:#nowhere", set()),
        ("in:@sarah", set()),
        ("-in:platform billing", {"secret"}),
        ("has:link", {"outage"}),
        ("has:reaction", {"plans"}),
        ("has::eyes:", {"plans"}),
        ("has::tada:", set()),
        ("-has::eyes: billing", {"plan", "secret"}),
        ("has:file", {"secret"}),
        ("has:image", {"secret"}),
        ("has:pin", {"secret"}),
        ("has:nonsense", set()),
        ("is:saved", {"secret"}),
        ("is:thread", {"outage", "cause"}),
        ("-is:thread 장애", set()),
        ("is:dm", set()),
        ("with:@bora", {"outage", "cause"}),
        ("with:@sarah", set()),
        ("to:me", set()),
        ("hasmy::eyes:", set()),
        ("-to:me billing", set()),
        ("-before:2020-01-01 billing", set()),
    ],
)
def test_modifiers(search, query, found):
    assert set(search(query)) == found


def test_a_channel_is_also_named_by_its_id(search):
    listed = search.ask.json("/api/conversations.list")["channels"]
    number = next(channel["id"] for channel in listed if channel["name"] == "platform")
    assert set(search(f"in:<#{number}>")) == set(search(f"in:<#{number}|platform>")) == {"plan", "plans", "night"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("after:2026-03-04", {"cause", "secret", "night"}),
        ("before:2026-03-04", {"plan", "plans"}),
        ("on:2026-03-04", {"outage"}),
        ("during:2026-03-04", {"outage"}),
        ("after:2026-03-02 before:2026-03-05", {"plans", "outage"}),
        ("on:2026-03-10", {"night"}),
        ("on:2026-03-09", set()),
        ("during:march", {"plan", "plans", "outage", "cause", "secret", "night"}),
        ("during:April", set()),
        ("on:2026", {"plan", "plans", "outage", "cause", "secret", "night"}),
        ("after:2026", set()),
        ("before:2026", set()),
        ("before:yesterday", {"plan", "plans", "outage", "cause", "secret", "night"}),
        ("on:today", set()),
        ("on:2026-02-30", set()),
        ("after:2026-3-4", set()),
        ("after:soon", set()),
        ("after:9999-12-31", set()),
        ("after:0001-01-01", {"plan", "plans", "outage", "cause", "secret", "night"}),
    ],
)
def test_dates_exclude_the_day_they_name_and_days_begin_in_seoul(search, query, found):
    assert set(search(query)) == found


def test_days_begin_where_the_token_s_owner_is(ask):
    in_utc = ask("slack", ROWS, zone="UTC").json("/api/search.messages", query={"query": "on:2026-03-09"})
    assert in_utc["messages"]["total"] == 1


def test_score_then_time_orders_results_and_time_can_be_asked_for(search):
    assert search("billing", sort="timestamp") == ["secret", "plans", "plan"]
    assert search("billing", sort="timestamp", sort_dir="asc") == ["plan", "plans", "secret"]
    assert search("billing")[0] == "secret", "the shortest message weighs the word most"
    assert search("in:platform") == ["night", "plans", "plan"], "without words, the latest comes first"


def test_highlighting_marks_whole_words_but_no_markup(ask):
    asker = ask("slack", [{"text": "결제 장애가 났다 <장애> & https://장애.example/장애 by @haneul deploying"}])
    reply = asker.json("/api/search.messages", query={"query": "장애 deploy haneul*", "highlight": "true"})
    assert reply["messages"]["total"] == 1
    assert reply["messages"]["matches"][0]["text"] == (
        "결제 \ue000장애가\ue001 났다 &lt;\ue000장애\ue001&gt; &amp; <https://장애.example/장애> by <@U01HANEUL> \ue000deploying\ue001"
    )


def test_the_grammar_as_a_tree():
    parsed = parse('plan -old "two words" dep* from:@a -in:#b odd:word -- plan')
    assert parsed.wanted == (
        Needle("plan", "word"),
        Needle("two words", "phrase"),
        Needle("dep", "prefix"),
        Needle("odd:word", "word"),
    )
    assert parsed.unwanted == (Needle("old", "word"),)
    assert parsed.modifiers == (Modifier("from", "@a"), Modifier("in", "#b", negated=True))
