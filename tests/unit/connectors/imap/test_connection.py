"""Encrypted connections, over real sockets with a certificate of our own; and connections that nobody waits for."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from connectors import imap
from connectors.contract import Call
from connectors.errors import Misconfigured, Unauthenticated, Unavailable
from connectors.imap import ImapSource
from connectors.imap.connection import LONGEST_REST, Pool
from connectors.imap.errors import BrokenOff, error_of, login_error
from connectors.imap.protocol import StatusResponse
from connectors.imap.searching import _first
from connectors.imap.settings import ImapSettings
from tests.certificates import self_signed, shown
from tests.clock import HANGING, leaping

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

PASSWORD = "planted-5d41402abc4b2a76"
CAPABILITIES = "IMAP4rev1 SORT LITERAL+"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 and its key in one file."""
    return self_signed(tmp_path_factory.mktemp("tls"))


class Server:
    """The least of an IMAP server, over TLS at once or when asked."""

    def __init__(self, certificate: Path, *, starttls: str | None = None) -> None:
        self.context = shown(certificate)
        self.starttls = starttls
        self.seen: list[str] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        offered = f"{CAPABILITIES} STARTTLS LOGINDISABLED" if self.starttls is not None else CAPABILITIES
        writer.write(f"* OK [CAPABILITY {offered}] ready\r\n".encode())
        try:
            await self.talk(reader, writer)
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            writer.transport.abort()

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readline()).decode().strip():
            tag, name, *_ = line.split()
            self.seen.append(line.partition(" ")[2])
            if name == "STARTTLS":
                writer.write(f"{tag} OK go\r\n{self.starttls}".encode())
                await writer.drain()
                await writer.start_tls(self.context)
                continue
            told = {
                "CAPABILITY": f"* CAPABILITY {CAPABILITIES}\r\n",
                "LIST": '* LIST () "/" INBOX\r\n',
                "EXAMINE": "* 3 EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n",
            }
            writer.write(f"{told.get(name, '')}{tag} OK done\r\n".encode())


@asynccontextmanager
async def listening(server: Server, *, encrypted: bool) -> AsyncIterator[Server]:
    context = server.context if encrypted else None
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=context) as listener:
        server.port = listener.sockets[0].getsockname()[1]
        yield server


def source(port: int, **more: Any) -> ImapSource:
    options = {"kind": "imap", "host": "127.0.0.1", "port": port, "username": "me@a.example", "token": PASSWORD, **more}
    return ImapSource("mail", ImapSettings.model_validate(options))


