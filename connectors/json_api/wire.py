"""One result as a declaration finds it in a reply: each path made ready once, what is found checked as it is taken."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from connectors.contract import NO_FACTS, Hit
from connectors.json_api.paths import line_at, pointer
from connectors.markup import from_html, from_markdown
from connectors.text import absolute_url, clip, plain_line, plain_text
from connectors.wikitext import from_wikitext
from connectors.wire import Amiss, iso_instant, unix_milliseconds, unix_seconds
from translators.query import Container, Person

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from connectors.contract import Fact
    from connectors.json_api.paths import Pointer
    from connectors.json_api.settings import Declaration, ListSettings

T = TypeVar("T")
V = TypeVar("V")

MARKUP: Mapping[str, Callable[[str], str] | None] = {
    "none": None,
    "html": from_html,
    "markdown": from_markdown,
    "wikitext": from_wikitext,
}
DATES: Mapping[str, Callable[[object], datetime]] = {
    "iso": iso_instant,
    "seconds": unix_seconds,
    "milliseconds": unix_milliseconds,
}


class ResultReader:
    """How a declaration reads one result."""

    def __init__(self, declared: Declaration) -> None:
        where = declared.hit
        self._id, self._title, self._text = line_at(where.id), line_at(where.title), pointer(where.text)
        self._url, self._kind, self._state = line_at(where.url), pointer(where.kind), pointer(where.state)
        self._author = _person_at(where.author, where.author_id, where.author_email)
        self._assignee = _person_at(where.assignee, where.assignee_id)
        self._container = line_at(where.container), line_at(where.container_id)
        self._created, self._updated = pointer(where.created), pointer(where.updated)
        self._score = pointer(where.score)
        self._facts = tuple((name, pointer(path)) for name, path in where.facts.items())
        self._kinds, self._kind_unsaid, self._states = where.kinds, declared.kinds[0], where.states
        self._unmarked, self._moment = MARKUP[where.markup], DATES[where.dates]
        self._whole, self._max_text = where.whole, declared.max_text

    def read(self, item: object) -> Hit:
        """Raises :class:`Amiss` where what is there cannot be what was declared."""
        native_id = _taken("id", _present, plain_line(self._id.line(item)))
        score = _taken("score", _number, self._score.first(item))
        title, text = plain_line(self._title.line(item)), plain_text(self._text.text(item))
        if self._unmarked is not None:
            title, text = plain_line(self._unmarked(title)), self._unmarked(text)
        snippet, uncut = clip(text, self._max_text)
        return Hit(
            "",
            native_id,
            self._kinds.get(self._kind.line(item), self._kind_unsaid),
            title,
            absolute_url(self._url.line(item)),
            snippet,
            self._whole and uncut,
            self._author(item),
            self._assignee(item),
            self._place(item),
            self._states.get(self._state.line(item)),
            self._at("created", self._created.first(item)),
            self._at("updated", self._updated.first(item)),
            score,
            0,
            MappingProxyType(self._told(item)) if self._facts else NO_FACTS,
        )

    def _place(self, item: object) -> Container | None:
        name, native_id = plain_line(self._container[0].line(item)), plain_line(self._container[1].line(item))
        return Container(name or native_id, native_id or None) if name or native_id else None

    def _at(self, name: str, found: object) -> datetime | None:
        return _taken(name, self._moment, found) if found else None

    def _told(self, item: object) -> dict[str, Fact]:
        return {name: fact for name, where in self._facts if (fact := _fact(where, item)) != ""}


def _taken(name: str, check: Callable[[V], T], found: V) -> T:
    """What ``check`` makes of it. Raises :class:`Amiss` for its :class:`ValueError`."""
    try:
        return check(found)
    except ValueError as failure:
        raise Amiss(name, str(failure)) from None


def _present(native_id: str) -> str:
    if not native_id:
        raise ValueError("is not where hit.id says")
    return native_id


def _number(found: object) -> float | None:
    try:
        return float(found) if isinstance(found, int | float) else None
    except OverflowError:
        raise ValueError("is no number within reason") from None


def _fact(where: Pointer, item: object) -> Fact:
    found = where.values(item)
    if len(found) == 1 and isinstance(found[0], bool | int | float):
        return found[0]
    return plain_line(where.text(item))


def _person_at(name: str, native_id: str, email: str = "") -> Callable[[object], Person | None]:
    """Who stands at these paths in an item; most declarations know of no assignee."""
    if not (name or native_id or email):
        return lambda _: None
    named, identified, addressed = line_at(name), line_at(native_id), line_at(email)

    def read(item: object) -> Person | None:
        called, known, address = named.line(item), identified.line(item), addressed.line(item)
        if not (called or known or address):
            return None
        called, known, address = plain_line(called), plain_line(known), plain_line(address)
        return Person(called, known or None, address or None) if called or known or address else None

    return read


class ListReader:
    """How a declaration reads people and places that a source lists. Nobody is whoever has no id or no name."""

    def __init__(self, where: ListSettings) -> None:
        self._id, self._email = line_at(where.id), line_at(where.email)
        self._names = tuple(map(line_at, (where.name, *where.also)))

    def people(self, item: object) -> tuple[Person, ...]:
        """Somebody by each of their names, with one id."""
        native_id, names = self._known(item)
        email = plain_line(self._email.line(item)) or None
        return tuple(Person(name, native_id, email) for name in names) if native_id else ()

    def places(self, item: object) -> tuple[Container, ...]:
        """A place by each of its names, with one id."""
        native_id, names = self._known(item)
        return tuple(Container(name.removeprefix("#"), native_id) for name in names) if native_id else ()

    def _known(self, item: object) -> tuple[str, tuple[str, ...]]:
        names = (plain_line(where.line(item)) for where in self._names)
        return plain_line(self._id.line(item)), tuple(dict.fromkeys(filter(None, names)))
