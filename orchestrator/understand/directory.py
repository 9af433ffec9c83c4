"""What the workplace knows about itself: people, projects and channels, matched with tolerance for spelling."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from heapq import nlargest
from itertools import chain, islice, product
from typing import TYPE_CHECKING

from orchestrator.understand.nicknames import called_too
from orchestrator.understand.sounds import WORD, NamesBySound, bones, heard, likeness, vowels
from translators.letters import is_syllable
from translators.names import folded
from translators.patterns import regex
from translators.query import Person
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

FUZZY_FLOOR = 88.0
"""Least rapidfuzz ratio (0 to 100) that counts as the same name misspelt."""
CLEAR = 0.15
"""By how much a name must sound more alike (0 to 1) than anybody else's."""
CLEAR_ENOUGH = 0.1
"""The same for one that sounds exactly so."""
ROMANISED = 0.8
"""Least likeness (0 to 1) of a name in Latin letters to a Korean one of as many syllables."""
NAMES = 2000
"""Names that are read as words."""
FAMILIES = 500
"""Family names whose bearer is remembered; there are fewer in Korea in common use."""
NAME_PART = regex(r"[^\W_]+")


@record
class DirectoryPerson:
    """Somebody who works here; ``spellings`` are other ways the name is written (another script, a nickname).

    ``ids``: the native ids that sources know them by, as mentions hold them.
    """

    name: str
    spellings: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    email: str | None = None
    ids: tuple[str, ...] = ()


@record
class DirectoryProject:
    """A project, product, system or team with its other names."""

    name: str
    spellings: tuple[str, ...] = ()
    team: bool = False


@dataclass(frozen=True)
class Directory:
    """Names to recognise. Channels are without ``#``; ``places`` names them by their native ids.

    What is looked up in is built once and kept with it: to find it by the directory's hash would read everybody each time.
    """

    people: tuple[DirectoryPerson, ...] = ()
    projects: tuple[DirectoryProject, ...] = ()
    channels: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict, hash=False)

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every name in it, for whoever looks for words: as many as are worth reading for one question."""
        people = (name for person in self.people for name in (person.name, *person.spellings))
        return tuple(dict.fromkeys(islice(chain(self.channels, people), NAMES)))

    @cached_property
    def name_parts(self) -> frozenset[str]:
        """The words that people's names are made of."""
        names = (name for person in self.people for name in (person.name, *person.spellings))
        return frozenset(part for name in names for part in _parts(name))

    @cached_property
    def _by_name(self) -> dict[str, DirectoryPerson]:
        return _people(self)

    @cached_property
    def _by_id(self) -> dict[str, DirectoryPerson]:
        return {native_id: person for person in self.people for native_id in person.ids}

    @cached_property
    def _by_sound(self) -> _Sounds:
        return _sounds(self)

    @cached_property
    def _names_by_sound(self) -> NamesBySound:
        things = chain(self.channels, (each.name for each in self.projects))
        people = (each.name for each in self.people if not _is_handle(each.name))
        return NamesBySound(dict.fromkeys(islice(chain(things, people), NAMES)))

    @cached_property
    def _by_project(self) -> dict[str, DirectoryProject]:
        return _projects(self)

    @cached_property
    def _by_channel(self) -> dict[str, str]:
        return _channels(self)

    @cached_property
    def _families(self) -> dict[str, tuple[DirectoryPerson, ...]]:
        """Those asked for so far, of each two at most: enough to know that it is nobody."""
        return {}

    def person(self, name: str, *, fuzzy: bool = True) -> tuple[DirectoryPerson, float] | None:
        """The person of that name, handle or mail and a score from 0 to 1; a misspelt name scores lower."""
        if not self.people:
            return None
        index = self._by_name
        key = _key(name)
        if key in index:
            return index[key], 1.0
        near = _nearest(key, tuple(index)) if fuzzy else None
        return None if near is None else (index[near[0]], near[1])

    def member(self, native_id: str) -> DirectoryPerson | None:
        """Who has that id in one of the sources."""
        return self._by_id.get(native_id)

    def heard(self, name: str) -> DirectoryPerson | None:
        """The one person whose name, written in the other script, sounds like this one: 데이빗 is David, Seoyeon 서연."""
        if not self.people:
            return None
        index = self._by_sound
        handle = index.handles.get(_key(name))
        return handle or _heard(index, name)

    def sounding(self, word: str) -> str | None:
        """The place, project or person in Latin letters, or words of that name, that a word in Hangul sounds like: 엠버윅 is Emberwick."""
        return self._names_by_sound.nearest(word)

    def family(self, name: str) -> DirectoryPerson | None:
        """The one person with that Korean family name, written in either script."""
        known = self._of_family(name)
        return known[0] if len(known) == 1 else None

    def has_family(self, name: str) -> bool:
        """Whether anybody has that Korean family name."""
        return bool(self._of_family(name))

    def _of_family(self, name: str) -> tuple[DirectoryPerson, ...]:
        known = self._families
        if name not in known:
            if len(known) >= FAMILIES:
                known.clear()
            known[name] = tuple(islice((each for each in self.people if _has_family(each, name)), 2))
        return known[name]

    def project(self, name: str, *, fuzzy: bool = True) -> tuple[DirectoryProject, float] | None:
        """The project of that name and a score from 0 to 1; a misspelt name scores lower."""
        if not self.projects:
            return None
        index = self._by_project
        key = _key(name)
        if key in index:
            return index[key], 1.0
        near = _nearest(key, tuple(index)) if fuzzy else None
        return None if near is None else (index[near[0]], near[1])

    @cached_property
    def _named(self) -> frozenset[str]:
        """The words of the names of places and projects, whole names too."""
        names = islice(chain(self.channels, (each.name for each in self.projects)), NAMES)
        return frozenset(part for name in names for part in (_key(name), *NAME_PART.findall(_key(name))))

    def names_a_thing(self, words: str) -> bool:
        """Whether a place or a project is called so, in whole or in part."""
        return bool(self._named) and _key(words) in self._named

    def channel(self, name: str) -> str | None:
        """The channel of that name as the directory spells it."""
        return self._by_channel.get(_key(name.lstrip("#")))


