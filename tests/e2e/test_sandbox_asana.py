"""Asana end to end: the real source and its dialect against the emulator over real sockets, in both languages."""

from __future__ import annotations

from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

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
from orchestrator.sandbox.asana import FREE_TOKEN
from orchestrator.sandbox.asana.store import WORKSPACE
from tests.corpora import corpus_of
from tests.e2e.asking import connected, kept_of
from translators.asana import Asana
from translators.match import matches
from translators.query import (
    EVERYTHING,
    AnyOf,
    Clause,
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

    from connectors.asana import AsanaSource

KST = timezone(timedelta(hours=9))
EVERY_TASK = 48


@cache
def tasks() -> Corpus:
    """The issues of the packaged workplace, served as Asana's tasks."""
    with resources.as_file(resources.files("orchestrator.sandbox") / "workplace") as folder:
        return load_corpus(folder, mapping={"linear": "asana"})


@asynccontextmanager
async def workplace(
    fault: Fault | None = None, rows: Corpus | None = None, now: datetime | None = None, **settings: Any
) -> AsyncIterator[tuple[Sandbox, AsanaSource]]:
    """The pretend workplace's tasks as an Asana would hold them, and a source that is signed in to it."""
    corpus = rows or tasks()
    faults = {"asana": fault} if fault else {}
    owner = "minsu.kim" if corpus.people.find("minsu.kim") else None
    moment = now or datetime(2026, 11, 22, tzinfo=UTC)
    async with (
        Sandbox(corpus, sources=["asana"], faults=faults, owner=owner, now=moment) as sandbox,
        aclosing(connected(sandbox, "asana", **settings)) as source,
    ):
        yield sandbox, source


def tasks_of(folder: Path, *rows: dict[str, Any]) -> Corpus:
    """A corpus of a few tasks."""
    return corpus_of(folder, ({"id": f"t{n}", **row} for n, row in enumerate(rows)), source="asana")


async def ask(source: AsanaSource, where: Clause, *, limit: int = 100, **query: Any) -> list[Hit]:
    """The hits that are kept of everything that a question finds, page after page."""
    return await kept_of(source, Asana, Query("?", where=where, **query), limit=limit)


# ---- text


@pytest.mark.parametrize("word", ["migration", "웹훅", "PostgreSQL", "정산"])
async def test_a_word_in_either_language(word: str) -> None:
    """Hits are rows of the corpus, each with an address, a time, a state and a place, and the word is in each."""
    async with workplace() as (sandbox, source):
        hits = await ask(source, Term(word))
        assert hits
        for hit in hits:
            assert sandbox.origins("asana")[hit.id] == sandbox.origins("asana")[hit.url]
            assert hit.complete
            assert hit.created is not None
            assert hit.state is not None
            assert hit.container is not None
            assert word.lower() in f"{hit.title} {hit.snippet}".lower()


async def test_a_korean_word_is_found_as_it_stands_only(tmp_path: Path) -> None:
    """Asana does not say that it knows particles, so the sandbox does not; the loss is named."""
    async with workplace(rows=tasks_of(tmp_path, {"title": "배포를 미룸"}, {"title": "배포 절차"})) as (_, source):
        assert [hit.title for hit in await ask(source, Term("배포"))] == ["배포 절차"]
        assert Asana().translate(Query("?", where=Term("배포")), Asana.can).losses


async def test_phrases_and_beginnings_are_checked_here() -> None:
    """A phrase finds fewer than its words; a beginning, which Asana is not asked for, more than a word."""
    async with workplace() as (_, source):
        both = {hit.id for hit in await ask(source, all_of([Term("connection"), Term("pool")]))}
        phrase = {hit.id for hit in await ask(source, Phrase("connection pool"))}
        assert phrase
        assert phrase <= both
        whole, begun = await ask(source, Term("webhook")), await ask(source, Prefix("webh"))
        assert whole
        assert {hit.id for hit in whole} <= {hit.id for hit in begun}


async def test_alternatives_of_words_are_checked_here() -> None:
    """Asana is asked for everything, since its text knows no OR."""
    async with workplace() as (_, source):
        hits = await ask(source, AnyOf((Term("webhook"), Term("정산"))))
        assert hits
        assert all(
            "webhook" in f"{hit.title} {hit.snippet}".lower() or "정산" in hit.title + hit.snippet for hit in hits
        )


async def test_what_is_not_wanted_is_left_out_for_certain() -> None:
    """A description is all the text there is, so an absence can be proved."""
    async with workplace() as (_, source):
        where = all_of([Term("웹훅"), Not(Term("API"))])
        hits = await ask(source, where)
        assert hits
        assert {matches(Not(Term("API")), hit) for hit in hits} == {True}


@pytest.mark.parametrize(
    "text",
    ['"', "x&assignee.any=me", "a\\", "*", "(", "AND OR NOT", "배포\nsort_by=likes", "\x1b[31m", "%00", "#", "a,b"],
)
async def test_hostile_text_is_text(text: str) -> None:
    """Nothing that people type makes Asana refuse a query, or becomes another parameter."""
    async with workplace(workspace=WORKSPACE) as (sandbox, source):
        await ask(source, Term(text))
        await ask(source, Phrase(text))
        assert {record.status for record in sandbox.requests} == {200}
        known = {"text", "sort_by", "limit", "opt_fields"}
        assert all(
            record.query.keys() <= known and record.query.get("sort_by") != "likes" for record in sandbox.requests
        )


# ---- fields


async def test_people_and_projects_are_asked_for_by_the_numbers_of_the_directory() -> None:
    """A name becomes a number; who has nothing to do with a task is nobody."""
    async with workplace() as (_, source):
        directory = await source.directory(Call())
        assert directory.notes == ()
        seoyeon = next(person for person in directory.people if person.name == "최서연")
        place = next(each for each in directory.containers if each.name == "API v2")
        theirs = await ask(source, Compare(Field.ASSIGNEE, Op.EQ, seoyeon))
        assert theirs
        assert {hit.assignee.name for hit in theirs if hit.assignee} == {"최서연"}
        others = await ask(source, Not(Compare(Field.ASSIGNEE, Op.EQ, seoyeon)))
        assert len(theirs) + len(others) == EVERY_TASK
        assert any(hit.assignee is None for hit in others)
        written = await ask(source, Compare(Field.AUTHOR, Op.EQ, seoyeon))
        by_others = await ask(source, Not(Compare(Field.AUTHOR, Op.EQ, seoyeon)))
        assert len(written) + len(by_others) == EVERY_TASK
        there = await ask(source, Compare(Field.CONTAINER, Op.EQ, place))
        assert there
        assert {hit.container.name for hit in there if hit.container} == {"API v2"}
        either = AnyOf(tuple(Compare(Field.CONTAINER, Op.EQ, each) for each in directory.containers[:2]))
        assert {hit.container for hit in await ask(source, either)} == set(directory.containers[:2])


async def test_a_mail_address_is_a_person() -> None:
    """For those who are not in the directory."""
    async with workplace() as (_, source):
        hits = await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("", email="MINSU.KIM@acme.example")))
        assert {hit.author.name for hit in hits if hit.author} == {"김민수"}
        assert await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("", email="nobody@acme.example"))) == []


