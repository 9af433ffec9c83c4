"""Whatever an HTTP source is answered has a named outcome, of bounded size, for every kind that is installed."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import HitPage
from connectors.errors import BadReply, SourceError, Unavailable
from connectors.http import MAX_REPLY_BYTES, HttpSource
from connectors.registry import load_source, source_kinds
from connectors.testing.exemplar import CannedReply, filed_exemplars
from connectors.testing.stage import ExchangePlayer
from connectors.text import plain_text
from tests.clock import HANGING, leaping
from tests.e2e.raw_server import raw_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectors.testing.exemplar import Exchange, Filed

KINDS = tuple(kind for kind in source_kinds() if issubclass(load_source(kind), HttpSource))
GIGANTIC = 50 << 20
BUFFERS = 24 << 20  # what sockets of a busy machine hold beyond what was read, for several requests at once
JSON = "application/json; charset=utf-8"
HOSTILE = "<script>alert(1)</script>\x1b[31m\x07\u202e\u2066\x9b2J\ufeff"
DATE = re.compile(r"\d{4}-\d\d-\d\d[T ].*|\d{10}(\.\d+)?|\d{13}|\w{3}, \d{1,2} \w{3} \d{4} .*")


@cache
def shown(kind: str) -> Filed:
    """The exemplary search with the most hits."""
    searches = [
        filed
        for filed in filed_exemplars(load_source(kind))
        if filed.drawer == "exemplary" and filed.exemplar.ask == "search"
    ]
    return max(searches, key=lambda filed: len(filed.exemplar.expect.hits))


async def searched(kind: str, url: str, within: float = HANGING) -> HitPage:
    """That search, at another address; afterwards the source is closed."""
    filed, made = shown(kind), _made(kind)
    base = re.sub(r"^https?://[^/]+", "", made.manifest.default_url)
    settings = {"kind": kind, "base_url": f"{url}{base}", **filed.exemplar.settings}
    connector = made("mine", made.settings_type.model_validate(settings))
    call = filed.call()
    try:
        await connector.prepare()
        page: HitPage = await connector.search(
            filed.native(made.manifest.dialect),
            type(call)(credential=call.credential, limit=call.limit, timeout=within),
        )
        return page
    finally:
        await connector.aclose()


def _made(kind: str) -> Any:
    return load_source(kind)


# ---- bytes that are no reply

LOGIN = b"<!doctype html><title>Sign in</title><form action=/login><input name=password></form>"
KOREAN = '{"results": [], "title": "결제 계획"}'


@dataclass(frozen=True)
class Bytes:
    """A reply as it is on the wire, and what must be said of it."""

    body: bytes
    says: str
    status: str = "200 OK"
    headers: Mapping[str, str] = field(default_factory=dict)


BAD = {
    "malformed": Bytes(b'{"results": [,]}', "not JSON"),
    "cut off": Bytes(b'{"results": [{"id": "1", "ti', "not JSON"),
    "two documents": Bytes(b"{}{}", "not JSON"),
    "binary": Bytes(bytes(range(256)) * 8, "not JSON"),
    "EUC-KR called UTF-8": Bytes(KOREAN.encode("euc-kr"), "not JSON"),
    "Latin-1 called UTF-8": Bytes('{"title": "café"}'.encode("latin-1"), "not JSON"),
    "half of a UTF-16": Bytes(KOREAN.encode("utf-16")[:-1], "not JSON"),
    "a login page": Bytes(LOGIN, "HTML page", headers={"Content-Type": "text/html"}),
    "a login page called JSON": Bytes(LOGIN, "HTML page"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_no_json_is_a_bad_reply(kind: str, case: Bytes) -> None:
    """It says what came instead."""
    async with answering(case) as (url, _):
        with pytest.raises(BadReply, match=case.says):
            await searched(kind, url)


@pytest.mark.parametrize("kind", KINDS)
async def test_what_is_said_to_be_packed_and_is_not(kind: str) -> None:
    """An error of ours, whichever client unpacks it."""
    async with answering(Bytes(b'{"results": []}', "", headers={"Content-Encoding": "gzip"})) as (url, _):
        with pytest.raises(SourceError):
            await searched(kind, url)


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"])
@pytest.mark.parametrize("kind", KINDS)
async def test_no_redirect_is_followed(kind: str, status: str) -> None:
    """Not a request, and so no credential, reaches the other host."""
    async with answering(Bytes(b"{}", "")) as (elsewhere, strays):
        moved = Bytes(b"", "", status, {"Location": f"{elsewhere}/there"})
        async with answering(moved) as (url, asked):
            with pytest.raises(SourceError):
                await searched(kind, url)
    assert asked.requests
    assert not strays.requests


@pytest.mark.parametrize("kind", KINDS)
async def test_fifty_megabytes_are_not_read(kind: str) -> None:
    """Reading stops at the limit, with and without a length that would have told."""
    for length in (f"Content-Length: {GIGANTIC}", "Transfer-Encoding: chunked"):
        server = Giant(length)
        async with server.listening() as url:
            with pytest.raises(BadReply, match="larger than 8 MiB"):
                await searched(kind, url)
        assert server.most_written < MAX_REPLY_BYTES + BUFFERS


@pytest.mark.parametrize("kind", KINDS)
async def test_a_bomb_of_zipped_blanks_is_not_unpacked_to_its_end(kind: str) -> None:
    """64 MB in 64 kB."""
    bomb = Bytes(gzip.compress(b" " * (64 << 20)), "", headers={"Content-Encoding": "gzip"})
    async with answering(bomb) as (url, _):
        with pytest.raises(BadReply, match="larger than 8 MiB"):
            await searched(kind, url)


@pytest.mark.parametrize("kind", KINDS)
async def test_half_a_body_is_no_body(kind: str) -> None:
    """The connection breaks before all has come that was announced."""
    async with raw_server(breaking) as url:
        with pytest.raises((Unavailable, BadReply)):
            await searched(kind, url)


async def breaking(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Half of the body that it announces."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(f'HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nContent-Length: 1000\r\n\r\n{{"ok": true, '.encode())
    await writer.drain()


@pytest.mark.parametrize("kind", KINDS)
async def test_an_answer_that_drips_past_the_deadline(kind: str) -> None:
    """A byte now and then keeps a socket's own time-out from ever passing; the time that is left passes all the same."""
    drips = Drips()
    async with raw_server(drips.pour) as url:
        leap = leaping()
        asking = asyncio.create_task(searched(kind, url))
        await asyncio.wait((asking, asyncio.create_task(drips.begun.wait())), return_when="FIRST_COMPLETED")
        leap(HANGING)
        with pytest.raises(Unavailable, match=r"no answer within|did not come in time"):
            await asking
        await asyncio.wait_for(drips.gone.wait(), HANGING)