NOBODY = Directory()


def person_of(directory: Directory, name: str) -> tuple[Person, float]:
    """The named person, completed where the directory knows one, and how sure the reading is."""
    found = directory.person(name)
    if found is None and (heard := directory.heard(name)):
        found = heard, 1.0
    if found is None:
        return Person(name), 0.7
    return Person(found[0].name, email=found[0].email), found[1]


def _key(name: str) -> str:
    return " ".join(folded(name).lstrip("@#").split())


def _nearest(key: str, names: tuple[str, ...]) -> tuple[str, float] | None:
    """The one name within a slip of the pen. Short names must match exactly: Jon is not Joan."""
    if not names or len(key) < 4:  # noqa: PLR2004  (shorter names differ by whole people, not by typing slips)
        return None
    from rapidfuzz import fuzz, process

    found = process.extractOne(key, names, scorer=fuzz.ratio, score_cutoff=FUZZY_FLOOR)
    return None if found is None else (found[0], found[1] / 100)


def _people(directory: Directory) -> dict[str, DirectoryPerson]:
    """Every spelling of every person. A part of a name counts where only one person has it."""
    index: dict[str, DirectoryPerson] = {}
    parts: dict[str, list[DirectoryPerson]] = {}
    for person in directory.people:
        for name in (person.name, *person.spellings, *person.handles, person.email or ""):
            if name:
                index.setdefault(_key(name), person)
        for name in (person.name, *person.spellings):
            for part in _parts(name):
                parts.setdefault(part, []).append(person)
    shorter: dict[str, list[DirectoryPerson]] = {}
    for person in directory.people:
        for name in _for_short(person, directory.name_parts):
            index.setdefault(name, person)
            shorter.setdefault(name.split()[0], []).append(person)
    for part, owner in chain(_of_one(parts), _of_one(shorter)):
        index.setdefault(part, owner)
    return index


