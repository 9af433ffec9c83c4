"""4 Web search core"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from aiohttp import web

from orchestrator.packaged import config_dir
from tests.conformance.company import a_company
from tests.conformance.marks import requirement

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.conformance.company import Company

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG = "quokka detail and more of it " * 20
ROWS = [
    # alpha: one page of tier 1, one of 2, one of 3, two of 4
    ("alpha", "https://docs.python.org/3/alpha", "alpha in Python", "2026-01-01"),
    ("alpha", "https://vercel.com/blog/alpha", "alpha on Vercel", "2026-01-01"),
    ("alpha", "https://stackoverflow.com/questions/1/alpha", "alpha, asked", "2026-01-01"),
    ("alpha", "https://medium.com/@x/alpha", "alpha, told", "2026-01-01"),
    ("alpha", "https://www.joshwcomeau.com/alpha", "alpha, painted", "2026-01-01"),
    # bravo: three of tier 1, and others
    ("bravo", "https://react.dev/bravo", "bravo in React", "2026-01-01"),
    ("bravo", "https://kubernetes.io/docs/bravo", "bravo in Kubernetes", "2026-01-01"),
    ("bravo", "https://nodejs.org/api/bravo", "bravo in Node", "2026-01-01"),
    ("bravo", "https://blog.cloudflare.com/bravo", "bravo at Cloudflare", "2026-01-01"),
    ("bravo", "https://medium.com/@x/bravo", "bravo, told", "2026-01-01"),
    # charlie: two of tier 1, three of 2, and others
    ("charlie", "https://react.dev/charlie", "charlie in React", "2026-01-01"),
    ("charlie", "https://developers.kakao.com/charlie", "찰리 charlie", "2026-01-01"),
    ("charlie", "https://vercel.com/blog/charlie", "charlie on Vercel", "2026-01-01"),
    ("charlie", "https://d2.naver.com/charlie", "charlie 네이버", "2026-01-01"),
    ("charlie", "https://github.blog/charlie", "charlie at GitHub", "2026-01-01"),
    ("charlie", "https://www.reddit.com/r/charlie", "charlie on Reddit", "2026-01-01"),
    ("charlie", "https://velog.io/@x/charlie", "charlie 정리", "2026-01-01"),
    # delta: four of each tier
    *(("delta", f"https://{host}/delta{part}", f"delta {host} {part}", "2026-01-01") for host in ("docs.python.org", "vercel.com/blog", "stackoverflow.com/q", "medium.com/@x") for part in "abcd"),
    # echo: one page under five addresses
    ("echo", "http://kubernetes.io/docs/echo/?utm_source=x#top", "echo, once", "2026-01-01"),
    ("echo", "https://kubernetes.io/docs/echo", "echo, again", "2026-01-01"),
    ("echo", "https://kubernetes.io/docs/echo/", "echo, with a slash", "2026-01-01"),
    ("echo", "https://kubernetes.io/docs/echo?fbclid=1", "echo, followed", "2026-01-01"),
    ("echo", "https://kubernetes.io/docs/echo#part", "echo, a part", "2026-01-01"),
    ("echo", "https://kubernetes.io/docs/other-echo", "echo, another", "2026-01-01"),
    # foxtrot: of one tier and one score, of three days
    ("foxtrot", "https://react.dev/foxtrot-old", "foxtrot old", "2024-01-01"),
    ("foxtrot", "https://react.dev/foxtrot-new", "foxtrot new", "2026-01-01"),
    ("foxtrot", "https://react.dev/foxtrot-undated", "foxtrot undated", ""),
    ("foxtrot", "https://stackoverflow.com/questions/1/foxtrot", "foxtrot newest", "2026-11-01"),
    # golf: addresses that are none
    ("golf", "javascript:alert(1)", "golf script", "2026-01-01"),
    ("golf", "https://", "golf nowhere", "2026-01-01"),
    ("golf", "https://react.dev/golf", "golf in React", "2026-01-01"),
    # quokka: much text; a widening word
    ("quokka", "https://docs.python.org/3/quokka", "quokka", "2026-01-01"),
    ("quokka", "https://stackoverflow.com/questions/2/quokka", "quokka example", "2026-01-01"),
    ("쿼카동물", "https://developers.kakao.com/quokka", "쿼카 문서", "2026-01-01"),
    ("쿼카동물", "https://okky.kr/quokka", "쿼카 예제", "2026-01-01"),
]  # fmt: skip
TIERED = {
    1: ["https://docs.python.org/3/x", "https://docs.unheard-of.io/start", "https://tokio.org/guide", "https://github.com/python/cpython", "https://developers.kakao.com/docs/x"],
    2: ["https://vercel.com/blog/x", "https://kubernetes.io/blog/x", "https://toss.tech/x", "https://github.blog/x"],
    3: ["https://stackoverflow.com/questions/1/x", "https://www.reddit.com/r/x", "https://dev.to/x/y", "https://okky.kr/x"],
    4: ["https://medium.com/@x/y", "https://someone.dev.example/x", "https://techcrunch.com/x", "https://velog.io/@x/y"],
}  # fmt: skip
BANDS = {1: (90, 100), 2: (70, 89), 3: (50, 69), 4: (30, 49)}


def rows() -> list[dict[str, Any]]:
    """The pretend web: of each page its word, address, title and day."""
    pages = [*ROWS, *(("tokio", url, f"tokio {place}", "2026-01-01") for tier in TIERED.values() for place, url in enumerate(tier))]  # fmt: skip
    return [
        {"id": f"p{place}", "source": "searxng", "kind": "web_page", "title": title, "url": url, "updated": day and f"{day}T00:00:00Z",
         "text": LONG if word == "quokka" else f"{word} 예제 설명" if word == "쿼카동물" else f"{word} explained"}
        for place, (word, url, title, day) in enumerate(pages)
    ]  # fmt: skip


class Site:
    """A page of ours, and how often it was read."""

    def __init__(self) -> None:
        self.read, self.port = 0, 0

    async def answer(self, request: web.BaseRequest) -> web.Response:
        if request.path == "/robots.txt":
            return web.Response(status=404)
        self.read += 1
        text = "<p>Refunds are possible within seven days. 환불은 7일 이내에 가능합니다.</p><p>Shipping takes two days. 배송은 이틀 걸립니다.</p>"
        return web.Response(text=f"<html><title>Terms</title><article>{text * 3}</article></html>", content_type="text/html")  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site() -> AsyncIterator[Site]:
    it = Site()
    runner = web.ServerRunner(web.Server(it.answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    it.port = runner.addresses[0][1]
    yield it
    await runner.cleanup()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outside(tmp_path_factory, site) -> AsyncIterator[Company]:
    """The API before a search service that knows these pages."""
    folder = tmp_path_factory.mktemp("web")
    settings = {"web": {"ports": [80, 443, site.port], "networks": ["127.0.0.1/32"]}}
    async with a_company(folder, ["searxng"], rows(), packaged=False, settings=settings) as served:
        yield served


async def search(outside: Company, query: str, **more: Any) -> dict[str, Any]:
    return await outside.post("/v1/web/search", query=query, **more)


def tiers(reply: dict[str, Any]) -> list[int]:
    return [each["tier"] for each in reply["results"]]


async def refusal(outside: Company, **body: Any) -> tuple[int, str]:
    async with outside.api.post("/v1/web/search", body) as reply:
        said = await reply.json(content_type=None)
        return reply.status, json.dumps(said, ensure_ascii=False)


# ---- asking


@requirement("4.1", "A query has at least 3 characters, else the error “Search query must be at least 3 characters”", where="orchestrator/websearch/query.py")  # fmt: skip
@pytest.mark.parametrize("query", ["ab", "한글", "  a  "])
async def test_a_query_has_three_characters(outside, query):
    status, said = await refusal(outside, query=query)
    assert status == 400
    assert "Search query must be at least 3 characters" in said


@requirement("4.2", "`tier` (1 to 4) may be given, and `maxResults` (1 to 50, else 10)", where="orchestrator/websearch/query.py orchestrator/surfaces/http/web.py")  # fmt: skip
async def test_a_tier_and_a_number_may_be_given(outside):
    assert len((await search(outside, "delta"))["results"]) == 10
    assert len((await search(outside, "delta", maxResults=3))["results"]) == 3
    assert set(tiers(await search(outside, "delta", tier=3))) == {3}
    for wrong in ({"tier": 0}, {"tier": 5}, {"maxResults": 0}):
        assert (await refusal(outside, query="delta", **wrong))[0] in {400, 422}
    assert any("50" in each for each in (await search(outside, "delta", maxResults=51))["warnings"])


@requirement("4.3", "Each result has a title, a valid address, a snippet of at most 200 characters, a tier and a `reliability_score` from 0 to 100", where="orchestrator/websearch/results.py orchestrator/documents/web.py")  # fmt: skip
@pytest.mark.parametrize("query", ["quokka", "쿼카동물", "delta"])
async def test_what_a_result_is(outside, query):
    results = (await search(outside, query))["results"]
    assert results
    for each in results:
        assert each["title"].strip()
        assert each["url"].startswith(("https://", "http://"))
        assert 0 < len(each["snippet"]) <= 200
        assert each["tier"] in {1, 2, 3, 4}
        assert 0 <= each["reliability_score"] <= 100


# ---- trust


@requirement("4.4", "Tier 1 (90 to 100): official documentation: docs.* hosts, a .org with the project's name, official repositories", where="config/web_tiers.toml orchestrator/websearch/tiers.py")  # fmt: skip
@requirement("4.5", "Tier 2 (70 to 89): semi-official: official blogs, guides, samples, partners", where="config/web_tiers.toml orchestrator/websearch/tiers.py")  # fmt: skip
@requirement("4.6", "Tier 3 (50 to 69): community: Stack Overflow, Reddit, Dev.to", where="config/web_tiers.toml orchestrator/websearch/tiers.py")  # fmt: skip
@requirement("4.7", "Tier 4 (30 to 49): Medium, personal pages, tech media", where="config/web_tiers.toml orchestrator/websearch/tiers.py")  # fmt: skip
@pytest.mark.parametrize("tier", TIERED)
async def test_who_serves_a_page_decides_its_tier(outside, tier):
    reply = await search(outside, "tokio", tier=tier, maxResults=50)
    assert {each["url"] for each in reply["results"]} == set(TIERED[tier])
    low, high = BANDS[tier]
    assert all(low <= each["reliability_score"] <= high for each in reply["results"])


# ---- pages


@requirement("4.11", "One page read for detail: `{url, prompt}` gives `{content, tier, reliability_score}`", where="orchestrator/websearch/pages orchestrator/surfaces/http/web.py")  # fmt: skip
@requirement("4.12", "A page is remembered for 15 minutes under its address", where="orchestrator/websearch/pages/remembering.py config/defaults.toml")  # fmt: skip
@requirement("4.13")
async def test_a_page_is_read_once_for_what_is_asked(outside, site):
    url = f"http://127.0.0.1:{site.port}/terms"
    for prompt, content in (("환불 기간이 며칠인가요?", "7일"), ("how long is shipping?", "two days")):
        page = await outside.post("/v1/web/page", url=url, prompt=prompt)
        assert content in page["content"]
        assert (page["tier"], page["reliability_score"]) == (4, 30)
    assert site.read == 1
    shipped = tomllib.loads((config_dir() / "defaults.toml").read_text("utf-8"))["web"]
    assert (shipped["remember"], shipped["page_seconds"]) == (15 * 60, 10)


# ---- what is left


@requirement("4.14", "One page is one result, whichever of http and https, slash at the end, fragment and tracking its address has; the first stays", where="orchestrator/websearch/urls.py orchestrator/websearch/results.py")  # fmt: skip
async def test_one_page_is_one_result(outside):
    results = (await search(outside, "echo"))["results"]
    pages = [each["url"].partition("?")[0].partition("#")[0].rstrip("/").replace("http:", "https:") for each in results]
    assert sorted(pages) == ["https://kubernetes.io/docs/echo", "https://kubernetes.io/docs/other-echo"]


@requirement("4.15", "A result without a valid address is left out, and that is logged", where="orchestrator/websearch/results.py orchestrator/websearch/facade.py")  # fmt: skip
async def test_what_has_no_address_is_left_out(outside, capsys):
    reply = await search(outside, "golf")
    assert [each["url"] for each in reply["results"]] == ["https://react.dev/golf"]
    assert any("2 of 3" in each and "address" in each for each in reply["warnings"])
    assert re.search(r"warning.*address", "".join(capsys.readouterr()))


@requirement("4.16", "Nothing found is an empty list and a warning", where="orchestrator/websearch/facade.py")
@pytest.mark.parametrize("query", ["zzqx vvbn", "없는말 또없는말"])
async def test_nothing_is_an_empty_list(outside, query):
    reply = await search(outside, query)
    assert reply["results"] == []
    assert any(query in each for each in reply["warnings"])


@requirement(
    "4.17", "The order: tier, reliability, recency, then as it came", where="orchestrator/websearch/results.py"
)
async def test_the_order_of_results(outside):
    reply = await search(outside, "tokio", maxResults=50)
    keys = [(each["tier"], -each["reliability_score"]) for each in reply["results"]]
    assert keys == sorted(keys)
    dated = [each["url"].rpartition("/")[2] for each in (await search(outside, "foxtrot"))["results"]]
    assert dated == ["foxtrot-new", "foxtrot-old", "foxtrot-undated", "foxtrot"]


# ---- strategies


@requirement("4.18", "Official first: tier 1; fewer than 3: tier 2 as well; still fewer than 5: tiers 3 and 4", where="orchestrator/websearch/strategies.py config/web_tiers.toml")  # fmt: skip
@pytest.mark.parametrize(
    ("query", "shown"), [("bravo", [1, 1, 1]), ("charlie", [1, 1, 2, 2, 2]), ("alpha", [1, 2, 3, 4, 4])]
)
async def test_official_first(outside, query, shown):
    assert tiers(await search(outside, query, strategy="official")) == shown


@requirement("4.19", "Comprehensive: of 20 results the best 2 or 3 of each tier, 10 at most", where="orchestrator/websearch/strategies.py config/web_tiers.toml")  # fmt: skip
async def test_comprehensive(outside):
    shown = tiers(await search(outside, "delta", strategy="comprehensive"))
    assert len(shown) == 10
    assert all(2 <= shown.count(tier) <= 3 for tier in (1, 2, 3, 4))


@requirement("4.20", "Progressive: five of tiers 1 and 2; on feedback tier 3 and a keyword such as “example”, merged without repeats", where="orchestrator/websearch/strategies.py config/web_tiers.toml")  # fmt: skip
@pytest.mark.parametrize(
    ("query", "feedback", "keyword"), [("quokka", "show me an example", "example"), ("쿼카동물", "예제 보여줘", "예제")]
)
async def test_progressive(outside, query, feedback, keyword):
    reply = await search(outside, "charlie", strategy="progressive")
    assert tiers(reply) == [1, 1, 2, 2, 2]
    before = await search(outside, query, strategy="progressive")
    assert set(tiers(before)) <= {1, 2}
    after = await search(outside, query, strategy="progressive", feedback=[feedback])
    assert after["keyword"] == keyword
    assert 3 in tiers(after)
    addresses = [each["url"] for each in after["results"]]
    assert {each["url"] for each in before["results"]} <= set(addresses)
    assert len(set(addresses)) == len(addresses)
