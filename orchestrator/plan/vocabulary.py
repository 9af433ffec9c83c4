"""The names that only exist inside: by the sources' directories, by the question itself, and by what a site says of its words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.emit import as_typed
from translators.match import HANGUL, WORD, fold
from translators.query import EntityKind
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.query import Entity, Query

Name = tuple[str, ...]

PERSON = Said("names of people stay inside")
PLACE = Said("names of channels, projects and other places stay inside")
NAMED = Said("it is a name that only exists inside")
SHORTEST = 2  # letters of a name


@record
class Vocabulary:
    """What a site says of its own words. ``words`` and ``hosts`` only exist inside; ``public`` words may be said anywhere.

    ``common``: words of the language, which are no names where they are written small.
    """

    words: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()

    def knows(self, word: str) -> bool:
        """Whether a word, folded, is one of the language."""
        return word in self.common or word.removesuffix("s") in self.common


def of_person(name: str, email: str | None, native_id: str | None) -> Iterator[Name]:
    """The whole name in either order, each part of it, what stands before the @, and the id."""
    whole = words_of(name)
    others = (words_of((email or "").partition("@")[0]), words_of(native_id or ""))
    yield from filter(None, (whole, whole[::-1], *others))
    yield from ((part,) for part in whole if len(part) >= SHORTEST)
    joined = "".join(whole)
    if joined and len(whole) > 1:
        yield (joined,)
    if len(whole) == 1 and HANGUL.match(joined) and len(joined) in (3, 4):  # 김민수: 민수, and 김 민수
        yield (joined[1:],)
        yield (joined[0], joined[1:])


def of_question(query: Query, vocabulary: Vocabulary) -> Iterator[tuple[Name, Said]]:
    """People, projects and teams that the question names, and the filters for them, each with the reason to hold it."""
    author = query.author
    if author and not author.me:
        yield from dict.fromkeys(of_person(author.name, author.email, author.native_id), PERSON).items()
    if query.container and "." not in query.container.name and (place := words_of(query.container.name)):
        yield place, PLACE
    for entity in query.entities:
        yield from _of_entity(entity, vocabulary)


def _of_entity(entity: Entity, vocabulary: Vocabulary) -> Iterator[tuple[Name, Said]]:
    """A tool is known everywhere; and a project whose name is words of the language was guessed."""
    name = words_of(entity.name)
    if entity.kind is EntityKind.PERSON:
        yield from dict.fromkeys(of_person(entity.name, entity.email, None), PERSON).items()
    elif entity.kind is not EntityKind.TOOL and name and not all(map(vocabulary.knows, name)):
        yield name, NAMED


def spelled(line: str) -> list[str]:
    """Words as they are written."""
    return WORD.findall(line.replace("_", " "))


def words_of(text: str) -> Name:
    """The words of a name as they are compared; none for one that is too short to be told from anything else."""
    words = tuple(map(fold, spelled(as_typed(text))))
    return words if sum(map(len, words)) >= SHORTEST else ()


def beginnings(word: str) -> Iterator[str]:
    """Where a name may begin: the word, and what is left of a Hangul word without particles."""
    yield word
    if HANGUL.match(word):
        yield from (word[:size] for size in range(len(word) - 1, 0, -1))
