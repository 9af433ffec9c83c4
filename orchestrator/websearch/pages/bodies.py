"""Reads bodies that may be endless, and unpacks bodies that may be bombs: never more than the limit is held."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from orchestrator.websearch.errors import PageUnread, Refusal

if TYPE_CHECKING:
    import aiohttp

CHUNK = 1 << 16
ENCODINGS = "gzip, deflate"  # what is asked for
HEADER = 2  # bytes by which gzip and zlib are told from deflate without a header
GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


async def read_body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """The body, unpacked. Raises :class:`PageUnread` as soon as it is known to exceed ``limit`` bytes."""
    told = response.content_length
    if told is not None and told > limit:
        raise _too_large(limit)
    unpacked = Unpacker(response.headers.get("Content-Encoding", ""), limit)
    received = 0
    async for chunk in response.content.iter_chunked(CHUNK):
        received += len(chunk)
        if received > limit:
            raise _too_large(limit)
        unpacked.feed(chunk)
    return unpacked.body()


class Unpacker:
    """Unpacks gzip and deflate piece by piece; what would exceed ``limit`` is never made."""

    def __init__(self, encoding: str, limit: int) -> None:
        wanted = encoding.strip().casefold()
        if wanted not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise PageUnread(Refusal.TYPE, "the page is packed in a way that was not asked for")
        self._packed = wanted not in {"", "identity"}
        self._limit = limit
        self._held = bytearray()
        self._machine = zlib.decompressobj(GZIP_OR_ZLIB)
        self._started = False
        self._first = b""  # of a header that has not come whole

    def feed(self, chunk: bytes) -> None:
        """One more piece."""
        if not self._packed:
            self._keep(chunk)
            return
        chunk, self._first = self._first + chunk, b""
        if not self._started and len(chunk) < HEADER:
            self._first = chunk
            return
        try:
            while chunk:
                chunk = self._unpacked(chunk)
        except zlib.error:
            raise PageUnread(Refusal.UNREACHABLE, "the page is packed wrongly and cannot be unpacked") from None

    def _unpacked(self, chunk: bytes) -> bytes:
        """What is left of ``chunk`` after one step."""
        if self._machine.eof:  # a gzip file may have several members
            self._machine = zlib.decompressobj(GZIP_OR_ZLIB)
        try:
            self._keep(self._machine.decompress(chunk, self._limit + 1 - len(self._held)))
        except zlib.error:
            if self._started:
                raise
            self._machine = zlib.decompressobj(-zlib.MAX_WBITS)  # "deflate" without its header, as some servers send
            self._keep(self._machine.decompress(chunk, self._limit + 1 - len(self._held)))
        self._started = True
        return self._machine.unconsumed_tail or self._machine.unused_data

    def _keep(self, piece: bytes) -> None:
        self._held += piece
        if len(self._held) > self._limit:
            raise _too_large(self._limit)

    def body(self) -> bytes:
        """Everything so far."""
        return bytes(self._held)


def _too_large(limit: int) -> PageUnread:
    return PageUnread(Refusal.SIZE, f"the page is larger than {limit / 1_048_576:g} MiB")
