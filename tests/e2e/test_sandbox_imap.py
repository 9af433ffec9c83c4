"""Dovecot behind the sandbox, asked by our own source in our own dialect: real mails, real faults, nothing left."""

import asyncio
import socket
from datetime import UTC, datetime, timedelta, timezone

import pytest
import pytest_asyncio

from connectors.contract import Call, Credential
from connectors.errors import (
    Forbidden,
    Rejected,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Status
from orchestrator.sandbox import Fault, Sandbox
from orchestrator.sandbox.imap import dovecot
from orchestrator.sandbox.imap.dovecot import message_id
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.asking import connected
from tests.e2e.patience import ENOUGH
from translators.imap import Imap
from translators.match import matches
from translators.query import (
    EVERYTHING,
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

pytestmark = pytest.mark.asyncio(loop_scope="module")
needs_dovecot = pytest.mark.skipif(bool(dovecot.missing()), reason=dovecot.missing() or "Dovecot is there")
KST = timezone(timedelta(hours=9))
PEOPLE = [
    {"id": "U1", "name": "박지현", "handle": "jihyun", "email": "jihyun@acme.example"},
    {"id": "U2", "name": "Jake Wilson", "handle": "jake", "email": "jake@acme.example"},
]
ROWS = [
    {
        "id": f"m{n}",
        "source": "imap",
        "kind": "mail",
        "title": f"결제 보고 {n}",
        "text": f"배포는 {n}일에 합니다.\nThe release\ntrain leaves on day {n}.",
        "author": "U1" if n % 5 == 0 else "U2",
        "to": ["U2"] if n % 5 == 0 else ["U1"],
        "created": f"2026-03-{n:02}T23:30:00+09:00",
        "container": "공지 사항" if n == 7 else "",
        "attachments": ["예산.xlsx"] if n == 8 else [],
    }
    for n in range(1, 21)
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory):
    """Twenty mails of March, a quarter of them sent by the owner; starting the server takes a while, so once."""
    async with Sandbox(
        corpus_of(tmp_path_factory.mktemp("mails"), ROWS, PEOPLE), sources=["imap"], owner="jihyun"
    ) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(served):
    """The server as if it were new."""
    served.set_fault("imap", None)
    served._records.clear()
    return served


def source_for(sandbox, **more):
    return connected(sandbox, "imap", name="mail", **more)


@pytest_asyncio.fixture(loop_scope="module")
async def source(sandbox):
    made = source_for(sandbox, mailboxes=["INBOX", "\\Sent", "공지 사항"])
    yield made
    await made.aclose()


async def found(source, where, *, sort=Sort.RELEVANCE, limit=50):
    """The corpus ids of what is found and passes our own check, in order."""
    translation = Imap().translate(Query("?", where=where, sort=sort), Imap.can)
    page = await source.search(translation.native, Call(limit=limit))
    kept = [hit for hit in page.hits if matches(translation.residual or EVERYTHING, hit) is not False]
    return [hit.id.removeprefix("<").split("@")[0] for hit in kept]


@needs_dovecot
@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        (Term("배포"), range(20, 0, -1)),
        (Phrase("release train"), range(20, 0, -1)),
        (Phrase("train release"), [8]),  # of which not everything is known: a file is attached
        (Term("릴리스"), []),
        (Term("day"), range(20, 0, -1)),
        (Term("da"), [8]),
        (all_of([Term("결제"), Not(Term("7"))]), [n for n in range(20, 0, -1) if n != 7]),
        (Compare(Field.AUTHOR, Op.EQ, Person("", me=True)), [20, 15, 10, 5]),
        (Compare(Field.AUTHOR, Op.EQ, Person("박지현")), [20, 15, 10, 5]),
        (all_of([Term("배포"), Compare(Field.CONTAINER, Op.EQ, Container("보낸편지함"))]), [20, 15, 10, 5]),
        (Compare(Field.CONTAINER, Op.EQ, Container("공지-사항")), [7]),
        (Compare(Field.KIND, Op.EQ, Kind.FILE), [8]),
        (Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, message_id("m9"))), [9]),
        (
            all_of(
                [
                    Compare(Field.TIME, Op.GE, datetime(2026, 3, 4, tzinfo=KST)),
                    Compare(Field.TIME, Op.LT, datetime(2026, 3, 6, tzinfo=KST)),
                ]
            ),
            [5, 4],
        ),
        (Compare(Field.TIME, Op.GE, datetime(2026, 3, 19, 14, 30, tzinfo=UTC)), [20, 19]),
    ],
    ids=str,
)
async def test_what_is_asked_is_found(source, where, numbers):
    assert sorted(await found(source, where)) == sorted(f"m{n}" for n in numbers)


