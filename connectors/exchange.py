"""One HTTP exchange as values: what is sent, what came back, what its status and headers mean; and who carries it."""

from __future__ import annotations

import email.utils
import json
import socket
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from pydantic_core import from_json

from connectors.errors import (
    BadReply,
    Forbidden,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.text import plain_line, sendable
from translators.records import record
from translators.said import Said, joined

if TYPE_CHECKING:
    from connectors.contract import Call
    from translators.translator import Json

MAX_REPLY_BYTES = 8 * 1024 * 1024
EMPTY: Mapping[str, str] = MappingProxyType({})

HTML_PAGE = Said("an HTML page")
NO_JSON = Said("something that is not JSON")
ANSWERED = Said("{title} answered HTTP {status}")

UNSPECIFIED = Said("no reason given")
UNTRUSTED = Said(
    "the certificate of {host} is not trusted ({why}); name the file of the authority that issued it in SSL_CERT_FILE, "
    "or correct the address"
)
NO_TLS = Said(
    "{host} does not speak TLS here as it should; does the address begin as it must (http:// or https://), and is its port right?"
)

Params = Mapping[str, str | tuple[str, ...]]
NO_PARAMS: Params = MappingProxyType({})

REDIRECTED, REFUSED, BROKEN = 300, 400, 500  # where each class of status begins


@record
class Page:
    """Which part of the hits is wanted: at most ``limit``, from where ``cursor`` (``None``: the start) points."""

    limit: int
    cursor: str | None = None


@record
class HttpRequest:
    """A whole request but for host and credential. ``path`` is relative to the source's base URL.

    A parameter with several values is sent once for each. ``bucket``: which of the vendor's allowances it counts
    against, where the vendor counts some requests apart (the manifest's limits have its rate).
    """

    method: str
    path: str
    params: Params = field(default_factory=lambda: NO_PARAMS)
    json: Json = None
    headers: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    bucket: str = ""


@record
class Reply:
    """A whole reply; header names are in lower case, ``data`` is the parsed JSON body (``None`` if there is none)."""

    status: int
    data: object = None
    headers: Mapping[str, str] = field(default_factory=lambda: EMPTY)

    @property
    def ok(self) -> bool:
        """Whether the status is that of a success."""
        return self.status < REDIRECTED

    @property
    def members(self) -> Mapping[str, Any]:
        """Of a body that is an object; none of any other."""
        return self.data if isinstance(self.data, Mapping) else {}


class Transport(Protocol):
    """Carries requests to one vendor: aiohttp, or the vendor's own client behind the same two methods."""

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One exchange. HTTP errors are replies; only a reply that never came raises (:class:`Unavailable`)."""
        ...

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """Several exchanges at once, in the order given; one that fails is a value and does not hurt the others."""
        ...

    async def aclose(self) -> None:
        """Release connections and threads; safe to call twice."""
        ...


def reply_from_text(status: int, body: bytes | str, headers: Mapping[str, str]) -> Reply:
    """Parse a body as JSON. A success that is no JSON is a :class:`BadReply`: often a login page or a proxy's."""
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        return Reply(status, _parsed(body) if body.strip() else None, lower)
    except (ValueError, RecursionError):
        if status >= REDIRECTED:
            return Reply(status, None, lower)
        markup = body.lstrip()[:1] in (b"<", "<")
        kind = HTML_PAGE if markup else NO_JSON
        raise BadReply(
            Said("the reply is {kind} where JSON was due; is base_url the address of its API?").filled(kind=kind)
        ) from None


def _parsed(body: bytes | str) -> object:
    """JSON, by the quicker parser where it can: it knows no halves of surrogate pairs and other than UTF-8.

    ``NaN`` and ``Infinity``, which Python writes where a number is none and JSON has not, are nothing.
    """
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        return json.loads(body, parse_constant=lambda _: None)


def plain_json(value: Json) -> object:
    """``value`` in what every JSON encoder knows: dicts and lists, and strings that UTF-8 can say."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, Mapping):
        return {name: plain_json(part) for name, part in value.items()}
    return [plain_json(part) for part in value] if isinstance(value, list | tuple) else value


def plain_params(params: Params) -> dict[str, str | list[str]]:
    """``params`` in what every client knows."""
    return {
        name: sendable(value) if isinstance(value, str) else [sendable(each) for each in value]
        for name, value in params.items()
    }


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds from a Retry-After header, in either of its forms (RFC 9110, 10.2.3); ``None`` if absent or senseless."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value)) if float(value) < float("inf") else None
    except ValueError:
        moment = _http_date(value)
    return None if moment is None else max(0.0, (moment - (now or reply_time(headers))).total_seconds())


def reply_time(headers: Mapping[str, str]) -> datetime:
    """When a reply was made by the clock of who made it (its Date header), so that clocks need not agree; else now."""
    return _http_date(headers.get("date", "")) or datetime.now(UTC)


def _http_date(value: str) -> datetime | None:
    try:
        moment = email.utils.parsedate_to_datetime(value)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def answered(title: str, status: int, why: str = "") -> Said:
    """That ``title`` answered with an HTTP status, and what it says of it."""
    told = ANSWERED.filled(title=title, status=status)
    return joined(": ", (told, why)) if why else told


def error_for(reply: Reply, message: str) -> SourceError | None:  # noqa: PLR0911 — one line a class of status
    """The error that an HTTP status stands for, ``None`` for a success. The only such mapping in the project."""
    if reply.ok:
        return None
    match reply.status:
        case 401:
            return Unauthenticated(message)
        case 402 | 403:
            return Forbidden(message)
        case 429:
            return Throttled(message, retry_after(reply.headers))
        case 408 | 425:
            return Unavailable(message)
        case status if status < REFUSED:
            return BadReply(
                Said("{message}: it redirects elsewhere, which is not followed; is base_url right?").filled(
                    message=message
                )
            )
        case status if status < BROKEN:
            return Rejected(message)
        case _:
            return Unavailable(message)


# What clients say each by a class of their own, by what their system said to them.
UNREACHED: Sequence[tuple[type[Exception], Said]] = (
    (socket.gaierror, Said("its name cannot be resolved")),
    (ConnectionRefusedError, Said("nothing listens there")),
    (ConnectionError, Said("it broke the connection off")),
    (TimeoutError, Said("it did not answer in time")),
)


class AuthorizationHeaders(Protocol):
    """Turns a secret into the headers that carry it."""

    def __call__(self, secret: str, /) -> Mapping[str, str]: ...


def _wrapped(failure: BaseException) -> list[BaseException]:
    """A failure and all that led to it: clients wrap what TLS says, each in its way and some in several layers."""
    found: list[BaseException] = []
    ahead: list[object] = [failure]
    while ahead:
        each = ahead.pop()
        if isinstance(each, BaseException) and each not in found:
            found.append(each)
            ahead += [each.__context__, each.__cause__, getattr(each, "certificate_error", None)]
    return found


def _distrust(failures: Sequence[BaseException]) -> str | None:
    """Why a server's certificate is not trusted, where that is what failed."""
    found = [each for each in failures if isinstance(each, ssl.SSLCertVerificationError)]
    said = (plain_line(str(getattr(each, "verify_message", ""))) for each in found)
    return next(filter(None, said), UNSPECIFIED) if found else None


def describe_failure(failure: BaseException, base_url: str) -> Said:
    """A connection failure in words, without URLs that might carry a secret."""
    host = base_url.split("://", 1)[-1]
    for end in "/?#":
        host = host.partition(end)[0]
    host = host.rsplit("@", 1)[-1]
    failures = _wrapped(failure)
    if (why := _distrust(failures)) is not None:
        return UNTRUSTED.filled(host=host, why=why)
    if any(isinstance(each, ssl.SSLError) for each in failures):
        return NO_TLS.filled(host=host)
    told = (why for each in failures for kind, why in UNREACHED if isinstance(each, kind))
    return Said("cannot reach {host} ({failure}); is the address right and the service running?").filled(
        host=host, failure=next(told, type(failure).__name__)
    )