async def test_encrypted_from_the_first_byte(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with listening(Server(certificate), encrypted=True) as server:
        mail = source(server.port)
        assert (await mail.probe(Call())).detail == "3 mails in INBOX"
        await mail.aclose()
    assert server.seen[0] == f'LOGIN "me@a.example" "{PASSWORD}"'
    assert server.seen[-1] == "LOGOUT"


async def test_starttls_comes_before_the_password(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what a stranger slips in before the connection is encrypted is not taken for the server's word."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    slipped_in = "* CAPABILITY IMAP4rev1 LOGINDISABLED\r\nA2 OK done\r\n"
    async with listening(Server(certificate, starttls=slipped_in), encrypted=False) as server:
        mail = source(server.port, security="starttls")
        assert (await mail.probe(Call(timeout=HANGING))).ok
        await mail.aclose()
    assert [line.split()[0] for line in server.seen] == [
        "STARTTLS", "CAPABILITY", "LOGIN", "CAPABILITY", "LIST", "EXAMINE", "LOGOUT",
    ]  # fmt: skip


async def test_without_starttls_no_password_is_sent(certificate: Path) -> None:
    async with listening(Server(certificate), encrypted=False) as server:
        mail = source(server.port, security="starttls")
        with pytest.raises(Misconfigured, match="offers no STARTTLS"):
            await mail.probe(Call())
        await mail.aclose()
    assert not any(PASSWORD in line for line in server.seen)


async def test_a_certificate_that_nobody_vouches_for_is_refused(certificate: Path) -> None:
    async with listening(Server(certificate), encrypted=True) as server:
        mail = source(server.port)
        with pytest.raises(Unavailable, match=r"certificate of 127\.0\.0\.1 is not trusted \(self.signed certificate"):
            await mail.probe(Call())
    assert server.seen == []


async def test_a_server_that_speaks_no_tls_is_told(certificate: Path) -> None:
    async with listening(Server(certificate), encrypted=False) as server:
        mail = source(server.port)
        with pytest.raises(Unavailable, match="does not speak TLS here"):
            await mail.probe(Call(timeout=HANGING))


class SlowToRefuse(Server):
    """As Dovecot and Postfix, which hold back the refusal of a wrong password."""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readline()).decode().strip():
            tag, name, *_ = line.split()
            self.seen.append(name)
            if name == "LOGIN":
                await self.refused.wait()
                writer.write(f"{tag} NO [AUTHENTICATIONFAILED] Authentication failed.\r\n".encode())
            else:
                writer.write(f"{tag} OK done\r\n".encode())

    def __init__(self, certificate: Path) -> None:
        super().__init__(certificate)
        self.refused = asyncio.Event()


async def test_a_wrong_password_whose_refusal_is_held_back_is_told(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At first as what it may be, and as what it is to whoever asks next."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(imap, "LONGEST_SIGN_IN", 3 * HANGING)
    async with listening(SlowToRefuse(certificate), encrypted=True) as server:
        mail, leap = source(server.port), leaping()

        async def waited(signing_in: int) -> None:
            asking = asyncio.create_task(mail.probe(Call(timeout=HANGING)))
            while len(server.seen) < signing_in:  # noqa: ASYNC110 — nobody tells
                await asyncio.sleep(0.01)
            leap(imap.PATIENCE * HANGING)  # what it leaves the sign-in; the question has some left, to say so
            await asking

        with pytest.raises(Unavailable, match=r"not answered the sign-in within 300 s.*; check username and token"):
            await waited(1)
        server.refused.set()
        await asyncio.sleep(0.1)
        with pytest.raises(Unauthenticated, match="check username and token") as caught:
            await mail.probe(Call(timeout=HANGING))
        assert PASSWORD not in str(caught.value)
        assert server.seen == ["LOGIN"]
        server.refused.clear()
        with pytest.raises(Unavailable, match="not answered the sign-in"):
            await waited(2)
        await mail.aclose()
    assert not [task for task in asyncio.all_tasks() if "_signed_in" in repr(task)]


async def test_nobody_there_is_told() -> None:
    with pytest.raises(Unavailable, match=r"cannot reach 127\.0\.0\.1"):
        await source(1).probe(Call(timeout=HANGING))


@pytest.mark.parametrize(
    ("more", "error", "said"),
    [
        ({"host": ""}, Misconfigured, "set host"),
        ({"username": ""}, Misconfigured, "set username"),
        ({"token": None}, Unauthenticated, "app password"),
        ({"oauth": {"client_id": "c", "refresh_token": "r"}}, Misconfigured, "set oauth.token_url"),
    ],
)
async def test_what_is_missing_is_told_before_anything_is_sent(
    more: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        await source(1, **more).probe(Call())


# ---- the pool


class Idle:
    """A connection that only rests."""

    def __init__(self) -> None:
        self.alive = True
        self.rested = False
        self.aborted = False

    def abort(self) -> None:
        self.alive, self.aborted = False, True

    async def logout(self) -> None:
        self.abort()


def test_what_rested_too_long_is_not_used(in_virtual_time: Callable[[Coroutine[Any, Any, Any]], Any]) -> None:
    made: list[Idle] = []

    async def connect(*_: Any) -> Any:
        made.append(Idle())
        return made[-1]

    async def story() -> None:
        pool = Pool(connect, 2)
        for wait in (0, 1, LONGEST_REST + 1):
            await asyncio.sleep(wait)
            async with pool.connection("a", Call()):  # type: ignore[arg-type]
                pass
        assert (len(made), made[0].aborted, made[0].rested) == (2, True, True)
        async with pool.connection("b", Call()), pool.connection("b", Call()):  # type: ignore[arg-type]
            assert made[1].aborted  # another's connection makes room
        async with pool.connection("b", Call()) as busy:  # type: ignore[arg-type]
            await pool.aclose()
            assert not busy.alive
        await pool.aclose()
        assert all(each.aborted for each in made)

    in_virtual_time(story())


# ---- what refusals mean


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (StatusResponse("A1", "NO", "PRIVACYREQUIRED"), "misconfigured"),
        (StatusResponse("A1", "NO", "UNAVAILABLE"), "unavailable"),
        (StatusResponse("A1", "BAD", "", "", "what?"), "rejected"),
        (StatusResponse("*", "BYE", "", "", "too many bad passwords"), "throttled"),
        (StatusResponse("*", "BYE"), "unavailable"),
        (StatusResponse("A1", "NO", "EXPIRED"), "unauthenticated"),
    ],
)
def test_refusals_of_a_sign_in(status: StatusResponse, code: str) -> None:
    assert login_error(status).code == code


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (StatusResponse("A1", "NO", "EXPIRED"), "unauthenticated"),
        (StatusResponse("A1", "BAD", "", "", "User is authenticated but not connected."), "unavailable"),
        (StatusResponse("A1", "NO", "OVERQUOTA", "", "Account exceeded command or bandwidth limits."), "throttled"),
        (StatusResponse("A1", "NO"), "rejected"),
    ],
)
def test_refusals_of_anything_else(status: StatusResponse, code: str) -> None:
    problem = error_of(status, "TEXT x")
    assert (problem.code, getattr(problem, "native", "TEXT x")) == (code, "TEXT x")


def test_a_broken_connection_says_whether_it_had_rested() -> None:
    assert BrokenOff("gone", rested=True).rested


@pytest.mark.parametrize(
    ("runs", "most", "oldest", "uids"),
    [
        ([(4, 18), (21, 21)], 3, False, [21, 18, 17]),
        ([(4, 18), (21, 21)], 3, True, [4, 5, 6]),
        ([(1, 4_000_000_000)], 2, False, [4_000_000_000, 3_999_999_999]),
        ([], 3, False, []),
        ([(2, 3), (3, 3)], 5, True, [2, 3]),
    ],
)
def test_the_first_of_runs(runs: list[tuple[int, int]], most: int, oldest: bool, uids: list[int]) -> None:
    assert _first(runs, most, oldest=oldest) == uids
