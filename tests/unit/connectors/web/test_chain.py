"""The chain by itself, in virtual time: shares of time, cursors, and what nobody has to be asked for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Health, HitPage, SourceDirectory
from connectors.errors import BadReply, Rejected, SourceError, Throttled, Unavailable
from connectors.web import WHOEVER, WebSource, all_failed, as_page
from connectors.web.settings import ORDER, WebSettings
from connectors.web_search import page_hit
from translators.query import Kind
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable

ASKED = NativeQuery("web", "react")
PAGE = HitPage((page_hit("https://react.dev/s", "React", "text"),), "7", 3)
TABLES: dict[str, Any] = {"gemini": {}, "brave": {}, "searxng": {"base_url": "http://127.0.0.1:9"}}


class Link:
    """A search that does what it is told after a while, and remembers how much time it was given."""

    def __init__(self, answer: HitPage | SourceError, after: float = 0.0) -> None:
        self.answer, self.after = answer, after
        self.given: list[tuple[float, str | None]] = []

    async def search(self, _: NativeQuery, call: Call) -> HitPage:
        self.given.append((round(call.timeout, 3), call.cursor))
        await asyncio.sleep(self.after)
        if isinstance(self.answer, SourceError):
            raise self.answer
        return self.answer

    async def probe(self, _: Call) -> Health:
        return Health(ok=False, detail="down")

    async def aclose(self) -> None:
        return


def chain(**links: Link) -> WebSource:
    made = WebSource("web", WebSettings.model_validate({"kind": "web", **{name: TABLES[name] for name in links}}))
    made._links = links  # type: ignore[assignment]
    return made


def test_each_has_its_share_of_what_is_left(in_virtual_time: Callable[[Any], Any]) -> None:
    """And the last has all of it."""
    slow, slower, last = Link(PAGE, 99.0), Link(PAGE, 99.0), Link(PAGE)
    web = chain(gemini=slow, brave=slower, searxng=last)
    page = in_virtual_time(web.search(ASKED, Call(timeout=10.0)))
    assert [each.given[0][0] for each in (slow, slower, last)] == [6.0, 2.4, 1.6]
    assert page.hits[0].facts["found_by"] == "SearXNG"
    assert page.cursor == "searxng 7"


def test_without_time_nobody_else_is_asked(in_virtual_time: Callable[[Any], Any]) -> None:
    web = chain(gemini=Link(PAGE, 99.0), brave=Link(PAGE))
    web.settings = web.settings.model_copy(update={"share": 1.0})
    with pytest.raises(Unavailable, match="Brave Search: no time was left"):
        in_virtual_time(web.search(ASKED, Call(timeout=3.0)))


async def test_what_follows_comes_from_whom_it_began_with() -> None:
    gemini, brave = Link(PAGE), Link(PAGE)
    web = chain(gemini=gemini, brave=brave)
    await web.search(ASKED, Call(cursor="brave 7"))
    assert (gemini.given, [cursor for _, cursor in brave.given]) == ([], ["7"])
    for foreign in ("nobody 7", "brave", "", " ", "brave "):
        await web.search(ASKED, Call(cursor=foreign))
    assert [cursor for _, cursor in gemini.given] == [None] * 5


async def test_without_words_nobody_is_asked() -> None:
    link = Link(PAGE)
    assert (await chain(brave=link).search(NativeQuery("web", " "), Call())).notes
    assert link.given == []
    assert await chain(brave=link).directory(Call()) == SourceDirectory()


async def test_no_link_works() -> None:
    health = await chain(brave=Link(PAGE)).probe(Call())
    assert (health.ok, health.detail.startswith("Brave Search: down; not set up: ")) == (False, True)


def test_errors_of_all_are_one() -> None:
    one = BadReply("x")
    assert all_failed({"A": one}) is one
    same = all_failed({"A": BadReply("x"), "B": BadReply("y")})
    assert (type(same), same.message) == (BadReply, "no web search answered: A: x; B: y")
    assert isinstance(all_failed({"A": BadReply("x"), "B": Rejected("y")}), Unavailable)
    rejected = all_failed({"A": Rejected("x", "q"), "B": Rejected("y")})
    assert isinstance(rejected, Rejected)
    assert rejected.native == "q"
    throttled = all_failed({"A": Throttled("x", 9.0), "B": Throttled("y")})
    assert isinstance(throttled, Throttled)
    assert (throttled.retry_after, throttled.bucket) == (9.0, WHOEVER)


def test_links_in_order() -> None:
    settings = WebSettings.model_validate({"kind": "web", "order": "searxng, gemini,searxng", **TABLES})
    assert list(settings.links) == ["searxng", "gemini"]
    assert settings.absent == ("Gemini by MCP", "Gemini CLI", "Brave Search", "SerpApi")
    off = WebSettings.model_validate({"kind": "web", "brave": {"enabled": False, "token": "t0ken-t0ken"}})
    assert (dict(off.links), off.signed) == ({}, False)
    assert set(ORDER) == set(WebSettings.model_fields["order"].annotation.__args__[0].__args__)  # type: ignore[union-attr]
    gateway = WebSettings.model_validate({"kind": "web", "base_url": "https://gate.example", **TABLES})
    assert [link.base_url for link in gateway.links.values()] == ["https://gate.example"] * 2 + ["http://127.0.0.1:9"]


def test_what_has_no_address_is_no_page() -> None:
    hit = PAGE.hits[0]
    assert as_page(hit) is hit
    assert as_page(replace(hit, url="")) is None
    other = as_page(replace(hit, kind=Kind.PAGE, container=None))
    assert other is not None
    assert (other.kind, str(other.container)) == (Kind.WEB_PAGE, "react.dev")
