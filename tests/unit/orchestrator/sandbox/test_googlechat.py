"""Google Chat's message search: which filters it accepts, which messages they find, and the API around it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox import Fault
from orchestrator.sandbox.googlechat import MESSAGES_TOKEN
from orchestrator.sandbox.googlechat.search import Either, Field, FilterError, Function, parse
from orchestrator.sandbox.index import Text
from orchestrator.sandbox.wire import WireRequest

SEARCH = "/v1/spaces/-/messages:search"
ROWS = [
    {"id": "one", "kind": "message", "container": "결제 개발", "author": "U01HANEUL", "text": "배포를 12월 7일에 합니다", "created": "2026-03-01T00:00:00Z"},
    {"id": "two", "kind": "message", "container": "결제 개발", "author": "U02SARAH", "text": "Deploy plan: https://wiki.example/plan @이하늘", "thread": "one",
     "created": "2026-03-02T00:00:00Z", "updated": "2026-03-02T01:00:00Z", "files": ["plan.pdf"], "reactions": ["eyes"]},
    {"id": "three", "kind": "message", "container": "Release project", "author": "U02SARAH", "text": "release train on friday", "created": "2026-03-03T00:00:00Z"},
    {"id": "four", "kind": "message", "container": "", "author": "U03BORA", "text": "deploy deploy today?", "created": "2026-03-04T00:00:00Z"},
    {"id": "five", "kind": "message", "container": "leadership", "private": True, "author": "U02SARAH", "text": "deploy in secret", "created": "2026-03-05T00:00:00Z"},
]  # fmt: skip


@pytest.fixture
def chat(ask):
    """Five messages, one of them in a private space of others."""
    return ask("googlechat", ROWS)


@pytest.fixture
def post(chat):
    """The reply to a search."""

    def run(text, token="", query=(), **more):
        body = json.dumps({"filter": text, **more}).encode()
        return chat(SEARCH, method="POST", body=body, token=token, query=query)

    return run


@pytest.fixture
def found(chat, post):
    """The rows that a filter finds."""
    origins = chat.served.origins()

    def run(text, **more):
        reply = post(text, **more)
        return [origins[each["message"]["name"]] for each in json.loads(reply.body).get("results", [])]

    return run


@pytest.fixture
def names(chat):
    """Resource names of spaces and senders by what people call them."""
    spaces = {each.get("displayName", ""): each["name"] for each in chat.json("/v1/spaces")["spaces"]}
    results = chat.json(SEARCH, method="POST", body=b'{"filter": "create_time >= \\"2000-01-01T00:00:00Z\\""}')[
        "results"
    ]
    return spaces | {each["message"]["sender"]["displayName"]: each["message"]["sender"]["name"] for each in results}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("deploy", ["four", "two"]),
        ("배포", ["one"]),
        ('"release train"', ["three"]),
        ('"train release"', []),
        ("deploy AND plan", ["two"]),
        ("deploy plan", ["two"]),
        ('"deploy" "today"', ["four"]),
        ("deploy AND attachment:*", ["two"]),
        ("has_link()", ["two"]),
        ("is_unread()", []),
        ('sender.name = "users/me"', ["one"]),
        ('sender.name = "users/SARAH@acme.example"', ["three", "two"]),
        ('sender.name = "users/me" OR sender.name = "users/bora@acme.example"', ["four", "one"]),
        ('(sender.name = "users/me" OR sender.name = "users/sarah@acme.example") AND deploy', ["two"]),
        ('sender.name="users/nobody@acme.example"', []),
        ('create_time >= "2026-03-02T00:00:00Z" AND create_time < "2026-03-03T00:00:00+00:00"', ["two"]),
        ('create_time >= "2026-03-01T09:00:00.000+09:00" create_time < "2026-03-01T09:00:00.001+09:00"', ["one"]),
        ("space.display_name:project train", ["three"]),
        ("space.display_name:release AND space.display_name:project", ["three"]),
        ('space.space_type = "DIRECT_MESSAGE"', ["four"]),
        ('space.space_type = "SPACE" OR space.space_type = "DIRECT_MESSAGE"', ["four", "three", "two", "one"]),
        ("annotations.user_mentions.user.name:users/me", ["two"]),
        ('(("deploy") AND (plan))', ["two"]),
        ("!!!", []),
    ],
)
def test_what_a_filter_finds(found, text, rows):
    """All conditions hold, the latest message comes first."""
    assert found(text) == rows


def test_a_thread_is_listed_oldest_first(chat):
    """One space's messages, or those of one thread, page by page; no other filter than the thread."""
    space = next(each["name"] for each in chat.json("/v1/spaces")["spaces"] if each.get("displayName") == "결제 개발")
    every = chat.json(f"/v1/{space}/messages")["messages"]
    assert [each["text"][:6] for each in every] == ["배포를 12", "Deploy"]
    thread = f"thread.name = {every[0]['thread']['name']}"
    listed = chat.json(f"/v1/{space}/messages", query=[("filter", thread), ("pageSize", "1")])
    assert listed["messages"] == every[:1]
    rest = [("filter", thread), ("pageSize", "1"), ("pageToken", listed["nextPageToken"])]
    assert chat.json(f"/v1/{space}/messages", query=rest) == {"messages": every[1:]}
    assert chat.json(f"/v1/{space}/messages", query=[("orderBy", "create_time DESC")])["messages"] == every[::-1]
    assert chat(f"/v1/{space}/messages", query=[("filter", "deploy")]).status == 400
    assert chat("/v1/spaces/nothing/messages").status == 404


