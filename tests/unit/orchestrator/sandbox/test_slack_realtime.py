"""Real-time Search as Slack's reference describes it: clauses, modifiers, windows, scopes, bots, paging."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROWS = [
    {
        "id": "plan",
        "text": "쿠버네티스 배포 일정을 정했습니다 & <확정>",
        "container": "결제-개발",
        "author": "U01HANEUL",
        "created": "2026-03-01T01:00:00Z",
        "files": ["배포 계획.pdf", "logo.png"],
    },
    {
        "id": "reply",
        "text": "k8s deploys on Friday @sarah",
        "container": "결제-개발",
        "author": "U02SARAH",
        "thread": "plan",
        "created": "2026-03-02T01:00:00Z",
    },
    {
        "id": "secret",
        "text": "배포 비밀",
        "container": "임원",
        "author": "U03BORA",
        "private": True,
        "created": "2026-03-03T01:00:00Z",
    },
    {"id": "bot", "text": "deploy finished", "container": "결제-개발", "created": "2026-03-04T01:00:00Z"},
]
EVERYWHERE = ["public_channel", "private_channel", "mpim", "im"]


@pytest.fixture
def slack(ask):
    """Three messages in a public channel, one of them a reply, and one in a private channel."""
    return ask("slack", ROWS)


@pytest.fixture
def search(slack):
    """Search with a JSON body; the rows found, in order, or the error."""
    origins = slack.served.origins()

    def run(token="", **body):
        reply = slack(
            "/api/assistant.search.context",
            method="POST",
            token=token,
            headers={"Content-Type": "application/json; charset=utf-8"},
            body=json.dumps({"query": "x", **body}).encode(),
        )
        value = json.loads(reply.body)
        assert reply.status == 200
        if not value["ok"]:
            return value["error"]
        return [origins[item["permalink"]] for item in value["results"].get("messages", ())] + [
            item["title"] for item in value["results"].get("files", ())
        ]

    return run


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"term_clauses": ["배포"]}, ["plan"]),
        ({"term_clauses": ["배포"], "channel_types": EVERYWHERE}, ["plan", "secret"]),
        ({"term_clauses": ["배포"], "channel_types": ["private_channel"]}, ["secret"]),
        ({"term_clauses": ["배포"], "channel_types": ["im"]}, []),
        ({"term_clauses": ["쿠버네티스 k8s"]}, ["plan", "reply"]),
        ({"term_clauses": ["쿠버네티스 k8s", "deploy"]}, ["reply"]),
        ({"term_clauses": ["deploy"], "query": "nothing of the kind"}, ["bot", "reply"]),
        ({"term_clauses": ["deploy"], "modifiers": "from:<@U02SARAH>"}, ["reply"]),
        ({"term_clauses": ["deploy"], "modifiers": "in:결제-개발 is:thread"}, ["reply"]),
        ({"term_clauses": ["deploy"], "after": 1772413200}, ["bot"]),
        ({"term_clauses": ["deploy"], "after": 1772413199, "before": 1772413201}, ["reply"]),
        ({"term_clauses": ["deploy"], "before": 1772413200}, []),
        ({"query": "deploy from:sarah"}, ["reply"]),
        ({"query": "from:me"}, ["plan"]),
        ({"query": "from:me", "modifiers": "from:sarah"}, ["plan"]),
        ({"query": "-k8s deploy"}, ["bot"]),
        ({"query": "오직 없는 말"}, []),
    ],
)
def test_clauses_are_alternatives_that_must_all_hold(search, body, found):
    """Where there are clauses the query says nothing; modifiers count for clauses only; boundaries are left out."""
    assert sorted(search(**body)) == sorted(found)


def test_order_is_by_score_or_by_time(search):
    asked = {"term_clauses": ["배포 deploy"], "channel_types": EVERYWHERE, "sort": "timestamp"}
    assert search(**asked, sort_dir="asc") == ["plan", "reply", "secret", "bot"]
    assert search(**asked) == ["bot", "secret", "reply", "plan"]
    assert set(search(term_clauses=["배포 deploy"])) == {"plan", "reply", "bot"}


def test_files_are_found_by_their_names(search):
    assert search(term_clauses=["배포"], content_types=["files"]) == ["배포 계획.pdf"]
    assert search(term_clauses=["배포"], content_types=["messages", "files"]) == ["plan", "배포 계획.pdf"]
    assert search(term_clauses=["배포"], content_types=["files"], modifiers="from:sarah") == []
    assert search(term_clauses=["배포"], content_types=["users", "channels"]) == []


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"query": ""}, "missing_query"),
        ({"query": " "}, "missing_query"),
        ({"query": 7}, "invalid_arguments"),
        ({"query": "x" * 1001}, "query_too_long"),
        ({"term_clauses": []}, "invalid_array_arg"),
        ({"term_clauses": ["a"] * 6}, "invalid_array_arg"),
        ({"term_clauses": [""]}, "invalid_array_arg"),
        ({"term_clauses": ["a" * 501]}, "invalid_array_arg"),
        ({"term_clauses": [1]}, "invalid_array_arg"),
        ({"term_clauses": {"a": 1}}, "invalid_array_arg"),
        ({"term_clauses": ["from:me"]}, "invalid_arguments"),
        ({"term_clauses": ["-a"]}, "invalid_arguments"),
        ({"term_clauses": ['"a b"']}, "invalid_arguments"),
        ({"term_clauses": ["migrat*"]}, "invalid_arguments"),
        ({"term_clauses": ["a"], "modifiers": "from:me please"}, "invalid_arguments"),
        ({"term_clauses": ["a"], "modifiers": ["from:me"]}, "invalid_arguments"),
        ({"channel_types": ["dm"]}, "invalid_array_arg"),
        ({"content_types": ["pages"]}, "invalid_array_arg"),
        ({"content_types": 3}, "invalid_array_arg"),
        ({"limit": 21}, "invalid_arguments"),
        ({"limit": 0}, "invalid_arguments"),
        ({"limit": True}, "invalid_arguments"),
        ({"after": "yesterday"}, "invalid_arguments"),
        ({"after": 1.5}, "invalid_arguments"),
        ({"sort": "relevance"}, "invalid_arguments"),
        ({"cursor": "bm8="}, "invalid_cursor"),
    ],
)
def test_what_the_reference_does_not_allow_is_refused(search, body, error):
    assert search(**body) == error


def test_pages_are_walked_to_an_empty_cursor(slack):
    seen, cursor = [], ""
    while True:
        body = {"query": "x", "term_clauses": ["배포 deploy"], "limit": 2, "cursor": cursor}
        value = slack.json(
            "/api/assistant.search.context",
            method="POST",
            headers={"Content-Type": "application/json"},
            body=json.dumps(body).encode(),
        )
        seen += [message["message_ts"] for message in value["results"]["messages"]]
        cursor = value["response_metadata"]["next_cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 3
    other = json.dumps({"query": "x", "term_clauses": ["plan"], "cursor": "bmV4dDoyOjAwMDAwMDAwMDAwMA=="}).encode()
    reply = slack.json(
        "/api/assistant.search.context", method="POST", headers={"Content-Type": "application/json"}, body=other
    )
    assert reply["error"] == "invalid_cursor"


def test_a_message_as_slack_shows_it(slack):
    body = json.dumps({"query": "x", "term_clauses": ["쿠버네티스"]}).encode()
    value = slack.json(
        "/api/assistant.search.context", method="POST", headers={"Content-Type": "application/json"}, body=body
    )
    (message,) = value["results"]["messages"]
    assert message["author_name"] == "이하늘"
    assert message["author_email"] == "haneul@acme.example"
    assert message["content"] == "쿠버네티스 배포 일정을 정했습니다 &amp; &lt;확정&gt;"
    assert message["reply_count"] == 1
    assert message["channel_name"] == "결제-개발"
    assert "channels" not in value["results"]


def test_a_bot_searches_public_channels_with_the_token_of_an_event(search):
    bot = "xoxb-sandbox"
    assert search(bot, term_clauses=["배포"]) == "invalid_action_token"
    assert search(bot, term_clauses=["배포"], action_token="old") == "invalid_action_token"
    assert search(bot, term_clauses=["배포"], action_token="sandbox-action-token") == ["plan"]
    refused = search(bot, term_clauses=["배포"], action_token="sandbox-action-token", channel_types=["private_channel"])
    assert refused == "missing_scope"


def test_scopes_are_named(slack):
    for body, scope in (
        ({"query": "x"}, "search:read.public"),
        ({"query": "x", "channel_types": ["im"]}, "search:read.im"),
    ):
        value = slack.json(
            "/api/assistant.search.context",
            method="POST",
            token="xoxp-sandbox-noscope",
            headers={"Content-Type": "application/json"},
            body=json.dumps(body).encode(),
        )
        assert (value["error"], value["needed"]) == ("missing_scope", scope)
    assert slack.json("/api/assistant.search.info", method="POST", token="xoxp-sandbox-noscope")["ok"] is False
    assert slack.json("/api/assistant.search.info", method="POST") == {"ok": True, "is_ai_search_enabled": False}


def test_a_form_says_the_same_in_text(slack):
    value = slack.json(
        "/api/assistant.search.context",
        method="POST",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        body=b"query=deploy&limit=1&after=1772413199&channel_types=public_channel,im",
    )
    assert value["ok"]
    assert len(value["results"]["messages"]) == 1


@pytest.mark.parametrize(
    ("body", "error"), [(b"{", "invalid_json"), (b"[1]", "json_not_object"), (b"", "missing_query")]
)
def test_bodies_that_are_no_object(slack, body, error):
    reply = slack.json(
        "/api/assistant.search.context", method="POST", headers={"Content-Type": "application/json"}, body=body
    )
    assert reply["error"] == error


def test_no_secret_is_kept_in_the_record(slack):
    body = {"query": "x", "action_token": "sandbox-action-token", "token": "xoxp-sandbox"}
    reply = slack(
        "/api/assistant.search.context",
        method="POST",
        headers={"Content-Type": "application/json"},
        body=json.dumps(body).encode(),
    )
    assert reply.asked == {"query": "x"}
    wrong = json.dumps({"query": "x", "token": ["a"]}).encode()
    reply = slack.json(
        "/api/assistant.search.context",
        method="POST",
        token=None,
        headers={"Content-Type": "application/json"},
        body=wrong,
    )
    assert reply["error"] == "not_authed"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    [
        "query",
        "term_clauses",
        "modifiers",
        "after",
        "before",
        "limit",
        "cursor",
        "channel_types",
        "content_types",
        "sort",
    ]
)


def test_whatever_is_sent_is_answered(ask):
    served = ask("slack", ROWS)

    @given(st.dictionaries(names, json_values, max_size=5))
    def check(body):
        reply = served(
            "/api/assistant.search.context",
            method="POST",
            headers={"Content-Type": "application/json"},
            body=json.dumps(body).encode(),
        )
        assert reply.status == 200
        assert json.loads(reply.body)["ok"] in (True, False)

    check()
