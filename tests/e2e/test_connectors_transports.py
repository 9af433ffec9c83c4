"""Each vendor's own client over a real socket where the network does its worst."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential
from connectors.errors import BadReply, Unavailable
from connectors.registry import load_source
from connectors.testing.observation import turns_beside
from tests.certificates import self_signed, shown
from tests.clock import HANGING
from tests.e2e.raw_server import raw_server
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from pathlib import Path

    from connectors.http import HttpSource

KINDS = ("drive", "gmail", "googlechat", "linear", "notion", "slack")


@asynccontextmanager
async def source_at(kind: str, url: str) -> AsyncIterator[HttpSource]:
    """A source at some address; afterwards it is closed and its threads have ended."""
    made: Any = load_source(kind)
    connector = made("mine", made.settings_type.model_validate({"kind": kind, "base_url": url}))
    try:
        yield connector
    finally:
        await connector.aclose()


def ask(connector: HttpSource, timeout: float = HANGING) -> Awaitable[Any]:
    call = Call(credential=Credential("planted-token"), timeout=timeout)
    return connector.search(NativeQuery(connector.manifest.dialect, "word"), call)


@pytest.mark.parametrize("kind", KINDS)
async def test_nobody_is_listening(kind: str) -> None:
    """The message names the host and what to look at."""
    async with source_at(kind, "http://127.0.0.1:1") as connector:
        with pytest.raises(Unavailable, match=r"cannot reach 127\.0\.0\.1:1 .*is the address right"):
            await ask(connector)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_host_that_does_not_exist(kind: str) -> None:
    """``.invalid`` never resolves (RFC 2606)."""
    async with source_at(kind, "http://no-such-host.invalid") as connector:
        with pytest.raises(Unavailable, match=r"no-such-host\.invalid|no answer"):
            await ask(connector, timeout=5.0)


@pytest.mark.parametrize("kind", KINDS)
async def test_no_answer_within_the_time_that_is_left(kind: str) -> None:
    """A server that accepts and says nothing."""

    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_server(silent) as url, source_at(kind, url) as connector:
        await warm(connector)
        with turns_beside() as turned, pytest.raises(Unavailable, match=r"no answer within 0\.3 s"):
            await ask(connector, timeout=0.3)
        assert turned() < 2000, "it waited for a limit of the vendor's client"


async def warm(connector: HttpSource) -> None:
    """Import the vendor's client, so that what is timed is the request."""
    with pytest.raises(Unavailable):
        await ask(connector, timeout=0.2)


@pytest.mark.parametrize("kind", KINDS)
async def test_something_that_is_not_http(kind: str) -> None:
    """Another protocol on that port."""

    async def other(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)

    async with raw_server(other) as url, source_at(kind, url) as connector:
        with pytest.raises((Unavailable, BadReply)):
            await ask(connector)


@pytest.mark.parametrize("kind", ["linear", "notion", "slack"])
async def test_what_a_client_sends_once_more_has_a_turn_of_its_own(kind: str) -> None:
    """A connection that is closed just as it is used again: the vendor may have counted the request that nobody answered."""
    came: list[bytes] = []
    turns: list[str] = []

    async def leaving(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for closes in (False, True):
            came.append(await reader.readuntil(b"\r\n\r\n"))
            length = next(
                (int(line[15:]) for line in came[-1].lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
            )
            await reader.readexactly(length)
            if closes:
                return
            writer.write(b"HTTP/1.1 503 Down\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")

    async def turn(bucket: str) -> None:
        turns.append(bucket)

    async with raw_server(leaving) as url, source_at(kind, url) as connector:
        native = NativeQuery(connector.manifest.dialect, "word")
        for _ in range(2):
            with pytest.raises(Unavailable):
                await connector.search(native, Call(credential=Credential("planted-token"), timeout=HANGING, turn=turn))
    assert len(turns) == len(came) >= 2


@pytest.mark.parametrize("kind", KINDS)
async def test_the_event_loop_goes_on_while_a_client_is_loaded_and_asked(kind: str) -> None:
    """No single step of asking holds up the loop for long: other sources' deadlines depend on it."""

    async def refusing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Down\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
        await writer.drain()

    async with raw_server(refusing) as url, source_at(kind, url) as connector:
        asking = asyncio.ensure_future(ask(connector))
        worst = 0
        with turns_beside() as turned:
            while not asking.done():
                before = turned()
                await asyncio.sleep(0.001)
                worst = max(worst, turned() - before)
        with pytest.raises(Unavailable):
            await asking
    assert worst < 50, "a thread beside the loop came so many times, each 10 ms after the other, while that stood still"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", ["200 OK", "500 Broken"])
async def test_a_bomb_of_brackets(kind: str, status: str) -> None:
    """JSON nested deeper than any parser goes."""

    async def bombing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
        writer.write(head.encode() + b"[" * 200_000)
        await writer.drain()
        await reader.read()

    async with raw_server(bombing) as url, source_at(kind, url) as connector:
        with pytest.raises((BadReply, Unavailable)):
            await ask(connector)


@pytest.mark.parametrize("kind", KINDS)
async def test_closing_while_a_request_is_in_flight(kind: str) -> None:
    """Whoever still waits learns that the source is gone, soon."""

    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_server(silent) as url, source_at(kind, url) as connector:
        await warm(connector)
        asking = asyncio.ensure_future(ask(connector, timeout=30))
        await asyncio.sleep(0.1)
        await connector.aclose()
        with pytest.raises(Unavailable):
            await asyncio.wait_for(asking, HANGING)
    await gone("connectors-")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_certificate_that_nobody_vouches_for(kind: str, tmp_path: Path) -> None:
    """The credential is not sent to whoever has the name only."""
    sent: list[bytes] = []

    async def listening(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        sent.append(await reader.read(1000))

    async with raw_server(listening, tls=shown(self_signed(tmp_path))) as url, source_at(kind, url) as connector:
        with pytest.raises(
            Unavailable, match=r"^the certificate of 127\.0\.0\.1:\d+ is not trusted \(self.signed certificate"
        ):
            await ask(connector)
    assert b"planted-token" not in b"".join(sent)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_server_that_speaks_no_tls(kind: str) -> None:
    """As where `https://` was written before a plain port."""

    async def listening(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        await writer.drain()

    async with raw_server(listening) as url, source_at(kind, url.replace("http://", "https://")) as connector:
        with pytest.raises(Unavailable, match="does not speak TLS here"):
            await ask(connector)


async def test_a_packing_that_was_not_asked_for() -> None:
    """Google's client would unpack it without a bound."""
    import zlib

    body = zlib.compress(b" " * 1000)

    async def deflating(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        await reader.read()

    async with raw_server(deflating) as url, source_at("gmail", url) as connector:
        with pytest.raises(BadReply, match="packed"):
            await ask(connector)


async def test_cancelled_threads_of_gmail_end_at_once() -> None:
    """Not when their socket's time-out passes: the connection is broken off under them."""

    async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async with raw_server(silent) as url, source_at("gmail", url) as connector:
        await warm(connector)
        asking = [asyncio.ensure_future(ask(connector, timeout=60)) for _ in range(8)]
        await asyncio.sleep(0.2)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
    await gone("connectors-")


async def gone(prefix: str) -> None:
    """Wait until no thread of that name is left."""
    deadline = time.monotonic() + HANGING
    while left := [thread.name for thread in threading.enumerate() if thread.name.startswith(prefix)]:
        assert time.monotonic() < deadline, f"still running: {left}"
        await asyncio.sleep(0.01)
