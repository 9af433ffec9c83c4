"""SearXNG: the web by an instance of your own, through its JSON API: https://docs.searxng.org/dev/search_api.html ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from connectors.auth import basic
from connectors.contract import Hit, HitPage
from connectors.errors import Forbidden, Remedy, Throttled
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.paging import CutPages, VendorPage
from connectors.searxng.settings import SearxngSettings
from connectors.searxng.wire import Found, Result
from connectors.text import plain_line, quote
from connectors.web_search import WebSearchSource, page_hit
from connectors.wire import read, read_each
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.translator import NativeQuery

JSON_IS_OFF = Said("its JSON is off: list json under search.formats in its settings.yml")
LIMITER = Said("its limiter takes us for a robot: let this address pass in limiter.toml")
SILENT = Said("not all engines answered: {silent}")


class SearxngSource(CutPages, WebSearchSource):
    """One instance. Its pages have whatever size its engines make them."""

    manifest = load_manifest("connectors.searxng")
    settings_type = SearxngSettings
    settings: SearxngSettings
    example_url = "http://127.0.0.1:8888"
    last_page = 10  # engines give out hardly more
    parameters: ClassVar = {name: name for name in ("categories", "engines", "language", "safesearch")}
    remedies: ClassVar = {403: Remedy(Forbidden, JSON_IS_OFF), 429: Remedy(Throttled, LIMITER)}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; whatever is not set is left to the instance."""
        number = str(VendorPage.read(page.cursor).number)
        return HttpRequest("GET", "search", {"q": native.text, "format": "json", "pageno": number, **self.chosen()})

    def parse(self, reply: Reply) -> HitPage:
        """The results, and which engines gave none."""
        found = read(Found, reply.data, "SearXNG")
        hits, notes = read_each(Result, found.results, _hit, "results")
        silent = [
            ": ".join(map(_word, each[:2])) for each in found.unresponsive_engines if isinstance(each, list) and each
        ]
        told = (SILENT.filled(silent=quote(", ".join(silent))),) if silent else ()
        return HitPage(hits, "more" if hits else None, notes=(*notes, *told))

    def authorization(self, secret: str) -> Mapping[str, str]:
        """What a proxy before it wants: basic where a name is set, else a bearer token."""
        name = self.settings.username
        return basic(f"{name}:{secret}") if name else super().authorization(secret)


def _word(part: object) -> str:
    return plain_line(str(part))


def _hit(result: Result) -> Hit:
    facts = {"engines": result.engines}
    hit = page_hit(result.url, result.title, result.content, when=result.publishedDate, facts=facts)
    return replace(hit, score=result.score)


SOURCE = SearxngSource
