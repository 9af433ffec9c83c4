"""Microsoft 365 whole: the dialect's queries, the connector and the emulator over a real socket."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.errors import BadReply, Forbidden, Rejected, SourceError, Throttled, Unauthenticated, Unavailable
from orchestrator.gather import Gate
from orchestrator.sandbox import Fault, Sandbox
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.asking import connected, past
from translators.kql import Kql
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
    Term,
    all_of,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from connectors.contract import Hit, HitPage
    from connectors.microsoft365 import Microsoft365Source

KST = timezone(timedelta(hours=9))
PEOPLE = [
    {"id": "U1", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"},
    {"id": "U2", "name": "Sarah Kim", "handle": "sarah", "email": "sarah.kim@acme.example"},
    {"id": "U3", "name": "김민수", "handle": "minsu", "email": "minsu@acme.example"},
]
ROWS: list[dict[str, Any]] = [
    {"id": "mail-plan", "kind": "mail", "title": "Budget 2027", "text": "The budget for staging is attached.\nPlease review.", "author": "U2", "to": ["U1"], "attachments": ["budget.xlsx"], "created": "2026-03-01T12:00:00Z"},
    {"id": "mail-ko", "kind": "mail", "title": "2027년 예산 검토", "text": "예산안을 이번 주까지 검토해 주세요", "author": "U3", "to": ["U1", "U2"], "created": "2026-03-09T15:30:00Z"},
    {"id": "mail-own", "kind": "mail", "title": "Re: Budget 2027", "text": "I agree with the budget", "author": "U1", "to": ["U2"], "created": "2026-03-10T00:00:00Z"},
    {"id": "chat", "kind": "message", "text": "예산은 확정되었습니다 budget is agreed", "author": "U3", "private": True, "container": "예산 대화", "created": "2026-03-11T01:00:00Z"},
    {"id": "channel", "kind": "message", "title": "Release", "text": "deploy of v2.1 moved to friday", "author": "U2", "container": "eng", "created": "2026-03-12T01:00:00Z"},
    {"id": "reply", "kind": "message", "thread": "channel", "text": "월요일이 낫겠습니다", "author": "U3", "container": "eng", "created": "2026-03-12T02:00:00Z"},
    {"id": "file", "kind": "file", "title": "Budget 2027.xlsx", "text": "Headcount and budget of the platform team & others", "author": "U2", "container": "Engineering", "created": "2025-12-01T00:00:00Z", "updated": "2026-03-08T00:00:00Z"},
    {"id": "file-ko", "kind": "file", "title": "예산 계획.docx", "text": "플랫폼 팀의 예산 계획입니다", "author": "U3", "container": "결제 플랫폼", "created": "2026-02-01T00:00:00Z", "updated": "2026-02-02T00:00:00Z"},
    {"id": "page", "kind": "page", "title": "Deploy.aspx", "text": "How to deploy: friday", "author": "U1", "container": "Engineering", "created": "2026-01-01T00:00:00Z"},
    {"id": "site", "kind": "site", "title": "Engineering", "text": "Budget, plans and deploys", "author": "U2", "container": "Engineering", "created": "2020-01-01T00:00:00Z"},
    {"id": "item", "kind": "item", "title": "Incident 42", "text": "budget overrun 예산 초과", "author": "U3", "container": "Engineering", "created": "2026-03-02T00:00:00Z"},
]  # fmt: skip


@pytest.fixture
async def sandbox(tmp_path) -> AsyncIterator[Sandbox]:
    """Things of every type, served to 이하늘."""
    corpus = corpus_of(tmp_path, ROWS, PEOPLE, source="microsoft365")
    async with Sandbox(corpus, owner="haneul", now=datetime(2026, 3, 20, tzinfo=UTC)) as served:
        yield served


@pytest.fixture
async def connect(sandbox: Sandbox) -> AsyncIterator[Callable[..., Microsoft365Source]]:
    """Make a connector to the sandbox; closed at the end."""
    made: list[Microsoft365Source] = []

    def make(**settings: Any) -> Microsoft365Source:
        made.append(connected(sandbox, "microsoft365", name="m365", **settings))
        return made[-1]

    yield make
    for each in made:
        await each.aclose()


@pytest.fixture
def ask(connect: Callable[..., Microsoft365Source], sandbox: Sandbox) -> Callable[..., Awaitable[list[str]]]:
    """Ask as a question does: translated, searched, checked; the ids of the corpus that are left."""
    source = connect(search=("mail", "teams", "files", "lists", "sites"))

    async def run(*where: Clause, sort: Sort = Sort.RELEVANCE) -> list[str]:
        found = Kql().translate(Query("?", where=all_of(where), sort=sort), Kql.can)
        page = await source.search(found.native, Call(limit=50))
        assert page.notes == ()
        return rows(sandbox, [hit for hit in page.hits if matches(found.residual or EVERYTHING, hit) is not False])

    return run


def rows(sandbox: Sandbox, hits: list[Hit]) -> list[str]:
    origins = sandbox.origins("microsoft365")
    return [origins[hit.id] for hit in hits]


def compare(field: Field, value: Any, op: Op = Op.EQ) -> Compare:
    return Compare(field, op, value)


SARAH = Person("sarah", "sarah.kim@acme.example", "sarah.kim@acme.example")
ENGINEERING = Container("Engineering", "https://acme.sharepoint.com/sites/engineering")


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ([Term("budget")], {"mail-plan", "mail-own", "chat", "file", "site", "item"}),
        ([Term("예산")], {"mail-ko", "chat", "file-ko", "item"}),
        ([Term("예산"), Term("검토")], {"mail-ko"}),
        ([Phrase("예산 계획")], {"file-ko"}),
        ([Phrase("platform team")], {"file"}),
        ([Prefix("headc")], {"file"}),
        ([Prefix("플랫")], {"file-ko"}),
        ([Term("budget"), Not(Term("staging"))], {"mail-own", "chat", "file", "site", "item"}),
        ([Not(Term("budget")), Not(Phrase("친구"))], {"mail-ko", "channel", "reply", "file-ko", "page"}),
        ([Term("예산"), Not(Term("초과"))], {"mail-ko", "chat", "file-ko"}),
        ([AnyOf((Term("friday"), Term("headcount")))], {"channel", "page", "file"}),
        ([Term("v2.1")], {"channel"}),
        ([Term("from:me"), Term("OR")], set()),
        ([compare(Field.KIND, Kind.MAIL)], {"mail-plan", "mail-ko", "mail-own"}),
        ([Term("budget"), compare(Field.KIND, Kind.FILE)], {"file"}),
        ([compare(Field.KIND, Kind.PAGE), Term("deploy")], {"page"}),
        ([Term("예산"), Not(compare(Field.KIND, Kind.MAIL))], {"chat", "file-ko", "item"}),
        ([AnyOf((compare(Field.KIND, Kind.MESSAGE), compare(Field.KIND, Kind.MAIL))), Term("budget")], {"mail-plan", "mail-own", "chat"}),
        ([compare(Field.AUTHOR, SARAH)], {"mail-plan", "channel", "file", "site"}),
        ([compare(Field.AUTHOR, Person("Sarah Kim"))], {"mail-plan", "channel", "file", "site"}),
        ([compare(Field.AUTHOR, Person("김민수"))], {"mail-ko", "chat", "reply", "file-ko", "item"}),
        ([compare(Field.AUTHOR, Person("민수")), Term("예산")], {"mail-ko", "chat", "file-ko", "item"}),
        ([compare(Field.AUTHOR, Person("민수", "minsu@acme.example", "minsu@acme.example")), Term("예산")], {"mail-ko", "chat", "file-ko", "item"}),
        ([compare(Field.AUTHOR, Person("", me=True))], {"mail-own", "page"}),
        ([AnyOf((compare(Field.AUTHOR, Person("", me=True)), Term("friday")))], {"mail-own", "page", "channel"}),
        ([Term("budget"), compare(Field.CONTAINER, ENGINEERING)], {"file", "site", "item"}),
        ([Term("예산"), compare(Field.CONTAINER, Container("결제", "https://acme.sharepoint.com/sites/%EA%B2%B0%EC%A0%9C-%ED%94%8C%EB%9E%AB%ED%8F%BC"))], {"file-ko"}),
        ([compare(Field.TIME, datetime(2026, 3, 10, tzinfo=KST), Op.GE), compare(Field.TIME, datetime(2026, 3, 11, tzinfo=KST), Op.LT)], {"mail-ko", "mail-own"}),
        ([Term("budget"), compare(Field.TIME, datetime(2026, 3, 8, tzinfo=UTC), Op.GE)], {"mail-own", "chat", "file"}),
        ([Term("budget"), compare(Field.CREATED, datetime(2026, 1, 1, tzinfo=UTC), Op.LT)], {"file", "site"}),
        ([Term("예산"), compare(Field.UPDATED, datetime(2026, 2, 3, tzinfo=UTC), Op.GE), compare(Field.KIND, Kind.PAGE)], {"item"}),
    ],
)  # fmt: skip
async def test_a_question_finds_what_it_asks_for_and_nothing_else(ask, where: list[Clause], found: set[str]) -> None:
    """In either language, by every condition, over every type of thing."""
    assert set(await ask(*where)) == found


async def test_everything_is_found_where_nothing_is_asked(ask) -> None:
    assert sorted(await ask()) == sorted(row["id"] for row in ROWS)


async def test_newest_first(ask) -> None:
    """Each search comes in that order, and their hits in turn."""
    found = await ask(Term("budget"), sort=Sort.NEWEST)
    assert [each for each in found if each.startswith("mail")] == ["mail-own", "mail-plan"]
    assert [each for each in found if each in {"file", "item", "site"}] == ["file", "item", "site"]


async def test_hits_are_what_people_know(connect, sandbox: Sandbox) -> None:
    """Names, addresses, times, places; highlights and entities are gone from excerpts."""
    source = connect()
    page = await source.search(Kql().translate(Query("?", where=Term("budget")), Kql.can).native, Call())
    found = dict(zip(rows(sandbox, list(page.hits)), page.hits, strict=True))
    mail, chat, file = found["mail-plan"], found["chat"], found["file"]
    assert (mail.title, str(mail.author), mail.created) == (
        "Budget 2027",
        "Sarah Kim",
        datetime(2026, 3, 1, 12, tzinfo=UTC),
    )
    assert mail.url.startswith("https://outlook.office365.com/owa/?ItemID=AAMk")
    assert (chat.kind, chat.snippet, chat.container) == (Kind.MESSAGE, "예산은 확정되었습니다 budget is agreed", None)
    assert file.snippet == "Headcount and budget of the platform team & others"
    assert file.container == ENGINEERING
    assert file.url == "https://acme.sharepoint.com/sites/Engineering/Shared%20Documents/Budget%202027.xlsx"
    assert {hit.source for hit in page.hits} == {"m365"}


async def test_names_come_with_what_identifies_them_here(connect) -> None:
    directory = await connect().directory(Call())
    assert Person("김민수", "minsu@acme.example", "minsu@acme.example") in directory.people
    assert (
        Container("결제 플랫폼", "https://acme.sharepoint.com/sites/%EA%B2%B0%EC%A0%9C-%ED%94%8C%EB%9E%AB%ED%8F%BC")
        in directory.containers
    )
    assert directory.notes == ()


async def test_a_long_list_of_names_is_read_page_by_page(tmp_path) -> None:
    """By the address that Graph gives for the next page, on the host that was configured."""
    people = [
        {"id": f"P{n}", "name": f"사람 {n}", "handle": f"p{n}", "email": f"p{n}@acme.example"} for n in range(1200)
    ]
    async with Sandbox(corpus_of(tmp_path, ROWS[:1], people, source="microsoft365")) as served:
        source = connected(served, "microsoft365", name="m365")
        try:
            directory = await source.directory(Call())
        finally:
            await source.aclose()
    assert len({person.native_id for person in directory.people}) == 1202
    assert directory.notes == ()


async def test_the_probe_says_as_whom(connect) -> None:
    health = await connect().probe(Call())
    assert (health.ok, health.account) == (True, "haneul@acme.example")


async def test_pages_hold_everything_once(tmp_path) -> None:
    """Sixty mails, forty messages and thirty files, seven at a time: none twice, none missing, and an end."""
    made = [
        {"id": f"{kind}{n}", "source": "microsoft365", "kind": kind, "title": f"보고 {n}", "text": f"report {n}", "created": f"2026-03-0{1 + n % 9}T00:00:{n:02d}Z"}
        for kind, count in (("mail", 60), ("message", 40), ("file", 30))
        for n in range(count)
    ]  # fmt: skip
    async with Sandbox(corpus_of(tmp_path, made)) as served:
        source = connected(served, "microsoft365", name="m365")
        native = Kql().translate(Query("?", where=Term("report"), sort=Sort.NEWEST), Kql.can).native
        seen: list[str] = []
        cursor = None
        try:
            for _ in range(30):
                page: HitPage = await source.search(native, Call(limit=7, cursor=cursor))
                assert len(page.hits) <= 7
                seen += rows(served, list(page.hits))
                if (cursor := page.cursor) is None:
                    break
        finally:
            await source.aclose()
    assert cursor is None
    assert sorted(seen) == sorted(row["id"] for row in made)


@pytest.mark.parametrize("row", ["mail-ko", "chat", "channel"])
async def test_what_is_found_is_read_again_by_its_link(connect, sandbox: Sandbox, row: str) -> None:
    """The link of a hit leads back to the thing itself, whole."""
    source = connect()
    everything = await source.search(Kql().translate(Query("?"), Kql.can).native, Call(limit=50))
    hit = next(
        hit for name, hit in zip(rows(sandbox, list(everything.hits)), everything.hits, strict=True) if name == row
    )
    link = Identifier(IdKind.PERMALINK, hit.url)
    found = Kql().translate(Query("?", where=Compare(Field.ID, Op.EQ, link)), Kql.can)
    assert (found.residual, found.losses) == (None, ())
    (read,) = (await source.search(found.native, Call())).hits
    assert (read.id, read.title, read.created, read.rank, read.source) == (hit.id, hit.title, hit.created, 1, "m365")
    assert read.author is not None
    assert hit.author is not None
    assert read.author.name == hit.author.name
    assert read.complete
    assert read.snippet == next(each["text"] for each in ROWS if each["id"] == row)


async def test_a_channel_is_asked_once_what_it_is_called(connect, sandbox: Sandbox) -> None:
    source = connect()
    everything = Kql().translate(Query("?"), Kql.can).native
    for _ in range(2):
        found = (await source.search(everything, Call(limit=50))).hits
    said = await source.search(source.conversation(next(hit for hit in found if "channel_id" in hit.facts)), Call())
    places = {hit.container.name for hit in (*found, *said.hits) if hit.container and "channel_id" in hit.facts}
    assert places == {"eng"}
    assert not any(hit.container for hit in found if "chat_id" in hit.facts)
    asked = [each for each in sandbox.requests if each.path.rpartition("/")[2].endswith("@thread.tacv2")]
    assert len(asked) == 1


@pytest.mark.parametrize("row", ["chat", "channel", "reply"])
async def test_what_was_said_around_a_message_takes_the_rights_to_read_it(connect, sandbox: Sandbox, row: str) -> None:
    source = connect()
    everything = await source.search(Kql().translate(Query("?"), Kql.can).native, Call(limit=50))
    hit = next(
        hit for name, hit in zip(rows(sandbox, list(everything.hits)), everything.hits, strict=True) if name == row
    )
    around = source.conversation(hit)
    said = await source.search(around, Call())
    assert rows(sandbox, list(said.hits)) == (["chat"] if row == "chat" else ["channel", "reply"])
    assert all(each.complete for each in said.hits)
    with pytest.raises(Forbidden, match=r"ChannelMessage\.Read\.All"):
        await connect(token="eyJ0eXAi.sandbox-mail").search(around, Call())


async def test_a_link_to_nothing_is_told(connect) -> None:
    native = Kql().translate(
        Query("?", where=Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, f"https://outlook.office365.com/owa/?ItemID={'A' * 60}"))),
        Kql.can,
    ).native  # fmt: skip
    page = await connect().search(native, Call())
    assert page.hits == ()
    assert "ErrorItemNotFound" in page.notes[0]


async def test_a_token_without_the_right_to_teams_and_files_still_finds_mail(connect, sandbox: Sandbox) -> None:
    """What could not be searched is told, by name."""
    source = connect(token="eyJ0eXAi.sandbox-mail")
    page = await source.search(Kql().translate(Query("?", where=Term("예산")), Kql.can).native, Call())
    assert rows(sandbox, list(page.hits)) == ["mail-ko"]
    assert [each.said.split(" could")[0] for each in page.left_out] == ["Teams messages", "files and sites"]
    notes = (await source.directory(Call())).notes
    assert [note.split()[0] for note in notes] == ["people", "sites"]
    with pytest.raises(Forbidden, match=r"Files\.Read\.All"):
        await connect(token="eyJ0eXAi.sandbox-mail", search=("files",)).search(
            Kql().translate(Query("?"), Kql.can).native, Call()
        )


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(status=401), Unauthenticated),
        (Fault(status=403), Forbidden),
        (Fault(retry_after=7), Throttled),
        (Fault(status=503, retry_after=7), Throttled),
        (Fault(status=503), Unavailable),
        (Fault(status=500), Unavailable),
        (Fault(status=400), Rejected),
        (Fault(malformed=True), BadReply),
        (Fault(disconnect=True), Unavailable),
    ],
)
async def test_what_goes_wrong_is_named(connect, sandbox: Sandbox, fault: Fault, error: type[SourceError]) -> None:
    sandbox.set_fault("microsoft365", fault)
    with pytest.raises(error) as caught:
        await connect().search(Kql().translate(Query("?", where=Term("budget")), Kql.can).native, Call())
    assert getattr(caught.value, "retry_after", None) == (7.0 if error is Throttled else None)
    if error is Unauthenticated:
        assert "Mail.Read" in caught.value.message


async def test_one_search_that_fails_costs_only_itself(connect, sandbox: Sandbox) -> None:
    """Every third request is refused: one of three."""
    sandbox.set_fault("microsoft365", Fault(status=500, every=3))
    page = await connect().search(Kql().translate(Query("?", where=Term("budget")), Kql.can).native, Call())
    assert page.hits
    (missing,) = page.left_out
    assert "could not be searched (Microsoft 365 says InternalServerError" in missing.said


async def test_a_search_that_is_throttled_alone_is_left_alone(connect, sandbox: Sandbox) -> None:
    """Its pause is told to whoever keeps the rate, since the others' answers hide it. It is that of the whole service."""
    source = connect()
    gate = Gate(source.manifest.limits)
    kept = Call(timeout=HANGING, turn=gate.enter, throttled=gate.heed)
    native = Kql().translate(Query("?", where=Term("budget")), Kql.can).native
    sandbox.set_fault("microsoft365", Fault(retry_after=60, every=3))
    assert len((await source.search(native, kept)).left_out) == 1
    sandbox.set_fault("microsoft365", None)
    before = len(sandbox.requests)
    page = await source.search(native, kept)
    assert len(sandbox.requests) - before < 3
    assert page.left_out
    assert gate.remaining_pause("exchange") or gate.remaining_pause("sharepoint")


