"""Slack's Real-time Search: the real connector, Slack's client and the dialect against the emulator, over a real socket."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.errors import Forbidden, SourceError, Unauthenticated
from connectors.registry import load_source
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Status
from orchestrator.sandbox import Fault, Sandbox, default_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.asking import connected, faults, time_for
from translators.match import matches
from translators.query import (
    AnyOf,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Query,
    Sort,
    Term,
    all_of,
)
from translators.registry import load_dialect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectors.contract import HitPage
    from connectors.http import HttpSource
    from orchestrator.model import Answer
    from translators.query import Clause

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
BOT, EVENT = "xoxb-sandbox", "sandbox-action-token"
SINCE = datetime.fromisoformat("2026-11-01T00:00:00+09:00")


@asynccontextmanager
async def served(**settings: Any) -> AsyncIterator[tuple[Sandbox, HttpSource]]:
    """The pretend workplace's Slack, and the connector for Real-time Search to it."""
    async with (
        Sandbox(default_corpus(), sources=["slack"]) as sandbox,
        aclosing(connected(sandbox, "slack_rts", of="slack", **settings)) as source,
    ):
        yield sandbox, source


async def found(source: HttpSource, where: Clause, call: Call | None = None, sort: Sort = Sort.RELEVANCE) -> HitPage:
    """What comes of one clause, by way of the dialect."""
    dialect = load_dialect("slack_rts")
    translation = dialect.translate(Query("?", where=where, sort=sort), dialect.can)
    return await source.search(translation.native, call or Call())


@pytest.mark.parametrize("word", ["migration", "결제"])
async def test_both_searches_of_slack_find_the_same_messages(word: str) -> None:
    """Under the same ids, with the same address, time, place and text."""
    async with served() as (sandbox, source):
        made: Any = load_source("slack")
        end = sandbox.endpoints["slack"]
        other = made("slack", made.settings_type(kind="slack", base_url=end.base_url, token=end.token))
        try:
            native = load_dialect("slack").translate(Query("?", where=Term(word)), other_can()).native
            old = {hit.id: hit for hit in (await other.search(native, Call(limit=100))).hits}
        finally:
            await other.aclose()
        new = {hit.id: hit for hit in await walked(source, Term(word))}
        assert old.keys() == new.keys()
        for number, hit in new.items():
            assert (hit.url, hit.created, hit.container) == (
                old[number].url,
                old[number].created,
                old[number].container,
            )
            assert hit.snippet == old[number].snippet
            assert hit.author is not None
            assert hit.author.email


def other_can() -> Any:
    return load_dialect("slack").can


async def walked(source: HttpSource, where: Clause) -> list[Any]:
    """All pages, to the end."""
    hits: list[Any] = []
    cursor = None
    for _ in range(40):
        page = await found(source, where, Call(limit=20, cursor=cursor))
        assert page.notes == ()
        hits += page.hits
        if (cursor := page.cursor) is None:
            return hits
    raise AssertionError("there is no end")


@pytest.mark.parametrize(
    "where",
    [
        AnyOf((Term("쿠버네티스"), Term("k8s"), Term("deploy"))),
        all_of([AnyOf((Term("결제"), Term("payment"))), AnyOf((Term("배포"), Term("deploy"), Term("장애")))]),
        all_of([Term("결제"), Compare(Field.AUTHOR, Op.EQ, Person("", me=True))]),
        all_of([Term("결제"), Compare(Field.TIME, Op.GE, SINCE)]),
        all_of([Term("결제"), Compare(Field.TIME, Op.LT, SINCE)]),
        all_of([Term("결제"), Not(Term("장애"))]),
        all_of([Term("migration"), Compare(Field.KIND, Op.EQ, Kind.THREAD)]),
        Phrase("결제 서비스"),
        Compare(Field.TIME, Op.GE, SINCE),
    ],
    ids=["or", "and of ors", "mine", "since", "until", "not", "threads", "phrase", "no word"],
)
async def test_what_is_found_and_checked_is_what_the_workplace_holds(where: Clause) -> None:
    """Against every message of the workplace, judged one by one."""
    async with served() as (_, source):
        dialect = load_dialect("slack_rts")
        residual = dialect.translate(Query("?", where=where), dialect.can).residual
        everything = await walked(source, all_of([]))
        assert len(everything) > 100
        kept = [hit for hit in await walked(source, where) if residual is None or matches(residual, hit) is not False]
        directory = await source.directory(Call(limit=1000))
        assert directory.people
        wanted = {hit.id for hit in everything if matches(where, hit) is True}
        assert wanted <= {hit.id for hit in kept}
        assert all(matches(where, hit) is not False for hit in kept if not _asks_for_me(where))


def _asks_for_me(where: Clause) -> bool:
    return "me" in str(where).split()


async def test_a_channel_and_a_person_by_their_ids() -> None:
    async with served() as (_, source):
        somebody = (await found(source, Term("결제"))).hits[0].author
        assert isinstance(somebody, Person)
        page = await found(source, all_of([Term("결제"), Compare(Field.AUTHOR, Op.EQ, somebody)]))
        assert page.hits
        assert {hit.author for hit in page.hits} == {somebody}
        place = page.hits[0].container
        assert isinstance(place, Container)
        there = await found(source, all_of([Term("결제"), Compare(Field.CONTAINER, Op.EQ, place)]))
        assert there.hits
        assert {hit.container for hit in there.hits} == {place}


