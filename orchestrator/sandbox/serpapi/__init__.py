"""SerpApi's Google search (https://serpapi.com/search-api) over pages: errors stand in `error`, some of them with HTTP 200."""

import re
from collections.abc import Mapping
from datetime import date
from http import HTTPStatus
from typing import Any, ClassVar
from urllib.parse import urlencode

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.pages import Check, WebSearchEmulator, changed, within
from orchestrator.sandbox.wire import WireReply, WireRequest, json_reply, retry_header

WRONG_KEY = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
NO_RESULTS = "Google hasn't returned any results for this query."
WRONG = {"engine": "Unsupported search engine.", "q": "Missing query `q` parameter."}
PAGE = 10
WINDOW = re.compile(r"cdr:1(?:,cd_min:(\d{1,2})/(\d{1,2})/(\d{4}))?(?:,cd_max:(\d{1,2})/(\d{1,2})/(\d{4}))?")
ACCOUNT = {"account_email": "ops@acme.example", "plan_name": "Developer", "total_searches_left": 4999}


def window(text: str) -> tuple[date | None, date | None] | None:
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


class SerpapiEmulator(WebSearchEmulator):
    """Google by one account."""

    source = "serpapi"
    token = "serp-sandbox-key-0000"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
    paths = frozenset({"/search", "/search.json", "/account.json", "/account"})
    parameters: ClassVar[Mapping[str, Check]] = {
        "engine": re.compile(r"google|google_light").fullmatch,
        "q": str.strip,
        "start": within(0, 300),
        "tbs": window,
    }
    needed = frozenset({"engine", "q"})

    def found(self, request: WireRequest, given: dict[str, str]) -> WireReply:
        """Pages, the account, or `{"error": …}`."""
        if given.pop("api_key", "") not in self.tokens:
            return self.error(401, WRONG_KEY, given)
        if request.path.startswith("/account"):
            return json_reply(200, ACCOUNT, asked=given)
        if wrong := self.wrong(given):
            return self.error(400, WRONG.get(wrong, "Unsupported value for a parameter."), given)
        start, days = int(given.get("start", 0)), window(given.get("tbs", ""))
        found = self.pages.find(given["q"], *(days or ()))
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

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault."""
        status = fault.refusal or 500
        throttled = status == HTTPStatus.TOO_MANY_REQUESTS
        said = "You are exceeding your plan's hourly throughput limit." if throttled else "a fault of the sandbox"
        return self.error(status, said, {}, retry_header(fault))

    def error(
        self, status: int, detail: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> WireReply:
        """One sentence."""
        return json_reply(status, {"error": detail}, headers=headers or {}, asked=asked)


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


EMULATOR = SerpapiEmulator
