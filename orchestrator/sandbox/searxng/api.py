"""`GET /search`: parameters checked as searx/webadapter.py checks them, its own commands taken out of the query."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Pages, changed
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

TOKEN = "searxng-sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
FORMATS = ("html", "json")
PAGE = 10
LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-zA-Z]{2,4})?|all|auto")
COMMAND = re.compile(r"[!?:<]\S+")
RANGES = frozenset({"day", "week", "month", "year"})


class SearxngEmulator:
    """One instance with JSON switched on; it wants no token, but a proxy before it may."""

    source = "searxng"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """Results, or an HTML page with the status that fits."""
        given = dict(request.query())
        if request.path not in ("/", "/search") or request.method != "GET":
            return _page(404, "Not Found", given)
        if given.get("format", "html") not in FORMATS:
            return _page(403, "Forbidden", given)
        number = whole_number(given.get("pageno", "1"), 1, 1000)
        good = (
            given.get("q", "").strip(),
            number,
            LANGUAGE.fullmatch(given.get("language", "all")),
            given.get("safesearch", "0") in ("0", "1", "2"),
            given.get("time_range", "day") in RANGES,
        )
        if not all(good) or number is None:
            return _page(400, "Invalid settings or no query", given)
        if given.get("format") != "json":
            return _page(200, "results", given)
        words = given["q"].split()
        if any(word.startswith("!!") for word in words):  # an external bang sends the browser elsewhere
            return WireReply(302, b"", {"Location": "https://elsewhere.example/"}, given)
        text = " ".join(word for word in words if not COMMAND.fullmatch(word))
        found = self._pages.find(text)[(number - 1) * PAGE : number * PAGE]
        body = {"query": given["q"], "results": [_result(row) for row in found], "answers": [], "corrections": []}
        more: dict[str, Any] = {"infoboxes": [], "suggestions": [], "unresponsive_engines": []}
        return json_reply(200, {**body, **more}, asked=given, hits=len(found))

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault, as a page."""
        return _page(fault.refusal or 500, "error", {}, retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return _page(413, "too large", {})

    def origins(self) -> Mapping[str, str]:
        """By address."""
        return {row.url: row.id for row in self._pages.rows if row.url}


def _result(row: Row) -> dict[str, Any]:
    when = changed(row)
    return {
        "url": row.url,
        "title": row.title,
        "content": row.text[:300],
        "engine": "sandbox",
        "engines": ["sandbox"],
        "score": 1.0,
        "category": "general",
        "publishedDate": when and when.replace(tzinfo=None).isoformat(),
    }


def _page(status: int, text: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> WireReply:
    body = f"<!doctype html><title>{status}</title><p>{text}".encode()
    return WireReply(status, body, {"Content-Type": "text/html; charset=utf-8", **(headers or {})}, asked)
