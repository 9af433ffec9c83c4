"""SearXNG behind a proxy, and addresses that are not there."""

from __future__ import annotations

import pytest

from connectors.brave import BraveSettings, BraveSource
from connectors.contract import Call
from connectors.errors import Misconfigured, Unauthenticated
from connectors.searxng import SearxngSource
from connectors.searxng.settings import SearxngSettings
from connectors.web_search import days, number, page_hit
from translators.translator import NativeQuery


def test_a_name_makes_it_basic() -> None:
    source = SearxngSource("x", SearxngSettings(kind="searxng", username="haneul"))
    assert source.authorization("secret") == {"Authorization": "Basic aGFuZXVsOnNlY3JldA=="}
    assert SearxngSource("x", SearxngSettings(kind="searxng")).authorization("secret") == {
        "Authorization": "Bearer secret"
    }


async def test_an_instance_has_an_address() -> None:
    source = SearxngSource("mine", SearxngSettings(kind="searxng"))
    with pytest.raises(Misconfigured, match="set base_url of mine"):
        await source.search(NativeQuery("web", "x"), Call())


async def test_a_key_is_needed() -> None:
    source = BraveSource("brave", BraveSettings(kind="brave"))
    with pytest.raises(Unauthenticated, match="create a key of the Search plan"):
        await source.search(NativeQuery("web", "x"), Call())


def test_days_are_wider_by_one_and_pages_have_names() -> None:
    native = NativeQuery("web", "x", {"since": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"})
    assert [str(day) for day in days(native)] == ["2025-12-31", "2026-02-02"]
    assert days(NativeQuery("web", "x")) == (None, None)
    assert (number("7", 10), number("11", 10), number("x", 10), number(None, 10)) == (7, 0, 0, 0)
    assert page_hit("https://www.x.example/a", "", "").title == "x.example"
