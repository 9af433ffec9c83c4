"""SearXNG: the web by an instance of your own, through its JSON API: https://docs.searxng.org/dev/search_api.html ."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from connectors.contract import Health, Hit, HitPage
from connectors.errors import Forbidden, Misconfigured
from connectors.http import HttpRequest, Page, Reply, answered, error_for
from connectors.manifest import load_manifest
from connectors.searxng.settings import SearxngSettings
from connectors.searxng.wire import Found, Result
from connectors.text import plain_line, quote
from connectors.web_search import WebSearchSource, page_hit
from connectors.wire import read, read_each
from translators.said import Said, joined
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Call
    from connectors.errors import SourceError
    from connectors.http import Transport

CURSOR = re.compile(r"([1-9][0-9]?)(?::([0-9]{1,3}))?", re.ASCII)
LAST = 10  # pages: engines give out hardly more
JSON_IS_OFF = Said("its JSON is off: list json under search.formats in its settings.yml")
LIMITER = Said("its limiter takes us for a robot: let this address pass in limiter.toml")
PROBED = "wikipedia"


class SearxngSource(WebSearchSource):
    """One instance. Its pages have whatever size its engines make them: they are cut here."""

    manifest = load_manifest("connectors.searxng")
    settings_type = SearxngSettings
    settings: SearxngSettings

    def __init__(self, name: str, settings: SearxngSettings) -> None:
        super().__init__(name, settings)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; whatever is not set is left to the instance."""
        number, _ = _place(page.cursor)
        said = {
            "categories": ",".join(self.settings.categories),
            "engines": ",".join(self.settings.engines),
            "language": self.settings.language,
            "safesearch": "" if self.settings.safesearch is None else str(self.settings.safesearch),
        }
        chosen = {name: value for name, value in said.items() if value}
        return HttpRequest("GET", "search", {"q": native.text, "format": "json", "pageno": str(number), **chosen})

    def parse(self, reply: Reply) -> HitPage:
        """The results, and which engines gave none."""
        found = read(Found, reply.data, "SearXNG")
        hits, notes = read_each(Result, found.results, self._hit, "results")
        silent = _silent(found.unresponsive_engines)
        return HitPage(
            hits,
            None,
            None,
            (
                *notes,
                *((Said("not all engines answered: {silent}").filled(silent=silent),) if silent else ()),
            ),
        )

    def error(self, reply: Reply) -> SourceError | None:
        """403 is what a format that is switched off is answered with, 429 what its limiter says."""
        said = answered(self.manifest.title, reply.status)
        match reply.status:
            case HTTPStatus.FORBIDDEN:
                return Forbidden(joined("; ", (said, JSON_IS_OFF)))
            case HTTPStatus.TOO_MANY_REQUESTS:
                return error_for(reply, joined("; ", (said, LIMITER)))
            case _:
                return error_for(reply, said)

    def open_transport(self) -> Transport:
        """Every instance has an address of its own."""
        if not self.settings.base_url:
            raise Misconfigured(
                Said("set base_url of {name} to the address of its SearXNG, such as http://127.0.0.1:8888").filled(
                    name=self.name
                )
            )
        return super().open_transport()

    def authorization(self, secret: str) -> Mapping[str, str]:
        """What a proxy before it wants: basic (RFC 7617) where a name is set, else a bearer token."""
        if not self.settings.username:
            return super().authorization(secret)
        pair = base64.b64encode(f"{self.settings.username}:{secret}".encode()).decode("ascii")
        return {"Authorization": f"Basic {pair}"}

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of at most ``call.limit`` hits, cut from the instance's."""
        number, skip = _place(call.cursor)
        limit = max(1, min(call.limit, self.manifest.limits.page))
        whole = await super().search(native, replace(call, limit=self.manifest.limits.page))
        end = skip + limit
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(whole.hits[skip:end], 1))
        more = f"{number}:{end}" if end < len(whole.hits) else f"{number + 1}" if whole.hits and number < LAST else None
        return replace(whole, hits=hits, cursor=more)

    async def probe(self, call: Call) -> Health:
        """A search for one word: nothing less proves that JSON is on."""
        found = await self.search(NativeQuery(self.manifest.dialect, PROBED), replace(call, limit=1))
        return Health(ok=True, detail="; ".join((f"{len(found.hits)} results for {PROBED}", *found.notes)))

    def _hit(self, result: Result) -> Hit:
        hit = page_hit(
            result.url, result.title, result.content, when=result.publishedDate, facts={"engines": result.engines}
        )
        return replace(hit, score=result.score)


def _place(cursor: str | None) -> tuple[int, int]:
    """Which page, from 1, and how many hits of it were returned before; the start for a cursor that is not ours."""
    found = CURSOR.fullmatch(cursor or "")
    return (int(found[1]), int(found[2] or 0)) if found else (1, 0)


def _silent(pairs: tuple[object, ...]) -> str:
    told = [": ".join(plain_line(str(part)) for part in pair[:2]) for pair in pairs if isinstance(pair, list) and pair]
    return quote(", ".join(told)) if told else ""


SOURCE = SearxngSource
