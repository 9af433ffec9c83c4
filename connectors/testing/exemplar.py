"""Exemplars: one exchange with a vendor in a JSON file, from the question to the hits or the error.

And the same with one thing gone wrong, of which no source may make that there is nothing.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

from connectors.contract import Call, Credential
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from connectors.contract import Connector, HitPage

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


HUNG_UP = {"reply": (), "filler": 0, "hang_up": True}


def spoiled(exemplar: SourceExemplar) -> Iterator[tuple[str, SourceExemplar]]:
    """What was done to it, and the exemplar: each reply failing by itself; then none of the things in any to be read."""
    if exemplar.ask != "search" or exemplar.expect.error is not None:
        return
    for place, exchange in enumerate(exemplar.exchanges):
        failing = exchange.reply.model_copy(
            update={"status": HTTPStatus.INTERNAL_SERVER_ERROR, "body": None, "text": "", "filler": 0}
        )
        worse = exchange.model_copy(update={"reply": failing, "parts": exchange.parts})
        yield f"reply {place + 1} failed", _with(exemplar, "exchanges", place, worse)
    for place, line in enumerate(exemplar.lines[:-1]):  # the last one takes leave
        yield f"line {place + 1} broke off", _with(exemplar, "lines", place, line.model_copy(update=HUNG_UP))
    for place, run in enumerate(exemplar.runs):
        failed = run.reply.model_copy(update={"output": None, "text": "", "filler": 0, "status": 1})
        worse_run = run.model_copy(update={"reply": failed})
        yield f"start {place + 1} failed", _with(exemplar, "runs", place, worse_run)
    if exemplar.exchanges and exemplar.expect.hits:
        for empty in (_emptied, _emptied_inside):
            unread = tuple(_unreadable(each, empty) for each in exemplar.exchanges)
            yield "no thing in any reply could be read", exemplar.model_copy(update={"exchanges": unread})


def claims_nothing(page: HitPage) -> bool:
    """Whether a page says that there is nothing."""
    return page.asked and not (page.hits or page.notes or page.left_out or page.cursor)


def _with(exemplar: SourceExemplar, name: str, place: int, worse: object) -> SourceExemplar:
    parts = list(getattr(exemplar, name))
    parts[place] = worse
    return exemplar.model_copy(update={name: tuple(parts)})


def _unreadable(exchange: Exchange, empty: Callable[[Any], Any]) -> Exchange:
    reply = exchange.reply.model_copy(update={"body": empty(exchange.reply.body)})
    return exchange.model_copy(
        update={"reply": reply, "parts": tuple(_unreadable(each, empty) for each in exchange.parts)}
    )


def _emptied(body: Any) -> Any:
    """The same with nothing in the things that it lists."""
    if isinstance(body, dict):
        return {name: _emptied(value) for name, value in body.items()}
    if isinstance(body, list):
        return [{} if isinstance(each, dict) else each for each in body]
    return body


def _emptied_inside(body: Any) -> Any:
    """The same where things lie in lists of lists: nothing in the innermost."""
    if isinstance(body, dict):
        return {name: _emptied_inside(value) for name, value in body.items()}
    if isinstance(body, list):
        return [(_emptied_inside(each) if _lists(each) else {}) if isinstance(each, dict) else each for each in body]
    return body


def _lists(thing: Any) -> bool:
    """Whether there are things listed in it."""
    if isinstance(thing, dict):
        return any(map(_lists, thing.values()))
    return isinstance(thing, list) and any(isinstance(each, dict) for each in thing)
