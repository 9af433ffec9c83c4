"""Google Drive whole, over real sockets: Google's client against the emulator, and questions through dialect and source."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from jsonschema import Draft202012Validator

from connectors.contract import Call
from connectors.errors import Rejected, SourceError
from orchestrator.plan.conditions import resolve_names
from orchestrator.sandbox import Fault, Sandbox
from tests.contract.vendors.descriptions import closed
from tests.corpora import corpus_of
from tests.e2e.asking import connected, faults, time_for
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
from translators.registry import load_dialect
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from connectors.http import HttpSource

LINKED = "1A2b3C4d5E6f7G8h9I0jK1A2b3C4d5E6f7G8h9I0jKlMn"
PEOPLE = [
    {"id": "U01", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"},
    {"id": "U02", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example"},
]
ROWS: list[dict[str, Any]] = [
    {"id": "plan", "kind": "document", "title": "마이그레이션 계획", "text": "12월에 옮긴다. 배포 일정: 12월 7일.", "author": "U01", "container": "결제 플랫폼",
     "created": "2026-01-10T00:00:00Z", "updated": "2026-03-01T00:00:00Z", "url": f"https://docs.google.com/document/d/{LINKED}/edit"},
    {"id": "minutes", "kind": "document", "title": "회의록 2026-02", "text": "release train on friday", "author": "U02", "container": "Minutes",
     "created": "2026-02-10T00:00:00Z"},
    {"id": "budget", "kind": "spreadsheet", "title": "Budget 2026.xlsx", "text": "team,EUR\nPayments,120000 draft", "author": "U02", "team": "Finance",
     "created": "2026-02-01T00:00:00Z", "description": "Numbers of the release"},
    {"id": "deck", "kind": "presentation", "title": "it's a deck", "text": "migration draft", "author": "U02", "team": "Finance", "container": "결제 플랫폼 2",
     "created": "2026-02-02T00:00:00Z"},
    {"id": "pdf", "kind": "pdf", "title": "contract.pdf", "text": "migration clause", "author": "U01", "created": "2026-02-03T00:00:00Z", "saved": True},
    *({"id": f"n{n:02d}", "kind": "document", "title": f"note {n}", "text": "number", "author": "U01", "created": f"2025-06-{n + 1:02d}T00:00:00Z"} for n in range(25)),
]  # fmt: skip


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    """Thirty files, served as 이하늘 sees them."""
    async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE, source="drive"), owner="haneul") as served:
        yield served


@pytest.fixture
async def drive(sandbox: Sandbox) -> AsyncIterator[Callable[..., HttpSource]]:
    """A source of given settings, closed afterwards."""
    sources: list[HttpSource] = []

    def make(**settings: Any) -> HttpSource:
        sources.append(connected(sandbox, "drive", **settings))
        return sources[-1]

    yield make
    for source in sources:
        await source.aclose()


@pytest.fixture
def ask(sandbox: Sandbox, drive: Callable[..., HttpSource]) -> Callable[..., Awaitable[list[str]]]:
    """The rows that a question finds, by the dialect, the source, and our own check of what is left to us."""

    async def run(*where: Clause, sort: Sort = Sort.RELEVANCE, **settings: Any) -> list[str]:
        source, dialect = drive(**settings), load_dialect("drive")
        clause = resolve_names(all_of(where), await source.directory(Call()))
        found = dialect.translate(Query("?", where=clause, sort=sort), dialect.can)
        page = await source.search(found.native, Call(limit=50))
        origins = sandbox.origins("drive")
        return [origins[hit.id] for hit in page.hits if matches(found.residual or EVERYTHING, hit) is not False]

    return run


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


SARAH = Compare(Field.AUTHOR, Op.EQ, Person("Sarah Kim"))
HERE = Compare(Field.CONTAINER, Op.EQ, Container("결제 플랫폼"))
FINANCE = Compare(Field.CONTAINER, Op.EQ, Container("Finance"))


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ([Term("migration")], {"deck", "pdf"}),
        ([Term("마이그레이션")], {"plan"}),
        ([Term("회의")], {"minutes"}),
        ([Phrase("배포 일정")], {"plan"}),
        ([Phrase("release train")], {"minutes"}),
        ([Phrase("train release")], set()),
        ([Prefix("마이그")], {"plan"}),
        ([Term("migration"), Not(Term("draft"))], {"pdf"}),
        ([AnyOf((Term("friday"), Term("clause")))], {"minutes", "pdf"}),
        ([Term("Numbers")], {"budget"}),
        ([SARAH], {"minutes"}),
        ([Compare(Field.AUTHOR, Op.EQ, Person("", me=True)), Term("migration")], {"pdf"}),
        ([Not(SARAH), Term("release")], {"budget"}),
        ([HERE], {"plan"}),
        ([FINANCE], {"budget", "deck"}),
        ([FINANCE, Term("migration")], {"deck"}),
        ([Compare(Field.CONTAINER, Op.EQ, Container("결제-플랫폼-2"))], {"deck"}),
        ([Compare(Field.CONTAINER, Op.EQ, Container("starred"))], {"pdf"}),
        ([Compare(Field.CONTAINER, Op.EQ, Container("공유 문서함"))], {"minutes"}),
        ([Compare(Field.KIND, Op.EQ, Kind.FILE), Term("friday")], {"minutes"}),
        ([Compare(Field.KIND, Op.EQ, Kind.MAIL), Term("friday")], set()),
        ([Compare(Field.TIME, Op.GE, at("2026-02-10")), Compare(Field.TIME, Op.LT, at("2026-03-01"))], {"minutes"}),
        ([Compare(Field.CREATED, Op.LT, at("2026-02-01")), Compare(Field.UPDATED, Op.GE, at("2026-01-01"))], {"plan"}),
        ([Term("x' or trashed = true or name contains '")], set()),
    ],
)
async def test_what_a_question_finds(
    ask: Callable[..., Awaitable[list[str]]], where: list[Clause], rows: set[str]
) -> None:
    """From the meaning to the files, Korean as well as English."""
    assert set(await ask(*where)) == rows


@pytest.mark.parametrize(
    ("kind", "text", "rows"),
    [
        (IdKind.URL, f"https://docs.google.com/document/u/0/d/{LINKED}/edit#heading=h.1", ["plan"]),
        (IdKind.URL, f"https://drive.google.com/open?id={LINKED}", ["plan"]),
        (IdKind.URL, f"https://docs.google.com/document/d/{LINKED[:-1]}x/edit", []),
        (IdKind.FILE_NAME, "Budget 2026.xlsx", ["budget"]),
        (IdKind.FILE_NAME, "it's a deck", ["deck"]),
    ],
)
async def test_an_id_brings_the_thing_itself(
    ask: Callable[..., Awaitable[list[str]]], kind: IdKind, text: str, rows: list[str]
) -> None:
    """By address, by id, by name."""
    assert await ask(Compare(Field.ID, Op.EQ, Identifier(kind, text))) == rows


async def test_hits_come_with_text_place_and_people(drive: Callable[..., HttpSource]) -> None:
    """A document whole, a sheet as values, a PDF with what is said of it."""
    page = await drive().search(NativeQuery("drive", "", {"orderBy": "modifiedTime desc"}), Call(limit=5))
    plan, minutes, pdf, deck, budget = page.hits
    assert plan.snippet == "12월에 옮긴다. 배포 일정: 12월 7일."
    assert (plan.container, plan.complete) == (
        Container("결제 플랫폼", plan.container and plan.container.native_id),
        False,
    )
    assert plan.author == Person("이하늘", "haneul@acme.example", "haneul@acme.example", me=True)
    assert minutes.author == Person("Sarah Kim", "sarah@acme.example", "sarah@acme.example")
    assert (pdf.snippet, pdf.facts["type"]) == ("", "application/pdf")
    assert (deck.author, deck.facts["drive"], deck.facts["changed_by"]) == (None, "Finance", "Sarah Kim")
    assert deck.container is not None
    assert deck.container.name == "결제 플랫폼 2"
    assert budget.snippet == "team,EUR\nPayments,120000 draft"
    assert budget.container is not None
    assert budget.container.native_id is not None
    assert budget.container.native_id.startswith("drive:0A")
    assert page.notes == ()


async def test_pages_to_the_end(drive: Callable[..., HttpSource]) -> None:
    """No file twice, none missing, and an end."""
    source, native = drive(texts=0), NativeQuery("drive", "", {"orderBy": "modifiedTime desc"})
    whole = await source.search(native, Call(limit=100))
    paged: list[str] = []
    cursor = None
    for _ in range(10):
        page = await source.search(native, Call(limit=7, cursor=cursor))
        paged += [hit.id for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            break
    assert cursor is None
    assert paged == [hit.id for hit in whole.hits]
    assert len(paged) == len(ROWS)


async def test_settings_say_what_is_searched(ask: Callable[..., Awaitable[list[str]]]) -> None:
    """Shared drives, and an order where there are no words."""
    assert set(await ask(Term("migration"), corpora="user")) == {"pdf"}
    since = Compare(Field.TIME, Op.GE, at("2026-01-01"))
    assert await ask(since, sort=Sort.OLDEST) == ["budget", "deck", "pdf", "minutes", "plan"]
    assert await ask(since, sort=Sort.NEWEST) == ["plan", "minutes", "pdf", "deck", "budget"]


async def test_a_query_longer_than_an_address(drive: Callable[..., HttpSource]) -> None:
    """Google's client posts it, and Drive reads it all the same."""
    words = " or ".join(f"fullText contains '낱말{n}'" for n in range(300))
    page = await drive().search(NativeQuery("drive", f"({words} or fullText contains 'friday')"), Call())
    assert [hit.title for hit in page.hits] == ["회의록 2026-02"]


