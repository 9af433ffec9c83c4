"""An httplib2 client that follows no redirects, bounds replies and can be stopped from another thread."""

from __future__ import annotations

import contextlib
import http.client
import socket
import zlib
from typing import Any

import httplib2

from connectors.errors import BadReply
from connectors.http import MAX_REPLY_BYTES
from connectors.transport import oversized
from translators.said import Said

GZIP = 16 + zlib.MAX_WBITS  # https://docs.python.org/3/library/zlib.html#zlib.decompress


class BoundedResponse(http.client.HTTPResponse):
    """Raises :class:`BadReply` for a body that is, or would become when unpacked, larger than is reasonable."""

    def read(self, amt: int | None = None) -> bytes:
        """Some bytes, or the whole body."""
        if amt is not None:
            return super().read(amt)
        body = super().read(MAX_REPLY_BYTES + 1)
        packing = (self.getheader("content-encoding") or "identity").lower()
        if packing not in ("identity", "gzip"):
            raise BadReply(Said("the reply is packed in a way that was not asked for"))
        if len(body) > MAX_REPLY_BYTES or (packing == "gzip" and _unpacked_size(body) > MAX_REPLY_BYTES):
            raise oversized()
        return body


def _unpacked_size(body: bytes) -> int:
    try:
        return len(zlib.decompressobj(GZIP).decompress(body, MAX_REPLY_BYTES + 1))
    except zlib.error:
        raise BadReply(Said("the reply is said to be gzip and is not")) from None


class Stoppable:
    """A connection that asks its owner, before and after connecting, whether anybody still waits for it.

    Both times: a stop that comes while it connects finds no socket that it could shut down.
    """

    response_class = BoundedResponse
    owner: BoundedHttp

    def connect(self) -> None:
        """httplib2 connects anew when a connection breaks; not if it was we who broke it."""
        self._refuse_if_stopped()
        super().connect()  # type: ignore[misc]
        self._refuse_if_stopped()

    def _refuse_if_stopped(self) -> None:
        if self.owner.stopped:
            self.close()  # type: ignore[attr-defined]
            raise ConnectionAbortedError


class StoppableConnection(Stoppable, httplib2.HTTPConnectionWithTimeout):  # type: ignore[misc]
    """A plain connection."""


class SecureConnection(Stoppable, httplib2.HTTPSConnectionWithTimeout):  # type: ignore[misc]
    """The same over TLS."""


class BoundedHttp(httplib2.Http):  # type: ignore[misc]
    """For one thread at a time. ``timeout``: seconds that a single wait on the socket may take."""

    def __init__(self, timeout: float) -> None:
        super().__init__(timeout=timeout, proxy_info=None)
        self.follow_redirects = False
        self.stopped = False
        # httplib2 wants classes and tells them nothing of itself: each client has its own two, which know it.
        self._plain = type("Connection", (StoppableConnection,), {"owner": self})
        self._secure = type("SecureConnection", (SecureConnection,), {"owner": self})

    def renew(self, timeout: float) -> None:
        """Use it for another request, with its own time-out."""
        self.timeout = timeout
        for connection in self.connections.values():
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)

    def request(self, uri: str, *args: Any, **kwargs: Any) -> Any:
        """As httplib2's, over our own connections."""
        if self.stopped:
            raise ConnectionAbortedError
        headers = {**(kwargs.pop("headers", None) or {}), "accept-encoding": "gzip"}
        kwargs["connection_type"] = self._secure if uri.startswith("https://") else self._plain
        return super().request(uri, *args, headers=headers, **kwargs)

    def stop(self) -> None:
        """Break its connections, so that a thread that waits on one goes on at once. Callable from any thread."""
        self.stopped = True
        for connection in tuple(self.connections.values()):
            if connection.sock is not None:
                with contextlib.suppress(OSError):  # it was closed in the meantime
                    connection.sock.shutdown(socket.SHUT_RDWR)
