"""Jira end to end: the real source and its dialect against the emulator over real sockets, in both languages."""

from __future__ import annotations

import base64
from contextlib import aclosing, asynccontextmanager
from datetime import datetime, timedelta, timezone
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from connectors.contract import Call, Hit
from connectors.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from orchestrator.sandbox import Corpus, Fault, Sandbox, load_corpus
from orchestrator.sandbox.jira import API_TOKEN
from tests.corpora import corpus_of
from tests.e2e.asking import connected, kept_of
from translators.jql import Jql
from translators.query import (
    EVERYTHING,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    all_of,
)
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from connectors.jira import JiraSource

KST = timezone(timedelta(hours=9))
SITE = "https://acme.atlassian.net"
EVERY_ISSUE = 48


@cache
def issues() -> Corpus:
    """The issues of the packaged workplace, served as Jira's."""
    with resources.as_file(resources.files("orchestrator.sandbox") / "workplace") as folder:
        return load_corpus(folder, mapping={"linear": "jira"})


@asynccontextmanager
async def workplace(
    fault: Fault | None = None, rows: Corpus | None = None, **settings: Any
) -> AsyncIterator[tuple[Sandbox, JiraSource]]:
    """The pretend workplace's issues as a Jira would hold them, and a source that is signed in to it."""
    corpus = rows or issues()
    faults = {"jira": fault} if fault else {}
    owner = "minsu.kim" if corpus.people.find("minsu.kim") else None
    async with (
        Sandbox(corpus, sources=["jira"], faults=faults, owner=owner) as sandbox,
        aclosing(connected(sandbox, "jira", **{"site": SITE, **settings})) as source,
    ):
        yield sandbox, source


async def ask(source: JiraSource, where: Clause, *, limit: int = 50, **query: Any) -> list[Hit]:
    """The hits that are kept of everything that a question finds, page after page."""
    return await kept_of(source, Jql, Query("?", where=where, **query), limit=limit)


# ---- text


@pytest.mark.parametrize("word", ["migration", "결제", "PostgreSQL", "정산"])
async def test_a_word_in_either_language(word: str) -> None:
    """Hits are rows of the corpus, each with an address, a time, a state and a place; the word is somewhere in them."""
    async with workplace() as (sandbox, source):
        hits = await ask(source, Term(word))
        assert hits
        for hit in hits:
            assert sandbox.origins("jira")[hit.id] == sandbox.origins("jira")[hit.url]
            assert hit.url == f"{SITE}/browse/{hit.id}"
            assert hit.created is not None
            assert hit.state is not None
            assert hit.container is not None
        assert any(word.lower() in f"{hit.title} {hit.snippet}".lower() for hit in hits)


async def test_phrases_prefixes_and_alternatives() -> None:
    """A phrase finds fewer than its words, a beginning more than a word, alternatives both."""
    async with workplace() as (_, source):
        both = {hit.id for hit in await ask(source, all_of([Term("connection"), Term("pool")]))}
        phrase = {hit.id for hit in await ask(source, Phrase("connection pool"))}
        assert phrase <= both
        whole, begun = await ask(source, Term("webhook")), await ask(source, Prefix("web"))
        assert {hit.id for hit in whole} <= {hit.id for hit in begun}
        either = await ask(source, AnyOf((Term("webhook"), Term("웹훅"))))
        assert {hit.id for hit in either} == {
            hit.id for word in ("webhook", "웹훅") for hit in await ask(source, Term(word))
        }


async def test_a_korean_word_is_found_with_its_particles(tmp_path: Path) -> None:
    """배포 finds 배포를, which Jira's own search for the bare word does not."""
    rows = [{"id": f"i{n}", "source": "jira", "title": title} for n, title in enumerate(["배포를 미룸", "배포 절차"])]
    async with workplace(rows=corpus_of(tmp_path, rows)) as (_, source):
        assert {hit.title for hit in await ask(source, Term("배포"))} == {"배포를 미룸", "배포 절차"}
        bare = await source.search(NativeQuery("jql", 'text ~ "배포"'), Call())
        assert [hit.title for hit in bare.hits] == ["배포 절차"]


