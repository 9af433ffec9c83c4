"""No query, body or header makes an emulator raise or answer with a server error."""

import json
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox import Corpus, Directory, Person, Row
from orchestrator.sandbox.corpus import moment
from orchestrator.sandbox.gmail.search import parse as parse_gmail
from orchestrator.sandbox.server import emulator
from orchestrator.sandbox.slack.search import parse as parse_slack
from orchestrator.sandbox.wire import Situation, WireRequest
from tests.rows import each_row

HANEUL = Person(id="U01", name="이하늘", handle="haneul", email="haneul@acme.example")
NOW = moment("2026-03-20T03:00:00Z")
FIELDS = {
    "kind": "x",
    "container": "일반",
    "author": "U01",
    "author_name": "이하늘",
    "created": NOW,
    "updated": None,
    "url": "",
    "extra": {},
}
NASTY = [
    '"', '""""', "'", "\\", "-", "--", "- -", "*", "***", "a*" * 50, "(", ")" * 50, "(" * 3000, "{" * 3000, "({" * 2000,
    "from:" * 500, "-from:-from:", "in:<#", "from:<@", "has::", "has::::", "before:", "on:0000-00-00", "after:99999999999999999999",
    "\x00\x01\x02\x1b[31m", "\u202e\u200b\ufeff", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16"), "가" * 10_000, "word " * 2_000,
    "a OR " * 2_000, "OR OR OR", "-" * 10_000, '"' * 9_999, "from:(" * 500, "older_than:99999999d", "larger:999999999999M", "İ" * 100, "％ｓ", "%s%n", "${x}", "<script>",
]  # fmt: skip
QUERIES = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=200),
    st.lists(
        st.sampled_from(["from:", "in:", "-", "(", ")", "{", "}", '"', " OR ", "장애", "plan", ":", "*", "<@", ">", "#", "2026-03-01", "after:", "is:", "has:"]),
        max_size=30,
    ).map("".join),
)  # fmt: skip


def _served(source):
    rows = [
        Row(id=f"{source}{n}", source=source, text=text, title=text, **FIELDS)
        for n, text in enumerate(["plan b", "결제 장애가 났다", "<b>&"])
    ]
    return emulator(
        source,
        Situation(Corpus({source: rows}, Directory([HANEUL]), {}), HANEUL, lambda: NOW, ZoneInfo("Asia/Seoul")),
        None,
    )


SERVED = {source: _served(source) for source in ("slack", "notion", "linear", "gmail")}


def _search(source, query):
    served = SERVED[source]
    headers = {
        "authorization": f"Bearer {served.tokens[0]}",
        "content-type": "application/json",
        "notion-version": "2026-03-11",
    }
    match source:
        case "slack":
            return served.answer(
                WireRequest("GET", "/api/search.messages", urlencode({"query": query, "highlight": 1}), headers)
            )
        case "notion":
            return served.answer(WireRequest("POST", "/v1/search", "", headers, json.dumps({"query": query}).encode()))
        case "linear":
            headers["authorization"] = served.tokens[0]
            body = {"query": "query($t: String!) { searchIssues(term: $t) { totalCount } }", "variables": {"t": query}}
            return served.answer(WireRequest("POST", "/graphql", "", headers, json.dumps(body).encode()))
        case _:
            return served.answer(WireRequest("GET", "/gmail/v1/users/me/messages", urlencode({"q": query}), headers))


@pytest.mark.parametrize("source", SERVED)
@given(query=QUERIES)
def test_no_query_is_a_server_error(source, query):
    reply = _search(source, query.encode("utf-8", "replace").decode())
    assert reply.status == 200
    json.loads(reply.body)


@each_row("source", SERVED)
@each_row("query", NASTY)
def test_known_nasty_queries(source, query):
    assert _search(source, query).status == 200


@pytest.mark.parametrize("source", SERVED)
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "X"]),
    path=st.one_of(
        st.sampled_from(
            [
                "/api/",
                "/api/search.messages",
                "/api/users.list",
                "/v1/search",
                "/v1/users",
                "/graphql",
                "/batch",
                "/gmail/v1/users/me/messages",
                "/gmail/v1/users/me/messages/a",
            ]
        ),
        st.text(max_size=30),
    ),
    query=st.text(max_size=60),
    kind=st.sampled_from(
        [
            "",
            "application/json",
            "multipart/mixed; boundary=a",
            "multipart/form-data; boundary=a",
            "application/x-www-form-urlencoded",
            "\xff;=",
        ]
    ),
    body=st.one_of(
        st.binary(max_size=100), st.sampled_from([b"--a\r\n\r\n--a--", b'{"query": "{viewer{id}}"}', b"null", b"[[["])
    ),
)
def test_no_request_is_a_server_error(source, method, path, query, kind, body):
    served = SERVED[source]
    headers = {"authorization": f"Bearer {served.tokens[-1]}", "content-type": kind, "notion-version": "2026-03-11"}
    assert served.answer(WireRequest(method, path, query, headers, body)).status < 500


@given(QUERIES)
def test_grammars_are_total(query):
    parse_slack(query)
    parse_gmail(query)


@each_row("query", NASTY)
def test_a_plain_word_beside_anything_quoted_still_parses(query):
    assert parse_slack(query.replace('"', "") + ' "plan"').wanted[-1].text == "plan"