async def test_the_probe_and_the_directory(drive: Callable[..., HttpSource]) -> None:
    """As whom we are signed in, and who and what has a name."""
    health = await drive().probe(Call())
    assert (health.ok, health.account) == (True, "haneul@acme.example")
    directory = await drive().directory(Call())
    assert {person.name for person in directory.people} == {"이하늘", "Sarah Kim"}
    assert {place.name for place in directory.containers} == {"Finance", "결제 플랫폼", "Minutes", "결제 플랫폼 2"}
    assert directory.notes == ()


@faults(but=("500", "403"))
async def test_faults_are_named(
    sandbox: Sandbox, drive: Callable[..., HttpSource], fault: Fault, expected: type[SourceError]
) -> None:
    """Each by what to do next."""
    source = drive()
    await source.prepare()
    sandbox.set_fault("drive", fault)
    with pytest.raises(expected):
        await source.search(NativeQuery("drive", "fullText contains 'plan'"), Call(timeout=time_for(fault)))


async def test_texts_that_fail_cost_themselves(sandbox: Sandbox, drive: Callable[..., HttpSource]) -> None:
    """Every second request is refused: the list comes, of the texts and names only some."""
    sandbox.set_fault("drive", Fault(status=503, every=2))
    page = await drive().search(NativeQuery("drive", "", {"orderBy": "modifiedTime desc"}), Call(limit=5))
    assert len(page.hits) == 5
    assert all("of 4 files could not be read" in note for note in page.notes)