async def test_what_is_not_wanted_is_left_out_here() -> None:
    """Jira is not asked for it, since it would leave out too much; what shows the word is dropped by us."""
    async with workplace() as (_, source):
        hits = await ask(source, all_of([Term("API"), Not(Term("마이그레이션"))]))
        assert hits
        assert not [hit for hit in hits if "마이그레이션" in f"{hit.title} {hit.snippet}"]


@pytest.mark.parametrize(
    "text", ['"', 'x" OR project = "PAY', "a\\", "*", "(", "AND OR NOT", "배포\nassignee=me", "[31m"]
)
async def test_hostile_text_is_text(text: str) -> None:
    """Nothing that people type makes Jira refuse a query or find more than it says."""
    async with workplace() as (sandbox, source):
        await ask(source, Term(text))
        await ask(source, Phrase(text))
        assert {record.status for record in sandbox.requests} == {200}


# ---- fields


async def test_people_and_places_are_asked_for_by_the_ids_of_the_directory() -> None:
    """A name becomes an account, a key or name a project; nobody in particular is asked for by accident."""
    async with workplace() as (_, source):
        directory = await source.directory(Call())
        assert directory.notes == ()
        sarah = next(person for person in directory.people if person.name == "최서연")
        place = next(each for each in directory.containers if each.name == "PAY")
        theirs = await ask(source, Compare(Field.ASSIGNEE, Op.EQ, sarah))
        assert theirs
        assert {hit.assignee.name for hit in theirs if hit.assignee} == {"최서연"}
        others = await ask(source, Not(Compare(Field.ASSIGNEE, Op.EQ, sarah)))
        assert len(theirs) + len(others) == EVERY_ISSUE
        assert any(hit.assignee is None for hit in others)
        there = await ask(source, Compare(Field.CONTAINER, Op.EQ, place))
        assert there
        assert {hit.id.split("-")[0] for hit in there} == {"PAY"}


async def test_mine_and_open() -> None:
    """``currentUser()`` is the owner of the token; open and done together are everything."""
    async with workplace() as (_, source):
        mine = await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("", me=True)))
        assert {hit.author.name for hit in mine if hit.author} == {"김민수"}
        opened = await ask(source, Compare(Field.STATE, Op.EQ, State.OPEN))
        done = await ask(source, Compare(Field.STATE, Op.EQ, State.DONE))
        assert {hit.state for hit in opened} == {State.OPEN}
        assert {hit.state for hit in done} == {State.DONE}
        assert len(opened) + len(done) == EVERY_ISSUE


async def test_names_that_are_not_known_are_checked_here() -> None:
    """Jira would refuse the whole query."""
    async with workplace() as (_, source):
        assert await ask(source, Compare(Field.CONTAINER, Op.EQ, Container("no such place"))) == []
        hits = await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("민수")))
        named = {hit.author.name for hit in hits if hit.author}
        assert "김민수" in named
        assert not named & {"김민서", "정우진", "최서연"}


async def test_a_window_is_exact_whatever_the_zone() -> None:
    """Jira's minutes are the account's; what comes from the day beside the window is dropped by us."""
    async with workplace() as (_, source):
        start, end = datetime(2026, 10, 1, tzinfo=KST), datetime(2026, 11, 1, tzinfo=KST)
        where = all_of([Compare(Field.CREATED, Op.GE, start), Compare(Field.CREATED, Op.LT, end)])
        within = await ask(source, where)
        everything = await ask(source, EVERYTHING)
        assert len(everything) == EVERY_ISSUE
        expected = {hit.id for hit in everything if hit.created and start <= hit.created < end}
        assert expected
        assert {hit.id for hit in within} == expected


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
async def test_sorted_by_the_last_change(sort: Sort) -> None:
    """All pages, in order."""
    async with workplace() as (_, source):
        moments = [hit.updated for hit in await ask(source, EVERYTHING, limit=7, sort=sort) if hit.updated]
        assert len(moments) == EVERY_ISSUE
        assert moments == sorted(moments, reverse=sort is Sort.NEWEST)


# ---- ids and pages