def test_by_relevance_the_better_match_comes_first(found):
    """Where it is asked for; the default is the latest first."""
    assert found("deploy", orderBy="relevance desc") == ["four", "two"]
    assert found('create_time >= "2026-03-02T00:00:00Z"', orderBy="create_time desc") == ["four", "three", "two"]


def test_spaces_and_senders_by_name(found, names):
    """As the API names them."""
    assert found(f'space.name = "{names["결제 개발"]}"') == ["two", "one"]
    assert found(f'sender.name = "{names["Sarah Kim"]}"') == ["three", "two"]
    both = f'(space.name = "{names["결제 개발"]}" OR space.name = "{names["Release project"]}")'
    assert found(f'{both} AND sender.name = "{names["Sarah Kim"]}"') == ["three", "two"]
    assert "leadership" not in names


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "x" * 1001, "deploy OR plan", "NOT deploy", "-deploy", "deploy AND", "AND deploy", "(deploy", "deploy)", "()", '"deploy', "from:me",
        'sender.name : "users/1"', 'sender.name = "1"', 'sender.name = ("users/1")', 'space.name = "AAAA"', 'sender.name = "users/1" AND sender.name = "users/2"',
        'sender.name = "users/1" OR space.name = "spaces/A"', 'sender.name = "users/1" OR is_unread()', 'sender.name = "users/1" OR sender.name = "users/2" AND deploy',
        '(sender.name = "users/1" OR sender.name = "users/2") sender.name = "users/3"', 'create_time > "2026-03-01T00:00:00Z"', 'create_time >= "2026-03-01"',
        'create_time >= "2026-13-01T00:00:00Z"', 'create_time >= "0001-01-01T00:00:00+14:00"', 'create_time >= "2026-03-01T00:00:00Z" create_time >= "2026-03-02T00:00:00Z"',
        'create_time >= "2026-03-01T00:00:00Z" OR create_time >= "2026-03-02T00:00:00Z"', 'space.space_type = "ROOM"', "attachment:pdf", "has_link(x)",
        "space.display_name:a AND (space.display_name:b OR space.display_name:c)", "(" * 100 + "a" + ")" * 100, "a = b",
    ],
)  # fmt: skip
def test_what_is_refused(post, text):
    """What the reference does not offer."""
    error = json.loads(post(text).body)["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")


def test_the_conditions_of_a_filter():
    me, him = (Field("sender.name", "=", f"users/{who}") for who in ("me", "1"))
    assert parse('tasks AND (sender.name = users/me OR sender.name = "users/1") has_link()') == [Text("tasks"), Either((me, him)), Function("has_link")]  # fmt: skip
    assert parse("has_link sender.name") == [Text("has_link"), Text("sender.name")]
    assert parse('"Pending reports"') == [Text("Pending reports", quoted=True)]


@given(st.text(max_size=60) | st.lists(st.sampled_from(['"', "(", ")", "sender.name ", "= ", '"users/1" ', "AND ", "OR ", "create_time ", ">= ", ":", "*", "a "]), max_size=20).map("".join))  # fmt: skip
def test_any_filter_is_read_or_refused(text):
    """Nothing else comes of it."""
    try:
        parse(text)
    except FilterError:
        return


def test_a_message_as_google_shows_it(post):
    """Whole, and cut down to some fields."""
    (result,) = json.loads(post("plan").body)["results"]
    message = result["message"]
    assert message["text"] == "Deploy plan: https://wiki.example/plan @이하늘"
    assert (message["createTime"], message["lastUpdateTime"]) == ("2026-03-02T00:00:00.000000Z", "2026-03-02T01:00:00.000000Z")  # fmt: skip
    assert message["threadReply"] is True
    assert message["name"].split("/messages/")[1].split(".")[0] == message["thread"]["name"].split("/threads/")[1]
    assert message["attachment"][0]["contentName"] == "plan.pdf"
    assert message["emojiReactionSummaries"] == [{"emoji": {"customEmoji": {"emojiName": ":eyes:"}}, "reactionCount": 1}]  # fmt: skip
    few = json.loads(post("plan", query={"fields": "results/message(text,sender/email)"}).body)
    assert few == {"results": [{"message": {"text": message["text"], "sender": {"email": "sarah@acme.example"}}}]}