async def test_mine_and_open() -> None:
    """``me`` is the owner of the token; open and done together are everything."""
    async with workplace() as (_, source):
        mine = await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("", me=True)))
        assert {hit.author.name for hit in mine if hit.author} == {"김민수"}
        opened = await ask(source, Compare(Field.STATE, Op.EQ, State.OPEN))
        done = await ask(source, Not(Compare(Field.STATE, Op.EQ, State.OPEN)))
        assert {hit.state for hit in opened} == {State.OPEN}
        assert {hit.state for hit in done} == {State.DONE}
        assert len(opened) + len(done) == EVERY_TASK


async def test_names_that_are_not_known_are_checked_here() -> None:
    """Asana takes no names."""
    async with workplace() as (_, source):
        assert await ask(source, Compare(Field.CONTAINER, Op.EQ, Container("no such place"))) == []
        named = {
            hit.author.name for hit in await ask(source, Compare(Field.AUTHOR, Op.EQ, Person("민수"))) if hit.author
        }
        assert "김민수" in named
        assert not named & {"김민서", "정우진", "최서연"}


async def test_milestones_and_other_tasks(tmp_path: Path) -> None:
    """Milestones can be asked for; the others are told apart here."""
    rows = tasks_of(tmp_path, {"kind": "milestone", "title": "출시"}, {"kind": "issue", "title": "준비"})
    async with workplace(rows=rows) as (_, source):
        assert [hit.title for hit in await ask(source, Compare(Field.KIND, Op.EQ, Kind.MILESTONE))] == ["출시"]
        assert [hit.title for hit in await ask(source, Compare(Field.KIND, Op.EQ, Kind.ISSUE))] == ["준비"]


