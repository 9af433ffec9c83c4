"""The four sources against the sandbox over real sockets: searched, paged to the end, throttled, broken."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, Hit
from connectors.errors import SourceError, Throttled, Unauthenticated, Unavailable
from orchestrator.sandbox import Fault, Sandbox, default_corpus
from tests.clock import HANGING, leaping
from tests.e2e.asking import connected, faults, time_for
from translators.query import Kind, State
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectors.http import HttpSource

KINDS = ("gmail", "linear", "notion", "slack")


BROAD = {"gmail": "", "linear": "", "notion": "", "slack": "after:2025-01-01"}  # Slack lists nothing without a word


@asynccontextmanager
async def workplace(*kinds: str, **faults: Fault) -> AsyncIterator[tuple[Sandbox, dict[str, HttpSource]]]:
    """The sandbox and a connector for each of ``kinds``, with the token that the sandbox gives out."""
    async with Sandbox(default_corpus(), sources=kinds or KINDS, faults=faults) as sandbox:
        connectors = {kind: connected(sandbox, kind) for kind in sandbox.endpoints}
        try:
            yield sandbox, connectors
        finally:
            for each in connectors.values():
                await each.aclose()


def asked(kind: str, text: str, **args: Any) -> NativeQuery:
    return NativeQuery(kind, text, args)


def corpus_ids(sandbox: Sandbox, kind: str, hits: list[Hit]) -> list[str]:
    """Which rows of the corpus the hits are; a data source is none."""
    origins = sandbox.origins(kind)
    return [origins.get(hit.url) or origins[hit.id] for hit in hits if hit.kind is not Kind.DATABASE]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["migration", "결제"])
async def test_a_word_in_either_language(kind: str, text: str) -> None:
    """Hits are rows of the corpus that hold the word, each with an address, a time and somebody behind it."""
    async with workplace(kind) as (sandbox, sources):
        page = await sources[kind].search(asked(kind, text), Call(limit=10))
        assert page.hits
        assert page.notes == ()
        ids = corpus_ids(sandbox, kind, list(page.hits))
        assert len(set(ids)) == len(ids)
        for hit in page.hits:
            assert hit.url.startswith("https://")
            assert hit.created is not None
            assert hit.author is not None or hit.kind is Kind.DATABASE
            if hit.complete and kind != "linear":
                assert text in f"{hit.title} {hit.snippet}".lower()


@pytest.mark.parametrize("kind", KINDS)
async def test_paging_to_the_end_finds_what_one_large_page_finds(kind: str) -> None:
    """No hit twice, none missing, and an end."""
    async with workplace(kind) as (_, sources):
        whole = await sources[kind].search(asked(kind, BROAD[kind]), Call(limit=40))
        assert len(whole.hits) == 40
        paged: list[str] = []
        cursor = None
        for _ in range(30):
            page = await sources[kind].search(asked(kind, BROAD[kind]), Call(limit=20, cursor=cursor))
            paged += [hit.id for hit in page.hits]
            cursor = page.cursor
            if cursor is None:
                break
        assert cursor is None
        assert paged[: len(whole.hits)] == [hit.id for hit in whole.hits]
        assert len(set(paged)) == len(paged)


@pytest.mark.parametrize("kind", KINDS)
async def test_the_probe_says_as_whom_we_are_signed_in(kind: str) -> None:
    """And that it works."""
    async with workplace(kind) as (_, sources):
        health = await sources[kind].probe(Call())
        assert health.ok
        assert health.account


@pytest.mark.parametrize("kind", ["linear", "notion", "slack"])
async def test_the_directory_knows_people_by_name(kind: str) -> None:
    """A Korean and an English name, each with the source's own id; Gmail has no such list."""
    async with workplace(kind) as (_, sources):
        directory = await sources[kind].directory(Call(limit=1000))
        named = {person.name: person for person in directory.people}
        assert {"김민수", "Sarah Kim"} <= named.keys()
        assert all(person.native_id for person in directory.people)
        assert directory.notes == ()


async def test_slack_hits_stand_in_channels_and_threads() -> None:
    """A reply says that it belongs to a thread; sorting by time sorts."""
    async with workplace("slack") as (_, sources):
        args = {"sort": "timestamp", "sort_dir": "desc"}
        page = await sources["slack"].search(asked("slack", "결제", **args), Call(limit=50))
        times = [hit.created for hit in page.hits if hit.created]
        assert times == sorted(times, reverse=True)
        assert {hit.kind for hit in page.hits} == {Kind.MESSAGE, Kind.THREAD}
        assert all(hit.container and hit.container.native_id and hit.container.name for hit in page.hits)


