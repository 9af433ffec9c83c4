"""`GET /search.json` and `/account.json`: the key as a parameter, errors in `error`, some of them with HTTP 200."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Pages, changed
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

TOKEN = "serp-sandbox-key-0000"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
ENGINES = frozenset({"google", "google_light"})
WRONG_KEY = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
NO_RESULTS = "Google hasn't returned any results for this query."
PAGE, FURTHEST = 10, 300
WINDOW = re.compile(r"cdr:1(?:,cd_min:(\d{1,2})/(\d{1,2})/(\d{4}))?(?:,cd_max:(\d{1,2})/(\d{1,2})/(\d{4}))?")


class SerpapiEmulator:
    """Google by one account."""

    source = "serpapi"
    base_path = ""

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """Pages, the account, or `{"error": …}`."""
        given = dict(request.query())
        key = given.pop("api_key", "")
        if request.method != "GET" or request.path not in ("/search", "/search.json", "/account.json", "/account"):
            return _error(404, "Not found.", given)
        if key not in self.tokens:
            return _error(401, WRONG_KEY, given)
        if request.path.startswith("/account"):
            account = {"account_email": "ops@acme.example", "plan_name": "Developer", "total_searches_left": 4999}
            return json_reply(200, account, asked=given)
        return self._searched(given)

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault."""
        status = fault.refusal or 500
        throttled = status == HTTPStatus.TOO_MANY_REQUESTS
        said = "You are exceeding your plan's hourly throughput limit." if throttled else "a fault of the sandbox"
        return _error(status, said, {}, retry_header(fault))

    def too_large(self) -> WireReply:
        """A body over the limit."""
        return _error(413, "the request is too large", {})

    def origins(self) -> Mapping[str, str]:
        """By address."""
        return {row.url: row.id for row in self._pages.rows if row.url}

    def _searched(self, given: Mapping[str, str]) -> WireReply:
        if given.get("engine") not in ENGINES:
            return _error(400, f"Unsupported `{given.get('engine', '')}` search engine.", given)
        if not given.get("q", "").strip():
            return _error(400, "Missing query `q` parameter.", given)
        start = whole_number(given.get("start", "0"), 0, FURTHEST)
        window = _window(given.get("tbs", ""))
        if start is None or window is None:
            return _error(400, "Unsupported value for a parameter.", given)
        return self._found(given, start, window)

    def _found(self, given: Mapping[str, str], start: int, window: tuple[date | None, date | None]) -> WireReply:
        found = self._pages.find(given["q"], *window)
        page = found[start : start + PAGE]
        body: dict[str, Any] = {
            "search_metadata": {"id": "sandbox", "status": "Success"},
            "search_parameters": dict(given),
            "search_information": {"total_results": len(found)},
        }
        if not page:
            return json_reply(200, {**body, "error": NO_RESULTS}, asked=given)
        body["organic_results"] = [_result(row, place) for place, row in enumerate(page, 1)]
        if start + PAGE < len(found):
            following = urlencode({**given, "start": str(start + PAGE)})
            body["serpapi_pagination"] = {"next": f"https://serpapi.com/search.json?{following}"}
        return json_reply(200, body, asked=given, hits=len(page))


def _window(text: str) -> tuple[date | None, date | None] | None:
    """The days of `cdr:1,cd_min:M/D/Y,cd_max:M/D/Y`; nothing for what Google does not understand."""
    if not text:
        return None, None
    found = WINDOW.fullmatch(text)
    if found is None:
        return None
    month, day, year, last_month, last_day, last_year = (int(part or 0) for part in found.groups())
    try:
        since = date(year, month, day) if year else None
        return since, date(last_year, last_month, last_day) if last_year else None
    except ValueError:
        return None


def _result(row: Row, place: int) -> dict[str, Any]:
    when = changed(row)
    result = {
        "position": place,
        "title": row.title,
        "link": row.url,
        "snippet": row.text[:300],
        "source": row.container,
    }
    return {**result, **({"date": f"{when:%b} {when.day}, {when.year}"} if when else {})}


def _error(status: int, message: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> WireReply:
    return json_reply(status, {"error": message}, headers=headers or {}, asked=asked)
