"""One connection to a mail server: lines and literals over asyncio, bounded, broken off when nobody waits any more.

A few that are signed in are kept for the next question, and for nobody else's.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectors.errors import BadReply, Forbidden, Misconfigured, Unavailable
from connectors.http import MAX_REPLY_BYTES, describe_failure
from connectors.imap.errors import BrokenOff, CommandRefused, login_error
from connectors.imap.protocol import (
    LITERAL,
    Continuation,
    DataResponse,
    Literal,
    Response,
    ResponsePiece,
    StatusResponse,
    response,
    string,
)
from connectors.transport import oversized
from translators.said import Said

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from connectors.contract import Call, Credential, Turn
    from connectors.imap.mailboxes import Mailbox, OpenedMailbox
    from connectors.imap.settings import ImapSettings

SHORT_LITERAL = 4096  # RFC 7888: LITERAL- lets these go without asking
FAREWELL = 0.2  # seconds for the answer to LOGOUT


class ImapConnection:
    """Signed in or on the way there. For one command at a time; ``idle`` says that none is under way."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._underneath: asyncio.StreamWriter | None = None
        self._count = 0
        self._size = 0
        self.idle = False
        self.rested = False  # it was kept from an earlier question and has not answered since
        self.capabilities: frozenset[str] = frozenset()
        self.mailboxes: tuple[Mailbox, ...] = ()
        self.selected: OpenedMailbox | None = None

    @property
    def alive(self) -> bool:
        """Whether another command may be sent, as far as one can see without sending it."""
        return self.idle and not self._writer.is_closing() and not self._reader.at_eof()

    async def run(self, *command: ResponsePiece, answers: Sequence[bytes] = ()) -> list[DataResponse]:
        """Send a command; the untagged data in its reply. Raises :class:`CommandRefused` for NO, BAD and BYE.

        ``answers``: lines for a server that asks on after the command, then empty ones.
        """
        self.idle, self._size = False, 0
        self._count += 1
        tag = f"A{self._count}"
        found: list[DataResponse] = []
        try:
            self._writer.write(tag.encode() + b" ")
            for piece in command:
                await self._send(piece, tag, found)
            self._writer.write(b"\r\n")
            await self._writer.drain()
            lines = iter(answers)
            while await self._reply(tag, found):
                self._writer.write(next(lines, b"") + b"\r\n")
                await self._writer.drain()
        except (OSError, asyncio.IncompleteReadError) as failure:
            said = Said("the mail server broke off the connection ({failure})").filled(failure=type(failure).__name__)
            raise BrokenOff(said, rested=self.rested) from None
        self.rested = False
        return found

    async def _send(self, piece: ResponsePiece, tag: str, found: list[DataResponse]) -> None:
        if isinstance(piece, bytes):
            self._writer.write(piece)
            return
        size = len(piece.data)
        at_once = "LITERAL+" in self.capabilities or ("LITERAL-" in self.capabilities and size <= SHORT_LITERAL)
        self._writer.write(b"{%d%s}\r\n" % (size, b"+" if at_once else b""))
        if not at_once:
            await self._writer.drain()
            if not await self._reply(tag, found):
                raise BadReply(Said("the mail server ended a command that had not been sent whole"))
        self._writer.write(piece.data)

    async def _reply(self, tag: str, found: list[DataResponse]) -> bool:
        """Read until the server asks for more (true) or is done (false)."""
        while True:
            match await self.next():
                case Continuation():
                    return True
                case DataResponse() as data:
                    found.append(data)
                    self._learn(data.name, data.values)
                case StatusResponse(told, state) as status if told == tag:
                    self.idle = True
                    if status.code == "CAPABILITY":
                        self.capabilities = frozenset(status.argument.upper().split())
                    if state != "OK":
                        raise CommandRefused(status)
                    return False
                case StatusResponse("*", "BYE") as farewell:
                    raise CommandRefused(farewell)
                case StatusResponse("*", _, code, argument):
                    found.append(DataResponse(code, None, [argument.encode()]))
                case StatusResponse():
                    raise BadReply(Said("the mail server answered a command that was not sent"))

    def _learn(self, name: str, values: Sequence[object]) -> None:
        if name == "CAPABILITY":
            words = (value.decode("ascii", "replace").upper() for value in values if isinstance(value, bytes))
            self.capabilities = frozenset(words)

    async def next(self) -> Response:
        """The next response, its literals read."""
        parts: list[ResponsePiece] = []
        while True:
            line = (await self._line()).rstrip(b"\r\n")
            parts.append(line)
            counted = LITERAL.search(line)
            if counted is None:
                return response(parts)
            self._count_in(int(counted[1]))
            parts.append(Literal(await self._reader.readexactly(int(counted[1]))))

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            raise oversized() from None
        self._count_in(len(line))
        return line

    def _count_in(self, size: int) -> None:
        self._size += size
        if self._size > MAX_REPLY_BYTES:
            raise oversized()

    def abort(self) -> None:
        """End it without a word: something is under way that nobody waits for."""
        self.idle = False
        self._writer.transport.abort()

    async def logout(self) -> None:
        """Take leave and close."""
        with contextlib.suppress(CommandRefused, Unavailable, BadReply, TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self.run(b"LOGOUT")
        self.abort()

    # ---- from the first byte to being signed in

    async def greet(self) -> None:
        """Read the greeting. Raises :class:`CommandRefused` where it is a farewell."""
        try:
            greeting = await self.next()
        except (OSError, asyncio.IncompleteReadError):
            raise Unavailable(Said("the mail server closed the connection before it said anything")) from None
        if not isinstance(greeting, StatusResponse) or greeting.tag != "*":
            raise BadReply(Said("the mail server did not begin with a greeting"))
        if greeting.state == "BYE":
            raise CommandRefused(greeting)
        if greeting.state == "PREAUTH":
            raise Forbidden(Said("the mail server takes everybody for signed in; it is asked nothing"))
        if greeting.code == "CAPABILITY":
            self.capabilities = frozenset(greeting.argument.upper().split())

    async def encrypt(self, context: ssl.SSLContext, host: str, turn: Turn) -> None:
        """STARTTLS. Whatever a stranger may have slipped in before it is thrown away with the old reader."""
        await turn()
        if not self.capabilities:
            await self.run(b"CAPABILITY")
            await turn()
        if "STARTTLS" not in self.capabilities:
            raise Misconfigured(Said("the mail server offers no STARTTLS here; set security to tls, which is port 993"))
        await self.run(b"STARTTLS")
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=MAX_REPLY_BYTES)
        protocol = asyncio.StreamReaderProtocol(reader)
        try:
            transport = await loop.start_tls(self._writer.transport, protocol, context, server_hostname=host)
        except OSError as failure:
            raise unreachable(failure, host) from None
        assert transport is not None
        protocol.connection_made(transport)
        self._underneath = self._writer  # which would close the connection when it is collected
        self._reader = reader
        self._writer = asyncio.StreamWriter(transport, protocol, reader, loop)
        self.capabilities = frozenset()

    async def sign_in(self, settings: ImapSettings, secret: str, turn: Turn) -> None:
        """Sign in and learn what the server can do."""
        if not self.capabilities:
            await turn()
            await self.run(b"CAPABILITY")
        await turn()
        before = self.capabilities
        try:
            await self._authenticate(settings, secret)
        except CommandRefused as refusal:
            raise login_error(refusal.status, by_token=settings.by_token) from None
        if self.capabilities is before:  # they are others now, and nobody said which
            await turn()
            await self.run(b"CAPABILITY")

    async def _authenticate(self, settings: ImapSettings, secret: str) -> None:
        user = settings.username
        if settings.by_token:
            await self._sasl(b"XOAUTH2", f"user={user}\x01auth=Bearer {secret}\x01\x01")
        elif "LOGINDISABLED" not in self.capabilities:
            await self.run(b"LOGIN ", string(user), b" ", string(secret))
        elif "AUTH=PLAIN" in self.capabilities:
            await self._sasl(b"PLAIN", f"\0{user}\0{secret}")
        else:
            raise Misconfigured(
                Said("the mail server takes no password here; set security to tls, or sign in by xoauth2")
            )

    async def _sasl(self, mechanism: bytes, message: str) -> None:
        initial = base64.b64encode(message.encode())
        if "SASL-IR" in self.capabilities:
            await self.run(b"AUTHENTICATE " + mechanism + b" " + initial)
        else:
            await self.run(b"AUTHENTICATE " + mechanism, answers=[initial])


