"""Searching as a whole: over services that answer page by page, badly, or not at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

from connectors.contract import Call, HitPage
from connectors.errors import Throttled, Unauthenticated, Unavailable
from connectors.gemini.wire import read_generated
from orchestrator.model import NoSources
from orchestrator.websearch import BadWebQuery, Strategy, WebQuery
from translators.query import Container

from .conftest import URLS, Pages, Service, hit, hits_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.websearch import Findings, WebSearch

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/{}"


def shape(findings: Findings) -> tuple[int, ...]:
    """How many results of tier 1, 2, 3, 4."""
    counts = Counter(each.tier for each in findings.results)
    return tuple(counts[tier] for tier in (1, 2, 3, 4))


async def test_all_results_in_order_up_to_the_wish(web: Callable[..., WebSearch]) -> None:
    service = Service({"react hooks": [HitPage(hits_of(2, 2, 2, 2))]})
    findings = await web(service).search(WebQuery("react hooks", max_results=5))
    assert shape(findings) == (2, 2, 1, 0)
    assert len(findings.pool) == 8
    assert (service.asked[0][0].dialect, service.asked[0][0].text) == ("web", "react hooks")


@pytest.mark.parametrize(
    ("strategy", "most", "chosen"),
    [
        (Strategy.OFFICIAL, 10, (2, 4, 0, 0)),
        (Strategy.COMPREHENSIVE, 10, (2, 3, 3, 2)),
        (Strategy.PROGRESSIVE, 10, (2, 3, 0, 0)),
        (Strategy.ALL, 50, (2, 4, 6, 8)),
        (Strategy.OFFICIAL, 3, (2, 1, 0, 0)),
    ],
)
async def test_strategies(
    web: Callable[..., WebSearch], strategy: Strategy, most: int, chosen: tuple[int, ...]
) -> None:
    service = Service({"react hooks": [HitPage(hits_of(2, 4, 6, 8))]})
    findings = await web(service).search(WebQuery("react hooks", max_results=most), strategy)
    assert shape(findings) == chosen


@pytest.mark.parametrize(
    ("query", "first", "second"),
    [
        ("react hooks", "react hooks official documentation", "react hooks official guide"),
        ("리액트 훅", "리액트 훅 공식 문서", "리액트 훅 공식 블로그"),
    ],
)
async def test_official_first_asks_again_for_what_one_search_lacked(
    web: Callable[..., WebSearch], query: str, first: str, second: str
) -> None:
    official = (hit(URLS[1].format("new")), hit(URLS[1].format("newer")))
    enough = Service({query: [HitPage(hits_of(1, 1, 2))], first: [HitPage((*hits_of(1), *official))]})
    found = await web(enough).search(WebQuery(query), Strategy.OFFICIAL)
    assert (shape(found), [native.text for native, _ in enough.asked]) == ((3, 0, 0, 0), [query, first])

    thin = Service({query: [HitPage(hits_of(1, 1, 2))], second: [HitPage((hit(URLS[2].format("guide")),))]})
    found = await web(thin).search(WebQuery(query), Strategy.OFFICIAL)
    assert (shape(found), [native.text for native, _ in thin.asked]) == ((1, 2, 2, 0), [query, first, second])


async def test_comprehensive_asks_for_every_thin_tier_at_once_and_a_failure_costs_only_itself(
    web: Callable[..., WebSearch],
) -> None:
    rows = {
        "react hooks": [HitPage(hits_of(2, 0, 3))],
        "react hooks official guide": [Unavailable("down")],
        "react hooks blog": [HitPage(hits_of(0, 0, 0, 2))],
    }
    service = Service(rows)
    found = await web(service).search(WebQuery("react hooks"), Strategy.COMPREHENSIVE)
    assert sorted(native.text for native, _ in service.asked) == sorted(rows)
    assert shape(found) == (2, 0, 3, 2)
    assert "“react hooks official guide” could not be asked as well: down" in found.warnings


async def test_where_one_search_brought_enough_nothing_is_asked_again(web: Callable[..., WebSearch]) -> None:
    for strategy in Strategy:
        service = Service({"react hooks": [HitPage(hits_of(3, 2, 2, 2))]})
        await web(service).search(WebQuery("react hooks"), strategy)
        assert len(service.asked) == 1


async def test_a_wished_tier_goes_before(web: Callable[..., WebSearch]) -> None:
    service = Service({"react hooks": [HitPage(hits_of(2, 2, 2, 2))] * 2})
    search = web(service)
    assert shape(await search.search(WebQuery("react hooks", tier=3))) == (0, 0, 2, 0)
    none = await search.search(WebQuery("react hooks", tier=3), Strategy.PROGRESSIVE)
    assert shape(none) == (0, 0, 2, 0)


async def test_none_of_a_tier_is_said(web: Callable[..., WebSearch]) -> None:
    findings = await web(Service({"react hooks": [HitPage(hits_of(0, 0, 2))]})).search(WebQuery("react hooks", tier=1))
    assert (findings.results, findings.warnings) == ((), ("none of the 2 results is of tier 1",))


async def test_nothing_is_an_empty_list_and_a_warning(web: Callable[..., WebSearch]) -> None:
    findings = await web(Service({})).search(WebQuery("react hooks"))
    assert (findings.results, findings.warnings) == ((), ("nothing was found for “react hooks”",))


async def test_what_is_left_out_is_logged(web: Callable[..., WebSearch]) -> None:
    service = Service({"react hooks": [HitPage((hit("javascript:alert(1)"), hit("https://react.dev/")))]})
    with capture_logs() as logged:
        findings = await web(service).search(WebQuery("react hooks"))
    assert [each.url for each in findings.results] == ["https://react.dev/"]
    assert [entry["url"] for entry in logged] == ["javascript:alert(1)"]
    assert findings.warnings == ("1 results were left out: its address is not valid",)


async def test_repeats_are_one_and_the_first_stays(web: Callable[..., WebSearch]) -> None:
    pages = [
        HitPage((hit("http://react.dev/a/", "first"),), cursor="2"),
        HitPage((hit("https://react.dev/a#b", "second"),)),
    ]
    findings = await web(Service({"react hooks": pages})).search(WebQuery("react hooks"))
    assert [each.title for each in findings.results] == ["first"]


async def test_pages_are_asked_until_there_are_enough(web: Callable[..., WebSearch]) -> None:
    def page(n: int) -> HitPage:
        return HitPage(tuple(hit(URLS[1].format(f"{n}-{m}")) for m in range(10)), cursor=str(n + 1), notes=("from x",))

    service = Service({"react hooks": [page(n) for n in range(9)]})
    findings = await web(service).search(WebQuery("react hooks", max_results=20))
    assert len(findings.pool) == 20
    assert [call.cursor for _, call in service.asked] == [None, "1"]
    assert {call.limit for _, call in service.asked} == {20}
    assert findings.warnings == ("from x",)
    many = Service({"react hooks": [page(n) for n in range(9)]})
    assert len((await web(many).search(WebQuery("react hooks", max_results=50))).pool) == 40
    assert len(many.asked) == 4


async def test_a_later_page_that_fails_costs_only_itself(web: Callable[..., WebSearch]) -> None:
    service = Service({"react hooks": [HitPage(hits_of(1), cursor="2"), Throttled("too many requests", 9)]})
    findings = await web(service).search(WebQuery("react hooks"))
    assert len(findings.results) == 1
    assert findings.warnings == ("only the first 1 results came: too many requests",)


async def test_nobody_answers(web: Callable[..., WebSearch]) -> None:
    with pytest.raises(Unavailable):
        await web(Service({"react hooks": [Unavailable("down")]})).search(WebQuery("react hooks"))
    with pytest.raises(NoSources, match="no web search is configured"):
        await web().search(WebQuery("react hooks"))


def test_a_service_that_hangs_is_left(web: Callable[..., WebSearch], in_virtual_time: Callable[..., object]) -> None:
    class Hanging(Service):
        async def search(self, native: object, call: Call) -> HitPage:
            import asyncio

            await asyncio.sleep(1e6)
            raise AssertionError

    async def ask() -> None:
        with pytest.raises(Unavailable, match=r"no answer within 7\.0 s"):
            await web(Hanging({}), call=Call(timeout=7.0)).search(WebQuery("react hooks"))

    in_virtual_time(ask())


async def test_feedback_widens_by_a_tier_and_a_keyword(web: Callable[..., WebSearch]) -> None:
    more = (*hits_of(1, 1, 2, 2), hit(URLS[2].format("new")))
    service = Service({"react hooks": [HitPage(hits_of(1, 2, 4, 4))], "react hooks example": [HitPage(more)]})
    search = web(service)
    first = await search.search(WebQuery("react hooks"), Strategy.PROGRESSIVE)
    assert (shape(first), first.tiers) == ((1, 2, 0, 0), (1, 2))
    second = await search.widen(first, "show me some code")
    assert (shape(second), second.tiers, second.keyword) == ((1, 3, 2, 0), (1, 2, 3), "example")
    assert set(first.results) <= set(second.results)
    third = await search.widen(second, "오류")
    assert (third.tiers, third.keyword) == ((1, 2, 3, 4), "troubleshooting")
    assert third.results == second.results
    assert "nothing was found for “react hooks troubleshooting”" in third.warnings


async def test_pages_are_looked_into(web: Callable[..., WebSearch]) -> None:
    read, unread = URLS[1].format("page-0"), URLS[2].format("page-0")
    search = web(Service({"react hooks": [HitPage(hits_of(1, 1))]}), Pages({read: "Hooks let you use state."}))
    findings = await search.look_into(await search.search(WebQuery("react hooks")), 2)
    assert [findings.content(each) for each in findings.results] == ["Hooks let you use state.", ""]
    assert findings.warnings == ("pypi.org: cannot reach it",)
    assert unread in {each.url for each in findings.results}


async def test_redirects_are_judged_by_where_they_lead_or_by_the_host_that_is_named(
    web: Callable[..., WebSearch],
) -> None:
    uris = [REDIRECT.format(n) for n in "abc"]
    found = [
        replace(hit(uris[0], "react.dev"), container=Container("react.dev")),
        replace(hit(uris[1], "velog.io"), container=Container("velog.io")),
        replace(hit(uris[2], "Somewhere"), container=None),
    ]
    pages = Pages(moved={uris[0]: "https://stackoverflow.com/questions/1"})
    findings = await web(Service({"react hooks": [HitPage(tuple(found))]}), pages).search(WebQuery("react hooks"))
    assert [(each.url, each.tier, each.verdict.reason) for each in findings.results] == [
        ("https://stackoverflow.com/questions/1", 3, "questions and answers"),
        (uris[1], 4, "personal blog"),
        (uris[2], 4, "a redirect that does not say where it leads"),
    ]


# ---- grounded


def generated(text: str = "답.", *uris: str) -> object:
    """A reply of Gemini's with a chunk for each address, all of which bear out the whole text."""
    chunks = [{"web": {"uri": uri, "title": f"t{n}"}} for n, uri in enumerate(uris)]
    support = {
        "segment": {"endIndex": len(text.encode()), "text": text},
        "groundingChunkIndices": list(range(len(uris))),
    }
    grounding = {"groundingChunks": chunks, "groundingSupports": [support], "webSearchQueries": ["q"]}
    return read_generated({"candidates": [{"content": {"parts": [{"text": text}]}, "groundingMetadata": grounding}]})


