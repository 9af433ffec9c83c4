"""One result as a declaration finds it in a reply: each path made ready once, what is found checked as it is taken."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

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

NUMBERS = int, float
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
        title, text = self._title.plain(item), plain_text(self._text.text(item))
        if self._unmarked is not None:
            title, text = plain_line(self._unmarked(title)), self._unmarked(text)
        snippet, uncut = clip(text, self._max_text)
        native_id, score, created, updated = self._checked(item)
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
            _place(self._container[0].plain(item), self._container[1].plain(item)),
            self._states.get(self._state.line(item)),
            created,
            updated,
            score,
            0,
            MappingProxyType(self._told(item)) if self._facts else NO_FACTS,
        )

    def _checked(self, item: object) -> tuple[str, float | None, datetime | None, datetime | None]:
        """What may be wrong: its id, score and dates."""
        at = "id"
        try:
            native_id = _present(self._id.plain(item))
            at = "score"
            score = _number(self._score.first(item))
            at = "created"
            created = self._moment(found) if (found := self._created.first(item)) else None
            at = "updated"
            updated = self._moment(found) if (found := self._updated.first(item)) else None
        except ValueError as failure:
            raise Amiss(at, str(failure)) from None
        return native_id, score, created, updated

    def _told(self, item: object) -> dict[str, Fact]:
        return {name: fact for name, where in self._facts if (fact := _fact(where, item)) != ""}


def _present(native_id: str) -> str:
    if not native_id:
        raise ValueError("is not where hit.id says")
    return native_id


def _number(found: object) -> float | None:
    try:
        return float(found) if isinstance(found, NUMBERS) else None
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
    return lambda item: _person(named.plain(item), identified.plain(item), addressed.plain(item))


@lru_cache(maxsize=1024)
def _person(name: str, native_id: str, email: str) -> Person | None:
    """The same few people write most of what is found."""
    return Person(name, native_id or None, email or None) if name or native_id or email else None


@lru_cache(maxsize=1024)
def _place(name: str, native_id: str) -> Container | None:
    return Container(name or native_id, native_id or None) if name or native_id else None


class ListReader:
    """How a declaration reads people and places that a source lists. Nobody is whoever has no id or no name."""

    def __init__(self, where: ListSettings) -> None:
        self._id, self._email = line_at(where.id), line_at(where.email)
        self._names = tuple(map(line_at, (where.name, *where.also)))

    def people(self, item: object) -> tuple[Person, ...]:
        """Somebody by each of their names, with one id."""
        native_id, names = self._known(item)
        email = self._email.plain(item) or None
        return tuple(Person(name, native_id, email) for name in names) if native_id else ()

    def places(self, item: object) -> tuple[Container, ...]:
        """A place by each of its names, with one id."""
        native_id, names = self._known(item)
        return tuple(Container(name.removeprefix("#"), native_id) for name in names) if native_id else ()

    def _known(self, item: object) -> tuple[str, tuple[str, ...]]:
        names = (where.plain(item) for where in self._names)
        return self._id.plain(item), tuple(dict.fromkeys(filter(None, names)))