async def test_a_task_in_two_projects_is_in_both(tmp_path: Path) -> None:
    """It is found in either, and left out of neither by us, whatever else stands beside."""
    rows = tasks_of(tmp_path, {"title": "shared", "projects": ["A", "B"]}, {"title": "alone", "projects": ["A"]})
    async with workplace(rows=rows) as (_, source):
        places = {each.name: each for each in (await source.directory(Call())).containers}
        in_b = Compare(Field.CONTAINER, Op.EQ, places["B"])
        (hit,) = await ask(source, in_b)
        assert (hit.title, hit.container, hit.facts["projects"]) == ("shared", None, ("A", "B"))
        checked = AnyOf((in_b, Compare(Field.STATE, Op.EQ, State.DONE)))
        assert [hit.title for hit in await ask(source, checked)] == ["shared"]


@pytest.mark.parametrize("field", [Field.TIME, Field.CREATED])
async def test_a_window_is_exact(field: Field) -> None:
    """Bounds are asked wider and checked: what lies on the first is in, what lies on the second is not."""
    async with workplace() as (_, source):
        everything = await ask(source, EVERYTHING)
        assert len(everything) == EVERY_TASK
        moments = sorted(
            {moment for hit in everything if (moment := hit.created if field is Field.CREATED else hit.updated)}
        )
        start, end = moments[10].astimezone(KST), moments[30].astimezone(KST)
        where = all_of([Compare(field, Op.GE, start), Compare(field, Op.LT, end)])
        within = await ask(source, where)
        expected = {hit.id for hit in everything if matches(where, hit)}
        assert expected
        assert {hit.id for hit in within} == expected


# ---- order and pages


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
@pytest.mark.parametrize("limit", [3, 7, 100])
async def test_sorted_by_the_last_change(sort: Sort, limit: int) -> None:
    """All pages, in order, no hit twice, none missing, and an end."""
    async with workplace() as (_, source):
        hits = await ask(source, EVERYTHING, limit=limit, sort=sort)
        moments = [hit.updated for hit in hits if hit.updated]
        assert len({hit.id for hit in hits}) == len(hits) == EVERY_TASK
        assert moments == sorted(moments, reverse=sort is Sort.NEWEST)


@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
async def test_tasks_of_one_moment_are_paged_once_each(tmp_path: Path, sort: Sort) -> None:
    """An import gives many tasks one time; pages smaller than that go through all of them."""
    moments = ["2026-11-01T00:00:00Z"] * 9 + [
        "2026-11-01T00:00:00.500Z",
        "2026-11-01T00:00:01Z",
        "2026-10-31T23:59:59Z",
    ]
    rows = tasks_of(tmp_path, *({"title": f"일 {n}", "updated": moment} for n, moment in enumerate(moments)))
    async with workplace(rows=rows) as (_, source):
        for limit in (1, 2, 5):
            found = [hit.title for hit in await ask(source, EVERYTHING, limit=limit, sort=sort)]
            assert sorted(found) == sorted(f"일 {n}" for n in range(len(moments)))


