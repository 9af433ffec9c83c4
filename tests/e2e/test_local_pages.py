"""Web pages in the index: read from a real site, brought up to date, gone, refused; asked for at the command line."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from aiohttp import web

from connectors.errors import Misconfigured
from connectors.local.ingest import Given, GivenPages, Ingest
from connectors.local.ingest.drafts import Reason
from connectors.local.store import IndexStore
from orchestrator.main import Root
from orchestrator.settings import load_settings
from storage.database import Database
from tests.e2e.local_folders import environment, fedsearch, found

BODY = "".join(
    f"<p>배포 안내 {n}: shipping happens on Fridays, in some detail and at some length.</p>" for n in range(8)
)


def page(title, text=""):
    return f"<html><head><title>{title}</title></head><body><nav>메뉴</nav><article>{BODY}<p>{text}</p></article></body></html>"


class Site:
    """A site on 127.0.0.1 whose pages are texts; what has none is not found."""

    def __init__(self):
        self.pages, self.robots, self.port = {}, "", 0

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    async def answer(self, request):
        if request.path == "/robots.txt":
            return web.Response(text=self.robots)
        told = self.pages.get(request.path)
        if told is None or isinstance(told, int):
            return web.Response(status=told or 404)
        return web.Response(text=told, content_type="text/html")

    @property
    def settings(self):
        return {"web": {"ports": (80, 443, self.port), "networks": ("127.0.0.1/32",), "remember": 0}}


@pytest_asyncio.fixture
async def site():
    made = Site()
    runner = web.ServerRunner(web.Server(made.answer))
    await runner.setup()
    door = web.TCPSite(runner, "127.0.0.1", 0)
    await door.start()
    made.port = runner.addresses[0][1]
    yield made
    await runner.cleanup()


@pytest_asyncio.fixture
async def ingest(index_url):
    store = IndexStore(Database(index_url, 4))
    yield Ingest(store)
    await store.aclose()


@asynccontextmanager
async def reading(site, **more):
    async with Root().pages(load_settings({**site.settings, **more}, {})) as read:
        yield read


def given(site, *paths, **more):
    urls = tuple(each if "://" in each else site.url(each) for each in paths)
    return GivenPages(more.pop("name", "문서"), urls, more.pop("visible_to", ("user:local",)), **more)


async def test_a_page_is_found_with_its_address_by_whom_it_is_visible_to(site, ingest):
    site.pages["/docs"] = page("안내", "환불은 7일 안에 한다.")
    async with reading(site) as read:
        report = await ingest.add_pages(given(site, "/docs?utm_source=x#top"), read)
        assert (report.files, report.read, report.added, report.skipped) == (1, 1, 1, [])
        assert (await ingest.add_pages(given(site, "/docs?utm_source=x#top"), read)).unchanged == 1
    rows = await ingest.index.database.run(lambda each: each.fetch("SELECT * FROM documents"))
    assert [(row["native_id"], row["kind"], row["title"]) for row in rows] == [
        (f"127.0.0.1:{site.port}/docs", "web_page", "안내")
    ]
    assert rows[0]["url"].startswith(site.url("/docs"))
    assert await found(ingest, "환불") == 1
    assert await found(ingest, "메뉴") == 0
    assert await found(ingest, "환불", "user:sarah") == 0
    (collection,) = await ingest.collections()
    assert (collection.name, collection.files, collection.documents) == ("문서", 1, 1)


async def test_what_changed_is_changed_what_fails_stays_and_what_is_gone_goes(site, ingest):
    site.pages |= {"/a": page("가", "첫 글"), "/b": page("나"), "/c": page("다")}
    async with reading(site) as read:
        assert (await ingest.add_pages(given(site, "/a", "/b", "/c"), read)).added == 3
        site.pages |= {"/a": page("가", "새 글"), "/b": 503, "/c": 410}
        report = await ingest.add_pages(given(site, "/a", "/b", "/c"), read)
        assert (report.changed, report.removed, report.gone) == (1, 1, 1)
        assert [(each.path, each.reason) for each in report.skipped] == [
            (site.url("/b"), Reason.UNREADABLE),
            (site.url("/c"), Reason.BROKEN),
        ]
        assert (await ingest.index.stats()).sources == {"문서": 2}
        site.pages["/d"] = page("라")
        await ingest.add_pages(given(site, "/d"), read)
    assert (await ingest.index.stats()).sources == {"문서": 3}, "pages that were not named stay"


async def test_of_pages_that_were_never_read_no_collection_is_left(site, ingest):
    site.pages["/a"] = page("A")
    async with reading(site) as read:
        report = await ingest.add_pages(GivenPages("docs", (site.url("/b"),), ("public",)), read)
        assert (report.left_out, await ingest.collections()) == (1, [])
        await ingest.add_pages(GivenPages("docs", (site.url("/a"),), ("public",)), read)
        await ingest.add_pages(GivenPages("docs", (site.url("/b"),), ("public",)), read)
    assert [(each.name, each.documents) for each in await ingest.collections()] == [("docs", 1)]


async def test_only_public_addresses_are_read_and_robots_are_heard(site, ingest):
    site.robots = "User-agent: *\nDisallow: /private"
    site.pages |= {"/private": page("비밀"), "/open": page("공개")}
    async with reading(site) as read:
        urls = (f"http://127.0.0.2:{site.port}/open", "http://169.254.169.254/latest", "http://", "file:///etc/passwd")
        report = await ingest.add_pages(given(site, "/private", *urls), read)
    assert [each.reason for each in report.skipped] == [Reason.UNREADABLE, *[Reason.UNSAFE] * 4]
    assert all(each.detail for each in report.skipped)
    async with reading(site, web={"ports": (site.port,)}) as read:
        (skipped,) = (await ingest.add_pages(given(site, "/open"), read)).skipped
    assert skipped.reason == Reason.UNSAFE
    assert (await ingest.index.stats()).documents == 0


async def test_a_name_is_of_pages_or_of_a_folder(site, ingest, tmp_path):
    (tmp_path / "a.md").write_text("# 가\n글")
    await ingest.add(Given(tmp_path, "문서", ("public",)))
    async with reading(site) as read:
        with pytest.raises(Misconfigured, match="--name"):
            await ingest.add_pages(given(site, "/"), read)


async def test_a_page_is_added_and_cited_at_the_command_line(site, tmp_path, index_url):
    site.pages["/docs"] = page("안내", "환불은 7일 안에 한다.")
    here = {"FEDSEARCH_WEB__NETWORKS": "127.0.0.1/32", "FEDSEARCH_WEB__PORTS": f"80,443,{site.port}"}
    settings = environment(tmp_path, FEDSEARCH_INDEX__DATABASE_URL=index_url, **here)
    added = await asyncio.to_thread(fedsearch, settings, "index", "add", site.url("/docs"), site.url("/none"), "--json")
    assert added.returncode == 0, added.stderr
    (report,) = json.loads(added.stdout)["collections"]
    assert (report["name"], report["added"], report["reasons"]) == ("127.0.0.1", 1, {"broken": 1})
    asked = await asyncio.to_thread(fedsearch, settings, "search", "환불은 며칠 안에 하나요?", "--json")
    assert site.url("/docs") in asked.stdout
    mixed = await asyncio.to_thread(
        fedsearch, settings, "index", "add", site.url("/docs"), str(tmp_path), "--name", "둘"
    )
    assert (mixed.returncode, "--name" in mixed.stderr) == (2, True)
    wrong = await asyncio.to_thread(fedsearch, settings, "index", "add", "https://[")
    assert (wrong.returncode, "no address" in wrong.stderr) == (2, True)
    nothing = await asyncio.to_thread(fedsearch, settings, "index", "add", site.url("/none"))
    assert nothing.returncode == 1
