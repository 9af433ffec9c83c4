"""Whom a digest is for, by all that the sources call them, and what is theirs or said to them. Pure."""

from __future__ import annotations

import re
from dataclasses import field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from orchestrator.digests.cues import GREETED, MENTIONED, TO_ALL, ReaderNames
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from connectors.contract import Hit
    from translators.query import Person

OPENING = 80  # characters in which somebody is greeted
WORD = re.compile(r"[A-Za-z][A-Za-z’'.-]*|[가-힣]+")
SHORTEST = 6  # characters of a source's id for somebody that others may be mentioned by
NAMES = 3  # that one person goes by: in two scripts, and a handle
FEW = 3  # somebody whom a mail goes to with at most so many is meant by it
NOBODY = ReaderNames(())
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@record
class Reader:
    """Whom a digest is for: ``names`` are all that the sources call them, ``others`` how they call everybody else, ``people`` who
    is meant by an id in a text.

    ``today`` in their zone; ``ahead``: days; ``since``: what happened from then on is told. ``talk``: by source and place,
    when whose messages came that are in no thread.
    """

    names: ReaderNames
    known_as: frozenset[str]
    today: date
    titles: Mapping[str, str]
    language: str = "en"
    ahead: int = 7
    since: datetime = LONG_AGO
    others: ReaderNames = NOBODY
    people: Mapping[str, str] = field(default_factory=dict)
    talk: Mapping[tuple[str, str], Sequence[tuple[datetime, Person | None]]] = field(default_factory=dict)

    @property
    def soon(self) -> date:
        """The last day that is near enough to be told of."""
        return self.today + timedelta(days=self.ahead)

    def is_meant(self, hit: Hit) -> bool:
        """Whether it is assigned to the reader."""
        return hit.assignee is not None and self.is_person(hit.assignee.name, hit.assignee.email)

    def wrote(self, hit: Hit) -> bool:
        """Whether it is the reader's own."""
        return hit.author is not None and self.is_person(hit.author.name, hit.author.email)

    def shown(self, text: str) -> str:
        """With the names of people who are mentioned by an id."""
        return MENTIONED.sub(lambda found: f"@{self.people.get(found[1], found[1])}", text)

    def is_person(self, *called: str | None) -> bool:
        """Whether one of these is the reader."""
        return any(each and each.casefold() in self.known_as for each in called)

    def is_addressed(self, hit: Hit) -> bool:
        """A mail to the reader, and not to everybody."""
        to = hit.facts.get("to")
        return isinstance(to, tuple) and len(to) <= FEW and self._is_among(to)

    def is_for_others(self, hit: Hit, said: str) -> bool:
        """Whether a sentence of it is said to somebody else: by whom the mail goes to, who is greeted or mentioned."""
        opening = hit.snippet.lstrip().partition("\n")[0][:OPENING]
        if not self.known_as or self.names.named_in(said) or any(map(self._is_called, WORD.findall(opening))):
            return False
        to = hit.facts.get("to")
        if isinstance(to, tuple) and to:
            return not self._is_among(to)
        greeted = [found for text in (hit.snippet, said) if (found := GREETED.match(text))]
        called = {name for found in greeted for name in found.groups() if name and not TO_ALL.fullmatch(name)}
        called |= {name for name in MENTIONED.findall(said) if not TO_ALL.fullmatch(name)}
        return bool(called) and not any(map(self._is_called, called)) and self._are_names(called, greeted)

    def _is_among(self, to: Sequence[str]) -> bool:
        return any(self.is_person(each) or self.names.named_in(each) for each in to)

    def _is_called(self, word: str) -> bool:
        """By a first name, too."""
        parts = {part for each in self.known_as for part in re.split(r"[\s.@]+", each)}
        return word.casefold() in self.known_as | parts or self.names.named_in(word)

    def _are_names(self, called: Iterable[str], greeted: Sequence[re.Match[str]]) -> bool:
        """A title behind it is given to customers, too: such a one is somebody only where the sources know them."""
        korean = {found[2] for found in greeted if found[2]}
        return any(each not in korean for each in called) or any(self.others.named_in(found[0]) for found in greeted)


def knowing(reader: Reader, hits: Iterable[Hit]) -> Reader:
    """The same with what the sources tell of people: who has the reader's name or address has that address and name."""
    people = _own_addresses({each for hit in hits for each in (hit.author, hit.assignee) if each is not None})
    known = set(reader.known_as)
    while known and (more := {said for each in people if known & _called(each) for said in _called(each)} - known):
        known |= more
    mine = [each for each in people if known & _called(each)]
    handles = [each.partition("@")[0] for each in known if "@" in each]
    handles += [each.native_id for each in mine if each.native_id and len(each.native_id) >= SHORTEST]
    others = [said for each in people if not known & _called(each) for said in _called(each)]
    by_id = {
        each.native_id: each.name for each in people if each.native_id and each.name and len(each.native_id) >= SHORTEST
    }
    names = ReaderNames(sorted(known), dict.fromkeys(handles))
    return replace(
        reader,
        names=names if known else reader.names,
        known_as=frozenset(known),
        others=ReaderNames(others),
        people=by_id,
    )


def _own_addresses(people: set[Person]) -> set[Person]:
    """The same people; an address that more names share than one person has belongs to nobody alone."""
    names: dict[str, set[str]] = {}
    for each in people:
        names.setdefault((each.email or "").casefold(), set()).add(each.name.casefold())
    shared = {address for address, by in names.items() if len(by) > NAMES}
    return {replace(each, email=None) if (each.email or "").casefold() in shared else each for each in people}


def _called(person: Person) -> set[str]:
    return {said.casefold() for said in (person.name, person.email) if said}