async def test_a_wrong_query_is_our_bug(drive: Callable[..., HttpSource]) -> None:
    """And says what was sent."""
    with pytest.raises(Rejected) as caught:
        await drive().search(NativeQuery("drive", "fullText = 'x'"), Call())
    assert caught.value.native == "fullText = 'x'"


# ---- the emulator by itself


async def test_google_s_own_client(sandbox: Sandbox) -> None:
    """Listing to the end, a text, and an error as Google's."""
    endpoint = sandbox.endpoints["drive"]
    everywhere: dict[str, Any] = {"corpora": "allDrives", "includeItemsFromAllDrives": True, "supportsAllDrives": True}

    def work() -> tuple[set[str], bytes, Any]:
        options = {"api_endpoint": f"{endpoint.base_url}/drive/v3/"}
        with build(
            "drive", "v3", credentials=Credentials(endpoint.token), static_discovery=True, client_options=options
        ) as service:
            files, names = service.files(), set()
            request = files.list(q="trashed = false", pageSize=10, **everywhere)
            while request is not None:
                reply = request.execute()
                names |= {file["name"] for file in reply["files"]}
                request = files.list_next(request, reply)
            text = files.export(fileId=LINKED, mimeType="text/plain").execute()
            with pytest.raises(HttpError) as caught:
                files.list(q="fullText contains 'x'", orderBy="name").execute()
        return names, text, caught.value

    names, text, error = await asyncio.to_thread(work)
    assert {row["title"] for row in ROWS} <= names
    assert text.decode("utf-8-sig") == "12월에 옮긴다. 배포 일정: 12월 7일."
    assert (error.status_code, error.error_details[0]["location"]) == (403, "orderBy")


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("files", "FileList"),
        ("files?fields=*&corpora=allDrives&includeItemsFromAllDrives=true&supportsAllDrives=true", "FileList"),
        ("files/{id}?fields=*", "File"),
        ("drives", "DriveList"),
        ("about?fields=*", "About"),
    ],
)
async def test_replies_are_those_that_google_describes(sandbox: Sandbox, shared: Path, path: str, schema: str) -> None:
    """By the discovery document, unknown keys being errors."""
    endpoint = sandbox.endpoints["drive"]
    contract = shared / "contracts" / "drive.v3.search.discovery.json"
    if not contract.is_file():
        pytest.skip("Google's description of Drive is not beside this checkout")
    url = f"{endpoint.base_url}/drive/v3/{path.format(id=LINKED)}"
    async with (
        aiohttp.ClientSession() as session,
        session.get(url, headers={"Authorization": f"Bearer {endpoint.token}"}) as reply,
    ):
        value = await reply.json()
    described = {name: closed(part) for name, part in json.loads(contract.read_text("utf-8"))["schemas"].items()}
    Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": {"schemas": described}}).validate(
        value
    )
