"""Slack's Web API around the search: tokens, errors, paging, conversations, members."""

import json
from urllib.parse import urlencode

import pytest

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def slack(ask):
    """Thirty numbered messages, a thread, a private channel."""
    rows = [
        {
            "id": f"n{n:02d}",
            "text": f"number {n}",
            "container": "Numbers",
            "author": "U02SARAH",
            "created": f"2026-03-01T00:{n:02d}:00Z",
        }
        for n in range(30)
    ]
    rows += [
        {
            "id": "r2",
            "text": "second reply",
            "container": "Numbers",
            "author": "U03BORA",
            "thread": "n00",
            "created": "2026-03-02T00:00:01Z",
            "reactions": ["eyes"],
        },
        {
            "id": "r1",
            "text": "first reply",
            "container": "Numbers",
            "author": "U02SARAH",
            "thread": "n00",
            "created": "2026-03-02T00:00:00Z",
        },
        {
            "id": "p",
            "text": "number hidden",
            "container": "leadership",
            "author": "U03BORA",
            "private": True,
            "created": "2026-03-03T00:00:00Z",
        },
    ]
    return ask("slack", rows)


@pytest.mark.parametrize(
    ("token", "method", "error"),
    [
        (None, "search.messages", "not_authed"),
        ("xoxp-wrong", "search.messages", "invalid_auth"),
        ("xoxb-sandbox", "search.messages", "not_allowed_token_type"),
        ("xoxp-sandbox-noscope", "search.messages", "missing_scope"),
        ("xoxp-sandbox", "search.messages", "no_query"),
        ("xoxp-sandbox", "search.everything", "unknown_method"),
        ("xoxp-sandbox", "users.info", "user_not_found"),
        ("xoxp-sandbox", "users.lookupByEmail", "users_not_found"),
        ("xoxp-sandbox", "conversations.history", "channel_not_found"),
        ("xoxp-sandbox", "chat.getPermalink", "channel_not_found"),
    ],
)
def test_what_is_wrong_is_said_with_http_200(slack, token, method, error):
    reply = slack(f"/api/{method}", token=token)
    assert (reply.status, json.loads(reply.body)["error"]) == (200, error)


def test_a_missing_scope_is_named(slack):
    reply = slack.json("/api/search.messages", token="xoxp-sandbox-noscope", query={"query": "x"})
    assert reply["needed"] == "search:read"
    assert "users:read" in reply["provided"]


def test_paths_and_verbs_that_are_not_slack_s(slack):
    assert slack("/elsewhere").status == 404
    assert slack("/api/auth.test", method="DELETE").status == 405


@pytest.mark.parametrize(
    "options",
    [
        {"count": "x"},
        {"count": "0"},
        {"count": "-1"},
        {"page": "0"},
        {"page": "101"},
        {"sort": "date"},
        {"sort_dir": "down"},
    ],
)
def test_values_out_of_range_are_invalid_arguments(slack, options):
    assert slack.json("/api/search.messages", query={"query": "number", **options})["error"] == "invalid_arguments"


def test_a_form_and_a_token_in_it_are_as_good_as_a_query_string(slack):
    body = urlencode({"token": "xoxp-sandbox", "query": "number", "count": 2}).encode()
    reply = slack("/api/search.messages", method="POST", token=None, headers=FORM, body=body)
    assert json.loads(reply.body)["messages"]["total"] == 31
    assert reply.asked == {"query": "number", "count": "2"}, "the token is not recorded"
    assert reply.hits == 31


def test_a_multipart_form_is_read_and_json_is_not(slack):
    body = b'--b\r\nContent-Disposition: form-data; name="query"\r\n\r\n\xec\x88\xab\xec\x9e\x90\r\n--b--\r\n'
    multipart = slack(
        "/api/search.messages", method="POST", headers={"Content-Type": "multipart/form-data; boundary=b"}, body=body
    )
    assert multipart.asked == {"query": "숫자"}
    as_json = slack(
        "/api/search.messages", method="POST", headers={"Content-Type": "application/json"}, body=b'{"query": "x"}'
    )
    assert json.loads(as_json.body)["error"] == "no_query"