async def test_newest_first_and_files() -> None:
    async with served() as (_, source):
        page = await found(source, Term("결제"), sort=Sort.NEWEST)
        times = [hit.created for hit in page.hits if hit.created]
        assert times == sorted(times, reverse=True)
        files = await walked(source, all_of([Compare(Field.KIND, Op.EQ, Kind.FILE)]))
        assert all(hit.kind is Kind.FILE and hit.title and hit.url.startswith("https://") for hit in files)


async def test_a_message_by_its_address() -> None:
    async with served() as (sandbox, source):
        name = next(each for each in sandbox.origins("slack") if "thread_ts" in each)
        page = await found(source, Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, name)))
        assert [hit.url for hit in page.hits] == [name]


# ---- bots


async def test_a_bot_searches_for_who_asks_it_and_for_nobody_else() -> None:
    """Public channels alone; the token of the event travels and shows nowhere."""
    async with served(token=BOT) as (sandbox, source):
        with pytest.raises(Forbidden) as refused:
            await found(source, Term("결제"))
        assert "put to the bot in Slack" in refused.value.message
        assert not sandbox.requests, "nothing is sent that can only be refused"
        asked = Call(trigger=Credential(EVENT))
        page = await found(source, Term("결제"), asked)
        assert page.hits
        assert EVENT not in f"{asked!r} {sandbox.requests!r} {page!r}"
        assert sandbox.requests[-1].query["channel_types"] == ["public_channel"]
        with pytest.raises(Forbidden) as stale:
            await found(source, Term("결제"), Call(trigger=Credential("an-event-long-gone")))
        assert "ask the bot again" in stale.value.message
        assert "an-event-long-gone" not in repr(stale.value)


async def test_the_asker_s_own_token_goes_before_the_bot_s() -> None:
    """A person who has connected Slack needs no event."""
    async with served(token=BOT) as (_, source):
        page = await found(source, Term("결제"), Call(credential=Credential("xoxp-sandbox-limited")))
        assert page.hits


async def test_the_probe_says_what_a_token_may_do() -> None:
    async with served() as (_, source):
        health = await source.probe(Call())
        assert (health.ok, health.detail) == (True, "workspace Acme")
    async with served(token=BOT, semantic=True) as (_, source):
        health = await source.probe(Call())
        assert "a bot's token" in health.detail
        assert "by meaning is not available" in health.detail
    async with served(token="xoxp-sandbox-noscope") as (_, source):
        with pytest.raises(Forbidden, match=r"search:read\.public"):
            await source.probe(Call())


# ---- what goes wrong


@faults(but=("401", "403"))
async def test_faults_are_errors_named_by_what_to_do(fault: Fault, expected: type[SourceError]) -> None:
    async with served() as (sandbox, source):
        sandbox.set_fault("slack", fault)
        with pytest.raises(expected):
            await found(source, Term("결제"), Call(timeout=time_for(fault)))


async def test_a_wrong_token_and_a_token_for_the_other_search() -> None:
    async with served(token="xoxp-wrong-token") as (_, source):
        with pytest.raises(Unauthenticated) as wrong:
            await found(source, Term("결제"))
        assert "xoxp-wrong" not in str(wrong.value)
    async with served(token="xoxp-sandbox-noscope") as (_, source):
        with pytest.raises(Forbidden, match="add the scope search:read"):
            await found(source, Term("결제"))


# ---- whole questions: which search is used


async def answered(question: str, **entry: Any) -> Answer:
    """One question to a source configured as ``slack``."""
    async with Sandbox(default_corpus(), sources=["slack"]) as sandbox:
        end = sandbox.endpoints["slack"]
        given = {"base_url": end.base_url, "token": end.token, **entry}
        async with build_engine(load_settings({"sources": {"slack": given}}, {})) as engine:
            return await engine.search(Ask(question, NOW, budget=HANGING))


@pytest.mark.parametrize("question", ["API migration decision", "API 마이그레이션 일정에 대해 무엇을 결정했나요?"])
async def test_the_search_is_chosen_by_setting(question: str) -> None:
    """Either answers; the receipt says which it was by the dialect of what was sent."""
    for search, dialect in (("auto", "slack"), ("messages", "slack"), ("realtime", "slack_rts")):
        answer = await answered(question, search=search)
        (outcome,) = answer.outcomes
        assert (outcome.source, outcome.status) == ("slack", Status.OK)
        assert {native.dialect for native in outcome.sent} == {dialect}
        assert answer.results


async def test_a_bot_s_token_chooses_real_time_search_by_itself() -> None:
    """And is told that from here it cannot be used."""
    answer = await answered("결제 장애", token=BOT)
    (outcome,) = answer.outcomes
    assert outcome.title == "Slack Real-time Search (slack)"
    assert outcome.status is Status.DENIED
    assert outcome.problem is not None
    assert "user token" in outcome.problem.message


async def test_other_names_of_a_thing_travel_in_one_request() -> None:
    """Where search.messages is asked once for each name."""
    answer = await answered("쿠버네티스 배포", search="realtime")
    first = answer.outcomes[0].sent[0]
    assert "(" in first.text, f"alternatives go along: {first}"