async def test_pages_keep_the_window_of_the_question() -> None:
    """The bound of a page does not replace that of the question."""
    async with workplace() as (_, source):
        everything = await ask(source, EVERYTHING)
        middle = sorted(hit.updated for hit in everything if hit.updated)[20]
        where = Compare(Field.TIME, Op.GE, middle)
        whole = {hit.id for hit in await ask(source, where, sort=Sort.OLDEST)}
        assert whole == {hit.id for hit in everything if hit.updated and hit.updated >= middle}
        assert {hit.id for hit in await ask(source, where, sort=Sort.OLDEST, limit=4)} == whole
        assert {hit.id for hit in await ask(source, where, sort=Sort.NEWEST, limit=4)} == whole


async def test_the_most_relevant_have_no_second_page() -> None:
    """Asana's search has none, and another order would be another question."""
    async with workplace() as (_, source):
        native = Asana().translate(Query("?", where=Term("웹훅")), Asana.can).native
        page = await source.search(native, Call(limit=1))
        assert (len(page.hits), page.cursor) == (1, None)


# ---- ids


async def test_a_task_by_its_number_or_address() -> None:
    """In any form that people copy; a number that is nobody's is no error."""
    async with workplace() as (_, source):
        some = (await ask(source, EVERYTHING))[0]
        asked = [
            (IdKind.TICKET, some.id),
            (IdKind.URL, f"{some.url}?focus=true"),
            (IdKind.PERMALINK, f"https://app.asana.com/0/1200000000200000/{some.id}/f"),
        ]
        for kind, text in asked:
            assert [hit.id for hit in await ask(source, Compare(Field.ID, Op.EQ, Identifier(kind, text)))] == [some.id]
        nowhere = await source.search(NativeQuery("asana", "", {"task": "1299999999999999"}), Call())
        assert nowhere.hits == ()
        assert "no such task" in nowhere.remarks[0]


async def test_a_change_of_a_moment_ago_is_read_but_not_found(tmp_path: Path) -> None:
    """Asana's search knows of changes half a minute late; reading a task by its number does not."""
    moment = datetime(2026, 11, 20, 12, tzinfo=UTC)
    rows = tasks_of(tmp_path, {"title": "방금", "updated": moment.isoformat()})
    async with workplace(rows=rows, now=moment + timedelta(seconds=5)) as (sandbox, source):
        assert await ask(source, EVERYTHING) == []
        (gid, *_) = sandbox.origins("asana")
        assert [hit.title for hit in await ask(source, Compare(Field.ID, Op.EQ, Identifier(IdKind.TICKET, gid)))] == [
            "방금"
        ]
    async with workplace(rows=rows, now=moment + timedelta(minutes=1)) as (_, source):
        assert [hit.title for hit in await ask(source, EVERYTHING)] == ["방금"]


# ---- comments


async def test_what_was_said_below_a_task_stands_behind_its_description(tmp_path: Path) -> None:
    """Asana's search does not read comments: those of the best tasks are read for themselves, and none of what nobody touched."""
    created = "2026-11-02T09:00:00+09:00"
    said = [
        {
            "author_name": "Ana Ruiz",
            "author": "ana",
            "text": "Not the 9th: 16 November.",
            "created": "2026-11-05T09:00:00Z",
        },
        {"text": "알겠습니다", "created": "2026-11-06T09:00:00Z"},
    ]
    rows = tasks_of(
        tmp_path,
        {
            "title": "Move the pump",
            "text": "On 9 November.",
            "created": created,
            "updated": said[1]["created"],
            "comments": said,
        },
        {"title": "Paint the pump", "text": "Green.", "created": created, "updated": created},
    )
    async with workplace(rows=rows) as (sandbox, source):
        texts = {hit.title: hit.snippet for hit in await ask(source, Term("pump"))}
        assert texts["Paint the pump"] == "Green."
        assert texts["Move the pump"].startswith("On 9 November.\n\n")
        assert texts["Move the pump"].endswith("Not the 9th: 16 November.\n\n알겠습니다")
        assert sum(record.path.endswith("/stories") for record in sandbox.requests) == 1
        heads = await source.search(NativeQuery("asana", "pump"), Call(heads=True))
        assert {hit.snippet for hit in heads.hits} == {"On 9 November.", "Green."}
        whole = await source.complete(heads.hits, Call())
        assert {hit.title: hit.snippet for hit in whole.hits} == texts


