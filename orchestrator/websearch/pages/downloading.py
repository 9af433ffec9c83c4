"""One page from the network: every redirect followed by hand and judged like the first address; no body larger than the limit, unpacked or not."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urljoin

import aiohttp

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.pages.connecting import CheckedResolver, checked_address, open_session, system_lookup
from orchestrator.websearch.urls import read_address
from translators.records import record

if TYPE_CHECKING:
    from orchestrator.websearch.pages.addresses import AddressPolicy
    from orchestrator.websearch.pages.connecting import Lookup
    from orchestrator.websearch.urls import Address

CHUNK = 1 << 16
ENCODINGS = "gzip, deflate"  # what is asked for
HEADER = 2  # bytes by which gzip and zlib are told from deflate without a header
GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
MOST_REDIRECTS = 5
MOVED = frozenset({301, 302, 303, 307, 308})
FAILED = 400
READABLE = frozenset({"text/html", "application/xhtml+xml", "text/plain", "text/markdown"})
ACCEPTED = "text/html,application/xhtml+xml,text/plain;q=0.8,text/markdown;q=0.8"


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


@record
class DownloadLimits:
    """``seconds`` for one page with all it takes; ``size`` in bytes, packed and unpacked."""

    seconds: float = 10.0
    size: int = 3 * 1_048_576


@record
class Download:
    """What came, from the address where it was in the end. ``kind``: its media type; ``charset`` as the header says."""

    url: str
    status: int
    body: bytes
    kind: str = ""
    charset: str = ""


class Gatekeeper(Protocol):
    """Says whether an address may be asked for, before it is; raises :class:`PageUnread` where not."""

    async def __call__(self, address: Address, /) -> None: ...


class Downloader:
    """Asks public web servers for pages. Made inside a running event loop; closed when done."""

    def __init__(
        self, policy: AddressPolicy, agent: str, limits: DownloadLimits, lookup: Lookup = system_lookup
    ) -> None:
        self._policy = policy
        self._limits = limits
        self._headers = {
            "User-Agent": agent,
            "Accept": ACCEPTED,
            "Accept-Encoding": ENCODINGS,
            "Accept-Language": "ko,en;q=0.8",
        }
        self._lookup = lookup
        self._session: aiohttp.ClientSession | None = None

    async def get(
        self, url: str, gatekeeper: Gatekeeper, *, size: int | None = None, kinds: frozenset[str] | None = READABLE
    ) -> Download:
        """Follow at most five redirects. Raises :class:`PageUnread`; an error that the site answers is a value.

        ``size``: bytes, where they differ from the limits; ``kinds``: media types that are read, ``None`` for any.
        """
        for _ in range(MOST_REDIRECTS + 1):
            address = checked_address(url, self._policy)
            await gatekeeper(address)
            step = await self._exchange(url, self._limits.size if size is None else size, kinds)
            if isinstance(step, Download):
                return step
            url = step
        raise PageUnread(Refusal.REDIRECTS, f"the page redirects more than {MOST_REDIRECTS} times")

    async def location(self, url: str) -> str:
        """Where ``url`` redirects to, without going there; itself where it does not, or to what is no web page."""
        checked_address(url, self._policy)
        step = await self._exchange(url, 0, None, only_location=True)
        return step if isinstance(step, str) and read_address(step) else url

    async def _exchange(
        self, url: str, size: int, kinds: frozenset[str] | None, *, only_location: bool = False
    ) -> Download | str:
        """The page, or the address it redirects to."""
        try:
            async with self._open().get(
                url,
                headers=self._headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=self._limits.seconds),
                max_line_size=1 << 15,
                max_field_size=1 << 15,
            ) as response:
                if response.status in MOVED and (target := response.headers.get("Location")):
                    return urljoin(url, target.strip())
                if only_location:
                    return url
                kind, _, _ = response.headers.get("Content-Type", "").partition(";")
                kind = kind.strip().casefold()
                if response.status < FAILED and kinds is not None and kind not in kinds:
                    raise PageUnread(
                        Refusal.TYPE, f"it is {kind or 'of no stated type'}, and only HTML and plain text are read"
                    )
                body = await read_body(response, size) if response.status < FAILED else b""
                return Download(url, response.status, body, kind, response.charset or "")
        except TimeoutError:
            raise PageUnread(Refusal.TIMEOUT, f"it took longer than {self._limits.seconds:g} seconds") from None
        except (aiohttp.ClientError, OSError, ValueError) as failure:
            raise _unreachable(url, failure) from None

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = open_session(CheckedResolver(self._policy, self._lookup))
        return self._session

    async def aclose(self) -> None:
        """Close all connections; safe to call twice."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()


def _unreachable(url: str, failure: Exception) -> PageUnread:
    address = read_address(url)
    host = address.host if address else "the host"
    return PageUnread(Refusal.UNREACHABLE, f"cannot reach {host} ({type(failure).__name__}); is the address right?")