def test_pages_by_number(slack):
    first = slack.json("/api/search.messages", query={"query": "number", "sort": "timestamp", "count": 20})["messages"]
    second = slack.json("/api/search.messages", query={"query": "number", "sort": "timestamp", "count": 20, "page": 2})[
        "messages"
    ]
    assert [len(first["matches"]), len(second["matches"])] == [20, 11]
    assert second["paging"] == {"count": 20, "total": 31, "page": 2, "pages": 2}
    assert second["pagination"] == {
        "total_count": 31,
        "page": 2,
        "per_page": 20,
        "page_count": 2,
        "first": 21,
        "last": 31,
    }
    beyond = slack.json("/api/search.messages", query={"query": "number", "page": 3})["messages"]
    assert beyond["matches"] == []


def test_at_most_100_are_given(slack):
    assert (
        slack.json("/api/search.messages", query={"query": "number", "count": 500})["messages"]["paging"]["count"]
        == 100
    )


def test_pages_by_cursor_go_once_through_everything(slack):
    seen, cursor = [], "*"
    while cursor:
        page = slack.json("/api/search.messages", query={"query": "number", "count": 7, "cursor": cursor})["messages"]
        seen += [match["ts"] for match in page["matches"]]
        cursor = page["pagination"]["next_cursor"]
        assert cursor == page["paging"]["next_cursor"]
    assert len(seen) == len(set(seen)) == 31


@pytest.mark.parametrize("cursor", ["x", "bmV4dDo=", "%00", "한글"])
def test_a_made_up_cursor_is_invalid(slack, cursor):
    assert slack.json("/api/search.messages", query={"query": "number", "cursor": cursor})["error"] == "invalid_cursor"


def test_a_cursor_of_another_query_is_invalid(slack):
    page = slack.json("/api/search.messages", query={"query": "number", "count": 7, "cursor": "*"})["messages"]
    other = {"query": "other", "cursor": page["pagination"]["next_cursor"]}
    assert slack.json("/api/search.messages", query=other)["error"] == "invalid_cursor"


def test_the_limited_token_sees_public_channels_only(slack):
    limited = "xoxp-sandbox-limited"
    assert slack.json("/api/search.messages", token=limited, query={"query": "hidden"})["messages"]["total"] == 0
    everything = {"types": "public_channel,private_channel"}
    assert [c["name"] for c in slack.json("/api/conversations.list", token=limited, query=everything)["channels"]] == [
        "numbers"
    ]
    private = slack.json("/api/conversations.list", query={"types": "private_channel"})["channels"][0]
    asked = {"channel": private["id"]}
    assert slack.json("/api/conversations.history", token=limited, query=asked)["error"] == "channel_not_found"
    assert slack.json("/api/conversations.info", query=asked)["channel"]["is_private"] is True


def test_who_a_token_belongs_to(slack):
    assert slack.json("/api/auth.test")["user_id"] == "U01HANEUL"
    assert slack.json("/api/auth.test", method="POST")["user"] == "haneul"
    bot = slack.json("/api/auth.test", token="xoxb-sandbox")
    assert bot["bot_id"] == "B0SANDBOX"
    guest = slack.json("/api/auth.test", token="xoxp-sandbox-limited")["user_id"]
    assert slack.json("/api/users.info", query={"user": guest})["user"]["is_restricted"] is True


def test_members(slack):
    first = slack.json("/api/users.list", query={"limit": 2})
    rest = slack.json("/api/users.list", query={"limit": 2, "cursor": first["response_metadata"]["next_cursor"]})
    members = first["members"] + rest["members"]
    assert [member["name"] for member in members] == ["haneul", "sarah", "bora", "sandbox.guest"]
    assert rest["response_metadata"]["next_cursor"] == ""
    assert members[0]["real_name"] == "이하늘"
    assert members[0]["tz_offset"] == 9 * 3600
    assert slack.json("/api/users.lookupByEmail", query={"email": "Sarah@acme.example"})["user"]["id"] == "U02SARAH"
    assert slack.json("/api/users.lookupByEmail", query={"email": "sarah"})["error"] == "users_not_found"