# ---- workspaces, plans and rights


async def test_the_only_workspace_is_found_once() -> None:
    """However often is searched."""
    async with workplace() as (sandbox, source):
        await ask(source, Term("결제"))
        await ask(source, Term("webhook"))
        assert [record.path for record in sandbox.requests].count("/api/1.0/workspaces") == 1
        health = await source.probe(Call())
        assert (health.ok, health.account, health.detail) == (True, "minsu.kim@acme.example", "workspace Acme")


async def test_a_workspace_that_is_not_theirs() -> None:
    """Said at the first question and by the probe, with what to do."""
    async with workplace(workspace="77") as (_, source):
        with pytest.raises(Misconfigured, match="is workspace the number"):
            await ask(source, Term("결제"))
        with pytest.raises(Misconfigured, match=rf"does not belong to workspace 77, but to {WORKSPACE} \(Acme\)"):
            await source.probe(Call())


async def test_without_a_paid_plan_tasks_are_read_but_not_searched() -> None:
    """The error says what a search takes."""
    async with workplace() as (_, source):
        some = (await ask(source, EVERYTHING))[0].id
    async with workplace(token=FREE_TOKEN) as (_, source):
        with pytest.raises(Forbidden, match="ask for a seat on one"):
            await ask(source, Term("결제"))
        by_number = Compare(Field.ID, Op.EQ, Identifier(IdKind.TICKET, some))
        assert [hit.id for hit in await ask(source, by_number)] == [some]
        assert (await source.directory(Call())).people


async def test_people_over_several_pages(tmp_path: Path) -> None:
    """Everybody is listed, whoever has written what."""
    rows = tasks_of(tmp_path, *({"title": "t", "author": f"U{n}", "author_name": f"사람 {n}"} for n in range(230)))
    async with workplace(rows=rows) as (sandbox, source):
        directory = await source.directory(Call())
        assert len({person.native_id for person in directory.people}) == 230
        assert [record.path for record in sandbox.requests].count("/api/1.0/users") == 3


async def test_what_asana_refuses_is_kept() -> None:
    """So that a slip of ours can be found."""
    async with workplace(workspace=WORKSPACE) as (_, source):
        with pytest.raises(Rejected, match="sort_by: Not one of") as caught:
            await source.search(NativeQuery("asana", "x", {"sort_by": "priority"}), Call())
        assert caught.value.native == "x · sort_by=priority"


# ---- faults


@pytest.mark.parametrize(
    ("fault", "error", "says"),
    [
        (Fault(retry_after=30), Throttled, "too many requests"),
        (Fault(status=500), Unavailable, "6 sandy foxes dig quietly"),
        (Fault(status=503), Unavailable, "503"),
        (Fault(status=401), Unauthenticated, "create a personal access token"),
        (Fault(status=402), Forbidden, "paid plan"),
        (Fault(status=403), Forbidden, "scopes"),
        (Fault(status=404), Misconfigured, "is workspace the number"),
        (Fault(malformed=True), BadReply, "not JSON"),
        (Fault(disconnect=True), Unavailable, "cannot reach"),
    ],
)
async def test_faults_become_errors_that_say_what_to_do(fault: Fault, error: type[SourceError], says: str) -> None:
    """Each under its own name."""
    async with workplace(fault, workspace=WORKSPACE) as (_, source):
        with pytest.raises(error, match=says) as caught:
            await ask(source, Term("결제"))
        if isinstance(caught.value, Throttled):
            assert (caught.value.retry_after, caught.value.bucket) == (30.0, "search")


async def test_a_wrong_token_is_told() -> None:
    """By the first request, whichever it is."""
    async with workplace(token="2/1/wrong-token") as (_, source):
        with pytest.raises(Unauthenticated, match="Not Authorized"):
            await ask(source, Term("결제"))