def _of_one(names: Mapping[str, Sequence[DirectoryPerson]]) -> Iterator[tuple[str, DirectoryPerson]]:
    """Those that only one person has."""
    for name, owners in names.items():
        if all(owner is owners[0] for owner in owners):
            yield name, owners[0]


def _for_short(person: DirectoryPerson, taken: Container[str]) -> list[str]:
    """What somebody may be called for short, or in full where the directory has the short form: not by what a part of anybody's name is."""
    given, _, rest = _key(person.name).partition(" ")
    return [f"{other} {rest}" for other in (called_too(given) if rest else ()) if other not in taken]


def _parts(name: str) -> list[str]:
    key = _key(name)
    if " " in key:
        return key.split()
    hangul = len(key) == 3 and is_syllable(key[0])  # noqa: PLR2004  (family name + two syllables)
    return [key[1:]] if hangul else []


@record
class _Sounds:
    """How names sound. Whoever is called so stands there by a number: in a large firm thousands are called Kim, and a name is heard once for all of them."""

    people: tuple[DirectoryPerson, ...]
    parts: dict[str, dict[tuple[str, int, bool, bool], list[int]]]
    """By their consonants: who has which reading, at which place in the name, whether in Hangul, and whether of two words."""
    handles: dict[str, DirectoryPerson]
    """The parts of handles (minsu of minsu.kim) that only one person has."""


def _sounds(directory: Directory) -> _Sounds:
    people = tuple(dict.fromkeys(directory.people))
    parts: dict[str, dict[tuple[str, int, bool, bool], list[int]]] = {}
    handles: dict[str, list[DirectoryPerson]] = {}
    for number, person in enumerate(people):
        names = (person.name, *person.spellings, *_for_short(person, directory.name_parts))
        for name in dict.fromkeys((*names, *person.handles)):
            if name in person.handles or _is_handle(name):
                for part in WORD.findall(name.casefold())[:1]:
                    handles.setdefault(part, []).append(person)
                continue
            for place, part, joined in _parts_heard(name):
                for reading in heard(part):
                    same = parts.setdefault(bones(reading), {})
                    same.setdefault((reading, place, is_syllable(name[:1]), joined), []).append(number)
    return _Sounds(people, parts, dict(_of_one(handles)))


def _heard(index: _Sounds, name: str) -> DirectoryPerson | None:
    """The one who sounds most like it, if nobody else comes near. A family name alone is nobody."""
    best: dict[int, float] = {}
    hangul = is_syllable(name[:1])
    for words in filter(None, _readings_of(name)):
        found = _alike(index, words[0], hangul=hangul, alone=len(words) == 1)
        for word in words[1:]:
            found = _both(found, _alike(index, word, hangul=hangul, alone=False))
        for alike, people in found.items():
            for number in islice(people, 2):  # two who are as near are enough to know that it is nobody
                best[number] = max(best.get(number, 0.0), alike)
    ranked = nlargest(2, best.items(), key=lambda entry: entry[1])
    nearest, second = (*(alike for _, alike in ranked), 0.0, 0.0)[:2]
    clear = ranked and (not second or nearest - second >= (CLEAR if nearest < 1 else CLEAR_ENOUGH))
    person = index.people[ranked[0][0]] if clear else None
    return person if person is not None and not _written(person, hangul=hangul) else None


def _alike(index: _Sounds, word: str, *, hangul: bool, alone: bool) -> dict[float, set[int]]:
    """Who has a part of their name, in the other script, that sounds like this word, by how much; of a name of one word, a part that says who it is."""
    found: dict[float, set[int]] = {}
    for reading in heard(word):
        for (other, place, other_hangul, joined), people in index.parts.get(bones(reading), {}).items():
            if other_hangul == hangul or (alone and not _enough(reading, place, hangul=hangul)):
                continue
            alike = likeness(reading, other)
            romanised = joined or not hangul
            if alike and (not romanised or (alike >= ROMANISED and vowels(reading) == vowels(other))):
                found.setdefault(alike, set()).update(people)
    return found


