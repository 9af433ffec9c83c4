"""The people of a corpus: as its people file lists them, or as its rows name them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

DOMAIN = "acme.example"


@dataclass(frozen=True, slots=True)
class Person:
    """One member of the workplace. `id` is the corpus's own; each emulator derives the vendor's form from it."""

    id: str
    name: str
    handle: str
    email: str
    name_alt: str = ""
    title: str = ""
    team: str = ""


class Directory:
    """People in a stable order, found by id, handle or mail address (all compared without case)."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        unique: dict[str, Person] = {}
        names: dict[str, Person] = {}
        for person in people:
            unique.setdefault(person.id, person)
            for name in (person.id, person.handle, person.email):
                names.setdefault(name.casefold(), person)
        self._people: Sequence[Person] = tuple(unique.values())
        self._names: Mapping[str, Person] = MappingProxyType(names)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._people)

    def __len__(self) -> int:
        return len(self._people)

    def find(self, name: str | None) -> Person | None:
        """The person with this id, handle (with or without `@`) or mail address."""
        return self._names.get(name.removeprefix("@").casefold()) if name else None


def complete(listed: Iterable[Person], seen: Iterable[tuple[str, str | None]]) -> Directory:
    """A directory of the listed people plus everyone rows mention as `(id, name or None)`.

    Those only seen get a handle made of their name and an address at a reserved domain (RFC 2606).
    """
    people = list(listed)
    known = {person.id for person in people} | {person.email for person in people}
    handles = {person.handle for person in people}
    names: dict[str, str] = {}
    for identity, name in seen:
        if identity not in known and (name or identity not in names):
            names[identity] = names.get(identity) or name or ""
    for identity, name in names.items():
        handle = _free_handle(name or identity.split("@")[0], handles)
        handles.add(handle)
        email = identity if "@" in identity else f"{handle}@{DOMAIN}"
        people.append(Person(id=identity, name=name or identity, handle=handle, email=email))
    return Directory(people)


def _free_handle(name: str, taken: set[str]) -> str:
    base = re.sub(r"[^\w]+", ".", name.casefold()).strip(".") or "someone"
    handle, number = base, 2
    while handle in taken:
        handle, number = f"{base}{number}", number + 1
    return handle