def test_history_is_newest_first_without_replies(slack):
    channel = slack.json("/api/conversations.list")["channels"][0]["id"]
    page = slack.json("/api/conversations.history", query={"channel": channel, "limit": 3})
    assert [message["text"] for message in page["messages"]] == ["number 29", "number 28", "number 27"]
    assert page["has_more"] is True
    after = {"channel": channel, "limit": 3, "cursor": page["response_metadata"]["next_cursor"]}
    assert slack.json("/api/conversations.history", query=after)["messages"][0]["text"] == "number 26"
    oldest = page["messages"][2]["ts"]
    assert len(slack.json("/api/conversations.history", query={"channel": channel, "oldest": oldest})["messages"]) == 2
    inclusive = {"channel": channel, "oldest": oldest, "inclusive": "true"}
    assert len(slack.json("/api/conversations.history", query=inclusive)["messages"]) == 3
    assert (
        slack.json("/api/conversations.history", query={"channel": channel, "latest": "soon"})["error"]
        == "invalid_ts_latest"
    )
    assert (
        slack.json("/api/conversations.history", query={"channel": channel, "limit": 5000})["error"] == "invalid_limit"
    )


def test_a_thread_is_read_from_any_of_its_messages(slack):
    channel = slack.json("/api/conversations.list")["channels"][0]["id"]
    found = slack.json("/api/search.messages", query={"query": "first reply"})["messages"]["matches"][0]
    thread = slack.json("/api/conversations.replies", query={"channel": channel, "ts": found["ts"]})["messages"]
    assert [message["text"] for message in thread] == ["number 0", "first reply", "second reply"]
    assert thread[0]["reply_count"] == 2
    assert thread[1]["thread_ts"] == thread[0]["ts"] == thread[2]["thread_ts"]
    assert thread[2]["reactions"][0]["name"] == "eyes"
    assert found["permalink"].endswith(f"?thread_ts={thread[0]['ts']}&cid={channel}")
    assert (
        slack.json("/api/conversations.replies", query={"channel": channel, "ts": "1.000000"})["error"]
        == "thread_not_found"
    )


def test_permalinks(slack):
    match = slack.json("/api/search.messages", query={"query": '"number 7"'})["messages"]["matches"][0]
    asked = {"channel": match["channel"]["id"], "message_ts": match["ts"]}
    assert slack.json("/api/chat.getPermalink", query=asked)["permalink"] == match["permalink"]
    assert match["permalink"] == f"https://acme.slack.com/archives/{asked['channel']}/p{match['ts'].replace('.', '')}"
    assert slack.json("/api/chat.getPermalink", query=asked | {"message_ts": "x"})["error"] == "message_not_found"


def test_links_of_the_corpus_are_kept_where_they_agree_with_its_times(ask):
    rows = [
        {
            "id": "kept",
            "text": "one",
            "container": "a",
            "created": "2026-03-01T00:00:00Z",
            "url": "https://acme.slack.com/archives/C0KEPT/p1772323200000007",
        },
        {
            "id": "wrong",
            "text": "two",
            "container": "a",
            "created": "2026-03-01T00:00:00Z",
            "url": "https://acme.slack.com/archives/C0KEPT/p1000000000000000",
        },
    ]
    matches = ask("slack", rows).json("/api/search.messages", query={"query": "in:a", "sort_dir": "asc"})["messages"][
        "matches"
    ]
    assert [match["permalink"] for match in matches] == [
        "https://acme.slack.com/archives/C0KEPT/p1772323200000000",
        "https://acme.slack.com/archives/C0KEPT/p1772323200000007",
    ]


def test_time_stamps_are_unique_in_a_channel(ask):
    rows = [{"text": "same", "container": "a", "created": "2026-03-01T00:00:00Z"} for _ in range(3)]
    matches = ask("slack", rows).json("/api/search.messages", query={"query": "same"})["messages"]["matches"]
    assert len({match["ts"] for match in matches}) == 3


def test_rows_that_lack_nearly_everything_are_served(ask):
    match = ask("slack", [{"text": "bare"}]).json("/api/search.messages", query={"query": "bare"})["messages"][
        "matches"
    ][0]
    assert (match["user"], match["username"], match["channel"]["name"]) == ("", "bot", "slack")


def test_ids_and_handles_become_mentions_and_markup_is_escaped(ask):
    asker = ask(
        "slack",
        [{"text": 'hi @sarah, @nobody, mail@sarah <script> & "https://a.example/?x=1&y=2".', "author": "eid_1"}],
    )
    match = asker.json("/api/search.messages", query={"query": "hi"})["messages"]["matches"][0]
    assert match["text"] == (
        'hi <@U02SARAH>, @nobody, mail@sarah &lt;script&gt; &amp; "<https://a.example/?x=1&amp;y=2>".'
    )
    assert match["user"].startswith("U")
    assert match["user"].isupper()