async def test_a_wrong_token_says_what_to_get(connect) -> None:
    with pytest.raises(Unauthenticated, match="access token for Microsoft Graph"):
        await connect().search(Kql().translate(Query("?"), Kql.can).native, Call(credential=Credential("wrong")))


async def test_each_request_takes_its_turn(connect) -> None:
    """Who is asked first, then three searches at once: four requests, four turns."""
    turns = []

    async def turn(bucket: str = "", /) -> None:
        turns.append(bucket)

    native = Kql().translate(Query("?", where=compare(Field.AUTHOR, Person("", me=True))), Kql.can).native
    source = connect()
    await source.search(native, Call(turn=turn))
    assert (turns[0], sorted(turns[1:])) == ("", ["exchange", "exchange", "sharepoint"])
    await source.search(native, Call(turn=turn))  # who it is has not changed
    assert len(turns) == 7


async def test_what_is_slow_costs_only_itself(connect, sandbox: Sandbox) -> None:
    """A search that does not answer in time is a note; the others are there."""
    sandbox.set_fault("microsoft365", Fault(hang=True, every=3))
    source, native = connect(), Kql().translate(Query("?", where=Term("budget")), Kql.can).native
    asking = source.search(native, Call(timeout=HANGING))
    page = await past(0.9 * HANGING, source, answered=2, asking=asking)  # the last tenth is for what hangs alone
    assert page.hits
    (missing,) = page.left_out
    assert "could not be searched" in missing.said


async def test_hostile_questions_are_searched_for_as_they_stand(ask, sandbox: Sandbox) -> None:
    """No text of a question is refused by the grammar, nor changes what is asked."""
    for text in (
        '"',
        'a" OR budget',
        "budget)",
        "(budget",
        "NOT",
        "-budget",
        "budget OR 예산",
        "from:sarah",
        "*",
        "예산*",
        "{me}",
        "a:b:c",
    ):
        await ask(Term(text), Term("nothing-holds-this"))
    assert {record.status for record in sandbox.requests} == {200}
