"""Exemplars: one exchange with a vendor in a JSON file, from the question to the hits or the error."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from connectors.contract import Call, Credential
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from connectors.contract import Connector

PLANTED = "planted-token-5d41402abc4b2a76"  # looked for wherever a secret must not be
DRAWERS = ("exemplary", "supplemental")
CASES = (
    "empty",
    "last page",
    "unauthenticated",
    "forbidden",
    "throttled",
    "server error",
    "malformed",
    "html",
    "redirect",
    "oversized",
    "hostile text",
)  # what the supplemental drawer of every source must hold


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ExpectedRequest(_Strict):
    """A whole request as it is to arrive. ``headers`` are those that matter; ``{token}`` stands for the credential.

    ``{"$file": "documents/search.graphql"}`` in ``body`` stands for the text of a file of the source.
    """

    method: str
    path: str
    query: dict[str, str | tuple[str, ...]] = {}
    headers: dict[str, str] = {}
    body: JsonValue = None


class CannedReply(_Strict):
    """What the vendor answers: ``body`` as JSON, or ``text`` as it stands, or ``filler`` bytes of blanks.

    ``{elsewhere}`` in a header stands for the address of another host, which must never be asked.
    """

    status: int = 200
    headers: dict[str, str] = {}
    body: Any = None  # any JSON at all, broken code points included
    text: str | None = None
    filler: int = 0


class Exchange(_Strict):
    """A request and its reply; ``parts`` instead of a reply where the request is a multipart batch."""

    request: ExpectedRequest
    reply: CannedReply = CannedReply()
    parts: tuple[Exchange, ...] = ()


class Counted(_Strict):
    """Text that a server sends with its length before it, as IMAP does with literals; lines end in CRLF on the wire."""

    literal: str
    charset: str = "utf-8"


class LineExchange(_Strict):
    """A line that is to arrive, whole, and what is answered; nothing to arrive where the server speaks first.

    ``{token}`` stands for the credential, ``{base64:…}`` for its content so encoded, ``{elsewhere}`` in a reply for the
    address of another server, which must never be asked. ``filler``: bytes of blanks after the reply, without an
    end. ``hang_up``: the server closes the connection after it.
    """

    send: str = ""
    reply: tuple[str | Counted, ...] = ()
    filler: int = 0
    hang_up: bool = False


class ProgramReply(_Strict):
    """What a program does: what it prints, ``filler`` bytes of blanks more, and how it ends.

    ``output`` as JSON, or ``text`` as it stands; ``errors`` goes to standard error.
    """

    output: Any = None
    text: str | None = None
    filler: int = 0
    errors: str = ""
    status: int = 0


class ProgramRun(_Strict):
    """One start of a program: its arguments, whole, and of its environment what is named; ``{token}`` as elsewhere."""

    arguments: tuple[str, ...]
    environment: dict[str, str] = {}
    reply: ProgramReply = ProgramReply()


class ExpectedError(_Strict):
    """Which error, by its stable code; ``message`` is a part of what it says."""

    code: str
    message: str = ""
    retry_after: float | None = None
    native: str = ""


class Expectation(_Strict):
    """What is to come of it. Hits are written with the fields that are not empty."""

    hits: tuple[dict[str, JsonValue], ...] = ()
    cursor: str | None = None
    total: int | None = None
    notes: tuple[str, ...] = ()
    left_out: tuple[dict[str, JsonValue], ...] = ()
    remarks: tuple[str, ...] = ()
    asked: bool = True
    error: ExpectedError | None = None
    health: dict[str, JsonValue] | None = None
    directory: dict[str, JsonValue] | None = None


class NativeQuestion(_Strict):
    """The native query."""

    text: str = ""
    args: dict[str, JsonValue] = {}


class Circumstances(_Strict):
    """The call."""

    limit: int = 20
    cursor: str | None = None
    timeout: float = 10.0


class SourceExemplar(_Strict):
    """The file. ``case`` says which of the cases that every source must know it is.

    ``exchanges`` are requests over HTTP, in any order; ``lines`` the conversation with a server that speaks in lines;
    ``runs`` the starts of a program, which the source finds in its setting ``command``.
    """

    about: str
    case: str = ""
    ask: Literal["search", "probe", "directory"] = "search"
    native: NativeQuestion = NativeQuestion()
    call: Circumstances = Circumstances()
    settings: dict[str, JsonValue] = {}
    token: str = PLANTED
    exchanges: tuple[Exchange, ...] = ()
    lines: tuple[LineExchange, ...] = ()
    runs: tuple[ProgramRun, ...] = ()
    expect: Expectation

    @model_validator(mode="after")
    def _has_one_kind_of_exchange(self) -> Self:
        if sum(map(bool, (self.exchanges, self.lines, self.runs))) != 1:
            raise ValueError("an exemplar has either exchanges or lines or runs")
        return self

    @property
    def unsigned(self) -> bool:
        """Whether a request does not say how it is signed. A conversation is signed once, unless it ends before."""
        if self.lines:
            return any(each.send for each in self.lines) and not any("{token}" in each.send for each in self.lines)
        requests = (*(each.request for each in self.exchanges), *self.runs)
        return any("{token}" not in each.model_dump_json() for each in requests)


@dataclass(frozen=True, slots=True, eq=False)
class Filed:
    """An exemplar and where it lies."""

    path: Path
    exemplar: SourceExemplar

    @property
    def drawer(self) -> str:
        """``exemplary`` or ``supplemental``."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        """Short enough to name a test."""
        return f"{self.drawer}/{self.path.stem}"

    def native(self, dialect: str) -> NativeQuery:
        """A fresh native query."""
        question = self.exemplar.native
        args: dict[str, Any] = json.loads(json.dumps(question.args))
        return NativeQuery(dialect, question.text, args)

    def call(self) -> Call:
        """A fresh call, signed with the planted token."""
        call = self.exemplar.call
        return Call(
            credential=Credential(self.exemplar.token), limit=call.limit, cursor=call.cursor, timeout=call.timeout
        )


def folder_of(source: type[Connector]) -> Path:
    """The folder of a source."""
    return Path(inspect.getfile(source)).parent


def filed_exemplars(source: type[Connector]) -> tuple[Filed, ...]:
    """All exemplars of a source, in the order of their names; raises ``ValidationError`` on a bad file."""
    folder = folder_of(source)
    paths = (path for drawer in DRAWERS for path in sorted((folder / "exemplars" / drawer).glob("*.json")))
    return tuple(Filed(path, read_exemplar(path, folder)) for path in paths)


def read_exemplar(path: Path, folder: Path) -> SourceExemplar:
    """An exemplar with the files it refers to."""
    return SourceExemplar.model_validate(_with_files(json.loads(path.read_text("utf-8")), folder))


def _with_files(value: object, folder: Path) -> object:
    if isinstance(value, Mapping):
        if value.keys() == {"$file"}:
            return (folder / str(value["$file"])).read_text("utf-8")
        return {name: _with_files(part, folder) for name, part in value.items()}
    return [_with_files(part, folder) for part in value] if isinstance(value, list) else value
