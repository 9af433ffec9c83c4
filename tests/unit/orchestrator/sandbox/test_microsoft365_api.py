"""Microsoft Graph around the search: tokens, errors, pages, and reading one thing."""

from __future__ import annotations

import json

import pytest

from orchestrator.sandbox import Fault

SEARCH = "/v1.0/search/query"


@pytest.fixture
def graph(ask):
    """Thirty mails, a chat's and a channel's message, a file in a site."""
    rows = [
        {"id": f"m{n:02d}", "kind": "mail", "title": f"report {n}", "text": "report " * (n + 1), "author": "U02SARAH", "created": f"2026-03-01T00:{n:02d}:00Z"}
        for n in range(30)
    ]  # fmt: skip
    rows += [
        {"id": "chat", "kind": "message", "text": "report", "author": "U03BORA", "created": "2026-03-02T00:00:00Z"},
        {"id": "same", "kind": "message", "text": "report", "author": "someone@else.example", "created": "2026-03-02T00:00:00Z"},
        {"id": "channel", "kind": "message", "text": "report", "author": "U03BORA", "container": "eng", "attachments": ["a.png"], "created": "2026-03-03T00:00:00Z"},
        {"id": "long", "kind": "file", "title": "long.txt", "text": "한글 " * 60 + "a <report> & more " + "끝 " * 60, "author": "U02SARAH", "container": "Eng Site"},
        {"id": "plain", "kind": "file", "title": "b.txt", "text": "report", "created": "2026-03-04T00:00:00Z", "url": "https://acme.sharepoint.com/x/b.txt"},
        {"id": "item", "kind": "item", "title": "Row 1", "text": "nothing"},
    ]  # fmt: skip
    return ask("microsoft365", rows)


def post(graph, token="", **request):
    body = {"entityTypes": ["message"], "query": {"queryString": "report"}, **request}
    return graph(SEARCH, method="POST", body=json.dumps({"requests": [body]}).encode(), token=token)


def container(reply):
    assert reply.status == 200, reply.body
    return json.loads(reply.body)["value"][0]["hitsContainers"][0]


@pytest.mark.parametrize(
    ("request_", "status", "part"),
    [
        ({"entityTypes": ["message"], "size": 26}, 400, "'size'"),
        ({"entityTypes": ["chatMessage"], "size": 26}, 400, "'size'"),
        ({"entityTypes": ["driveItem"], "size": 501}, 400, "'size'"),
        ({"size": True}, 400, "'size'"),
        ({"from": -1}, 400, "'from'"),
        ({"entityTypes": []}, 400, "list of types"),
        ({"entityTypes": "message"}, 400, "list of types"),
        ({"entityTypes": ["mail"]}, 400, "no value of entityType"),
        ({"entityTypes": ["message", "chatMessage"]}, 400, "one request"),
        ({"entityTypes": ["message", "driveItem"]}, 400, "one request"),
        ({"entityTypes": ["event"]}, 400, "holds nothing"),
        ({"query": {"queryString": 1}}, 400, "queryString"),
        ({"query": "x"}, 400, "queryString"),
        ({"query": {"queryString": "a AND"}}, 400, "not valid KQL"),
        ({"sortProperties": [{"name": "lastModifiedDateTime"}]}, 400, "Sorting is not supported"),
        ({"entityTypes": ["driveItem"], "sortProperties": [{"name": "shoe size"}]}, 400, "not sortable"),
        ({"entityTypes": ["driveItem"], "sortProperties": "name"}, 400, "list of at most"),
        ({"enableTopResults": "yes"}, 400, "true or false"),
        ({"queryString": "x"}, 400, "does not exist on type"),
    ],
)
def test_what_graph_refuses(graph, request_, status, part):
    reply = post(graph, **request_)
    assert reply.status == status
    error = json.loads(reply.body)["error"]
    assert part in error["message"]
    assert error["code"] == "BadRequest"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"requests": []}',
        b'{"requests": [1]}',
        b'{"requests": [{}, {}]}',
        b'{"requests": [{}]}',
    ],
)
def test_bodies_that_are_none(graph, body):
    assert graph(SEARCH, method="POST", body=body).status == 400