@pytest.mark.parametrize("kind", KINDS)
async def test_cancelled_while_the_answer_drips(kind: str) -> None:
    """It ends at once, and so does the connection."""
    drips = Drips()
    async with raw_server(drips.pour) as url:
        asking = asyncio.ensure_future(searched(kind, url, within=60))
        await asyncio.wait_for(drips.begun.wait(), HANGING)
        asking.cancel()
        await asyncio.wait({asking}, timeout=HANGING)
        assert asking.cancelled()
        await asyncio.wait_for(drips.gone.wait(), HANGING)


# ---- replies of the right shape with something wrong in them


@pytest.mark.parametrize("kind", KINDS)
async def test_unclean_text_is_cleaned(kind: str) -> None:
    """Markup stays text or goes; nothing that a terminal or a reader's eye obeys is left."""
    seen, spoilt = plainly(kind), []

    def unclean(_: str, value: object) -> object:
        if not isinstance(value, str) or not value or plain_text(value) not in seen:
            return value
        spoilt.append(value)
        return f"{HOSTILE}{value}"

    page = await replayed(kind, unclean)
    assert spoilt
    assert isinstance(page, HitPage)
    texts = [text for hit in page.hits for text in (hit.title, hit.snippet, str(hit.author or ""))]
    assert any("alert(1)" in text for text in texts), "the unclean text did not come through at all"
    assert [text for text in texts if text != plain_text(text)] == []


@pytest.mark.parametrize("kind", KINDS)
async def test_what_comes_twice_is_one_hit(kind: str) -> None:
    """Ids are unique, whatever list is repeated in the reply."""
    usual = await replayed(kind, lambda _, value: value)
    twice = await replayed(kind, lambda _, value: repeated(value))
    assert isinstance(usual, HitPage)
    assert isinstance(twice, HitPage)
    ids = [hit.id for hit in twice.hits]
    assert len(ids) == len(set(ids))
    assert {hit.id for hit in usual.hits} >= set(ids) != set()


