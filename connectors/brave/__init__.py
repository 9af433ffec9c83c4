"""Brave Search: the web by its own index: https://api-dashboard.search.brave.com/documentation ."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from connectors.brave.wire import Found, Result
from connectors.contract import Hit, HitPage
from connectors.errors import Forbidden, Remedy, Throttled, Unauthenticated
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import SourceSettings, load_manifest
from connectors.text import quote
from connectors.web_search import WebSearchSource, days, page_hit
from connectors.wire import object_in, read, read_each, text_in
from translators.said import Said

if TYPE_CHECKING:
    from translators.translator import NativeQuery

CURSOR = re.compile(r"([1-9]):([1-9]|1[0-9]|20)", re.ASCII)  # pages of that many hits; Brave counts pages up to 9
LAST = 9
STRONG = re.compile(r"</?strong>")
NOT_IN_PLAN = Said("the plan of this key does not include what was asked for")


class BraveSettings(SourceSettings):
    """Settings of a key.

    ``country`` (``KR``) and ``language`` (``ko``): whose results come first; Brave's own choice if empty.
    ``safesearch``: Brave's own choice (moderate) if empty. ``extra_snippets``: up to five more extracts a page, in
    plans that have them.
    """

    country: Annotated[str, Field(pattern=r"^([A-Z]{2}|ALL)?$")] = ""
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}(-[a-z]{2,4})?)?$")] = ""
    safesearch: Literal["", "off", "moderate", "strict"] = ""
    extra_snippets: bool = False


class BraveSource(WebSearchSource):
    """The web by one key."""

    manifest = load_manifest("connectors.brave")
    settings_type = BraveSettings
    settings: BraveSettings
    vendor = "Brave"
    key_header = "X-Subscription-Token"
    parameters: ClassVar = {"search_lang": "language"} | {n: n for n in ("country", "safesearch", "extra_snippets")}
    # That a wrong token is told with 422 is from reports of its users.
    remedies: ClassVar = {
        **dict.fromkeys(("SUBSCRIPTION_TOKEN_INVALID", "SUBSCRIPTION_NOT_FOUND"), Remedy(Unauthenticated)),
        **dict.fromkeys(("OPTION_NOT_IN_PLAN", "RESOURCE_NOT_ALLOWED"), Remedy(Forbidden, NOT_IN_PLAN)),
        **dict.fromkeys(("RATE_LIMITED", "QUOTA_LIMITED"), Remedy(Throttled)),
    }

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search for pages only. Pages are counted in their size, so a cursor holds both."""
        number, count = _place(page.cursor) or (0, page.limit)
        always = {"q": native.text, "count": str(count), "offset": str(number), "result_filter": "web"}
        first, last = days(native)  # a window with an open end is not documented
        said = self.chosen(freshness=f"{first}to{last}" if first and last else "", text_decorations="false")
        return HttpRequest("GET", "res/v1/web/search", {**always, **said})

    def parse(self, reply: Reply) -> HitPage:
        """The pages. The cursor only tells that there is more."""
        found = read(Found, reply.data, self.vendor)
        hits, notes = read_each(Result, found.web, _hit, "results")
        return HitPage(hits, "more" if found.query else None, notes=notes)

    def following(self, found: HitPage, cursor: str | None, limit: int) -> str | None:
        """The next page of the same size, as far as Brave counts."""
        number, count = _place(cursor) or (0, limit)
        return f"{number + 1}:{count}" if found.cursor and number < LAST else None

    def refusal(self, reply: Reply) -> tuple[str, str]:
        """``{"error": {"code": …, "detail": …}}``."""
        error = object_in(reply.data, "error")
        code = text_in(error, "code")
        return code, quote(text_in(error, "detail") or code)

    def wait(self, reply: Reply) -> float | None:
        """Until the last of the windows that are used up begins anew: ``X-RateLimit-Reset: 1, 1419704``.

        https://api-dashboard.search.brave.com/documentation/guides/rate-limiting
        """
        left, resets = (_numbers(reply.headers.get(f"x-ratelimit-{name}", "")) for name in ("remaining", "reset"))
        spent = [reset for reset, remaining in zip(resets, left, strict=False) if remaining <= 0]
        asked = super().wait(reply)
        return max(spent, default=min(resets, default=None)) if asked is None else asked


def _place(cursor: str | None) -> tuple[int, int] | None:
    found = CURSOR.fullmatch(cursor or "")
    return (int(found[1]), int(found[2])) if found else None


def _numbers(listed: str) -> list[float]:
    """Numbers between commas; none at all if one of them is no number."""
    parts = [part.strip() for part in listed.split(",")]
    return [float(part) for part in parts] if all(part.isascii() and part.isdigit() for part in parts) else []


def _hit(result: Result) -> Hit:
    text = "\n".join(filter(None, map(_plain, (result.description, *result.extra_snippets))))
    facts = {"age": result.age, "language": result.language}
    return page_hit(result.url, _plain(result.title), text, when=result.page_age, facts=facts)


def _plain(text: str) -> str:
    """Entities, and marks of what was found, which Brave sends now and then though they are declined."""
    return unescape(STRONG.sub("", text))


SOURCE = BraveSource