@pytest.mark.parametrize(
    ("path", "method", "token", "status", "code"),
    [
        ("/v1.0/me", "GET", None, 401, "InvalidAuthenticationToken"),
        ("/v1.0/me", "GET", "wrong", 401, "InvalidAuthenticationToken"),
        ("/v1.0/me", "POST", "", 405, "Request_BadRequest"),
        ("/v1.0/groups", "GET", "", 404, "ResourceNotFound"),
        ("/me", "GET", "", 404, "ResourceNotFound"),
        ("/v1.0/me/messages/nothing", "GET", "", 404, "ErrorItemNotFound"),
        ("/v1.0/chats/19:x@thread.v2/messages/1", "GET", "", 404, "NotFound"),
        ("/v1.0/users", "GET", "eyJ0eXAi.sandbox-mail", 403, "Authorization_RequestDenied"),
        ("/v1.0/sites", "GET", "eyJ0eXAi.sandbox-mail", 403, "accessDenied"),
        ("/v1.0/chats/19:x@thread.v2/messages/1", "GET", "eyJ0eXAi.sandbox-mail", 403, "Forbidden"),
    ],
)
def test_errors_are_graph_s(graph, path, method, token, status, code):
    reply = graph(path, method=method, token=token)
    assert (reply.status, json.loads(reply.body)["error"]["code"]) == (status, code)
    assert ("WWW-Authenticate" in reply.headers) is (status == 401)


def test_a_right_to_mail_is_none_to_files(graph):
    assert post(graph, token="eyJ0eXAi.sandbox-mail").status == 200
    assert post(graph, token="eyJ0eXAi.sandbox-mail", entityTypes=["driveItem"]).status == 403


def test_mail_comes_newest_first_in_pages_whose_total_is_their_own(graph):
    first = container(post(graph, size=20))
    assert (first["total"], first["moreResultsAvailable"]) == (20, True)
    assert first["hits"][0]["resource"]["subject"] == "report 29"
    second = container(post(graph, **{"from": 20, "size": 20}))
    assert (second["total"], second["moreResultsAvailable"]) == (10, False)
    assert second["hits"][0]["rank"] == 21
    assert container(post(graph, **{"from": 40})) == {"total": 0, "moreResultsAvailable": False}


def test_top_results_come_before_the_newest(graph):
    top = container(post(graph, enableTopResults=True))["hits"]
    dates = [hit["resource"]["receivedDateTime"] for hit in top]
    assert dates[3:] == sorted(dates[3:], reverse=True)
    assert len({hit["hitId"] for hit in top}) == 25


def test_files_are_sorted_where_it_is_wished_and_counted(graph):
    asked = {
        "entityTypes": ["driveItem", "site"],
        "sortProperties": [{"name": "lastModifiedDateTime", "isDescending": True}],
    }
    found = container(post(graph, **asked))
    assert found["total"] == 2
    assert [hit["resource"]["name"] for hit in found["hits"]] == ["b.txt", "long.txt"]
    asked["sortProperties"][0]["isDescending"] = False
    assert [hit["resource"]["name"] for hit in container(post(graph, **asked))["hits"]] == ["long.txt", "b.txt"]


def test_a_summary_marks_words_and_gaps(graph):
    (long,) = (
        hit
        for hit in container(post(graph, entityTypes=["driveItem"]))["hits"]
        if hit["resource"]["name"] == "long.txt"
    )
    assert long["summary"].startswith("<ddd/>")
    assert long["summary"].endswith("<ddd/>")
    assert "a &lt;<c0>report</c0>&gt; &amp; more" in long["summary"]
    assert long["resource"]["webUrl"] == "https://acme.sharepoint.com/sites/Eng-Site/Shared Documents/long.txt"


def test_a_list_item_bears_its_title_among_its_fields(graph):
    (item,) = container(post(graph, entityTypes=["listItem"], query={"queryString": "row"}))["hits"]
    assert item["resource"]["fields"] == {"title": "Row 1"}


