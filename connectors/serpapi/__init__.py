"""SerpApi: Google's results as JSON: https://serpapi.com/search-api ."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from connectors.contract import Call, Health, Hit, HitPage
from connectors.errors import Remedy, SourceError, Throttled, Unavailable
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import SourceSettings, load_manifest
from connectors.serpapi.wire import Account, Found, Result
from connectors.text import quote
from connectors.web_search import WebSearchSource, days, number, page_hit
from connectors.wire import object_in, read, read_each, text_in
from translators.said import Said

if TYPE_CHECKING:
    from translators.translator import NativeQuery

FURTHEST = 300  # Google gives out no more
NO_RESULTS, SPENT = "hasn't returned any results", "run out of searches"
FAILED, NO_REASON = Said("SerpApi could not search: {what}"), Said("it does not say why")


class SerpapiSettings(SourceSettings):
    """Settings of an account.

    ``engine``: ``google``, or ``google_light``, which is quicker and knows no dates. ``language`` (Google's ``hl``,
    ``ko``) and ``country`` (``gl``, ``kr``): Google's own choice if empty. ``safe``: whether explicit pages are left out.
    """

    engine: Literal["google", "google_light"] = "google"
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}(-[a-z]{2,4})?)?$")] = ""
    country: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    safe: bool = False


class SerpapiSource(WebSearchSource):
    """The web by one account."""

    manifest = load_manifest("connectors.serpapi")
    settings_type = SerpapiSettings
    settings: SerpapiSettings
    key_parameter = "api_key"
    parameters: ClassVar = {"engine": "engine", "hl": "language", "gl": "country"}
    remedies: ClassVar = {SPENT: Remedy(Throttled, Said("the plan allows no more searches until it is renewed"))}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; Google alone says how many hits a page holds."""
        asked = self.chosen(
            start=str(number(page.cursor, FURTHEST) or ""),
            safe="active" if self.settings.safe else "",
            tbs=_window(*days(native)) if self.settings.engine == "google" else "",
        )
        return HttpRequest("GET", "search.json", {"q": native.text, **asked})

    def parse(self, reply: Reply) -> HitPage:
        """The pages. The cursor only tells that there is more."""
        found = read(Found, reply.data, "SerpApi")
        hits, notes = read_each(Result, found.organic_results, _hit, "results")
        total, more = found.search_information, "more" if found.serpapi_pagination else None
        return HitPage(hits, more, total if isinstance(total, int) else None, notes)

    def following(self, found: HitPage, cursor: str | None, limit: int) -> str | None:
        """Google counts results, so a page that was cut goes on where it ended."""
        start = number(cursor, FURTHEST) + len(found.hits)
        return str(start) if found.hits and (found.cursor or len(found.hits) == limit) and start <= FURTHEST else None

    def refusal(self, reply: Reply) -> tuple[str, str]:
        """SerpApi tells errors in words."""
        told = text_in(reply.data, "error")
        return SPENT if SPENT in told else "", quote(told)

    def error(self, reply: Reply) -> SourceError | None:
        """An error may come with HTTP 200; that nothing was found is none."""
        status, (_, why) = text_in(object_in(reply.data, "search_metadata"), "status"), self.refusal(reply)
        if not reply.ok:
            return super().error(reply)
        if status in ("Processing", "Queued"):
            return Unavailable(Said("SerpApi has not finished this search; ask again in a moment"))
        failed = status == "Error" or (why and NO_RESULTS not in why)
        return Unavailable(FAILED.filled(what=why or NO_REASON)) if failed else None

    async def probe(self, call: Call) -> Health:
        """The account: free of charge."""
        account = read(Account, (await self.send(HttpRequest("GET", "account.json"), call)).data, "SerpApi")
        left = "" if account.total_searches_left is None else f"{account.total_searches_left} searches left"
        return Health(ok=True, detail=", ".join(filter(None, (account.plan_name, left))), account=account.account_email)


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
        return datetime.strptime(shown, "%b %d, %Y").replace(tzinfo=UTC)
    except ValueError:
        return None


SOURCE = SerpapiSource
