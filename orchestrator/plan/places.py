"""Places that are named for what a question is about: in the channel #proj-phoenix nobody needs to say Phoenix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.match import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from translators.query import Container, Query, Term

LONG = 2  # letters (or syllables) from which a word in the name of a place says what it is about
MOST = 5  # places looked into


def places_named(
    query: Query, keywords: Sequence[Term], places: Iterable[Container]
) -> Iterator[tuple[Term, tuple[Container, ...]]]:
    """The keyword that places are named for, under any of its names, and these places; those that share most of the other words stand first.

    Only of the first keyword and of names, and only of the first of them that any place is named for.
    """
    split = [(place, words(place.name.replace("_", " "))) for place in places]
    names = {part for entity in query.entities for part in words(entity.name)}
    wanted = [(each, words(each.text)) for each in keywords]
    called = dict(query.variants)
    for position, (term, parts) in enumerate(wanted):
        if position and not (len(parts) == 1 and parts[0] in names):
            continue
        said = (parts, *map(words, called.get(term.text, ())))
        cores = {each[0] for each in said if len(each) == 1}
        found = [(place, name) for place, name in split if any(_is_for(name, core) for core in cores)]
        if found:
            asked = {part for _, each in wanted for part in each}
            ordered = sorted(found, key=lambda each: (-_shared(asked, each[1]), each[0].name))
            yield term, tuple(place for place, _ in ordered[:MOST])
            return


def _is_for(name: Sequence[str], core: str) -> bool:
    """Whether a place of these words is named for one: for a short one where it is all of the name (앱)."""
    return core in name and (len(core) >= LONG or len(name) == 1)


def _shared(asked: Iterable[str], name: Sequence[str]) -> int:
    """How many words of a question a name shares, in singular or plural."""
    return sum(any(word in {part, f"{part}s"} or part == f"{word}s" for part in name) for word in asked)