def test_messages_of_chats_and_channels_are_read_by_their_paths(graph):
    found = {
        graph.served.origins()[hit["hitId"]]: hit["resource"]
        for hit in container(post(graph, entityTypes=["chatMessage"]))["hits"]
    }
    chat, channel, same = found["chat"], found["channel"], found["same"]
    assert chat["id"] != same["id"]
    assert chat["channelIdentity"] == {}
    read = graph.json(f"/v1.0/chats/{chat['chatId']}/messages/{chat['id']}")
    assert (read["body"]["content"], read["from"]["user"]["displayName"]) == ("report", "최보라")
    where = channel["channelIdentity"]
    read = graph.json(f"/v1.0/teams/{where['teamId']}/channels/{where['channelId']}/messages/{channel['id']}")
    assert [each["name"] for each in read["attachments"]] == ["a.png"]
    assert graph(f"/v1.0/chats/{where['channelId']}/messages/{channel['id']}").status == 404
    assert graph(f"/v1.0/teams/other/channels/{where['channelId']}/messages/{channel['id']}").status == 404


CHANNEL_ROWS = [
    {"id": f"{name}", "kind": "message", "container": "eng", "text": text, "author": "U03BORA", "created": f"2026-03-0{day}T00:00:00Z"} | more
    for name, text, day, more in (
        ("root", "몇 명?", 1, {}),
        ("late", "41명", 4, {"thread": "root"}),
        ("soon", "still open", 2, {"thread": "root"}),
        ("alone", "lunch", 3, {}),
    )
] + [
    {"id": f"chat{day}", "kind": "message", "container": "대화", "private": True, "text": f"{day}", "created": f"2026-03-0{day}T00:00:00Z", "updated": f"2026-03-{19 - day}T00:00:00Z"}
    for day in (1, 2, 3)
]  # fmt: skip


@pytest.fixture
def talk(ask):
    """A channel of a thread and a post, a chat of three messages, and where each stands."""
    graph = ask("microsoft365", CHANNEL_ROWS)
    found = container(
        post(graph, entityTypes=["chatMessage"], query={"queryString": "41명 OR open OR lunch OR 명 OR 1 OR 2 OR 3"})
    )["hits"]
    return graph, {graph.served.origins()[hit["hitId"]]: hit["resource"] for hit in found}


def test_a_search_does_not_say_what_a_message_answers(talk):
    _, found = talk
    assert not any("replyToId" in each for each in found.values())


def test_replies_are_listed_newest_first_by_what_they_answer(talk):
    graph, found = talk
    where = found["root"]["channelIdentity"]
    posts = f"/v1.0/teams/{where['teamId']}/channels/{where['channelId']}/messages"
    first, late = found["root"]["id"], found["late"]["id"]
    replies = graph.json(f"{posts}/{first}/replies")["value"]
    assert [(each["body"]["content"], each["replyToId"]) for each in replies] == [
        ("41명", first),
        ("still open", first),
    ]
    assert replies[0]["webUrl"].endswith(f"parentMessageId={first}")
    assert len(graph.json(f"{posts}/{first}/replies", query={"$top": 1})["value"]) == 1
    assert graph.json(f"{posts}/{found['alone']['id']}/replies")["value"] == []
    assert graph.json(f"{posts}/{first}/replies/{late}")["id"] == late
    assert graph(f"{posts}/{late}").status == 404, "a reply has no path of its own"
    assert graph(f"{posts}/{late}/replies").status == 404
    assert graph(f"{posts}/{found['alone']['id']}/replies/{late}").status == 404
    for query in ({"$top": 51}, {"$filter": "createdDateTime lt 2026-03-02T00:00:00Z"}):
        assert graph(f"{posts}/{first}/replies", query=query).status == 400
    assert graph(f"{posts}/{first}/replies", token="eyJ0eXAi.sandbox-mail").status == 403


def test_a_channel_lists_what_began_its_threads(talk):
    graph, found = talk
    where = found["root"]["channelIdentity"]
    posts = f"/v1.0/teams/{where['teamId']}/channels/{where['channelId']}/messages"
    assert [each["body"]["content"] for each in graph.json(posts)["value"]] == ["lunch", "몇 명?"]
    whole = graph.json(posts, query={"$expand": "replies"})["value"]
    assert [[each["body"]["content"] for each in post["replies"]] for post in whole] == [[], ["41명", "still open"]]
    assert graph(posts, query={"$orderby": "createdDateTime desc"}).status == 400
    assert graph(f"/v1.0/teams/other/channels/{where['channelId']}/messages").status == 404


