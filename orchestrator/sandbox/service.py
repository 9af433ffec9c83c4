"""One emulator behind a socket, or one that is a program of its own: it reads requests, is struck by faults, and records what was asked."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from aiohttp import web

from orchestrator.sandbox.faults import Fault, FaultSchedule
from orchestrator.sandbox.wire import Emulator, WireReply, WireRequest

MAX_LINE = 256 * 1024
"""Bytes of a request line: a 10 kB Korean query is some 30 kB once percent-encoded."""


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request as it was understood: `query` holds the decoded native query and its options, never a token."""

    source: str
    method: str
    path: str
    query: Mapping[str, Any]
    status: int
    hits: int


class Service:
    """Serves one emulator until `closing` is set; the emulator's CPU work runs in `pool`."""

    def __init__(
        self, emulator: Emulator, pool: Executor, closing: asyncio.Event, record: Callable[[RequestRecord], None]
    ) -> None:
        self._emulator = emulator
        self._pool = pool
        self._closing = closing
        self._record = record
        self._faults = FaultSchedule()

    def server(self) -> web.Server:
        """The aiohttp server to run; a client that goes away takes its request with it."""
        return web.Server(
            self._handle, handler_cancellation=True, access_log=None, max_line_size=MAX_LINE, max_field_size=MAX_LINE
        )

    def strike(self, fault: Fault | None) -> None:
        """Misbehave like this from the next request on, or no longer."""
        self._faults = FaultSchedule(fault)

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return self._sent(request, self._emulator.too_large())
        fault = self._faults.due()
        if await self._struck_dumb(request, fault):
            return web.Response(status=503)  # the sandbox ends or the connection is gone: nobody reads this
        if fault.refusal is not None:
            return self._sent(request, self._emulator.refuse(fault))
        reply = await self._answer(request, body)
        return self._sent(request, _cut_short(reply) if fault.malformed else reply)

    async def _struck_dumb(self, request: web.BaseRequest, fault: Fault) -> bool:
        if fault.delay and await self._ends_within(fault.delay):
            return True
        if fault.hang:
            return await self._ends_within(None)
        if fault.disconnect and request.transport is not None:
            request.transport.abort()
        return fault.disconnect

    async def _ends_within(self, seconds: float | None) -> bool:
        try:
            await asyncio.wait_for(self._closing.wait(), seconds)
        except TimeoutError:
            return False
        return True

    async def _answer(self, request: web.BaseRequest, body: bytes) -> WireReply:
        wire = WireRequest(
            method=request.method,
            path=request.path,
            query_string=request.rel_url.raw_query_string,
            headers={name.lower(): value for name, value in request.headers.items()},
            body=body,
            part_fault=self._faults.of_parts,
        )
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._emulator.answer, wire)

    def _sent(self, request: web.BaseRequest, reply: WireReply) -> web.Response:
        source = self._emulator.source
        self._record(RequestRecord(source, request.method, request.path, reply.asked, reply.status, reply.hits))
        response = web.Response(status=reply.status, body=reply.body, headers=dict(reply.headers))
        if reply.status == web.HTTPRequestEntityTooLarge.status_code:
            response.force_close()  # the rest of the body was never read
        return response


def _cut_short(reply: WireReply) -> WireReply:
    """The first half of a good answer: broken JSON, or a batch without its end."""
    return replace(reply, body=reply.body[: len(reply.body) // 2])


class NotServed(Exception):
    """An emulator that cannot be had on this machine; the message says why and what would help."""


@runtime_checkable
class Program(Protocol):
    """A server that is started over a corpus and stopped again; its making raises `NotServed`."""

    source: str
    tokens: Sequence[str]
    """Every accepted token; the first is the one to use."""

    def serve(self, port: int, record: Callable[[RequestRecord], None]) -> AbstractAsyncContextManager[str]:
        """Listen on a port (0: any) for as long as the context lasts; its address is what the client takes.

        `record` is told of each command that was answered. Raises `OSError` for a taken port.
        """
        ...

    def strike(self, fault: Fault | None) -> None:
        """Misbehave like this from the next command on, or no longer."""
        ...

    def origins(self) -> Mapping[str, str]:
        """The corpus id behind each name under which items are served."""
        ...
