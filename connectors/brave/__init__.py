"""Brave Search: the web by its own index: https://api-dashboard.search.brave.com/documentation ."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

from connectors.brave.errors import error_from
from connectors.brave.settings import BraveSettings
from connectors.brave.wire import Found, Result
from connectors.contract import Health, Hit, HitPage
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.web_search import WebSearchSource, days, page_hit
from connectors.wire import read, read_each
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Call
    from connectors.errors import SourceError

CURSOR = re.compile(r"([1-9]):([1-9]|1[0-9]|20)", re.ASCII)  # pages of that many hits; Brave counts pages up to 9
LAST = 9
STRONG = re.compile(r"</?strong>")
PROBED = "wikipedia"


class BraveSource(WebSearchSource):
    """The web by one key."""

    manifest = load_manifest("connectors.brave")
    settings_type = BraveSettings
    settings: BraveSettings

    def __init__(self, name: str, settings: BraveSettings) -> None:
        super().__init__(name, settings)

    def authorization(self, secret: str) -> Mapping[str, str]:
        """Brave's own header."""
        return {"X-Subscription-Token": secret}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search for pages only. Pages are counted in their size, so a cursor holds both."""
        number, count = _place(page.cursor) or (0, page.limit)
        first, last = days(native)
        said = {
            "country": self.settings.country,
            "search_lang": self.settings.language,
            "safesearch": self.settings.safesearch,
            "extra_snippets": "true" if self.settings.extra_snippets else "",
            "freshness": f"{first}to{last}" if first and last else "",  # a window with an open end is not documented
        }
        always = {"q": native.text, "count": str(count), "offset": str(number), "result_filter": "web"}
        chosen = {name: value for name, value in said.items() if value}
        return HttpRequest("GET", "res/v1/web/search", {**always, "text_decorations": "false", **chosen})

    def parse(self, reply: Reply) -> HitPage:
        """The pages. The cursor only tells that there is more."""
        found = read(Found, reply.data, "Brave")
        hits, notes = read_each(Result, found.web.results if found.web else (), _hit, "results")
        return HitPage(hits, "more" if found.query and found.query.more_results_available else None, None, notes)

    def following(self, found: HitPage, cursor: str | None, limit: int) -> str | None:
        """The next page of the same size, as far as Brave counts."""
        number, count = _place(cursor) or (0, limit)
        return f"{number + 1}:{count}" if found.cursor and number < LAST else None

    def error(self, reply: Reply) -> SourceError | None:
        """Brave's own words with what to do."""
        return error_from(reply)

    async def probe(self, call: Call) -> Health:
        """A search for one word: there is no cheaper request."""
        found = await self.search(NativeQuery(self.manifest.dialect, PROBED), replace(call, limit=1))
        return Health(ok=True, detail=f"{len(found.hits)} results for {PROBED}")


def _place(cursor: str | None) -> tuple[int, int] | None:
    found = CURSOR.fullmatch(cursor or "")
    return (int(found[1]), int(found[2])) if found else None


def _hit(result: Result) -> Hit:
    text = "\n".join(filter(None, map(_plain, (result.description, *result.extra_snippets))))
    facts = {"age": result.age, "language": result.language}
    return page_hit(result.url, _plain(result.title), text, when=result.page_age, facts=facts)


def _plain(text: str) -> str:
    """Entities, and marks of what was found, which Brave sends now and then though they are declined."""
    return unescape(STRONG.sub("", text))


SOURCE = BraveSource
