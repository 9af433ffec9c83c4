"""A thing named by its key or address is fetched, over real sockets, even where a search would not find it (law 6)."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call
from connectors.errors import Unauthenticated
from connectors.registry import load_source
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Status
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.asking import connected
from translators.query import Compare, Field, Identifier, IdKind, Op, Query, Term
from translators.registry import load_dialect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectors.http import HttpSource
    from orchestrator.model import Answer

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")


@asynccontextmanager
async def served(kind: str) -> AsyncIterator[tuple[Sandbox, HttpSource]]:
    """One source of the pretend workplace and the real connector to it."""
    async with Sandbox(default_corpus(), sources=[kind]) as sandbox, aclosing(connected(sandbox, kind)) as source:
        yield sandbox, source


def addresses(sandbox: Sandbox, kind: str) -> list[str]:
    """What a person would paste: keys of issues, addresses of everything else."""
    names = list(sandbox.origins(kind))
    if kind == "linear":
        return [name for name in names if "-" in name and name.isupper()]
    return [name for name in names if name.startswith("https://")]


async def fetched(source: HttpSource, kind: str, name: str, id_kind: IdKind) -> tuple[Any, Any]:
    """What the dialect makes of one id, and what comes of it."""
    dialect = load_dialect(kind)
    query = Query(name, Compare(Field.ID, Op.EQ, Identifier(id_kind, name)))
    translation = dialect.translate(query, dialect.can)
    assert translation.residual is None
    return translation, await source.search(translation.native, Call())


@pytest.mark.parametrize(
    ("kind", "id_kind"), [("linear", IdKind.TICKET), ("slack", IdKind.PERMALINK), ("notion", IdKind.URL)]
)
async def test_each_thing_of_a_source_is_found_by_its_name(kind: str, id_kind: IdKind) -> None:
    """Exactly that thing, replies in threads included, and nothing beside it."""
    async with served(kind) as (sandbox, source):
        names = addresses(sandbox, kind)
        assert len(names) > 20
        for name in names[:: max(1, len(names) // 25)]:
            _, page = await fetched(source, kind, name, id_kind)
            (hit,) = page.hits
            origins = sandbox.origins(kind)
            assert {origins[hit.id], origins[hit.url]} == {origins[name]}
            assert (hit.source, hit.rank, page.notes) == (kind, 1, ())
            assert hit.created is not None
            assert hit.author is not None


async def test_a_fetched_message_is_the_one_that_a_search_returns() -> None:
    """But for the handle, which only a search knows and the directory adds."""
    async with served("slack") as (_, source):
        dialect = load_dialect("slack")
        native = dialect.translate(Query("결제"), dialect.can).native
        found = await source.search(native, Call(limit=50))
        for hit in found.hits[:10]:
            _, page = await fetched(source, "slack", hit.url, IdKind.PERMALINK)
            (one,) = page.hits
            assert (one.id, one.url, one.kind, one.snippet) == (hit.id, hit.url, hit.kind, hit.snippet)
            assert (one.container, one.created, one.complete) == (hit.container, hit.created, hit.complete)
            assert one.author is not None
            assert hit.author is not None
            assert one.author.native_id == hit.author.native_id


async def test_a_reply_whose_address_lost_its_thread_is_found() -> None:
    async with served("slack") as (sandbox, source):
        reply = next(name for name in addresses(sandbox, "slack") if "thread_ts" in name)
        _, page = await fetched(source, "slack", reply.partition("?")[0], IdKind.PERMALINK)
        assert [hit.url for hit in page.hits] == [reply]


async def test_a_database_is_found_by_its_address() -> None:
    async with served("notion") as (_, source):
        dialect = load_dialect("notion")
        everything = await source.search(dialect.translate(Query("x"), dialect.can).native, Call(limit=100))
        database = next(hit for hit in everything.hits if hit.kind == "database")
        _, page = await fetched(source, "notion", f"{database.url}?v=0", IdKind.URL)
        assert [(hit.title, hit.url, hit.kind) for hit in page.hits] == [(database.title, database.url, "database")]


async def test_a_mail_is_found_by_its_message_id() -> None:
    async with served("gmail") as (_, source):
        dialect = load_dialect("gmail")
        mails = await source.search(dialect.translate(Query("x"), dialect.can).native, Call(limit=30))
        for mail in mails.hits[::7]:
            _, page = await fetched(source, "gmail", str(mail.facts["message_id"]), IdKind.URL)
            assert [hit.id for hit in page.hits] == [mail.id]


@pytest.mark.parametrize(
    ("kind", "name", "id_kind"),
    [
        ("linear", "PAY-99999", IdKind.TICKET),
        ("linear", "https://linear.app/acme/issue/결제-1", IdKind.URL),
        ("slack", "https://acme.slack.com/archives/C0NOWHERE/p1736500000123456", IdKind.PERMALINK),
        ("notion", "https://www.notion.so/acme/없는-쪽-0123456789abcdef0123456789abcdef", IdKind.URL),
        ("gmail", "<nobody@mail.acme.example>", IdKind.URL),
    ],
)
async def test_what_is_not_there_is_no_error(kind: str, name: str, id_kind: IdKind) -> None:
    """An empty page, with a note where the source was asked for the thing itself."""
    async with served(kind) as (_, source):
        dialect = load_dialect(kind)
        query = Query(name, Compare(Field.ID, Op.EQ, Identifier(id_kind, name)))
        translation = dialect.translate(query, dialect.can)
        if translation.residual is not None:
            assert translation.losses, "what is not asked for is named"
            return
        page = await source.search(translation.native, Call())
        assert page.hits == ()
        assert kind == "gmail" or "no such" in page.remarks[0]


async def test_a_wrong_token_is_an_error_when_fetching_too() -> None:
    async with Sandbox(default_corpus(), sources=["slack"]) as sandbox:
        made: Any = load_source("slack")
        end = sandbox.endpoints["slack"]
        source = made("slack", made.settings_type(kind="slack", base_url=end.base_url, token="xoxp-wrong-one"))
        try:
            with pytest.raises(Unauthenticated):
                await fetched(source, "slack", addresses(sandbox, "slack")[0], IdKind.PERMALINK)
        finally:
            await source.aclose()


# ---- whole questions


async def answered(question: str, *kinds: str) -> Answer:
    """One question to the pretend workplace."""
    async with Sandbox(default_corpus(), sources=kinds) as sandbox:
        sources = {
            name: {"kind": name, "base_url": end.base_url, "token": end.token}
            for name, end in sandbox.endpoints.items()
        }
        async with build_engine(load_settings({"sources": sources}, {})) as engine:
            return await engine.search(Ask(question, NOW, budget=HANGING))


@pytest.mark.parametrize("words", ["what was this about? {}", "이게 무슨 내용이었지? {}"])
@pytest.mark.parametrize("kind", ["linear", "slack", "notion"])
async def test_a_question_that_holds_a_name_is_answered_with_that_thing(kind: str, words: str) -> None:
    """Of a sample of things: the first result is the thing itself, though the words are in none of them."""
    async with Sandbox(default_corpus(), sources=[kind]) as sandbox:
        names = addresses(sandbox, kind)
        name, origins = names[len(names) // 2], sandbox.origins(kind)
    answer = await answered(words.format(name), kind)
    assert answer.outcomes[0].status is Status.OK
    assert answer.results, "nothing was found"
    assert origins[answer.results[0].hit.id] == origins[name]


async def test_the_search_alone_does_not_find_a_message_by_its_address() -> None:
    """What the tests above rest on: they would fail without the fetch."""
    async with served("slack") as (sandbox, source):
        name = addresses(sandbox, "slack")[5]
        dialect = load_dialect("slack")
        native = dialect.translate(Query("x", where=Term(name)), dialect.can).native
        assert (await source.search(native, Call())).hits == ()


async def test_a_key_is_asked_of_every_source_that_has_keys_and_the_receipt_shows_it() -> None:
    """Slack and Notion are asked for the words; Linear for the issue as well."""
    answer = await answered("PAY-8은 어떻게 됐어?", "linear", "notion", "slack")
    sent = {outcome.source: [str(native) for native in outcome.sent] for outcome in answer.outcomes}
    assert "id=PAY-8" in sent["linear"]
    assert not any("id=" in each for each in sent["slack"] + sent["notion"])