async def test_an_issue_by_its_key() -> None:
    """In any case, or by its address; a key that is nobody's is no error."""
    async with workplace() as (_, source):
        some = (await ask(source, EVERYTHING))[0].id
        for kind, text in ((IdKind.TICKET, some.lower()), (IdKind.URL, f"{SITE}/browse/{some}?focusedCommentId=1")):
            hits = await ask(source, Compare(Field.ID, Op.EQ, Identifier(kind, text)))
            assert [hit.id for hit in hits] == [some]
        assert await ask(source, Compare(Field.ID, Op.EQ, Identifier(IdKind.TICKET, "NOPE-999999"))) == []
        with pytest.raises(Rejected, match="does not exist"):
            await source.search(NativeQuery("jql", "key = NOPE-999999"), Call())


async def test_paging_to_the_end_finds_what_one_large_page_finds() -> None:
    """No hit twice, none missing, and an end."""
    async with workplace() as (_, source):
        whole = [hit.id for hit in await ask(source, EVERYTHING, limit=100)]
        paged = [hit.id for hit in await ask(source, EVERYTHING, limit=5)]
        assert paged == whole
        assert len(set(paged)) == len(paged) == EVERY_ISSUE


async def test_a_token_of_another_query_is_refused_with_what_was_sent() -> None:
    """As is a query without any restriction, or with a value that Jira does not know."""
    async with workplace() as (_, source):
        page = await source.search(NativeQuery("jql", "created <= now()"), Call(limit=2))
        with pytest.raises(Rejected, match="nextPageToken") as caught:
            await source.search(NativeQuery("jql", "updated <= now()"), Call(limit=2, cursor=page.cursor))
        assert caught.value.native == "updated <= now()"
        with pytest.raises(Rejected, match="Unbounded"):
            await source.search(NativeQuery("jql", "ORDER BY created"), Call())
        with pytest.raises(Rejected, match="does not exist for the field 'project'"):
            await source.search(NativeQuery("jql", "project = NOWHERE"), Call())


# ---- signing in


async def test_an_api_token_travels_with_its_address() -> None:
    """By settings, or in one piece; alone it is refused, with what to do."""
    async with workplace(token=API_TOKEN, email="minsu.kim@acme.example") as (_, source):
        health = await source.probe(Call())
        assert (health.ok, health.account) == (True, "minsu.kim@acme.example")
        assert await ask(source, Term("결제"))
    async with workplace(token=f"minsu.kim@acme.example:{API_TOKEN}") as (_, source):
        assert (await source.probe(Call())).ok
    async with workplace(token=API_TOKEN) as (_, source):
        with pytest.raises(Unauthenticated, match="is email the address of the token's owner"):
            await source.probe(Call())


async def test_the_removed_search_is_gone() -> None:
    """HTTP 410 in the sandbox as at Atlassian, so nobody can go back to it."""
    async with workplace() as (sandbox, _), aiohttp.ClientSession() as session:
        endpoint = sandbox.endpoints["jira"]
        pair = base64.b64encode(f"minsu.kim@acme.example:{API_TOKEN}".encode()).decode()
        for version in (2, 3):
            address = f"{endpoint.base_url}/rest/api/{version}/search"
            async with session.post(
                address, json={"jql": "a = b"}, headers={"Authorization": f"Basic {pair}"}
            ) as reply:
                assert reply.status == 410
                assert "removed" in (await reply.json())["errorMessages"][0]


# ---- faults


@pytest.mark.parametrize(
    ("fault", "error", "says"),
    [
        (Fault(retry_after=30), Throttled, "jira-burst-based"),
        (Fault(status=500), Unavailable, "500"),
        (Fault(status=401), Unauthenticated, "is the token still valid"),
        (Fault(status=403), Forbidden, "browse projects"),
        (Fault(status=404), Misconfigured, "is base_url the address"),
        (Fault(status=410), Rejected, "newer fedsearch"),
        (Fault(malformed=True), BadReply, "not JSON"),
        (Fault(disconnect=True), Unavailable, "cannot reach"),
    ],
)
async def test_faults_become_errors_that_say_what_to_do(fault: Fault, error: type[SourceError], says: str) -> None:
    """Each under its own name."""
    async with workplace(fault) as (_, source):
        with pytest.raises(error, match=says) as caught:
            await ask(source, Term("결제"))
        if isinstance(caught.value, Throttled):
            assert caught.value.retry_after == 30.0
