"""Replies as a declaration reads them: the list of results, and each as a hit: paths made ready once, what is found checked as it is taken."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import NO_FACTS, Hit, HitPage, LeftOut
from connectors.json_api.paths import PathLookup, line_at, line_of, listed, pointer, text_of
from connectors.markup import from_html, from_markdown
from connectors.text import absolute_url, clip, plain_line, plain_text
from connectors.wikitext import from_wikitext
from connectors.wire import Amiss, iso_instant, read_items, unix_milliseconds, unix_seconds
from translators.query import Container, Person
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from connectors.contract import Fact
    from connectors.json_api.settings import Declaration, ListSettings, ReplySettings
    from connectors.wire import ItemMemo

NUMBERS = int, float
TEXTS = {str}
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
        written = (where.id, where.title, where.url, where.container, where.container_id)
        people = (where.author, where.author_id, where.author_email, where.assignee, where.assignee_id)
        named = (where.kind, where.state)
        self._lines = len(written) + len(people) + len(named)
        self._look_up = PathLookup(
            [
                *((path, line_at(path).line) for path in (*written, *people)),
                *((path, pointer(path).line) for path in named),
                *((path, pointer(path).first) for path in (where.score, where.created, where.updated)),
                (where.text, pointer(where.text).text),
                *((path, pointer(path).all) for path in where.facts.values()),
            ],
            unsaid="",
        )
        self._facts = tuple(where.facts)
        self._kinds, self._kind_unsaid, self._states = where.kinds, declared.kinds[0], where.states
        self._unmarked, self._moment = MARKUP[where.markup], DATES[where.dates]
        self._whole, self._max_text = where.whole, declared.max_text

    def read(self, item: object) -> Hit:
        """Raises :class:`Amiss` where what is there cannot be what was declared."""
        found = self._look_up(item)
        lines = found[: self._lines]
        if set(map(type, lines)) != TEXTS:
            lines = [each if isinstance(each, str) else "" if each is None else line_of(each) for each in lines]
        native_id, title, url, place, place_id, author, author_id, email, assignee, assignee_id, kind, state = lines
        score, created, updated, text, *facts = found[self._lines :]
        title, text = plain_line(title), plain_text(text_of(text))
        if self._unmarked is not None:
            title, text = plain_line(self._unmarked(title)), self._unmarked(text)
        snippet, uncut = clip(text, self._max_text)
        known, number, begun, changed = self._checked(native_id, score, created, updated)
        return Hit(
            "",
            known,
            self._kinds.get(kind, self._kind_unsaid),
            title,
            absolute_url(url),
            snippet,
            self._whole and uncut,
            _person(author, author_id, email),
            _person(assignee, assignee_id, ""),
            _place(place, place_id),
            self._states.get(state),
            begun,
            changed,
            number,
            0,
            MappingProxyType(self._told(facts)) if facts else NO_FACTS,
        )

    def _checked(
        self, native_id: str, score: object, created: object, updated: object
    ) -> tuple[str, float | None, datetime | None, datetime | None]:
        """What may be wrong: its id, score and dates."""
        at = "id"
        try:
            known = _present(plain_line(native_id))
            at = "score"
            number = _number(score)
            at = "created"
            begun = self._moment(created) if created else None
            at = "updated"
            same = updated == created and isinstance(updated, str)  # to Python true is 1 too, and no date
            changed = begun if same else self._moment(updated) if updated else None
        except ValueError as failure:
            raise Amiss(at, str(failure)) from None
        return known, number, begun, changed

    def _told(self, facts: Iterable[object]) -> dict[str, Fact]:
        return {name: fact for name, found in zip(self._facts, facts, strict=True) if (fact := _fact(found)) != ""}


def _present(native_id: str) -> str:
    if not native_id:
        raise ValueError("is not where hit.id says")
    return native_id


def _number(found: object) -> float | None:
    try:
        return float(found) if isinstance(found, NUMBERS) else None
    except OverflowError:
        raise ValueError("is no number within reason") from None


def _fact(found: object) -> Fact:
    return found if isinstance(found, bool | int | float) else plain_line(text_of(found))


@lru_cache(maxsize=1024)
def _person(name: str, native_id: str, email: str) -> Person | None:
    """The same few people write most of what is found."""
    name, native_id, email = plain_line(name), plain_line(native_id), plain_line(email)
    return Person(name, native_id or None, email or None) if name or native_id or email else None


@lru_cache(maxsize=1024)
def _place(name: str, native_id: str) -> Container | None:
    name, native_id = plain_line(name), plain_line(native_id)
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


IN_PART = Said("{title} says that its answer is not complete")


def read_page(
    declared: Declaration,
    data: object,
    title: str,
    known: ItemMemo | None = None,
    reader: ResultReader | None = None,
) -> HitPage:
    """The hits in ``data``. Where the reply names no next page, ``cursor`` says how many results there were. ``reader``: of the declaration, where it is made already."""
    where = declared.reply
    items = listed(where.items, data, may_lack=_found_nothing(where, data))
    if where.order:
        place, sign = pointer(where.order.removeprefix("-")), -1 if where.order.startswith("-") else 1
        items = sorted(items, key=lambda item: _in_order(place.first(item), sign))
    hits, notes = read_items(items, (reader or ResultReader(declared)).read, "results", known)
    cut = (LeftOut(IN_PART.filled(title=title)),) if pointer(where.partial).first(data) else ()
    total = pointer(where.total).first(data)
    cursor = pointer(where.next).line(data) if where.next else str(len(items))
    return HitPage(hits, cursor or None, total if type(total) is int else None, notes, cut)


def _in_order(found: object, sign: int) -> float:
    """What has none stands last, either way."""
    return sign * found if isinstance(found, int | float) else math.inf


def _found_nothing(where: ReplySettings, data: object) -> bool:
    """Whether a list that is not there is an empty one: many leave it out. A declaration that is wrong must not look like that."""
    empty = data == {} or str(pointer(where.total).first(data)) == "0"
    return isinstance(data, Mapping) and (empty or where.omits_empty)
