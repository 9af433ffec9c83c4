"""A relay in front of an IMAP server: passes commands on, notes them, and misbehaves as a fault wants it."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from orchestrator.sandbox.faults import Fault, FaultSchedule
from orchestrator.sandbox.service import RequestRecord

LONGEST_LINE = 1 << 24
LITERAL = re.compile(rb"\{(\d+)(\+?)\}\r?\n\Z")
NUMBERS = re.compile(rb"\* (?:SEARCH|SORT)((?: \d+)*)\s*\Z", re.IGNORECASE)
TAGGED = re.compile(rb"(\S+) (OK|NO|BAD)\b", re.IGNORECASE)
STATUSES = {"OK": 200, "NO": 403, "BAD": 400}
"""How the answers of IMAP stand in records, which know the numbers of HTTP."""

SECRET = frozenset({"LOGIN", "AUTHENTICATE"})
KEPT = 20_000
"""Characters of a command that a record keeps."""

THROTTLED, UNAUTHENTICATED, FORBIDDEN, BROKEN = 429, 401, 403, 500


@dataclass
class _Command:
    tag: str
    name: str
    text: str
    cut_short: bool = False
    hits: int = 0


@dataclass
class Relay:
    """One for a server on `port`; `record` is told of every command that was answered."""

    source: str
    port: int
    record: Callable[[RequestRecord], None]
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    faults: FaultSchedule = field(default_factory=FaultSchedule)
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    def strike(self, fault: Fault | None) -> None:
        """Misbehave like this from the next command on, or no longer."""
        self.faults = FaultSchedule(fault)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, to the end."""
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            theirs, ours = await asyncio.open_connection("127.0.0.1", self.port, limit=LONGEST_LINE)
            try:
                await _Conversation(self, (reader, writer), (theirs, ours)).run()
            finally:
                ours.transport.abort()
        except (OSError, asyncio.IncompleteReadError):
            pass  # either side is gone
        finally:
            writer.transport.abort()
            self._open.discard(task)

    async def aclose(self) -> None:
        """End every conversation."""
        self.closing.set()
        await asyncio.gather(*self._open, return_exceptions=True)


Side = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class _Conversation:
    def __init__(self, relay: Relay, client: Side, server: Side) -> None:
        self._relay = relay
        self._hears, self._answers = client
        self._learns, self._asks = server
        self._pending: dict[str, _Command] = {}
        self._mailbox = ""

    async def run(self) -> None:
        """Until either side ends, or the sandbox."""
        ways = [asyncio.create_task(way) for way in (self._up(), self._down(), self._closed())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    async def _closed(self) -> None:
        await self._relay.closing.wait()

    # ---- from the client

    async def _up(self) -> None:
        while line := await self._hears.readline():
            if any(command.name in ("AUTHENTICATE", "IDLE") for command in self._pending.values()):
                self._asks.write(line)
            elif not await self._command(line):
                return
            await self._asks.drain()

    async def _command(self, line: bytes) -> bool:
        """Pass a command on, or do to it what a fault wants; whether the conversation goes on."""
        tag, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        words = rest.split(" ", 2)
        name = " ".join(words[:2] if words[0].upper() == "UID" else words[:1]).upper()
        command = _Command(tag, name, "" if name in SECRET else rest)
        fault = self._relay.faults.due()
        if await self._struck_dumb(fault):
            return False
        if fault.refusal is not None:
            await self._read_on(line, None)
            self._answers.write(refusal(tag, fault))
            await self._answers.drain()
            self._note(command, "NO")
            return True
        command.cut_short = fault.malformed
        self._pending[tag] = command
        self._asks.write(line)
        await self._read_on(line, command)
        return True

    async def _read_on(self, line: bytes, command: _Command | None) -> None:
        """The rest of a command that has literals; passed on where `command` is."""
        while found := LITERAL.search(line):
            if command is None and not found[2]:
                return  # the client waits for leave to send it, which it will not get
            await self._asks.drain()
            data = await self._hears.readexactly(int(found[1]))
            line = await self._hears.readline()
            if command is not None:
                self._asks.write(data + line)
                if command.name not in SECRET:
                    command.text += (data + line).decode("utf-8", "replace").rstrip("\r\n")

    async def _struck_dumb(self, fault: Fault) -> bool:
        await asyncio.sleep(fault.delay)
        if fault.hang:
            await self._hears.read()  # until the client has had enough
        return fault.hang or fault.disconnect

    # ---- from the server

    async def _down(self) -> None:
        while line := await self._learns.readline():
            struck = next((each for each in self._pending.values() if each.cut_short), None)
            if struck is not None:
                self._answers.write(line[: len(line) // 2])
                await self._answers.drain()
                return
            self._answers.write(line)
            if counted := LITERAL.search(line):
                self._answers.write(await self._learns.readexactly(int(counted[1])))
            await self._answers.drain()
            self._learn(line)

    def _learn(self, line: bytes) -> None:
        if numbers := NUMBERS.fullmatch(line):
            for command in self._pending.values():
                command.hits = len(numbers[1].split())
        elif tagged := TAGGED.match(line):
            command_ = self._pending.pop(tagged[1].decode("ascii", "replace"), None)
            if command_ is not None:
                self._note(command_, tagged[2].decode("ascii").upper())

    def _note(self, command: _Command, state: str) -> None:
        if command.name in ("EXAMINE", "SELECT") and state == "OK":
            self._mailbox = command.text.partition(" ")[2].strip('"')
        asked = {"command": command.text[:KEPT]} if command.text else {}
        self._relay.record(
            RequestRecord(self._relay.source, command.name, self._mailbox, asked, STATUSES[state], command.hits)
        )


def refusal(tag: str, fault: Fault) -> bytes:
    """The answer that stands for an HTTP status: response codes of RFC 5530, and Exchange's words for throttling."""
    status = fault.refusal or BROKEN
    if status == THROTTLED:
        wait = f"; Suggested Backoff Time: {round((fault.retry_after or 0) * 1000)} milliseconds"
        said = f"NO [LIMIT] Request is throttled{wait if fault.retry_after is not None else ''}"
    elif status == UNAUTHENTICATED:
        said = "NO [AUTHENTICATIONFAILED] Authentication failed"
    elif status == FORBIDDEN:
        said = "NO [NOPERM] Permission denied"
    elif status < BROKEN:
        said = f"BAD A fault of the sandbox: HTTP {status}"
    else:
        said = f"NO [UNAVAILABLE] A fault of the sandbox: HTTP {status}"
    return f"{tag} {said}\r\n".encode()
