"""One's own search over HTTP: the plain JSON API that `connectors/json_api/README.md` describes, over any rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from orchestrator.sandbox.corpus import Directory, Row
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.index import TextIndex, words
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, json_reply, retry_header, whole_number

PART = re.compile(r'\s*(-?)(?:"([^"]*)"|([^\s"]+))(?=\s|$)')
WORD = re.compile(r"\w[\w.-]*\*?")
TOKEN = "json-sandbox"  # noqa: S105 - obviously fake, and it opens nothing but this emulator
PARAMETERS = frozenset({"q", "limit", "offset", "since", "until", "author", "in", "sort"})
SORTS = ("relevance", "newest", "oldest")
MOST, FURTHEST, USUAL = 100, 10_000, 20
WRITTEN_ONCE = frozenset({"message", "thread", "mail", "event"})
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class BadQuery(ValueError):
    """A query that is not in the language; the message quotes the place."""


@dataclass(frozen=True, slots=True)
class Part:
    """A word, the beginning of one, or a phrase; wanted or not."""

    text: str
    phrase: bool = False
    beginning: bool = False
    wanted: bool = True


def parse(text: str) -> list[Part]:
    """The parts of a query. Raises :class:`BadQuery`."""
    parts: list[Part] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        found = PART.match(text, at)
        if found is None:
            raise BadQuery(f"q: cannot read {text[at:].lstrip()[:40]!r}; is a quote missing?")
        parts.append(_part(found[2], found[3], wanted=not found[1]))
        at = found.end()
    return parts


def _part(phrase: str | None, bare: str | None, *, wanted: bool) -> Part:
    if phrase is not None:
        if not words(phrase):
            raise BadQuery(f'q: "{phrase[:40]}" holds no word')
        return Part(phrase, phrase=True, wanted=wanted)
    if bare is None or not WORD.fullmatch(bare):
        raise BadQuery(f"q: {(bare or '')[:40]!r} is no word; put it in quotes")
    return Part(bare.removesuffix("*"), beginning=bare.endswith("*"), wanted=wanted)


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Wish:
    """A request whose every parameter is good."""

    parts: Sequence[Part]
    limit: int
    offset: int
    since: datetime | None
    until: datetime | None
    author: str
    container: str
    sort: str


class JsonApiEmulator:
    """The plain search over its rows."""

    source = "json_api"
    base_path = "/api"

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or TOKEN,)
        self._rows = situation.corpus.of(self.source)
        self._people = situation.corpus.people
        self._index = TextIndex((row.title, row.text) for row in self._rows)

    def answer(self, request: WireRequest) -> WireReply:
        """Results, or `{"error": {"message": …}}` with the status that fits."""
        asked: Mapping[str, Any] = dict(request.query())
        try:
            self._admit(request)
            found, wish = self._found(request.query())
        except _Refused as refusal:
            return _error(refusal.status, str(refusal), asked=asked)
        page = [self._item(row, score) for row, score in found[wish.offset : wish.offset + wish.limit]]
        return json_reply(200, {"items": page, "total": len(found)}, asked=asked, hits=len(found))

    def refuse(self, fault: Fault) -> WireReply:
        """An error of the status of the fault."""
        status = fault.refusal or 500
        message = "too many requests" if status == HTTPStatus.TOO_MANY_REQUESTS else f"a fault of the sandbox: {status}"
        return _error(status, message, headers=retry_header(fault))

    def too_large(self) -> WireReply:
        return _error(413, "the request is too large")

    def origins(self) -> Mapping[str, str]:
        """By id, which is the corpus's own, and by URL."""
        return {row.id: row.id for row in self._rows} | {row.url: row.id for row in self._rows if row.url}

    def _admit(self, request: WireRequest) -> None:
        if request.path.rstrip("/") != f"{self.base_path}/search":
            raise _Refused(404, f"there is nothing at {request.path}")
        if request.method != "GET":
            raise _Refused(405, "a search is a GET")
        if request.bearer not in self.tokens:
            raise _Refused(401, "a token is needed")

    def _found(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[tuple[Row, float]], _Wish]:
        wish = _read(pairs)
        scores = self._matching(wish.parts)
        kept = [(self._rows[number], score) for number, score in scores.items() if self._fits(self._rows[number], wish)]
        if wish.sort == "relevance":
            kept.sort(key=lambda pair: -pair[1])
        else:
            kept.sort(key=lambda pair: _happened(pair[0]) or LONG_AGO, reverse=wish.sort == "newest")
        return kept, wish

    def _matching(self, parts: Sequence[Part]) -> Mapping[int, float]:
        """The numbers of rows that hold all that is wanted and nothing else that is named, each with its score."""
        numbers = set(range(len(self._rows)))
        matches = []
        for part in parts:
            index = self._index
            found = index.find_phrase(part.text) if part.phrase else index.find(part.text, _matching_of(part))
            if part.wanted:
                matches.append(found)
                numbers &= found.keys()
            else:
                numbers -= found.keys()
        return self._index.score(matches, sorted(numbers))

    def _fits(self, row: Row, wish: _Wish) -> bool:
        when = _happened(row)
        return (
            (wish.since is None or (when is not None and when >= wish.since))
            and (wish.until is None or (when is not None and when < wish.until))
            and (not wish.author or wish.author in _names(row, self._people))
            and (not wish.container or wish.container == row.container.casefold())
        )

    def _item(self, row: Row, score: float) -> dict[str, Any]:
        author = self._people.find(row.author)
        item: dict[str, Any] = {
            "id": row.id,
            "kind": row.kind,
            "title": row.title,
            "text": row.text,
            "url": row.url,
            "container": row.container,
            "created": row.created and row.created.isoformat(),
            "updated": row.updated and row.updated.isoformat(),
            "score": round(score, 4),
        }
        if author is not None:
            item["author"] = {"id": author.id, "name": author.name, "email": author.email}
        return item


