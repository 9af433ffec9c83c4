"""Brave's web search (https://api-dashboard.search.brave.com/api-reference/web/search/get) over pages: all parameters are checked."""

import re
from collections.abc import Mapping
from datetime import date
from http import HTTPStatus
from typing import Any, ClassVar

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Check, WebSearchEmulator, changed, within
from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply

CODES = {404: "NOT_FOUND", 413: "TOO_LARGE", 429: "RATE_LIMITED"}
MOST, LAST = 20, 9
FLAG = re.compile(r"true|false|1|0").fullmatch


class BraveEmulator(WebSearchEmulator):
    """The web by one key of a plan without extras."""

    source = "brave"
    token = "BSA-sandbox-key-0000"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
    paths = frozenset({"/res/v1/web/search"})
    parameters: ClassVar[Mapping[str, Check]] = {
        "q": lambda text: 0 < len(text) <= 400 and len(text.split()) <= 50,  # noqa: PLR2004 - its documented bounds
        "count": within(1, MOST),
        "offset": within(0, LAST),
        "country": re.compile(r"[A-Z]{2}|ALL").fullmatch,
        "search_lang": re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?").fullmatch,
        "ui_lang": re.compile(r"[a-z]{2}-[A-Z]{2}").fullmatch,
        "safesearch": re.compile(r"off|moderate|strict").fullmatch,
        "freshness": re.compile(r"p[dwmy]|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d").fullmatch,
        "result_filter": re.compile(r"[a-z,]+").fullmatch,
        "text_decorations": FLAG,
        "spellcheck": FLAG,
        "extra_snippets": FLAG,
        "goggles": re.compile(r".*").fullmatch,
        "units": re.compile(r"metric|imperial").fullmatch,
    }

    def found(self, request: WireRequest, given: dict[str, str]) -> WireReply:
        """Pages, or an error with its code."""
        if request.headers.get("x-subscription-token") not in self.tokens:
            detail = "The provided subscription token is invalid."
            return self.error(422, detail, given, code="SUBSCRIPTION_TOKEN_INVALID")
        if wrong := self.wrong(given) or next((name for name in given if name not in self.parameters), ""):
            return self.error(422, f"Unable to validate request parameter(s): {wrong}", given, code="VALIDATION")
        if given.get("extra_snippets") == "true":
            return self.error(400, "The option is not included in the plan.", given, code="OPTION_NOT_IN_PLAN")
        count, offset = int(given.get("count", MOST)), int(given.get("offset", 0))
        since, _, until = given.get("freshness", "").partition("to")
        days = (date.fromisoformat(since), date.fromisoformat(until)) if until else (None, None)
        found = self.pages.find(given["q"], *days)
        page = [_result(row) for row in found[offset * count : (offset + 1) * count]]
        asked = {"original": given["q"], "more_results_available": len(found) > (offset + 1) * count}
        web = {"web": {"type": "search", "results": page, "family_friendly": True}} if page else {}
        return json_reply(200, {"type": "search", "query": asked, **web}, asked=given, hits=len(page))

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault; throttled, the window of a second is used up."""
        status = fault.refusal or 500
        if status != HTTPStatus.TOO_MANY_REQUESTS:
            return self.error(status, "a fault of the sandbox", {})
        reset = f"{max(1, round(fault.retry_after or 1))}, 90000"
        window = {"X-RateLimit-Limit": "1, 2000", "X-RateLimit-Remaining": "0, 1999", "X-RateLimit-Reset": reset}
        return self.error(status, "Request rate limit exceeded for plan.", {}, window)

    def error(
        self,
        status: int,
        detail: str,
        asked: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        code: str = "",
    ) -> WireReply:
        """By its code."""
        error = {"id": "sandbox", "status": status, "code": code or CODES.get(status, "INTERNAL"), "detail": detail}
        body = {"type": "ErrorResponse", "error": {**error, "meta": {}}, "time": 0}
        return json_reply(status, body, headers=headers or {}, asked=asked)


def _result(row: Row) -> dict[str, Any]:
    when = changed(row)
    result = {"type": "search_result", "subtype": "generic", "title": row.title, "url": row.url}
    aged = {"page_age": when.replace(tzinfo=None).isoformat()} if when else {}
    return {**result, "description": row.text[:300], "language": "en", **aged}


EMULATOR = BraveEmulator