@needs_dovecot
async def test_a_mail_comes_whole_whatever_it_is_written_in(source):
    page = await source.search(Imap().translate(Query("?", where=Term("결제")), Imap.can).native, Call(limit=20))
    assert [hit.title for hit in page.hits] == [f"결제 보고 {n}" for n in range(20, 0, -1)]
    assert page.total == 20
    for hit in page.hits:
        day = hit.title.split()[-1]
        assert hit.snippet == f"배포는 {day}일에 합니다.\nThe release\ntrain leaves on day {day}."
        assert hit.complete is (day != "8")
    assert {hit.container for hit in page.hits} == {
        Container("INBOX", "INBOX"),
        Container("Sent", "Sent"),
        Container("공지 사항", "공지 사항"),
    }
    assert page.hits[0].author == Person("박지현", email="jihyun@acme.example", me=True)
    assert next(hit for hit in page.hits if hit.title.endswith(" 8")).facts["attachments"] == ("예산.xlsx",)


@needs_dovecot
@pytest.mark.parametrize("sort", [Sort.NEWEST, Sort.OLDEST])
async def test_pages_follow_one_another(source, sort):
    native = Imap().translate(Query("?", where=Term("배포"), sort=sort), Imap.can).native
    titles, cursor = [], None
    while True:
        page = await source.search(native, Call(limit=6, cursor=cursor))
        titles += [hit.title for hit in page.hits]
        if (cursor := page.cursor) is None:
            break
    days = range(20, 0, -1) if sort is Sort.NEWEST else range(1, 21)
    assert titles == [f"결제 보고 {day}" for day in days]


@needs_dovecot
async def test_reading_leaves_no_trace(source, sandbox):
    before = await unseen(source)
    await found(source, EVERYTHING)
    assert await unseen(source) == before == 15
    assert {record.method for record in sandbox.requests} >= {"EXAMINE", "UID SORT", "UID FETCH"}
    assert "SELECT" not in {record.method for record in sandbox.requests}


async def unseen(source):
    async def count(connection):
        (data,) = await connection.run(b"STATUS INBOX (UNSEEN)")
        return int(data.values[1][1])

    return await source._ask(count, Call())


@needs_dovecot
async def test_names_are_known(source):
    known = await source.directory(Call())
    assert {person.name: person.native_id for person in known.people} == {
        "박지현": "jihyun@acme.example",
        "Jake Wilson": "jake@acme.example",
    }
    assert Container("공지 사항", "공지 사항") in known.containers
    health = await source.probe(Call())
    assert (health.ok, health.account) == (True, "jihyun@acme.example")


@needs_dovecot
async def test_records_name_commands_and_no_secret(source, sandbox):
    await found(source, Term("배포"))
    assert [record.method for record in sandbox.requests[:4]] == ["LOGIN", "LIST", "EXAMINE", "UID SORT"]
    search = sandbox.requests[3]
    assert (search.path, search.status, search.hits) == ("INBOX", 200, 15)
    assert search.query["command"].endswith("TEXT {6+}배포")
    assert sandbox.endpoints["imap"].token not in repr(sandbox.requests)
    assert sandbox.origins("imap")[message_id("m3")] == "m3"


@needs_dovecot
async def test_a_wrong_password_is_told(sandbox):
    wrong = source_for(sandbox, token="somebody-elses")
    with pytest.raises(Unauthenticated, match="check username and token"):
        await wrong.probe(Call())
    await wrong.aclose()


@needs_dovecot
async def test_somebodys_own_credential_goes_before_ours(sandbox, source):
    with pytest.raises(Unauthenticated):
        await source.probe(Call(credential=Credential("theirs-is-wrong")))
    assert (await source.probe(Call())).ok


@needs_dovecot
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(status=401), Unauthenticated),
        (Fault(status=403), Forbidden),
        (Fault(status=400), Rejected),
        (Fault(status=503), Unavailable),
        (Fault(retry_after=2.5), Throttled),
        (Fault(malformed=True), Unavailable),
        (Fault(disconnect=True), Unavailable),
        (Fault(hang=True), Unavailable),
    ],
    ids=lambda value: "" if isinstance(value, type) else str(value.refusal or ""),
)
async def test_faults_become_errors_of_ours_and_pass(source, sandbox, fault, error):
    sandbox.set_fault("imap", fault)
    native = Imap().translate(Query("?", where=Term("배포")), Imap.can).native
    with pytest.raises(error) as caught:
        await source.search(native, Call(timeout=0.4 if fault.hang else HANGING))
    if error is Throttled:
        assert caught.value.retry_after == 2.5
    sandbox.set_fault("imap", None)
    assert len((await source.search(native, Call())).hits) == 20


