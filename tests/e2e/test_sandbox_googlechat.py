"""Google Chat whole, over real sockets: Google's client against the emulator, and questions through dialect and source."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
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
    Term,
    all_of,
)
from translators.registry import load_dialect
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from connectors.http import HttpSource

PEOPLE = [
    {"id": "U01", "name": "이하늘", "handle": "haneul", "email": "haneul@acme.example"},
    {"id": "U02", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example"},
    {"id": "U03", "name": "김민수", "handle": "minsu", "email": "minsu@acme.example"},
]
ROWS: list[dict[str, Any]] = [
    {"id": "decision", "container": "결제 개발", "author": "U03", "text": "배포는 12월 7일로 정했습니다", "created": "2026-03-01T00:00:00Z"},
    {"id": "answer", "container": "결제 개발", "author": "U02", "text": "Works for me, draft of the plan attached", "thread": "decision", "files": ["plan.pdf"],
     "created": "2026-03-02T00:00:00Z"},
    {"id": "train", "container": "Engineering", "author": "U02", "text": "The release train leaves on friday", "created": "2026-03-03T00:00:00Z"},
    {"id": "direct", "container": "", "author": "U01", "text": "배포 준비됐어요? plan", "created": "2026-03-04T00:00:00Z"},
    *({"id": f"n{n:02d}", "container": "random", "author": "U03", "text": f"lunch {n}", "created": f"2025-06-{n + 1:02d}T00:00:00Z"} for n in range(25)),
]  # fmt: skip
ALL = 'create_time >= "2000-01-01T00:00:00Z"'


@pytest.fixture
async def sandbox(tmp_path: Path) -> AsyncIterator[Sandbox]:
    """Twenty-nine messages, served as 이하늘 sees them."""
    rows = ({"kind": "message", **row} for row in ROWS)
    async with Sandbox(corpus_of(tmp_path, rows, PEOPLE, source="googlechat"), owner="haneul") as served:
        yield served


@pytest.fixture
async def chat(sandbox: Sandbox) -> AsyncIterator[Callable[..., HttpSource]]:
    """A source of given settings, closed afterwards."""
    sources: list[HttpSource] = []

    def make(**settings: Any) -> HttpSource:
        sources.append(connected(sandbox, "googlechat", **settings))
        return sources[-1]

    yield make
    for source in sources:
        await source.aclose()


@pytest.fixture
def ask(sandbox: Sandbox, chat: Callable[..., HttpSource]) -> Callable[..., Awaitable[list[str]]]:
    """The rows that a question finds, by the dialect, the source, and our own check of what is left to us."""

    async def run(*where: Clause) -> list[str]:
        source, dialect = chat(), load_dialect("gchat")
        clause = resolve_names(all_of(where), await source.directory(Call()))
        found = dialect.translate(Query("?", where=clause), dialect.can)
        page = await source.search(found.native, Call(limit=50))
        origins = sandbox.origins("googlechat")
        return [origins[hit.id] for hit in page.hits if matches(found.residual or EVERYTHING, hit) is not False]

    return run


def at(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


SARAH = Compare(Field.AUTHOR, Op.EQ, Person("sarah"))
ME = Compare(Field.AUTHOR, Op.EQ, Person("", me=True))
HERE = Compare(Field.CONTAINER, Op.EQ, Container("결제-개발"))
ENGINEERING = Compare(Field.CONTAINER, Op.EQ, Container("engineering"))


@pytest.mark.parametrize(
    ("where", "rows"),
    [
        ([Term("plan")], {"answer", "direct"}),
        ([Term("배포")], {"decision", "direct"}),
        ([Phrase("release train")], {"train"}),
        ([Phrase("train release")], set()),
        ([Prefix("fri")], {"train", "answer"}),  # what is attached to the answer cannot be read
        ([Term("plan"), Not(Term("draft"))], {"direct"}),
        ([Term("plan"), Not(SARAH)], {"direct"}),
        ([AnyOf((Term("friday"), Term("정했습니다")))], {"train", "decision", "answer"}),
        ([SARAH], {"answer", "train"}),
        ([ME, Term("배포")], {"direct"}),
        ([AnyOf((ME, Compare(Field.AUTHOR, Op.EQ, Person("Sarah Kim")))), Term("plan")], {"answer", "direct"}),
        ([AnyOf((SARAH, ENGINEERING))], {"answer", "train"}),
        ([HERE], {"decision", "answer"}),
        ([AnyOf((HERE, ENGINEERING)), SARAH], {"answer", "train"}),
        ([Compare(Field.KIND, Op.EQ, Kind.THREAD), Term("works")], {"answer"}),
        ([Compare(Field.KIND, Op.EQ, Kind.FILE), Term("plan")], {"answer"}),
        ([Compare(Field.KIND, Op.EQ, Kind.MESSAGE), Term("friday")], {"train"}),
        (
            [Compare(Field.TIME, Op.GE, at("2026-03-02")), Compare(Field.TIME, Op.LT, at("2026-03-04"))],
            {"answer", "train"},
        ),
        ([Term('x" OR sender.name = "users/me')], set()),
        ([Phrase("배포 " * 600), Term("friday")], set()),
    ],
)
async def test_what_a_question_finds(
    ask: Callable[..., Awaitable[list[str]]], where: list[Clause], rows: set[str]
) -> None:
    """From the meaning to the messages, Korean as well as English."""
    assert set(await ask(*where)) == rows


async def test_an_address_brings_the_message(
    ask: Callable[..., Awaitable[list[str]]], chat: Callable[..., HttpSource]
) -> None:
    """The address that a hit bears leads back to it; one that leads nowhere finds nothing."""
    (hit,) = (await chat().search(NativeQuery("gchat", "friday"), Call())).hits
    assert hit.url.startswith("https://chat.google.com/room/")
    assert await ask(Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, hit.url))) == ["train"]
    assert await ask(Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, f"{hit.url}x"))) == []


async def test_hits_stand_in_spaces_and_threads(chat: Callable[..., HttpSource]) -> None:
    """With who wrote them, when, and what is attached."""
    direct, train, answer, decision = (await chat().search(NativeQuery("gchat", ALL), Call(limit=4))).hits
    assert direct.container is not None
    assert (direct.container.name, direct.url.split("/")[3]) == ("direct message", "dm")
    assert train.container is not None
    assert (train.container.name, train.kind, train.complete) == ("Engineering", Kind.MESSAGE, True)
    assert (answer.kind, answer.complete, answer.facts["files"]) == (Kind.THREAD, False, ("plan.pdf",))
    assert answer.facts["thread"] == decision.facts["thread"]
    assert decision.author is not None
    assert (decision.author.name, decision.author.email) == ("김민수", "minsu@acme.example")
    assert decision.created == at("2026-03-01")


async def test_pages_to_the_end(chat: Callable[..., HttpSource]) -> None:
    """No message twice, none missing, and an end."""
    source = chat()
    whole = await source.search(NativeQuery("gchat", ALL), Call(limit=100))
    paged: list[str] = []
    cursor = None
    for _ in range(10):
        page = await source.search(NativeQuery("gchat", ALL), Call(limit=7, cursor=cursor))
        paged += [hit.id for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            break
    assert cursor is None
    assert paged == [hit.id for hit in whole.hits]
    assert len(paged) == len(ROWS)


async def test_the_probe_and_the_directory(chat: Callable[..., HttpSource]) -> None:
    """That it works, and who and what has a name."""
    assert (await chat().probe(Call())).ok
    directory = await chat().directory(Call())
    assert {person.name for person in directory.people} == {"이하늘", "Sarah Kim", "김민수"}
    assert {place.name for place in directory.containers} == {"결제 개발", "Engineering", "random"}
    assert directory.notes == ()


@faults(but=("500", "403"))
async def test_faults_are_named(
    sandbox: Sandbox, chat: Callable[..., HttpSource], fault: Fault, expected: type[SourceError]
) -> None:
    """Each by what to do next."""
    source = chat()
    await source.prepare()
    sandbox.set_fault("googlechat", fault)
    with pytest.raises(expected):
        await source.search(NativeQuery("gchat", "plan"), Call(timeout=time_for(fault)))


async def test_messages_without_the_names_of_spaces(sandbox: Sandbox, chat: Callable[..., HttpSource]) -> None:
    """Every second request is refused: the messages come, and it is told what does not."""
    sandbox.set_fault("googlechat", Fault(status=503, every=2))
    page = await chat().search(NativeQuery("gchat", "friday"), Call())
    assert [hit.container for hit in page.hits] == [None]
    assert "names of spaces could not be read" in page.notes[0]


async def test_a_wrong_filter_is_our_bug(chat: Callable[..., HttpSource]) -> None:
    """And says what was sent."""
    with pytest.raises(Rejected) as caught:
        await chat().search(NativeQuery("gchat", "a OR b"), Call())
    assert caught.value.native == "a OR b"


# ---- the emulator by itself


async def test_google_s_own_client(sandbox: Sandbox) -> None:
    """Searching to the end, the spaces, one message, and an error as Google's."""
    endpoint = sandbox.endpoints["googlechat"]

    def work() -> tuple[list[str], set[str], str, Any]:
        options = {"api_endpoint": f"{endpoint.base_url}/"}
        with build(
            "chat", "v1", credentials=Credentials(endpoint.token), static_discovery=True, client_options=options
        ) as service:
            messages, texts, token = service.spaces().messages(), [], ""
            while True:
                body = {"filter": ALL, "pageSize": 10, **({"pageToken": token} if token else {})}
                reply = messages.search(parent="spaces/-", body=body).execute()
                texts += [each["message"]["text"] for each in reply["results"]]
                token = reply.get("nextPageToken", "")
                if not token:
                    break
            spaces = {each.get("displayName", "") for each in service.spaces().list().execute()["spaces"]}
            last = reply["results"][-1]["message"]
            thread = f"thread.name = {last['thread']['name']}"
            said = messages.list(parent=last["name"].partition("/messages/")[0], filter=thread).execute()["messages"]
            assert last["name"] in {each["name"] for each in said}
            one = messages.get(name=reply["results"][-1]["message"]["name"]).execute()["text"]
            with pytest.raises(HttpError) as caught:
                messages.search(parent="spaces/AAAA", body={"filter": "x"}).execute()
        return texts, spaces, one, caught.value

    texts, spaces, one, error = await asyncio.to_thread(work)
    assert set(texts) == {row["text"] for row in ROWS}
    assert spaces == {"결제 개발", "Engineering", "random", ""}
    assert one == texts[-1]
    assert error.status_code == 400


