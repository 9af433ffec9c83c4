"""The plain JSON search by its own rules: every parameter is checked, and what is wrong is named."""

import json
from datetime import UTC, datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest

from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.json_api import EMULATOR, BadQuery, Part, parse
from orchestrator.sandbox.wire import Situation, WireRequest
from tests.corpora import corpus_of

ROWS = [
    {"id": "a", "source": "json_api", "kind": "page", "title": "배포 계획", "text": "금요일에 배포한다", "author": "u1",
     "author_name": "김민수", "created": "2026-01-01", "updated": "2026-02-01", "url": "https://x.example/a"},
    {"id": "b", "source": "json_api", "kind": "message", "text": "deploy plan", "container": "eng", "created": "2026-01-15"},
    {"id": "c", "source": "json_api", "kind": "page", "text": "nothing dated deploy"},
]  # fmt: skip


@pytest.fixture
def emulator(tmp_path):
    owner = Person(id="u9", name="Owner", handle="owner", email="owner@x.example")
    return EMULATOR(Situation(corpus_of(tmp_path, ROWS), owner, lambda: datetime.now(UTC), ZoneInfo("UTC")))


def ask(emulator, method="GET", path="/api/search", token="json-sandbox", **params):
    reply = emulator.answer(
        WireRequest(method, path, urlencode(params), {"authorization": f"Bearer {token}"} if token else {})
    )
    return reply.status, json.loads(reply.body)


@pytest.mark.parametrize(
    ("params", "ids"),
    [
        ({"q": "배포"}, ["a"]),
        ({"q": "deploy", "since": "2026-01-01T00:00:00Z"}, ["b"]),
        ({"q": "deploy", "sort": "oldest"}, ["c", "b"]),
        ({"q": "deploy -plan"}, ["c"]),
        ({"q": "", "author": "김민수"}, ["a"]),
        ({"q": "", "in": "ENG"}, ["b"]),
        ({"q": "", "until": "2026-01-15T00:00:00Z"}, []),
        ({"q": "", "sort": "newest", "limit": "1", "offset": "1"}, ["b"]),
    ],
)
def test_what_is_asked_for_is_found(emulator, params, ids):
    status, body = ask(emulator, **params)
    assert (status, [item["id"] for item in body["items"]]) == (200, ids)


@pytest.mark.parametrize(
    ("status", "said", "request_"),
    [
        (400, "there is no parameter size", {"size": "1"}),
        (400, "limit is 1 to 100", {"limit": "101"}),
        (400, "limit is 1 to 100, offset 0", {"offset": "-1"}),
        (400, "sort is one of", {"sort": "best"}),
        (400, "since is an ISO 8601 time with an offset", {"since": "2026-01-01"}),
        (400, "until is an ISO 8601 time with an offset", {"until": "2026-01-01T00:00:00"}),
        (400, "since is an ISO 8601 time", {"since": "yesterday"}),
        (400, "is a quote missing?", {"q": '"open'}),
        (401, "a token is needed", {"token": ""}),
        (401, "a token is needed", {"token": "wrong"}),
        (404, "there is nothing at /api/find", {"path": "/api/find"}),
        (405, "a search is a GET", {"method": "POST"}),
    ],
)
def test_what_is_wrong_is_named(emulator, status, said, request_):
    got, body = ask(emulator, **request_)
    assert got == status
    assert said in body["error"]["message"]


def test_a_parameter_is_given_once(emulator):
    request = WireRequest("GET", "/api/search", "q=a&q=b", {"authorization": "Bearer json-sandbox"})
    assert emulator.answer(request).status == 400


def test_faults_and_origins(emulator):
    assert emulator.refuse(Fault(retry_after=3)).headers["Retry-After"] == "3"
    assert emulator.refuse(Fault(status=503)).status == 503
    assert emulator.too_large().status == 413
    assert emulator.origins()["https://x.example/a"] == "a"


@pytest.mark.parametrize("text", ["a:b", "(a", '"" ', '"!!"', "a*b", '"a"b', "-", "--a", "a OR/b"])
def test_what_is_no_word_belongs_in_quotes(text):
    with pytest.raises(BadQuery):
        parse(text)


def test_the_parts_of_a_query():
    assert parse('배포* "release train" -draft') == [
        Part("배포", beginning=True),
        Part("release train", phrase=True),
        Part("draft", wanted=False),
    ]
