"""SearXNG's JSON API (https://docs.searxng.org/dev/search_api.html) over pages, its own commands taken out of the query."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Check, WebSearchEmulator, changed, within
from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply, retry_header

PAGE = 10
COMMAND = re.compile(r"[!?:<]\S+")


class SearxngEmulator(WebSearchEmulator):
    """One instance with JSON switched on; it wants no token, but a proxy before it may."""

    source = "searxng"
    token = "searxng-sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
    paths = frozenset({"/", "/search"})
    parameters: ClassVar[
        Mapping[str, Check]
    ] = {  # as searx/webadapter.py checks them; what it does not know, it passes over
        "q": str.strip,
        "pageno": within(1, 1000),
        "language": re.compile(r"[a-z]{2,3}(-[a-zA-Z]{2,4})?|all|auto").fullmatch,
        "safesearch": re.compile(r"[012]").fullmatch,
        "time_range": re.compile(r"day|week|month|year").fullmatch,
    }

    def found(self, request: WireRequest, given: dict[str, str]) -> WireReply:  # noqa: ARG002 - anybody may ask
        """Results, or an HTML page with the status that fits."""
        if given.get("format", "html") not in {"html", "json"}:
            return self.error(403, "Forbidden", given)
        if self.wrong(given):
            return self.error(400, "Invalid settings or no query", given)
        if given.get("format") != "json":
            return self.error(200, "results", given)
        words, number = given["q"].split(), int(given.get("pageno", 1))
        if any(word.startswith("!!") for word in words):  # an external bang sends the browser elsewhere
            return WireReply(302, b"", {"Location": "https://elsewhere.example/"}, given)
        text = " ".join(word for word in words if not COMMAND.fullmatch(word))
        found = [_result(row) for row in self.pages.find(text)[(number - 1) * PAGE : number * PAGE]]
        body = {"query": given["q"], "results": found, "answers": [], "corrections": []}
        more: dict[str, Any] = {"infoboxes": [], "suggestions": [], "unresponsive_engines": []}
        return json_reply(200, {**body, **more}, asked=given, hits=len(found))

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault, as a page."""
        return self.error(fault.refusal or 500, "error", {}, retry_header(fault))

    def error(
        self, status: int, detail: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> WireReply:
        """A page, whatever was asked for."""
        body = f"<!doctype html><title>{status}</title><p>{detail}".encode()
        return WireReply(status, body, {"Content-Type": "text/html; charset=utf-8", **(headers or {})}, asked)


def _result(row: Row) -> dict[str, Any]:
    when = changed(row)
    result = {"url": row.url, "title": row.title, "content": row.text[:300], "publishedDate": None}
    engine = {"engine": "sandbox", "engines": ["sandbox"], "score": 1.0, "category": "general"}
    return {**result, **engine, **({"publishedDate": when.replace(tzinfo=None).isoformat()} if when else {})}


EMULATOR = SearxngEmulator