@needs_dovecot
async def test_a_delay_is_endured_and_every_nth_command_struck(source, sandbox):
    sandbox.set_fault("imap", Fault(delay=0.01))
    assert await found(source, Term("배포"), limit=3)
    sandbox.set_fault("imap", Fault(status=503, every=3))
    outcomes = await asyncio.gather(*(source.probe(Call()) for _ in range(3)), return_exceptions=True)
    assert any(isinstance(outcome, Unavailable) for outcome in outcomes)


@needs_dovecot
async def test_a_connection_that_was_dropped_is_opened_anew(source, sandbox):
    assert await found(source, Term("배포"), limit=1)
    assert [record.method for record in sandbox.requests].count("LOGIN") == 1
    for resting in source._pool._resting:  # as a server that is restarted does, or a firewall
        resting.connection._writer.transport.abort()
    assert await found(source, Term("배포"), limit=1)
    assert [record.method for record in sandbox.requests].count("LOGIN") == 2


@needs_dovecot
async def test_cancellation_reaches_the_socket(source, sandbox):
    sandbox.set_fault("imap", Fault(hang=True))
    asking = asyncio.create_task(found(source, Term("배포")))
    relay = sandbox._emulators["imap"]._relay
    while not relay._open:  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(HANGING):
        while relay._open:  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0.005)


@needs_dovecot
async def test_many_at_once_share_three_connections(source, sandbox):
    most = 0

    async def watch():
        nonlocal most
        while True:
            most = max(most, len(sandbox._emulators["imap"]._relay._open))
            await asyncio.sleep(0)

    watching = asyncio.create_task(watch())
    lists = await asyncio.gather(*(found(source, Term("배포"), limit=5) for _ in range(12)))
    watching.cancel()
    assert {tuple(ids) for ids in lists} == {("m20", "m19", "m18", "m17", "m16")}
    assert most == 3


@needs_dovecot
async def test_each_command_waits_for_its_turn(source, sandbox):
    turns = 0

    async def turn():
        nonlocal turns
        turns += 1

    native = Imap().translate(Query("?", where=Term("배포")), Imap.can).native
    await source.search(native, Call(turn=turn))
    assert turns == len(sandbox.requests) + 1  # the greeting is no command


@needs_dovecot
async def test_the_engine_answers_from_mail(tmp_path):
    rows = [{**row, "text": "We decided to move the API migration to December 7."} for row in ROWS[:3]]
    async with Sandbox(corpus_of(tmp_path, rows, PEOPLE), owner="jihyun") as sandbox:
        endpoint = sandbox.endpoints["imap"]
        sources = {"imap": {"kind": "imap", "base_url": endpoint.base_url, "token": endpoint.token}}
        async with build_engine(load_settings({"sources": sources}, {})) as engine:
            answer = await engine.search(
                Ask("what did we decide about the API migration", datetime(2026, 3, 21, tzinfo=KST), budget=ENOUGH)
            )
    assert [outcome.status for outcome in answer.outcomes] == [Status.OK]
    assert len(answer.results) >= 1
    assert "December 7" in answer.summary


@needs_dovecot
async def test_a_taken_port_is_told(tmp_path):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        probe.listen()
        port = probe.getsockname()[1]
        with pytest.raises(OSError, match=f"cannot listen on 127.0.0.1:{port} for imap; choose another port"):
            async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE), sources=["imap"], port=port):
                pass


@needs_dovecot
async def test_a_server_that_does_not_start_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(dovecot, "CONFIGURATION", "nonsense = {folder}")
    with pytest.raises(OSError, match="Dovecot did not start"):
        async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE), sources=["imap"]):
            pass


async def test_without_dovecot_the_reason_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(dovecot, "missing", lambda: "Dovecot is not installed")
    slack = {"id": "s1", "source": "slack", "kind": "message", "text": "x"}
    corpus = corpus_of(tmp_path, [*ROWS, slack], PEOPLE)
    async with Sandbox(corpus) as sandbox:
        assert list(sandbox.endpoints) == ["slack"]
        assert sandbox.absent == {"imap": "Dovecot is not installed"}
    with pytest.raises(ValueError, match="imap cannot be served here: Dovecot is not installed"):
        async with Sandbox(corpus, sources=["imap"]):
            pass


@needs_dovecot
async def test_a_password_that_a_configuration_cannot_hold_is_refused(tmp_path):
    with pytest.raises(ValueError, match="may hold letters"):
        async with Sandbox(corpus_of(tmp_path, ROWS, PEOPLE), sources=["imap"], tokens={"imap": "a b"}):
            pass
