"""What search services return, made into results: valid, judged, without repeats, in order."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from connectors.text import plain_line
from orchestrator.websearch.excerpts import clipped
from orchestrator.websearch.urls import compared_url, is_redirect, read_address
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.websearch.query import Strategy, WebQuery
    from orchestrator.websearch.tiers import TierJudge, TierRating

NO_ADDRESS = Said("its address is not valid")
NO_TITLE = Said("it has no title")
SNIPPET = 200  # characters
TITLE = 300
# "123 votes", "1.2k upvotes", "추천 12"; a page may claim them, which moves its score inside its tier only.
VOTES = re.compile(
    r"(?<![\w.,])(?P<count>\d[\d,]*(?:\.\d+)?)(?P<kilo>k?) (?:up)?votes?\b|추천(?:수)? ?(?P<korean>\d[\d,]*)"
)


@record
class WebResult:
    """One page of the web. ``title`` is never empty, ``snippet`` has at most 200 characters, ``published`` is aware.

    ``tier`` and ``reliability`` as :class:`orchestrator.websearch.tiers.TierRating`; ``position`` counts from 0 in the
    order in which the services returned it; ``found_by`` names the service.
    """

    title: str
    url: str
    snippet: str
    verdict: TierRating
    published: datetime | None = None
    position: int = 0
    found_by: str = ""

    @property
    def tier(self) -> int:
        """1 (official) to 4."""
        return self.verdict.tier

    @property
    def reliability(self) -> int:
        """0 to 100."""
        return self.verdict.reliability


@record
class DroppedResult:
    """Something that was returned and is no result; ``url`` as the service said it, short and on one line."""

    url: str
    reason: Said


@record
class Findings:
    """What a search found: ``results`` as chosen by the ``strategy``, out of ``pool``, all that came back.

    ``tiers`` were chosen from; ``keyword`` was added to the query on feedback. ``warnings`` are for people: what was left
    out, that nothing was found, what the services said of themselves. ``read``: pages that were looked into, by address.
    """

    query: WebQuery
    strategy: Strategy
    results: tuple[WebResult, ...]
    pool: tuple[WebResult, ...] = ()
    tiers: tuple[int, ...] = (1, 2, 3, 4)
    keyword: str = ""
    left_out: tuple[DroppedResult, ...] = ()
    warnings: tuple[str, ...] = ()
    read: tuple[tuple[str, str], ...] = ()

    def content(self, result: WebResult) -> str:
        """What the page itself says to the query, empty where it was not read."""
        return dict(self.read).get(result.url, "")


def read_results(
    hits: Iterable[Hit], query: str, judge: TierJudge
) -> tuple[tuple[WebResult, ...], tuple[DroppedResult, ...]]:
    """The hits as results in their order, and those that are none (without a title or a valid address)."""
    kept: list[WebResult] = []
    left_out: list[DroppedResult] = []
    for position, hit in enumerate(hits):
        title, url = clipped(_text(hit.title), TITLE), hit.url.strip()
        if read_address(url) is None:
            left_out.append(DroppedResult(clipped(plain_line(url), SNIPPET), NO_ADDRESS))
        elif not title:
            left_out.append(DroppedResult(clipped(plain_line(url), SNIPPET), NO_TITLE))
        else:
            verdict = judge.judge(_judged(hit, url), query, _votes(hit))
            found_by = str(hit.facts.get("found_by", "")) or hit.source
            when = hit.updated or hit.created
            kept.append(WebResult(title, url, clipped(_text(hit.snippet), SNIPPET), verdict, when, position, found_by))
    return tuple(kept), tuple(left_out)


def _judged(hit: Hit, url: str) -> str:
    """A redirect is no better and no worse than the host that Gemini names with it."""
    return f"https://{hit.container.name}/" if is_redirect(url) and hit.container else url


def _text(text: str) -> str:
    """On one line, Hangul composed, so that a cut cannot fall inside a syllable."""
    return unicodedata.normalize("NFC", plain_line(text))


def _votes(hit: Hit) -> int | None:
    told = hit.facts.get("votes")
    if isinstance(told, int) and not isinstance(told, bool):
        return told
    found = VOTES.search(hit.snippet[: 2 * SNIPPET])
    if found is None:
        return None
    count = float((found["count"] or found["korean"]).replace(",", ""))
    return round(count * (1000 if found["kilo"] else 1))


def distinct(results: Iterable[WebResult]) -> tuple[WebResult, ...]:
    """Of several with one address, the first stays (see :func:`orchestrator.websearch.urls.compared_url`)."""
    kept: dict[str, WebResult] = {}
    for result in results:
        kept.setdefault(compared_url(result.url), result)
    return tuple(kept.values())


def ordered(results: Iterable[WebResult]) -> tuple[WebResult, ...]:
    """By tier, then reliability, then recency (undated last), then as they came."""
    return tuple(sorted(results, key=_rank))


def _rank(result: WebResult) -> tuple[int, int, float, int]:
    age = -result.published.timestamp() if result.published else float("inf")
    return (result.tier, -result.reliability, age, result.position)
