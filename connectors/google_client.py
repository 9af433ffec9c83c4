"""Google's own client: requests of ours as its requests, one by one or in a batch; runs in threads, imported late.

The httplib2 client under it follows no redirects, bounds replies and can be stopped from another thread.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import google_auth_httplib2
import httplib2
from google.auth.exceptions import RefreshError
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build_from_document
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.errors import BatchError, HttpError
from googleapiclient.http import BatchHttpRequest

from connectors.errors import BadReply, Rejected, SourceError, Unauthenticated
from connectors.exchange import REDIRECTED, HttpRequest, Reply, plain_json, plain_params, reply_from_text
from connectors.google_api import accepts_text
from connectors.http import MAX_REPLY_BYTES
from connectors.transport import oversized
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from connectors.google_api import GoogleApi

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


UNIVERSE = "googleapis.com"
PLACE = re.compile(r"\{(\+?)(\w+)\}")  # in a path: {name} is one segment, {+name} several

# What Google's parser of batch replies lets through when the reply is not of the documented shape.
MALFORMED = (BatchError, KeyError, ValueError, TypeError, AttributeError, IndexError)


class Route(NamedTuple):
    """A method of the API: how it is asked over HTTP, and its name, such as ``gmail.users.messages.list``."""

    verb: str
    path: re.Pattern[str]
    name: str


class OfficialClient:
    """One API at some address. Holds no connection and no credential, so threads may share it."""

    def __init__(self, api: GoogleApi, base_url: str) -> None:
        document = json.loads(get_static_doc(api.name, api.version))
        root = base_url.rstrip("/")
        options = {"api_endpoint": f"{root}/{document['servicePath']}", "universe_domain": UNIVERSE}
        self._title = api.title
        self._batch_uri = f"{root}/{document['batchPath']}"
        self._routes = tuple(_routes(document, document["servicePath"]))
        self._service = build_from_document(document, http=httplib2.Http(), client_options=options)

    def send(self, request: HttpRequest, http: BoundedHttp, token: str) -> Reply:
        """One exchange; HTTP errors are replies."""
        read = text_reply_of if accepts_text(request) else reply_of
        try:
            reply: Reply = self._official(request, read).execute(http=_authorized(http, token))
        except HttpError as failure:
            return reply_of(failure.resp, failure.content)
        return reply

    def send_batch(self, requests: Sequence[HttpRequest], http: BoundedHttp, token: str) -> list[Reply | SourceError]:
        """All in one exchange, in the order given; a part that failed is a value."""
        outcomes: dict[str, Reply | SourceError] = {}

        def collect(number: str, outcome: Reply | SourceError | None, failure: HttpError | None) -> None:
            if failure is not None:
                outcome = _outcome_of(failure.resp, failure.content)
            outcomes[number] = outcome or BadReply(
                Said("{title} left a part of a batch without an answer").filled(title=self._title)
            )

        batch = BatchHttpRequest(callback=collect, batch_uri=self._batch_uri)
        for number, request in enumerate(requests):
            batch.add(self._official(request, _outcome_of), request_id=str(number))
        try:
            batch.execute(http=_authorized(http, token))
        except MALFORMED:
            problem = BadReply(
                Said("{title} answered a batch in a shape that is not the documented one").filled(title=self._title)
            )
            return [problem] * len(requests)
        except HttpError as failure:
            return [_outcome_of(failure.resp, failure.content)] * len(requests)
        except RefreshError:
            return [
                Unauthenticated(Said("{title} no longer accepts the access token").filled(title=self._title))
            ] * len(requests)
        return [outcomes[str(number)] for number in range(len(requests))]

    def _official(self, request: HttpRequest, read: Callable[[Any, bytes], object]) -> Any:
        """Our request as Google's client builds it, which checks every parameter against the discovery document."""
        for route in self._routes:
            if request.method == route.verb and (found := route.path.fullmatch(request.path)):
                break
        else:
            raise Rejected(
                Said("Google's client knows no {method} {path}").filled(method=request.method, path=request.path)
            )
        resource = self._service
        _, *resources, method = route.name.split(".")
        for name in resources:
            resource = getattr(resource, name)()
        body = {} if request.json is None else {"body": plain_json(request.json)}
        official = getattr(resource, method)(**found.groupdict(), **plain_params(request.params), **body)
        official.headers.update(request.headers)
        official.postproc = read
        return official


def _routes(resource: Mapping[str, Any], root: str) -> Iterator[Route]:
    """Every method in a discovery document, those of inner resources too."""
    for method in resource.get("methods", {}).values():
        yield Route(method["httpMethod"], _path(f"{root}{method['path']}", method.get("parameters", {})), method["id"])
    for inner in resource.get("resources", {}).values():
        yield from _routes(inner, root)


def _path(template: str, parameters: Mapping[str, Any]) -> re.Pattern[str]:
    def place(found: re.Match[str]) -> str:
        several, name = found.groups()
        pattern = parameters[name]["pattern"].removeprefix("^").removesuffix("$") if several else "[^/]+"
        return f"(?P<{name}>{pattern})"

    return re.compile(PLACE.sub(place, template))


def reply_of(response: Mapping[str, str], content: bytes | str) -> Reply:
    """httplib2's response (a mapping of headers and the status) as ours. Raises :class:`BadReply`."""
    return reply_from_text(int(response["status"]), content, response)


def text_reply_of(response: Mapping[str, str], content: bytes) -> Reply:
    """The same where text was asked for; a success that is no text (a login page, say) is a :class:`BadReply`."""
    kind = response.get("content-type", "").partition(";")[0].strip().lower()
    if int(response["status"]) >= REDIRECTED or kind not in ("text/plain", "text/csv"):
        return reply_of(response, content)
    return Reply(int(response["status"]), content.decode("utf-8-sig", "replace"), dict(response))


def _outcome_of(response: Mapping[str, str], content: bytes | str) -> Reply | SourceError:
    """The same as a value: one part of a batch must not hurt the others."""
    try:
        return reply_of(response, content)
    except BadReply as failure:
        return failure


def _authorized(http: BoundedHttp, token: str) -> google_auth_httplib2.AuthorizedHttp:
    """An access token alone cannot be refreshed, so a 401 is the answer and not a reason to try."""
    credentials = Credentials(token=token)  # type: ignore[no-untyped-call]
    return google_auth_httplib2.AuthorizedHttp(credentials, http=http, refresh_status_codes=())