def test_a_chat_is_listed_before_a_moment_in_the_order_of_the_same_property(talk):
    graph, found = talk
    chat = f"/v1.0/chats/{found['chat1']['chatId']}/messages"

    def said(**query):
        return [
            each["body"]["content"] for each in graph.json(chat, query={f"${k}": v for k, v in query.items()})["value"]
        ]

    before, by_creation = "createdDateTime lt 2026-03-03T00:00:00.000Z", "createdDateTime desc"
    assert said() == ["1", "2", "3"], "newest first by when they were changed last"
    assert said(orderby=by_creation) == ["3", "2", "1"]
    assert said(orderby=by_creation, filter=before) == ["2", "1"]
    assert said(filter=before) == ["1", "2", "3"], "a filter alone is ignored"
    assert said(orderby="lastModifiedDateTime desc", filter="lastModifiedDateTime gt 2026-03-16T00:00:00Z and lastModifiedDateTime lt 2026-03-18T00:00:00Z") == ["2"]  # fmt: skip
    for query in ({"$orderby": "createdDateTime"}, {"$filter": "createdDateTime gt 2026-03-03T00:00:00Z"}, {"$filter": "from eq 1"}, {"$skip": 1}):  # fmt: skip
        assert graph(chat, query=query).status == 400


def test_a_mail_is_read_by_its_id_and_only_what_was_selected(graph):
    (number,) = (
        name for name, row in graph.served.origins().items() if row == "m00" and "/" not in name and "+" not in name
    )
    assert set(graph.json(f"/v1.0/me/messages/{number}", query={"$select": "id, subject"})) == {"id", "subject"}
    assert "<p>report </p>" in graph.json(f"/v1.0/me/messages/{number}")["body"]["content"]


def test_people_and_sites_are_listed(graph):
    first = graph.json("/v1.0/users", query={"$top": 2}, headers={"Host": "127.0.0.1:1"})
    assert len(first["value"]) == 2
    assert first["@odata.nextLink"] == "http://127.0.0.1:1/v1.0/users?$top=2&$skiptoken=2"
    rest = graph.json("/v1.0/users", query={"$top": 2, "$skiptoken": 2})
    assert "@odata.nextLink" not in rest
    assert graph("/v1.0/users", query={"$top": "all"}).status == 400
    assert [site["displayName"] for site in graph.json("/v1.0/sites", query={"search": "eng"})["value"]] == ["Eng Site"]
    assert graph.json("/v1.0/sites", query={"search": "pay"})["value"] == []


def test_faults_are_told_in_graph_s_words(graph):
    throttled = graph.served.refuse(Fault(retry_after=3))
    assert (throttled.status, throttled.headers["Retry-After"]) == (429, "3")
    assert json.loads(throttled.body)["error"]["code"] == "TooManyRequests"
    assert json.loads(graph.served.refuse(Fault(status=418)).body)["error"]["code"] == "UnknownError"
    assert graph.served.too_large().status == 413


def test_the_mails_of_a_conversation_are_listed_by_a_filter_and_by_no_other(ask):
    mail = {"kind": "mail", "author": "U02SARAH", "created": "2026-03-01T00:00:00Z"}
    graph = ask("microsoft365", [{**mail, "id": f"m{n}", "thread": "it's" if n else "other"} for n in range(3)])
    found = graph.json(
        "/v1.0/me/messages", query={"$filter": "conversationId eq 'it''s'", "$select": "id,conversationId"}
    )
    assert [each["conversationId"] for each in found["value"]] == ["it's", "it's"]
    assert graph("/v1.0/me/messages", query={"$filter": "subject eq 'x'"}).status == 400


def test_what_was_asked_is_recorded(graph):
    assert post(graph).asked["query"] == {"queryString": "report"}
    assert graph("/v1.0/users", query={"$top": 2}).asked == {"$top": "2"}
