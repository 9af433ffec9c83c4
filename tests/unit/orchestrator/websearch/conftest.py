"""What the tests of the web share: the packaged rules, hits, a search service and pages that answer as they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from connectors.contract import Hit, HitPage
from orchestrator.packaged import config_dir
from orchestrator.websearch import PageUnread, Refusal, TierJudge, TierRating, WebResult, WebSearch
from orchestrator.websearch.config import WebTiers, load_tiers
from orchestrator.websearch.pages.fetching import FetchedPage
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Call
    from connectors.errors import SourceError
    from translators.translator import NativeQuery


@pytest.fixture(scope="session")
def tiers() -> WebTiers:
    """The packaged rules."""
    return load_tiers(config_dir() / "web_tiers.toml")


@pytest.fixture(scope="session")
def judge(tiers: WebTiers) -> TierJudge:
    """A judge by the packaged rules."""
    return TierJudge(tiers)


class Service:
    """A search service: pages of hits by query text, then empty ones. Remembers what it was asked."""

    def __init__(self, pages: Mapping[str, Sequence[HitPage | SourceError]]) -> None:
        self._pages = {text: list(each) for text, each in pages.items()}
        self.asked: list[tuple[NativeQuery, Call]] = []

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        self.asked.append((native, call))
        left = self._pages.get(native.text, [])
        page = left.pop(0) if left else HitPage()
        if isinstance(page, HitPage):
            return page
        raise page

    async def aclose(self) -> None:
        """Nothing is open."""


class Pages:
    """A fetcher over texts by address; what has none cannot be reached."""

    def __init__(self, texts: Mapping[str, str] | None = None, moved: Mapping[str, str] | None = None) -> None:
        self._texts, self._moved = texts or {}, moved or {}
        self.located: list[str] = []

    async def fetch(self, url: str, prompt: str = "", *, most: int = 6) -> FetchedPage:
        if url not in self._texts:
            raise PageUnread(Refusal.UNREACHABLE, "cannot reach it")
        return FetchedPage(url, "A page", self._texts[url], TierRating(1, 95, "r"), matched=True)

    async def location(self, url: str) -> str:
        self.located.append(url)
        return self._moved.get(url, url)

    async def aclose(self) -> None:
        """Nothing is open."""


def hit(
    url: str, title: str = "A title", snippet: str = "A snippet.", when: datetime | None = None, **facts: str | int
) -> Hit:
    """One page as a service returns it."""
    return Hit("web", url, Kind.WEB_PAGE, title=title, url=url, snippet=snippet, updated=when, facts=facts)


def result(tier: int, reliability: int | None = None, position: int = 0, url: str = "") -> WebResult:
    """A result of a tier; the address says what it is, unless one is given."""
    score = {1: 95, 2: 80, 3: 60, 4: 40}[tier] if reliability is None else reliability
    address = url or f"https://t{tier}.example/{score}/{position}"
    return WebResult(f"Title {tier}.{position}", address, "A snippet.", TierRating(tier, score, "r"), None, position)


URLS = {
    1: "https://docs.python.org/3/{}",
    2: "https://pypi.org/project/{}",
    3: "https://stackoverflow.com/questions/{}",
    4: "https://velog.io/@somebody/{}",
}


def hits_of(*counts: int) -> tuple[Hit, ...]:
    """So many hits of tier 1, 2, 3, 4, the lowest tier first, as an engine may well return them."""
    found = [hit(URLS[tier].format(f"page-{n}")) for tier, count in enumerate(counts, 1) for n in range(count)]
    return tuple(reversed(found))


@pytest.fixture
def web(tiers: WebTiers, judge: TierJudge) -> Callable[..., WebSearch]:
    """A web over a service and pages."""

    def make(service: Service | None = None, pages: Pages | None = None, **more: object) -> WebSearch:
        return WebSearch(tiers, judge, pages or Pages(), source=service, **more)  # type: ignore[arg-type]

    return make