def test_one_message_by_name(chat, post):
    """That of others is forbidden, one that is not there is not found."""
    (result,) = json.loads(post("plan").body)["results"]
    name = result["message"]["name"]
    assert chat.json(f"/v1/{name}", query={"fields": "name"}) == {"name": name}
    assert chat("/v1/spaces/A/messages/b.b").status == 404
    (hidden,) = chat.served._messages.hidden
    assert chat(f"/v1/{hidden}").status == 403


def test_pages_end(post):
    """Every message once, and no token at the end."""
    seen, token = [], ""
    for size in (1, 2, 500):
        page = json.loads(post('create_time >= "2000-01-01T00:00:00Z"', pageSize=size, pageToken=token).body)
        seen += [each["message"]["text"] for each in page["results"]]
        token = page.get("nextPageToken", "")
    assert (len(seen), len(set(seen)), token) == (4, 4, "")


def test_spaces_have_pages(chat):
    first = chat.json("/v1/spaces", query={"pageSize": 2, "fields": "nextPageToken,spaces/displayName"})
    rest = chat.json("/v1/spaces", query={"pageSize": 2, "pageToken": first["nextPageToken"]})
    assert len(first["spaces"]) == 2
    assert len(rest["spaces"]) == 1
    assert "nextPageToken" not in rest


@pytest.mark.parametrize(
    ("more", "path", "status"),
    [
        ({"body": b"{"}, SEARCH, 400),
        ({"body": b"[]"}, SEARCH, 400),
        ({"body": b'{"query": "x"}'}, SEARCH, 400),
        ({"body": b'{"filter": 1}'}, SEARCH, 400),
        ({"body": b'{"filter": "x", "pageSize": true}'}, SEARCH, 400),
        ({"body": b'{"filter": "x", "pageSize": -1}'}, SEARCH, 400),
        ({"body": b'{"filter": "x", "pageToken": "y"}'}, SEARCH, 400),
        ({"body": b'{"filter": "x", "orderBy": "create_time asc"}'}, SEARCH, 400),
        ({"body": b'{"filter": "x"}'}, "/v1/spaces/AAAA/messages:search", 400),
        ({"body": b'{"filter": "x"}', "query": {"fields": "results(x)"}}, SEARCH, 400),
        ({"body": b'{"filter": "x"}', "query": {"q": "x"}}, SEARCH, 400),
        ({"body": b""}, SEARCH, 400),
        ({"method": "GET"}, SEARCH, 405),
        ({}, "/v1/spaces", 405),
        ({"method": "GET"}, "/v1/nothing", 404),
        ({"method": "GET", "token": None}, "/v1/spaces", 401),
        ({"method": "GET", "token": "ya29.wrong"}, "/v1/spaces", 401),
        ({"method": "GET", "query": {"pageToken": "x"}}, "/v1/spaces", 400),
    ],
)
def test_requests_that_are_refused(chat, more, path, status):
    assert chat(path, **{"method": "POST", **more}).status == status


def test_a_token_without_the_scope_for_spaces(chat, post):
    """Messages are found, spaces neither listed nor asked for by name."""
    assert post("deploy", token=MESSAGES_TOKEN).status == 200
    for reply in (chat("/v1/spaces", token=MESSAGES_TOKEN), post("space.display_name:x", token=MESSAGES_TOKEN)):
        error = json.loads(reply.body)["error"]
        assert (error["code"], error["details"][0]["reason"]) == (403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT")


@pytest.mark.parametrize(("fault", "status", "reason"), [(Fault(retry_after=3), 429, "RATE_LIMIT_EXCEEDED"), (Fault(status=503), 503, "")])  # fmt: skip
def test_faults_speak_google_s_language(chat, fault, status, reason):
    reply = chat.served.refuse(fault)
    error = json.loads(reply.body)["error"]
    assert (reply.status, error["code"], "errors" in error) == (status, status, False)
    assert [each["reason"] for each in error.get("details", [])] == ([reason] if reason else [])
    assert reply.headers.get("Retry-After") == ("3" if fault.retry_after else None)
    assert chat.served.too_large().status == 413


def test_the_record_shows_the_filter(post):
    assert post("deploy", pageSize=5).asked == {"filter": "deploy", "pageSize": 5}


def test_no_request_is_a_server_error(chat):
    """Whatever comes is answered or refused."""
    bodies = st.binary(max_size=60) | st.sampled_from(
        [b'{"filter": "a"}', b"null", b"[" * 5000, b'{"filter": "\\ud800"}']
    )

    @given(st.sampled_from(["GET", "POST", "X"]), st.sampled_from([SEARCH, "/v1/spaces", "/v1/spaces/A/messages/b"]) | st.text(max_size=20), st.text(max_size=40), bodies)  # fmt: skip
    def check(method, path, query, body):
        headers = {"authorization": f"Bearer {chat.served.tokens[0]}"}
        assert chat.served.answer(WireRequest(method, path, query, headers, body)).status < 500

    check()
