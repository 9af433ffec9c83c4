"""The emulators of web searches: what each vendor refuses is refused, in the vendor's shape."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest

from orchestrator.sandbox import Fault
from orchestrator.sandbox.brave import EMULATOR as BRAVE
from orchestrator.sandbox.corpus import Person
from orchestrator.sandbox.gemini import EMULATOR as GEMINI
from orchestrator.sandbox.pages import Pages, read_line
from orchestrator.sandbox.searxng import EMULATOR as SEARXNG
from orchestrator.sandbox.serpapi import EMULATOR as SERPAPI
from orchestrator.sandbox.wire import Situation, WireRequest
from tests.corpora import corpus_of

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.sandbox.wire import WireReply

ROWS = [
    ("react", "https://react.dev/suspense", "Suspense", "Suspense shows a fallback. It waits.", "2026-01-05T00:00:00Z"),
    ("guide", "https://www.guide.example/s", "A guide", "Suspense with hooks.", ""),
    ("k8s", "https://kubernetes.io/ko/", "쿠버네티스", "컨테이너 배포를 자동화한다. 확장도.", "2026-02-01T00:00:00Z"),
]


@pytest.fixture
def situation(tmp_path: Path) -> Situation:
    rows = [
        {"id": f"{source}-{name}", "source": source, "kind": "web_page", "url": url, "title": title, "text": text, "updated": at}
        for source in ("brave", "gemini", "searxng", "serpapi")
        for name, url, title, text, at in ROWS
    ]  # fmt: skip
    owner = Person(id="U1", name="A B", handle="ab", email="ab@acme.example")
    return Situation(corpus_of(tmp_path, rows), owner, lambda: datetime(2026, 3, 20, tzinfo=UTC), ZoneInfo("UTC"))


def asked(
    emulator: Any, path: str, headers: dict[str, str] | None = None, method: str = "GET", **query: str
) -> tuple[int, Any]:
    reply: WireReply = emulator.answer(WireRequest(method, path, urlencode(query), headers or {}))
    return reply.status, json.loads(reply.body) if reply.body[:1] == b"{" else reply.body.decode()


def test_lines_are_read_as_engines_read_them(situation: Situation) -> None:
    line = read_line('a (b OR c) -"d e" site:React.dev "f')
    assert [[part.text for part in group] for group in line.groups] == [["a"], ["b", "c"], ["d e"], ["f"]]
    assert [group[0].wanted for group in line.groups] == [True, True, False, True]
    assert line.hosts == ["react.dev"]
    pages = Pages(situation.corpus.of("brave"))
    assert [row.id for row in pages.find("suspense -hooks")] == ["brave-react"]
    assert [row.id for row in pages.find("배포 OR fallback")] in (
        ["brave-k8s", "brave-react"],
        ["brave-react", "brave-k8s"],
    )
    assert [row.id for row in pages.find("site:guide.example suspense")] == ["brave-guide"]
    assert len(pages.find("")) == 3


def test_searxng(situation: Situation) -> None:
    served = SEARXNG(situation)
    good = {"q": "suspense", "format": "json"}
    status, body = asked(served, "/search", **good)
    assert (status, len(body["results"]), body["unresponsive_engines"]) == (200, 2, [])
    assert body["results"][0]["publishedDate"] == "2026-01-05T00:00:00"
    assert asked(served, "/search", q="x")[0] == 200  # a page for people
    assert asked(served, "/search", q="x", format="csv")[0] == 403
    for wrong in (
        {"q": " "},
        {"pageno": "0"},
        {"pageno": "x"},
        {"language": "한국어"},
        {"safesearch": "3"},
        {"time_range": "eon"},
    ):
        assert asked(served, "/search", **{**good, **wrong})[0] == 400
    assert asked(served, "/nowhere", **good)[0] == 404
    assert len(asked(served, "/search", q='"suspense !wikipedia :de"', format="json")[1]["results"]) == 2
    assert asked(served, "/search", q="!!g suspense", format="json")[0] == 302
    assert asked(served, "/search", **good, pageno="2")[1]["results"] == []
    assert served.refuse(Fault(retry_after=9)).headers["Retry-After"] == "9"
    assert (served.refuse(Fault()).status, served.too_large().status) == (500, 413)
    assert served.origins()["https://react.dev/suspense"] == "searxng-react"


KEY = {"x-subscription-token": "BSA-sandbox-key-0000"}


def test_brave(situation: Situation) -> None:
    served = BRAVE(situation)
    path = "/res/v1/web/search"
    status, body = asked(served, path, KEY, q="suspense", count="1")
    assert (status, body["query"]["more_results_available"], len(body["web"]["results"])) == (200, True, 1)
    assert "web" not in asked(served, path, KEY, q="zebra")[1]
    assert asked(served, path, {}, q="x")[1]["error"]["code"] == "SUBSCRIPTION_TOKEN_INVALID"
    for wrong in (
        {"q": ""},
        {"q": "x" * 401},
        {"q": "x " * 51},
        {"count": "21"},
        {"offset": "10"},
        {"freshness": "2026"},
        {"limit": "1"},
    ):
        status, body = asked(served, path, KEY, **{"q": "x", **wrong})
        assert (status, body["error"]["code"]) == (422, "VALIDATION")
    assert asked(served, path, KEY, q="x", extra_snippets="true")[1]["error"]["code"] == "OPTION_NOT_IN_PLAN"
    assert len(asked(served, path, KEY, q="suspense", freshness="2026-01-01to2026-01-31")[1]["web"]["results"]) == 1
    assert asked(served, "/nowhere", KEY, q="x")[0] == 404
    assert served.refuse(Fault(retry_after=3)).headers["X-RateLimit-Reset"] == "3, 90000"
    assert (served.refuse(Fault(status=503)).status, served.too_large().status) == (503, 413)
    assert served.origins()["https://react.dev/suspense"] == "brave-react"


def test_serpapi(situation: Situation) -> None:
    served = SERPAPI(situation)
    good = {"engine": "google", "q": "suspense", "api_key": "serp-sandbox-key-0000"}
    status, body = asked(served, "/search.json", **good)
    assert (status, body["search_metadata"]["status"], len(body["organic_results"])) == (200, "Success", 2)
    assert body["organic_results"][0]["date"] == "Jan 5, 2026"
    status, body = asked(served, "/search.json", **{**good, "q": "zebra"})
    assert (status, "any results" in body["error"]) == (200, True)
    assert asked(served, "/search.json", **{**good, "api_key": "x"})[0] == 401
    for wrong in (
        {"engine": "altavista"},
        {"q": " "},
        {"start": "x"},
        {"tbs": "qdr"},
        {"tbs": "cdr:1,cd_min:13/40/2026"},
    ):
        assert asked(served, "/search.json", **{**good, **wrong})[0] == 400
    windows = ("cdr:1,cd_min:1/1/2026", "cdr:1,cd_max:1/31/2026", "cdr:1,cd_min:1/1/2026,cd_max:1/31/2026")
    assert [len(asked(served, "/search.json", **good, tbs=tbs)[1]["organic_results"]) for tbs in windows] == [1, 1, 1]
    assert asked(served, "/account.json", api_key=good["api_key"])[1]["plan_name"] == "Developer"
    assert asked(served, "/nowhere", **good)[0] == 404
    assert served.refuse(Fault(retry_after=3)).headers["Retry-After"] == "3"
    assert (served.refuse(Fault()).status, served.too_large().status) == (500, 413)
    assert served.origins()["https://react.dev/suspense"] == "serpapi-react"


GOOGLE = {"x-goog-api-key": "AIza-sandbox-key-0000"}
PATH = "/v1beta/models/gemini-2.5-flash:generateContent"


def generated(served: Any, body: Any, path: str = PATH) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = served.answer(WireRequest("POST", path, "", GOOGLE, data))
    return reply.status, json.loads(reply.body)


def told(text: str, **tool: Any) -> dict[str, Any]:
    return {"contents": [{"role": "user", "parts": [{"text": text}]}], "tools": [{"googleSearch": tool}]}


def test_gemini(situation: Situation) -> None:
    served = GEMINI(situation)
    status, body = generated(served, told("Search.\n\nQuery: 컨테이너 배포"))
    candidate = body["candidates"][0]
    text, (support,) = candidate["content"]["parts"][0]["text"], candidate["groundingMetadata"]["groundingSupports"]
    assert (status, text) == (200, "컨테이너 배포를 자동화한다.")
    assert text.encode()[: support["segment"]["endIndex"]].decode() == support["segment"]["text"]
    assert "startIndex" not in support["segment"]
    window = {"timeRangeFilter": {"startTime": "2026-01-01T00:00:00Z", "endTime": "2026-01-31T00:00:00Z"}}
    assert (
        len(generated(served, told("suspense", **window))[1]["candidates"][0]["groundingMetadata"]["groundingChunks"])
        == 1
    )
    assert "groundingChunks" not in generated(served, told("zebra"))[1]["candidates"][0]["groundingMetadata"]
    assert "groundingMetadata" not in generated(served, {"contents": [{"parts": [{"text": "x"}]}]})[1]["candidates"][0]
    wrong: tuple[Any, ...] = (
        b"{", [], {}, {"contents": []}, {"contents": [{"parts": []}]}, {"contents": [{"role": "bot", "parts": [{"text": "x"}]}]},
        {**told("x"), "no_such_field": 1}, told("x", no_such_field=1), told("x", timeRangeFilter={"startTime": "2026-01-01T00:00:00Z"}),
    )  # fmt: skip
    for body in wrong:
        status, reply = generated(served, body)
        assert (status, reply["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert generated(served, told("x"), "/v1beta/models/gemini-1.0:generateContent")[0] == 404
    assert asked(served, "/v1beta/models/gemini-2.5-flash", GOOGLE)[1]["name"] == "models/gemini-2.5-flash"
    assert asked(served, PATH, GOOGLE)[0] == 404  # GET of a method
    refused = asked(served, "/v1beta/models/gemini-2.5-flash")[1]["error"]
    assert refused["details"][0]["reason"] == "API_KEY_INVALID"
    throttled = json.loads(served.refuse(Fault(retry_after=9)).body)["error"]
    assert (throttled["status"], throttled["details"][0]["retryDelay"]) == ("RESOURCE_EXHAUSTED", "9s")
    assert (served.refuse(Fault(status=503)).status, served.too_large().status) == (503, 413)
    assert served.origins()["https://react.dev/suspense"] == "gemini-react"