async def test_a_grounded_answer(web: Callable[..., WebSearch]) -> None:
    asked: list[str] = []

    async def gemini(text: str, call: Call) -> object:
        asked.append(text)
        return generated("답입니다.", "https://a.example/", "https://b.example/")

    search = web(gemini=gemini)
    assert (await search.grounded(" 질문? ")).cited.text == "답입니다.[1][2]"
    assert await search.call_tool({"query": "질문?"}) == (
        "답입니다.[1][2]\n\nSources:\n[1] t0 - https://a.example/\n[2] t1 - https://b.example/"
    )
    assert asked == ["질문?", "질문?"]


async def test_redirects_are_resolved_when_wanted_and_what_is_one_page_becomes_one(
    web: Callable[..., WebSearch],
) -> None:
    uris = [REDIRECT.format(n) for n in "abc"] + ["https://own.example/"]

    async def gemini(text: str, call: Call) -> object:
        return generated("답", *uris)

    pages = Pages(moved={uris[0]: "https://same.example/", uris[1]: "https://same.example/"})
    search = web(None, pages, gemini=gemini)
    answer = await search.grounded("질문")
    assert pages.located == []
    resolved = await search.resolved(answer)
    assert pages.located == uris[:3]
    assert answer.cited.text == "답[1][2][3][4]"
    assert resolved.cited.text == "답[1][2][3]"
    assert [source.uri for source in resolved.cited.sources] == [
        "https://same.example/",
        uris[2],
        "https://own.example/",
    ]


async def test_a_grounded_answer_that_cannot_be_had(web: Callable[..., WebSearch]) -> None:
    async def refused(text: str, call: Call) -> object:
        raise Unauthenticated("the key is wrong")

    with pytest.raises(NoSources, match="come from Gemini"):
        await web().grounded("질문")
    with pytest.raises(NoSources, match="the key is wrong"):
        await web(gemini=refused).grounded("질문")
    with pytest.raises(BadWebQuery, match="cannot be empty"):
        await web(gemini=refused).grounded("  ")
