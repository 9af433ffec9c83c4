"""Pages that one process read and the next one needs not: for their time, for who may, and without secrets."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from orchestrator.websearch.pages.page_store import MOST, PageStore, holds_secret

if TYPE_CHECKING:
    from pathlib import Path

PAGE = {"url": "https://example.org/a", "title": "약관", "text": "환불은 7일 이내에 가능합니다.", "published": ""}


async def test_another_process_finds_a_page_for_as_long_as_it_is_remembered(tmp_path: Path) -> None:
    now = [1000.0]
    path = tmp_path / "data" / "pages.sqlite"
    await PageStore(path, 900, "80", lambda: now[0]).put("example.org/a", PAGE)
    other = PageStore(path, 900, "80", lambda: now[0])
    now[0] = 1899.0
    found = await other.get("example.org/a")
    assert found is not None
    assert (found.value, found.age) == (PAGE, 899.0)
    assert await other.get("example.org/b") is None
    assert await PageStore(path, 900, "80 10.0.0.0/8", lambda: now[0]).get("example.org/a") is None
    now[0] = 1900.0
    assert await other.get("example.org/a") is None
    now[0] = 999.0  # a clock that was set back
    assert await other.get("example.org/a") is None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_so_many_pages_and_the_newest(tmp_path: Path) -> None:
    now = [0.0]
    store = PageStore(tmp_path / "pages.sqlite", 900, "", lambda: now[0])
    for number in range(MOST + 2):
        now[0] = number / 10
        await store.put(f"example.org/{number}", PAGE)
    assert [await store.get(f"example.org/{number}") is not None for number in (0, 1, 2, MOST + 1)] == [
        False, False, True, True,
    ]  # fmt: skip


async def test_a_broken_file_costs_the_memory_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "pages.sqlite"
    path.write_bytes(b"no database at all" * 100)
    store = PageStore(path, 900, "")
    await store.put("example.org/a", PAGE)
    assert await store.get("example.org/a") is None


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("https://example.org/a?sig=Zm9vYmFyMTIzNDU2Nzg5MA", True),
        ("https://me:pass@example.org/a", True),
        ("example.org/a?token=eyJhbGciOiJIUzI1NiJ9.abc.def", True),
        ("https://example.org/a?page=2&q=refund%20policy", False),
        ("https://example.org/검색?q=환불+규정", False),
    ],
)
async def test_what_an_address_may_let_in_is_not_kept(tmp_path: Path, url: str, secret: bool) -> None:
    assert holds_secret(url) is secret
    store = PageStore(tmp_path / "pages.sqlite", 900, "")
    await store.put("example.org/a", {**PAGE, "url": url})
    assert (await store.get("example.org/a") is None) is secret