async def test_the_thread_of_a_message_is_read_whole(sandbox: Sandbox, chat: Callable[..., HttpSource]) -> None:
    """A later reply may hold none of the question's words."""
    source, dialect = chat(), load_dialect("gchat")
    found = dialect.translate(Query("?", where=Term("배포는")), dialect.can)
    page = await source.search(found.native, Call())
    first = page.hits[0]
    native = source.conversation(first)
    assert native is not None
    said = await source.search(native, Call())
    origins = sandbox.origins("googlechat")
    assert [origins[each.id] for each in said.hits] == ["decision", "answer"]
    assert [each.container for each in said.hits] == [first.container] * 2
    assert source.conversation(replace(first, facts={"thread": "spaces/a b/threads/c"})) is None


@pytest.mark.parametrize(
    ("path", "body", "schema"),
    [
        ("spaces/-/messages:search", {"filter": ALL}, "SearchMessagesResponse"),
        ("spaces/-/messages:search", {"filter": "nothing"}, "SearchMessagesResponse"),
        ("spaces", None, "ListSpacesResponse"),
    ],
)
async def test_replies_are_those_that_google_describes(
    sandbox: Sandbox, shared: Path, path: str, body: Any, schema: str
) -> None:
    """By the discovery document, unknown keys being errors."""
    endpoint = sandbox.endpoints["googlechat"]
    contract = shared / "contracts" / "chat.v1.search.discovery.json"
    if not contract.is_file():
        pytest.skip("Google's description of Chat is not beside this checkout")
    headers = {"Authorization": f"Bearer {endpoint.token}"}
    method = "GET" if body is None else "POST"
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, f"{endpoint.base_url}/v1/{path}", headers=headers, json=body) as reply,
    ):
        value = await reply.json()
    described = {name: closed(part) for name, part in json.loads(contract.read_text("utf-8"))["schemas"].items()}
    Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": {"schemas": described}}).validate(
        value
    )
