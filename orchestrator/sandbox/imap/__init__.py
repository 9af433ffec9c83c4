"""A real IMAP server over the mail of a corpus: Dovecot, behind a relay that notes what is asked and misbehaves on wish."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from urllib.parse import quote

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.imap import dovecot
from orchestrator.sandbox.imap.dovecot import in_order, letter, message_id
from orchestrator.sandbox.imap.relay import LONGEST_LINE, Relay
from orchestrator.sandbox.service import NotServed, RequestRecord
from orchestrator.sandbox.wire import Situation

HOST = "127.0.0.1"
PLAIN = re.compile(r"[\w-]+", re.ASCII)
TOKEN = "imap-sandbox"  # noqa: S105 — it opens nothing but this
__all__ = ["EMULATOR", "ImapEmulator"]


class ImapEmulator:
    """A server that is a program of its own. Raises `NotServed` where it is not installed."""

    source = "imap"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        if reason := dovecot.missing():
            raise NotServed(reason)
        if token and not PLAIN.fullmatch(token):
            raise ValueError("the password of the IMAP server may hold letters, digits, - and _")
        self.tokens: Sequence[str] = (token or TOKEN,)
        rows = situation.corpus.of(self.source)
        self._owner = situation.owner
        self._letters = in_order(letter(row, situation.corpus.people, situation.owner) for row in rows)
        self._origins = {message_id(row.id): row.id for row in rows}
        self._relay: Relay | None = None
        self._fault: Fault | None = None

    def origins(self) -> Mapping[str, str]:
        """By Message-ID."""
        return self._origins

    def strike(self, fault: Fault | None) -> None:
        """Misbehave like this from the next command on, or no longer."""
        self._fault = fault
        if self._relay is not None:
            self._relay.strike(fault)

    @asynccontextmanager
    async def serve(self, port: int, record: Callable[[RequestRecord], None]) -> AsyncIterator[str]:
        """The address of the account for as long as the context lasts."""
        async with dovecot.running(self._letters, self.tokens[0]) as inner:
            self._relay = relay = Relay(self.source, inner, record)
            relay.strike(self._fault)
            server = await asyncio.start_server(relay.serve, HOST, port, limit=LONGEST_LINE)
            try:
                taken = server.sockets[0].getsockname()[1]
                yield f"imap://{quote(self._owner.email, safe='')}@{HOST}:{taken}"
            finally:
                server.close()
                await relay.aclose()
                await server.wait_closed()
                self._relay = None


EMULATOR = ImapEmulator