@pytest.mark.parametrize("gone", ["absent", "null", "senseless"])
@pytest.mark.parametrize("kind", KINDS)
async def test_without_dates(kind: str, gone: str) -> None:
    """A hit has no date, or it is said that it could not be read; it is never made up."""
    instead: object = {"absent": ABSENT, "null": None, "senseless": "yesterday, or so"}[gone]

    def dateless(_: str, value: object) -> object:
        return instead if isinstance(value, str | int) and DATE.fullmatch(str(value)) else value

    page = await replayed(kind, dateless)
    if isinstance(page, HitPage):
        assert page.hits or page.notes
        assert all(hit.created is None or hit.created.year < 2030 for hit in page.hits)
    else:
        assert isinstance(page, BadReply)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
async def test_other_encodings_of_unicode(kind: str, encoding: str) -> None:
    """JSON says by its first bytes which it is: the hits are there, or the reply is said to be bad."""
    body = json.dumps(shown(kind).exemplar.exchanges[0].reply.body, ensure_ascii=False).encode(encoding)
    async with answering(Bytes(body, "")) as (url, _):
        try:
            page = await searched(kind, url)
        except BadReply:  # a source may take what it asks for at the same time for another shape
            return
    assert all("\ufeff" not in hit.title and "\x00" not in hit.title for hit in page.hits)


# ---- changing what an exemplar answers

ABSENT = object()
Change = Callable[[str, object], object]


def repeated(value: object) -> object:
    """A list of objects with each of them twice, anything else as it is."""
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return [*value, *value]
    return value


def plainly(kind: str) -> set[str]:
    """Every text that the hits of the search show."""
    hits = shown(kind).exemplar.expect.hits
    return {str(hit[name]) for hit in hits for name in ("title", "snippet") if hit.get(name)}


def changed(value: Any, change: Change, key: str = "") -> Any:
    """``value`` with ``change`` applied to each part, outer ones last; what becomes ``ABSENT`` is left out."""
    if isinstance(value, dict):
        parts = {name: changed(part, change, name) for name, part in value.items()}
        value = {name: part for name, part in parts.items() if part is not ABSENT}
    elif isinstance(value, list):
        value = [part for each in value if (part := changed(each, change, key)) is not ABSENT]
    return change(key, value)


def _changed(exchange: Exchange, change: Change) -> Exchange:
    reply = CannedReply.model_validate(
        {**exchange.reply.model_dump(), "body": changed(exchange.reply.body, change) if exchange.reply.body else None}
    )
    parts = tuple(_changed(part, change) for part in exchange.parts)
    return exchange.model_copy(update={"reply": reply, "parts": parts})


async def replayed(kind: str, change: Change) -> HitPage | SourceError:
    """The search, each of whose replies was changed; an error of ours is a value."""
    exchanges = [_changed(each, change) for each in shown(kind).exemplar.exchanges]
    async with ExchangePlayer(exchanges, shown(kind).exemplar.token) as stage:
        try:
            return await searched(kind, stage.url)
        except SourceError as failure:
            return failure


# ---- servers


@dataclass
class Asked:
    """The heads of the requests that arrived."""

    requests: list[bytes] = field(default_factory=list)


@asynccontextmanager
async def answering(reply: Bytes) -> AsyncIterator[tuple[str, Asked]]:
    """A server with one answer to everything."""
    asked = Asked()
    headers = {"Content-Type": JSON, "Content-Length": str(len(reply.body)), "Connection": "close", **reply.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(f"HTTP/1.1 {reply.status}\r\n{head}\r\n".encode() + reply.body)
        await writer.drain()
        await reader.read()

    async with raw_server(answer) as url:
        yield url, asked


@dataclass
class Drips:
    """A byte of the body at a time, for ever: ``begun``, and ``gone`` when nobody listens any more."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def pour(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nContent-Length: 100000\r\n\r\n".encode())
        self.begun.set()
        try:
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            self.gone.set()


@dataclass
class Giant:
    """Sends as much as anybody takes, up to fifty megabytes, and knows how much that was."""

    length: str
    most_written: int = 0

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        async with raw_server(self._pour) as url:
            yield url

    async def _pour(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\n{self.length}\r\n\r\n".encode())
        piece, written = b" " * (1 << 16), 0
        whole = b"%x\r\n%s\r\n" % (len(piece), piece) if "chunked" in self.length else piece
        while written < GIGANTIC:
            writer.write(whole)
            await writer.drain()
            written += len(piece)
            self.most_written = max(self.most_written, written)
