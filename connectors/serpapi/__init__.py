"""SerpApi: Google's results as JSON: https://serpapi.com/search-api ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.contract import Health, Hit, HitPage
from connectors.errors import Throttled, Unavailable
from connectors.http import HttpRequest, Page, Reply, answered, error_for, retry_after
from connectors.manifest import load_manifest
from connectors.serpapi.settings import SerpapiSettings
from connectors.serpapi.wire import Account, Found, Result
from connectors.text import quote
from connectors.transport import AiohttpTransport
from connectors.web_search import WebSearchSource, days, number, page_hit
from connectors.wire import FIRST_YEAR, read, read_each
from translators.said import Said, joined

if TYPE_CHECKING:
    from datetime import date

    from connectors.contract import Call
    from connectors.errors import SourceError
    from connectors.http import Transport
    from translators.translator import NativeQuery

FURTHEST = 300  # Google gives out no more
NO_RESULTS = "hasn't returned any results"
SPENT = "run out of searches"


class _KeyInAddress(AiohttpTransport):
    """SerpApi takes its key as a parameter only. It is put in here, so that no request of ours ever holds it."""

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        assert call.credential is not None
        return await super().send(replace(request, params={**request.params, "api_key": call.credential.secret}), call)


class SerpapiSource(WebSearchSource):
    """The web by one account."""

    manifest = load_manifest("connectors.serpapi")
    settings_type = SerpapiSettings
    settings: SerpapiSettings

    def __init__(self, name: str, settings: SerpapiSettings) -> None:
        super().__init__(name, settings)

    def open_transport(self) -> Transport:
        """The key travels in the address."""
        return _KeyInAddress(self.base_url, self.authorization, self.manifest.limits.concurrency)

    def authorization(self, secret: str) -> Mapping[str, str]:  # noqa: ARG002 — it travels elsewhere
        """No header."""
        return {}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; Google alone says how many hits a page holds."""
        first, last = days(native)
        said = {
            "start": str(number(page.cursor, FURTHEST) or ""),
            "hl": self.settings.language,
            "gl": self.settings.country,
            "safe": "active" if self.settings.safe else "",
            "tbs": _window(first, last) if self.settings.engine == "google" else "",
        }
        chosen = {name: value for name, value in said.items() if value}
        return HttpRequest("GET", "search.json", {"engine": self.settings.engine, "q": native.text, **chosen})

    def parse(self, reply: Reply) -> HitPage:
        """The pages. The cursor only tells that there is more."""
        found = read(Found, reply.data, "SerpApi")
        hits, notes = read_each(Result, found.organic_results, _hit, "results")
        total = found.search_information.total_results if found.search_information else None
        more = found.serpapi_pagination is not None and bool(found.serpapi_pagination.next)
        return HitPage(hits, "more" if more else None, total if isinstance(total, int) else None, notes)

    def following(self, found: HitPage, cursor: str | None, limit: int) -> str | None:
        """Google counts results, so a page that was cut goes on where it ended."""
        start = number(cursor, FURTHEST) + len(found.hits)
        return str(start) if found.hits and (found.cursor or len(found.hits) == limit) and start <= FURTHEST else None

    def error(self, reply: Reply) -> SourceError | None:
        """``error`` may come with HTTP 200; that nothing was found is none."""
        body = reply.data if isinstance(reply.data, Mapping) else {}
        why = quote(body["error"]) if isinstance(body.get("error"), str) else ""
        said = answered("SerpApi", reply.status, why)
        if reply.ok:
            return _failed(body, why)
        found = error_for(reply, said)
        if isinstance(found, Throttled) and SPENT in why:
            return Throttled(
                joined(
                    "; ",
                    (
                        said,
                        Said("the plan allows no more searches until it is renewed"),
                    ),
                ),
                retry_after(reply.headers),
            )
        return found

    async def probe(self, call: Call) -> Health:
        """The account: free of charge."""
        account = read(Account, (await self.send(HttpRequest("GET", "account.json"), call)).data, "SerpApi")
        left = "" if account.total_searches_left is None else f"{account.total_searches_left} searches left"
        return Health(ok=True, detail=", ".join(filter(None, (account.plan_name, left))), account=account.account_email)


def _failed(body: Mapping[str, object], why: str) -> SourceError | None:
    metadata = body.get("search_metadata")
    status = metadata.get("status") if isinstance(metadata, Mapping) else None
    if status in ("Processing", "Queued"):
        return Unavailable(Said("SerpApi has not finished this search; ask again in a moment"))
    if status == "Error" or (why and NO_RESULTS not in why):
        return Unavailable(Said("SerpApi could not search: {what}").filled(what=why or Said("it does not say why")))
    return None


def _window(first: date | None, last: date | None) -> str:
    """Google's own notation, months first; either end may be open."""
    ends = {"cd_min": first, "cd_max": last}
    said = [f"{name}:{day.month}/{day.day}/{day.year}" for name, day in ends.items() if day]
    return ",".join(("cdr:1", *said)) if said else ""


def _hit(result: Result) -> Hit:
    facts = {"date": result.date, "site": result.source}
    return page_hit(result.link, result.title, result.snippet, when=_day(result.date), facts=facts)


def _day(shown: str) -> datetime | None:
    """A date as Google writes it in English; other languages and ages in words cannot be told apart safely."""
    try:
        day = datetime.strptime(shown, "%b %d, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None
    return day if day.year >= FIRST_YEAR else None


SOURCE = SerpapiSource