def _both(one: dict[float, set[int]], other: dict[float, set[int]]) -> dict[float, set[int]]:
    """Who is in both, by the lesser of how much."""
    found: dict[float, set[int]] = {}
    for (alike, people), (more, others) in product(one.items(), other.items()):
        found.setdefault(min(alike, more), set()).update(people & others)
    return found


def _has_family(person: DirectoryPerson, family: str) -> bool:
    """Whether somebody is called so: 김민수, 남궁솔, Minsu Kim."""
    for name in (person.name, *person.spellings):
        if len(family) > 1 and is_syllable(name[:1]) and name.startswith(family) and name != family:
            return True
        words = _words_of(name)
        if len(words) > 1 and not _is_handle(name):
            last = words[0] if is_syllable(name[:1]) else words[-1]
            if last == family or (
                not is_syllable(name[:1]) and any(likeness(a, b) for a in heard(family) for b in heard(last))
            ):
                return True
    return False


def _enough(reading: str, place: int, *, hangul: bool) -> bool:
    """Whether one part of a name says who it is: the given name does, the family name only where it is long (Torres)."""
    given_first = hangul  # what is sought is in Hangul, so the name it is compared with is not
    return (place == 0) is given_first or (given_first and len(bones(reading)) > 2)  # noqa: PLR2004


def _written(person: DirectoryPerson, *, hangul: bool) -> bool:
    """Whether the directory itself has the name in that script, so that another name there is somebody else's."""
    names = (name for name in (person.name, *person.spellings) if not _is_handle(name))
    return any(is_syllable(name[:1]) == hangul for name in names)


def _readings_of(name: str) -> list[list[str]]:
    """The words of a name, as they may be meant: three syllables of Hangul may be family and given name (김사라), and a given name may be two words (Hye Rin Yeo)."""
    words = name.replace("-", "").split()
    if len(words) == 1 and is_syllable(name[:1]):
        return [words, *([_words_of(name)] if len(name) in {3, 4} else [])]
    return [words, *_as_two(words)]


def _as_two(words: Sequence[str]) -> list[list[str]]:
    """Three words as two, since Korean given names are written in one word, with a hyphen or with a blank: the given name first, or the family's."""
    if len(words) != 3:  # noqa: PLR2004
        return []
    first, second, third = words
    return [[first + second, third], [first, second + third]]


def _words_of(name: str) -> list[str]:
    """Its words, or family and given name of a Korean one. What a hyphen joins is one (Chan-Sol)."""
    key = _key(name).replace("-", "")
    whole = " " not in key and is_syllable(key[:1]) and len(key) > 2  # noqa: PLR2004
    cut = 2 if len(key) > 3 else 1  # noqa: PLR2004  (남궁민수)
    return [key[:cut], key[cut:]] if whole else key.split()


def _parts_heard(name: str) -> list[tuple[int, str, bool]]:
    """What somebody may be called by, with its place in the name, and whether it is two words: of three those that may be one given name, before or behind the family's."""
    words = _words_of(name)
    alone = ((place, word, False) for place, word in enumerate(words))
    return [*alone, *((place, divided[place], True) for place, divided in enumerate(_as_two(words)))]


def _is_handle(name: str) -> bool:
    """minsu.kim, linear: no name as people are called."""
    return not is_syllable(name[:1]) and " " not in name and name == name.casefold()


def _projects(directory: Directory) -> dict[str, DirectoryProject]:
    return {_key(name): project for project in directory.projects for name in (project.name, *project.spellings)}


def _channels(directory: Directory) -> dict[str, str]:
    return {_key(name.lstrip("#")): name.lstrip("#") for name in directory.channels}
