"""Web search as one thing to call: search, widen, read pages, answer on the grounds of a Google search."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, Self
from urllib.parse import urlsplit

from connectors.contract import Call
from connectors.errors import SourceError, Unauthenticated, Unavailable
from orchestrator.model import NoSources
from orchestrator.websearch.errors import PageUnread
from orchestrator.websearch.formats import blocks
from orchestrator.websearch.grounding import GroundedAnswer, read_answer, read_arguments
from orchestrator.websearch.query import LONGEST, Strategy, WebQuery
from orchestrator.websearch.results import Findings, distinct, ordered, read_results
from orchestrator.websearch.strategies import (
    comprehensive,
    keyword_for,
    merged,
    next_tiers,
    of_tiers,
    official_first,
    too_thin,
    widened_text,
)
from orchestrator.websearch.urls import is_redirect
from storage.logs import log_of
from translators.said import Said, joined
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from connectors.contract import Connector, Hit, HitPage
    from connectors.gemini.wire import Generated
    from orchestrator.websearch.config import WebTiers
    from orchestrator.websearch.formats import Block, Format
    from orchestrator.websearch.tiers import TierJudge, TierRating

TIMEOUT = 10.0  # seconds
MOST_REQUESTS = 4  # pages of results asked for one search; engines have 10 to 20 on each
REDIRECTS_WITHIN = 4.0  # seconds for all redirects of an answer at once
NO_PROVIDER = Said(
    "no web search is configured; set one, for example FEDSEARCH_SOURCES__WEB__SEARXNG__BASE_URL=http://127.0.0.1:8888 "
    "(docs/how-to/search-the-web.md)"
)
NO_GEMINI = Said(
    "grounded answers come from Gemini; set FEDSEARCH_SOURCES__WEB__GEMINI__TOKEN (docs/how-to/search-the-web.md)"
)
CUT = Said("{asked} results were asked for; {most} is the most")
LEFT_OUT = Said("{count} results were left out: {why}")
NOTHING = Said("nothing was found for “{text}”")
NONE_OF = Said("none of the {count} results is of tier {tiers}")
NOT_AGAIN = Said("“{text}” could not be asked as well: {why}")
ONLY_FIRST = Said("only the first {count} results came: {why}")
OR = Said(" or ")
NO_TIME = Said("there was no time for more")
NO_ANSWER = Said("no answer within {seconds:.1f} s")
log = log_of(__name__)


class WebPage(Protocol):
    """One page of the web, as far as it says something to a prompt."""

    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def verdict(self) -> TierRating: ...
    @property
    def matched(self) -> bool: ...
    @property
    def published(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def age(self) -> float: ...


class Fetcher(Protocol):
    """What reads pages: :class:`orchestrator.websearch.pages.fetching.PageFetcher`. Raises :class:`PageUnread`."""

    async def fetch(self, url: str, prompt: str = "", *, most: int = 6) -> WebPage: ...
    async def location(self, url: str) -> str: ...
    async def aclose(self) -> None: ...


class WebSearch:
    """Made by :func:`orchestrator.assembly.web.build_web`. ``source`` is whoever is asked, ``gemini`` who grounds answers.

    ``call`` and ``gemini_call``: the circumstances in which they are asked: their vendors' rates, the seconds there are
    for all of a search. ``closing``: what ends with it.
    """

    def __init__(
        self,
        tiers: WebTiers,
        judge: TierJudge,
        fetcher: Fetcher,
        *,
        source: Connector | None = None,
        gemini: Callable[[str, Call], Awaitable[Generated]] | None = None,
        call: Call | None = None,
        gemini_call: Call | None = None,
        closing: tuple[Connector, ...] = (),
    ) -> None:
        self._numbers = tiers.strategies
        self._judge = judge
        self._fetcher = fetcher
        self._source = source
        self._gemini = gemini
        self._call = call or Call(timeout=TIMEOUT)
        self._gemini_call = gemini_call or Call(timeout=TIMEOUT)
        self._closing = closing

    # ---- search

    async def search(self, query: WebQuery, strategy: Strategy = Strategy.ALL) -> Findings:
        """Ask the web. Raises :class:`connectors.errors.SourceError` where nobody answers, :class:`NoSources` where nobody is set."""
        wanted = {
            Strategy.ALL: self._numbers.progressive.pool,  # what is shown is chosen by tier, out of more
            Strategy.OFFICIAL: self._numbers.official.results,
            Strategy.COMPREHENSIVE: self._numbers.comprehensive.results,
            Strategy.PROGRESSIVE: self._numbers.progressive.pool,
        }[strategy]
        wanted = max(wanted, query.max_results)
        deadline = asyncio.get_running_loop().time() + self._call.timeout
        found = await self._asked(query.text, wanted, query, deadline)
        if query.tier is None:
            found = await self._asked_again(found, strategy, wanted, deadline)
        tiers = self._numbers.progressive.tiers if strategy is Strategy.PROGRESSIVE else (1, 2, 3, 4)
        return self._chosen(replace(found, strategy=strategy, tiers=tiers, warnings=(*_cut(query), *found.warnings)))

    async def _asked_again(self, found: Findings, strategy: Strategy, wanted: int, deadline: float) -> Findings:
        """And what is found in each tier of which there was too little. A search that fails costs only itself."""
        asked: set[int] = set()
        while thin := too_thin(found.pool, self._numbers, strategy, asked):
            asked.update(thin)
            query = found.query
            words = (self._numbers.again[tier] for tier in thin)
            texts = [widened_text(query.text, each.ko if query.language == "ko" else each.en) for each in words]
            more = await asyncio.gather(*(self._more(text[:LONGEST], wanted, query, deadline) for text in texts))
            found = replace(
                found,
                pool=merged(found.pool, tuple(result for each in more for result in each.pool)),
                left_out=(*found.left_out, *(left for each in more for left in each.left_out)),
                warnings=tuple(dict.fromkeys((*found.warnings, *(told for each in more for told in each.warnings)))),
            )
        return found

    async def _more(self, text: str, wanted: int, query: WebQuery, deadline: float) -> Findings:
        try:
            more = await self._asked(text, wanted, query, deadline)
            return more if more.pool else replace(more, warnings=())  # there was something for the question as asked
        except SourceError as failure:
            warning = NOT_AGAIN.filled(text=text, why=failure.message)
            return Findings(query, Strategy.ALL, (), warnings=(warning,))

    async def widen(self, findings: Findings, feedback: str) -> Findings:
        """One tier more and a keyword for what was said; what was shown before stays and comes first in its tier."""
        keyword = keyword_for(feedback, self._numbers.progressive.feedback, findings.query.language)
        text = widened_text(findings.query.text, keyword)
        tiers = next_tiers(findings.tiers)
        deadline = asyncio.get_running_loop().time() + self._call.timeout
        more = await self._asked(text[:LONGEST], self._numbers.progressive.pool, findings.query, deadline)
        pool = merged(findings.pool, more.pool)
        shown = merged(findings.results, of_tiers(more.pool, tiers)[: self._numbers.progressive.results])
        return replace(
            findings,
            results=ordered(shown)[: findings.query.max_results],
            pool=pool,
            tiers=tiers,
            keyword=keyword,
            left_out=(*findings.left_out, *more.left_out),
            warnings=tuple(dict.fromkeys((*findings.warnings, *more.warnings))),
        )

    async def look_into(self, findings: Findings, count: int) -> Findings:
        """The first ``count`` results with what their pages say to the query; a page that cannot be read is a warning."""
        chosen = findings.results[:count]
        pages = await asyncio.gather(*(self._looked_into(result.url, findings.query.text) for result in chosen))
        read = tuple((result.url, page) for result, (page, _) in zip(chosen, pages, strict=True) if page)
        return replace(findings, read=read, warnings=(*findings.warnings, *(told for _, told in pages if told)))

    def shown(self, findings: Findings, shape: Format) -> tuple[Block, ...]:
        """``findings`` in a shape, in the query's language: see :mod:`orchestrator.websearch.formats`."""
        return blocks(findings, shape, self._numbers)

    async def _looked_into(self, url: str, text: str) -> tuple[str, str]:
        """The passages and, where there are none, why."""
        try:
            page = await self._fetcher.fetch(url, text)
        except PageUnread as failure:
            return "", f"{urlsplit(url).hostname}: {failure.message}"
        return (page.content if page.matched else ""), ""

    async def _asked(self, text: str, wanted: int, query: WebQuery, deadline: float) -> Findings:
        """``deadline``: on the loop's clock."""
        hits, notes = await self._hits(text, wanted, deadline)
        left = deadline - asyncio.get_running_loop().time()
        there = await self._led_on((hit.url for hit in hits), max(0.0, min(REDIRECTS_WITHIN, left)))
        moved = (replace(hit, url=there.get(hit.url, hit.url)) for hit in hits)
        results, left_out = read_results(moved, query.text, self._judge)
        for each in left_out:
            log.warning("web result left out", url=each.url, reason=each.reason)
        pool = distinct(results)
        said = [LEFT_OUT.filled(count=len(left_out), why=left_out[0].reason)] if left_out else []
        if not pool:
            said.append(NOTHING.filled(text=text))
            log.info("web search found nothing")
        return Findings(query, Strategy.ALL, (), pool, left_out=left_out, warnings=(*notes, *said))

    async def _hits(self, text: str, wanted: int, deadline: float) -> tuple[list[Hit], tuple[str, ...]]:
        """Page after page until there are enough. Once there are some, a page that fails costs only itself."""
        if self._source is None:
            raise NoSources(NO_PROVIDER)
        native = NativeQuery("web", text)
        hits: list[Hit] = []
        notes: list[str] = []
        cursor: str | None = None
        for _ in range(MOST_REQUESTS):
            left = deadline - asyncio.get_running_loop().time()
            try:
                page = await self._page(native, replace(self._call, limit=wanted, cursor=cursor, timeout=left))
            except SourceError as failure:
                if not hits:
                    raise
                notes.append(ONLY_FIRST.filled(count=len(hits), why=failure.message))
                break
            hits += page.hits
            missing = (*page.notes, *(each.said for each in page.left_out))
            for each in missing:
                log.warning("web results left out", reason=str(each))
            notes += (*page.remarks, *missing)
            cursor = page.cursor
            if not cursor or not page.hits or len(hits) >= wanted:
                break
        return hits[:wanted], tuple(dict.fromkeys(notes))

    async def _page(self, native: NativeQuery, call: Call) -> HitPage:
        assert self._source is not None
        if call.timeout <= 0:
            raise Unavailable(NO_TIME)
        try:
            async with asyncio.timeout(call.timeout):  # a turn may be long in coming
                return await self._source.search(native, call)
        except TimeoutError:
            raise Unavailable(NO_ANSWER.filled(seconds=call.timeout)) from None

    def _chosen(self, found: Findings) -> Findings:
        """As the strategy wants it; a wished tier goes before."""
        query = found.query
        pool = of_tiers(found.pool, found.tiers if query.tier is None else (query.tier,))
        if found.strategy is Strategy.OFFICIAL:
            results = official_first(pool, self._numbers.official)
        elif found.strategy is Strategy.COMPREHENSIVE:
            results = comprehensive(pool, self._numbers.comprehensive)
        elif found.strategy is Strategy.PROGRESSIVE:
            results = pool[: self._numbers.progressive.results]
        else:
            results = pool
        said = () if results or not found.pool else (_nothing_of(found, query),)
        return replace(found, results=results[: query.max_results], warnings=(*found.warnings, *said))

    # ---- pages

    async def fetch(self, url: str, prompt: str = "") -> WebPage:
        """What one page says to the prompt; without one, the beginning of its text. Raises :class:`PageUnread`."""
        return await self._fetcher.fetch(url, prompt)

    # ---- grounded answers

    async def grounded(self, query: str) -> GroundedAnswer:
        """``google_web_search(query)``. Raises :class:`BadWebQuery`, :class:`NoSources`, :class:`connectors.errors.SourceError`."""
        text = read_arguments({"query": query})
        if self._gemini is None:
            raise NoSources(NO_GEMINI)
        try:
            return read_answer(text, await self._gemini(text, self._gemini_call))
        except Unauthenticated as failure:
            raise NoSources(failure.message) from None

    async def call_tool(self, arguments: Mapping[str, object]) -> str:
        """The same for a language model: checked arguments in, the text with its sources out."""
        return (await self.grounded(read_arguments(arguments))).text

    async def resolved(self, answer: GroundedAnswer) -> GroundedAnswer:
        """The answer with the pages' own addresses: Google's redirects end after a while, and hide where they lead.

        An address that does not tell stays as it was.
        """
        return answer.with_sources(await self._led_on(source.uri for source in answer.grounded.sources if source))

    async def _led_on(self, urls: Iterable[str], within: float = REDIRECTS_WITHIN) -> dict[str, str]:
        """Where those of ``urls`` lead that are redirects; what does not tell ``within`` so many seconds is left out."""
        tasks = {
            url: asyncio.create_task(self._fetcher.location(url)) for url in dict.fromkeys(filter(is_redirect, urls))
        }
        try:
            if tasks:
                await asyncio.wait(tasks.values(), timeout=within)
        finally:
            late = [task for task in tasks.values() if task.cancel()]
            await asyncio.gather(*late, return_exceptions=True)
        return {url: task.result() for url, task in tasks.items() if not task.cancelled()}

    # ---- closing

    async def aclose(self) -> None:
        """Release connections and processes; safe to call twice."""
        await self._fetcher.aclose()
        for connector in self._closing:
            await connector.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _cut(query: WebQuery) -> tuple[Said, ...]:
    if not query.asked_for:
        return ()
    return (CUT.filled(asked=query.asked_for, most=query.max_results),)


def _nothing_of(found: Findings, query: WebQuery) -> Said:
    tiers = found.tiers if query.tier is None else (query.tier,)
    return NONE_OF.filled(count=len(found.pool), tiers=joined(OR, map(str, tiers)))