def _matching_of(part: Part) -> Any:
    return "prefix" if part.beginning else "beginning"


def _happened(row: Row) -> datetime | None:
    """A message is written once; anything else was last changed some day."""
    return row.created if row.kind in WRITTEN_ONCE else row.updated or row.created


def _names(row: Row, people: Directory) -> frozenset[str]:
    author = people.find(row.author)
    names = (author.id, author.name, author.handle, author.email) if author else ()
    return frozenset(name.casefold() for name in names)


def _read(pairs: Sequence[tuple[str, str]]) -> _Wish:
    given = dict(pairs)
    if unknown := sorted(given.keys() - PARAMETERS):
        raise _Refused(400, f"there is no parameter {unknown[0]}; there are {', '.join(sorted(PARAMETERS))}")
    if len(given) < len(pairs):
        raise _Refused(400, "a parameter is given twice")
    limit = whole_number(given.get("limit", str(USUAL)), 1, MOST)
    offset = whole_number(given.get("offset", "0"), 0, FURTHEST)
    if limit is None or offset is None:
        raise _Refused(400, f"limit is 1 to {MOST}, offset 0 to {FURTHEST}")
    sort = given.get("sort", SORTS[0])
    if sort not in SORTS:
        raise _Refused(400, f"sort is one of {', '.join(SORTS)}")
    try:
        parts = parse(given.get("q", ""))
    except BadQuery as error:
        raise _Refused(400, str(error)) from None
    bounds = _instant(given, "since"), _instant(given, "until")
    return _Wish(
        parts, limit, offset, *bounds, given.get("author", "").casefold(), given.get("in", "").casefold(), sort
    )


def _instant(given: Mapping[str, str], name: str) -> datetime | None:
    """An instant with its offset from UTC, since a day begins when its zone says."""
    text = given.get(name)
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = datetime.min  # noqa: DTZ901 - refused below
    if instant.tzinfo is None or not re.match(r"\d{4}-\d\d-\d\dT", text):
        raise _Refused(400, f"{name} is an ISO 8601 time with an offset, such as 2026-03-01T00:00:00Z")
    return instant


def _error(
    status: int, message: str, *, headers: Mapping[str, str] | None = None, asked: Mapping[str, Any] | None = None
) -> WireReply:
    return json_reply(status, {"error": {"message": message}}, headers=headers or {}, asked=asked or {})


EMULATOR = JsonApiEmulator