async def test_notion_pages_come_with_their_text() -> None:
    """As many as are set; the others keep their titles."""
    async with workplace("notion") as (sandbox, _):
        source = connected(sandbox, "notion", pages_read=2)
        try:
            page = await source.search(asked("notion", "결제"), Call(limit=10))
        finally:
            await source.aclose()
        assert [bool(hit.snippet) for hit in page.hits if hit.kind is Kind.PAGE][:3] == [True, True, False]


async def test_notion_before_the_markdown_endpoint_reads_blocks() -> None:
    """An earlier API version is a setting, and the text comes all the same."""
    async with workplace("notion") as (sandbox, sources):
        source = connected(sandbox, "notion", version="2025-09-03")
        try:
            old = await source.search(asked("notion", "migration"), Call())
        finally:
            await source.aclose()
        new = await sources["notion"].search(asked("notion", "migration"), Call())
        assert [hit.id for hit in old.hits] == [hit.id for hit in new.hits]
        assert all(hit.snippet for hit in old.hits if hit.kind is Kind.PAGE)


async def test_linear_filters_without_words() -> None:
    """Structure alone lists issues."""
    done = {"state": {"type": {"in": ["completed", "canceled"]}}}
    async with workplace("linear") as (_, sources):
        page = await sources["linear"].search(asked("linear", "", filter=done, orderBy="updatedAt"), Call(limit=50))
        assert page.hits
        assert {hit.state for hit in page.hits} == {State.DONE}
        times = [hit.updated for hit in page.hits if hit.updated]
        assert times == sorted(times, reverse=True)


async def test_gmail_reads_the_best_mails_whole_and_of_the_others_a_snippet() -> None:
    """A batch of both kinds."""
    async with workplace("gmail") as (_, sources):
        page = await sources["gmail"].search(asked("gmail", ""), Call(limit=20))
        assert any(hit.complete for hit in page.hits[:5])
        assert not any(hit.complete for hit in page.hits[5:])
        assert all(hit.author and hit.author.email for hit in page.hits)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_wrong_token(kind: str) -> None:
    """Whether configured or the caller's own."""
    async with workplace(kind) as (_, sources):
        with pytest.raises(Unauthenticated) as caught:
            await sources[kind].search(asked(kind, "결제"), Call(credential=Credential("wrong-token-1234")))
        assert "wrong-token-1234" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@faults(but=("401", "403"))
async def test_faults_are_errors_named_by_what_to_do(kind: str, fault: Fault, expected: type[SourceError]) -> None:
    """Whatever the vendor's way of saying it."""
    async with workplace(kind, **{kind: fault}) as (_, sources):
        with pytest.raises(expected) as caught:
            await sources[kind].search(asked(kind, "결제"), Call(timeout=time_for(fault)))
        if isinstance(caught.value, Throttled):
            assert caught.value.retry_after == pytest.approx(2.0, abs=1.0)


async def test_some_mails_of_a_batch_are_throttled() -> None:
    """They are left out and told; the others stay."""
    async with workplace("gmail", gmail=Fault(status=429, every=3, parts=True)) as (_, sources):
        page = await sources["gmail"].search(asked("gmail", ""), Call(limit=9))
        assert len(page.hits) == 6
        assert page.notes[0].startswith("3 of 9 mails could not be read")


async def test_four_at_once_take_as_long_as_the_slowest_and_do_not_hurt_each_other() -> None:
    """One hangs, one fails; two answer."""
    async with workplace(slack=Fault(hang=True), linear=Fault(status=500), notion=Fault(delay=0.3)) as (_, sources):
        for source in sources.values():
            await asyncio.gather(source.probe(Call(timeout=0.5)), return_exceptions=True)  # load the clients
        leap = leaping()
        searches = {
            kind: asyncio.create_task(source.search(asked(kind, "결제"), Call(timeout=HANGING)))
            for kind, source in sources.items()
        }
        await asyncio.wait([task for kind, task in searches.items() if kind != "slack"])
        assert not searches["slack"].done()
        leap(HANGING)
        outcomes = dict(zip(searches, await asyncio.gather(*searches.values(), return_exceptions=True), strict=True))
    assert isinstance(outcomes["slack"], Unavailable)
    assert isinstance(outcomes["linear"], Unavailable)
    assert not isinstance(outcomes["notion"], BaseException)
    assert not isinstance(outcomes["gmail"], BaseException)
