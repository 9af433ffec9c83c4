"""`GET /res/v1/web/search`: every parameter checked by its documented bounds, errors in Brave's shape."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Pages, changed
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, whole_number

TOKEN = "BSA-sandbox-key-0000"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
PATH = "/res/v1/web/search"
MOST_LETTERS, MOST_WORDS, MOST, LAST = 400, 50, 20, 9
SHAPES = {
    "country": re.compile(r"[A-Z]{2}|ALL"),
    "search_lang": re.compile(r"[a-z]{2,3}(-[a-z]{2,4})?"),
    "ui_lang": re.compile(r"[a-z]{2}-[A-Z]{2}"),
    "safesearch": re.compile(r"off|moderate|strict"),
    "freshness": re.compile(r"p[dwmy]|\d{4}-\d\d-\d\dto\d{4}-\d\d-\d\d"),
    "result_filter": re.compile(r"[a-z,]+"),
    "text_decorations": re.compile(r"true|false|1|0"),
    "spellcheck": re.compile(r"true|false|1|0"),
    "extra_snippets": re.compile(r"true|false|1|0"),
    "goggles": re.compile(r".*"),
    "units": re.compile(r"metric|imperial"),
}


class BraveEmulator:
    """The web by one key of a plan without extras."""

    source = "brave"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """Pages, or an error with its code."""
        given = dict(request.query())
        if (request.method, request.path) != ("GET", PATH):
            return _error(404, "NOT_FOUND", "There is nothing here.", given)
        if request.headers.get("x-subscription-token") not in self.tokens:
            return _error(422, "SUBSCRIPTION_TOKEN_INVALID", "The provided subscription token is invalid.", given)
        if wrong := _wrong(given):
            return _error(422, "VALIDATION", f"Unable to validate request parameter(s): {wrong}", given)
        if given.get("extra_snippets") == "true":
            return _error(400, "OPTION_NOT_IN_PLAN", "The option is not included in the plan.", given)
        return self._found(given)

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault; throttled, the window of a second is used up."""
        status = fault.refusal or 500
        if status != HTTPStatus.TOO_MANY_REQUESTS:
            return _error(status, "INTERNAL", "a fault of the sandbox", {})
        wait = str(max(1, round(fault.retry_after or 1)))
        headers = {
            "X-RateLimit-Limit": "1, 2000",
            "X-RateLimit-Remaining": "0, 1999",
            "X-RateLimit-Reset": f"{wait}, 90000",
        }
        return _error(status, "RATE_LIMITED", "Request rate limit exceeded for plan.", {}, headers)

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return _error(413, "TOO_LARGE", "the request is too large", {})

    def origins(self) -> Mapping[str, str]:
        """By address."""
        return {row.url: row.id for row in self._pages.rows if row.url}

    def _found(self, given: Mapping[str, str]) -> WireReply:
        count, offset = int(given.get("count", MOST)), int(given.get("offset", 0))
        since, _, until = given.get("freshness", "").partition("to")
        days = (date.fromisoformat(since), date.fromisoformat(until)) if until else (None, None)
        found = self._pages.find(given["q"], *days)
        page = found[offset * count : (offset + 1) * count]
        asked = {"original": given["q"], "more_results_available": len(found) > (offset + 1) * count}
        web = (
            {"web": {"type": "search", "results": [_result(row) for row in page], "family_friendly": True}}
            if page
            else {}
        )
        return json_reply(200, {"type": "search", "query": asked, **web}, asked=given, hits=len(page))


def _wrong(given: Mapping[str, str]) -> str:
    """The first parameter that is not as documented."""
    question = given.get("q", "")
    if not question or len(question) > MOST_LETTERS or len(question.split()) > MOST_WORDS:
        return "q"
    if whole_number(given.get("count", "20"), 1, MOST) is None:
        return "count"
    if whole_number(given.get("offset", "0"), 0, LAST) is None:
        return "offset"
    others = {name: value for name, value in given.items() if name not in ("q", "count", "offset")}
    return next((name for name, value in others.items() if name not in SHAPES or not SHAPES[name].fullmatch(value)), "")


def _result(row: Row) -> dict[str, Any]:
    when = changed(row)
    result = {
        "type": "search_result",
        "subtype": "generic",
        "title": row.title,
        "url": row.url,
        "description": row.text[:300],
    }
    return {**result, "language": "en", **({"page_age": when.replace(tzinfo=None).isoformat()} if when else {})}


def _error(
    status: int, code: str, detail: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> WireReply:
    error = {"id": "sandbox", "status": status, "code": code, "detail": detail, "meta": {}}
    return json_reply(status, {"type": "ErrorResponse", "error": error, "time": 0}, headers=headers or {}, asked=asked)
