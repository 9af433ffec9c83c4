"""What passes between the sockets and an emulator: plain requests and replies, so that emulators do no I/O."""

import json
from base64 import b64decode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

from orchestrator.sandbox.corpus import Corpus, Person
from orchestrator.sandbox.faults import Fault

_NOTHING: Mapping[str, Any] = MappingProxyType({})
MAX_DIGITS = 20
_JSON = "application/json; charset=utf-8"


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One HTTP request, its body read in full. Header names are in lower case; the path is decoded."""

    method: str
    path: str
    query_string: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    part_fault: Fault | None = None
    """What strikes the parts inside this request, if it is a batch."""

    def query(self) -> list[tuple[str, str]]:
        """The query parameters in order, blank ones included."""
        return parse_qsl(self.query_string, keep_blank_values=True)

    @property
    def bearer(self) -> str | None:
        """The credential of `Authorization: Bearer …`, if there is one."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.casefold() == "bearer" else None

    @property
    def basic(self) -> str | None:
        """`name:secret` of HTTP Basic: empty where it is not encoded rightly, nothing for another scheme."""
        return basic_of(self.headers.get("authorization", ""))


@dataclass(frozen=True, slots=True)
class WireReply:
    """One HTTP reply, with what the emulator understood of the request for the record."""

    status: int
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, Any] = field(default_factory=dict)
    hits: int = 0


class Emulator(Protocol):
    """One vendor's API over one part of a corpus. Pure: same request, corpus and time, same reply."""

    source: str
    base_path: str
    """What follows `http://host:port` in the base URL that the vendor's client takes."""
    tokens: Sequence[str]
    """Every accepted token; the first is the one to use."""

    def answer(self, request: WireRequest) -> WireReply:
        """The vendor's reply. Never raises for anything a client can send."""
        ...

    def refuse(self, fault: Fault) -> WireReply:
        """The vendor's reply for the status or throttling of a fault."""
        ...

    def too_large(self) -> WireReply:
        """The vendor's reply to a body over the limit."""
        ...

    def origins(self) -> Mapping[str, str]:
        """The corpus id behind each name (native id, key, URL) under which items are served."""
        ...


def json_reply(
    status: int,
    value: object,
    *,
    headers: Mapping[str, str] = _NOTHING,
    asked: Mapping[str, Any] = _NOTHING,
    hits: int = 0,
) -> WireReply:
    """A reply whose body is JSON in UTF-8."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return WireReply(status, body, {"Content-Type": _JSON, **headers}, asked, hits)


def whole_number(text: str, least: int, most: int) -> int | None:
    """The ASCII digits of a parameter as a number, nothing if they are not one between the bounds."""
    short = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    return int(text) if short and least <= int(text) <= most else None


def basic_of(authorization: str) -> str | None:
    """What :attr:`WireRequest.basic` is, of the header itself."""
    scheme, _, sent = authorization.strip().partition(" ")
    if scheme.casefold() != "basic":
        return None
    try:
        return b64decode(sent.strip(), validate=True).decode()
    except ValueError:  # of either decoding
        return ""


def cursor(place: int, *scope: object) -> str:
    """An opaque cursor to the rest of the one list that `scope` identifies."""
    return urlsafe_b64encode(f"next:{place}:{_mark(scope)}".encode()).decode()


def place_of(text: str, *scope: object) -> int | None:
    """Where a cursor points to, nothing if it is not one of this list."""
    try:
        word, number, mark = urlsafe_b64decode(text.encode()).decode().split(":")
    except ValueError:  # of either decoding
        return None
    return whole_number(number, 0, 10**9) if word == "next" and mark == _mark(scope) else None


def _mark(scope: tuple[object, ...]) -> str:
    return sha256("\0".join(map(str, scope)).encode("utf-8", "replace")).hexdigest()[:12]


def retry_header(fault: Fault) -> Mapping[str, str]:
    """`Retry-After` in whole seconds, where the fault asks for it (RFC 9110, 10.2.3)."""
    return {} if fault.retry_after is None else {"Retry-After": str(max(0, round(fault.retry_after)))}


@dataclass(frozen=True, slots=True)
class Situation:
    """What every emulator stands on: the corpus, whose tokens these are, the time and the owner's time zone."""

    corpus: Corpus
    owner: Person
    clock: Callable[[], datetime]
    zone: ZoneInfo

    @property
    def everyone(self) -> Sequence[Person]:
        """The people of the corpus, and the owner beside them who is none of these."""
        people = self.corpus.people
        return [*people, *([] if people.find(self.owner.id) else [self.owner])]