async def connect(settings: ImapSettings, context: ssl.SSLContext | None) -> ImapConnection:
    """A connection that nothing was said on yet; ``context`` where it is to be encrypted from the first byte."""
    host, port = settings.server
    try:
        reader, writer = await asyncio.open_connection(
            host, port, limit=MAX_REPLY_BYTES, ssl=context, server_hostname=host if context else None
        )
    except OSError as failure:
        raise unreachable(failure, host) from None
    return ImapConnection(reader, writer)


def unreachable(failure: OSError, host: str) -> Unavailable:
    """A connection that could not be made, in words."""
    return Unavailable(describe_failure(failure, host))


LONGEST_REST = 120.0  # seconds after which something on the way may have forgotten a connection without a word


@dataclass(frozen=True, slots=True, eq=False)
class _Resting:
    connection: ImapConnection
    credential: Credential
    since: float


class Pool:
    """At most ``size`` connections at once, resting ones included."""

    def __init__(self, connect: Callable[[Credential, Call], Awaitable[ImapConnection]], size: int) -> None:
        self._connect = connect
        self._size = size
        self._turns = asyncio.Semaphore(size)
        self._resting: list[_Resting] = []
        self._busy: set[ImapConnection] = set()
        self._wanted = 0  # connections that somebody has or is about to have

    @asynccontextmanager
    async def connection(self, credential: Credential, call: Call) -> AsyncIterator[ImapConnection]:
        """A connection for as long as the context lasts. One that is left in the middle of a command is broken off."""
        async with self._turns:
            self._wanted += 1
            try:
                connection = self._rested(credential) or await self._new(credential, call)
                async with self._lent(connection, credential):
                    yield connection
            finally:
                self._wanted -= 1

    @asynccontextmanager
    async def _lent(self, connection: ImapConnection, credential: Credential) -> AsyncIterator[None]:
        self._busy.add(connection)
        try:
            yield
        finally:
            self._busy.discard(connection)
            if connection.alive:
                self._resting.append(_Resting(connection, credential, asyncio.get_running_loop().time()))
            else:
                connection.abort()

    def _rested(self, credential: Credential) -> ImapConnection | None:
        """The connection that rested last of those that were signed in with the same credential."""
        self._drop_stale()
        found = next((each for each in reversed(self._resting) if each.credential == credential), None)
        if found is None:
            return None
        self._resting.remove(found)
        found.connection.rested = True
        return found.connection

    def _drop_stale(self) -> None:
        oldest = asyncio.get_running_loop().time() - LONGEST_REST
        for each in tuple(self._resting):
            if not each.connection.alive or each.since < oldest:
                self._resting.remove(each)
                each.connection.abort()

    async def _new(self, credential: Credential, call: Call) -> ImapConnection:
        while len(self._resting) + self._wanted > self._size:
            self._resting.pop(0).connection.abort()
        return await self._connect(credential, call)

    def drop_rested(self) -> None:
        """Break off what rests: a connection like these turned out to be dead."""
        while self._resting:
            self._resting.pop().connection.abort()

    async def aclose(self) -> None:
        """Take leave of what rests, break off what does not."""
        resting, self._resting = self._resting, []
        for connection in self._busy:
            connection.abort()
        await asyncio.gather(*(each.connection.logout() for each in resting))
