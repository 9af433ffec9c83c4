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
    """The keyword that places are named for, and these places; those that share most of the other words stand first.

    Only of the first keyword and of names, and only of the first of them that any place is named for.
    """
    split = [(place, words(place.name.replace("_", " "))) for place in places]
    names = {part for entity in query.entities for part in words(entity.name)}
    wanted = [(each, words(each.text)) for each in keywords]
    for position, (term, parts) in enumerate(wanted):
        core = parts[0] if len(parts) == 1 else ""
        if len(core) < LONG or (position and core not in names):
            continue
        found = [(place, name) for place, name in split if core in name]
        if found:
            asked = {part for _, each in wanted for part in each}
            ordered = sorted(found, key=lambda each: (-_shared(asked, each[1]), each[0].name))
            yield term, tuple(place for place, _ in ordered[:MOST])
            return


def _shared(asked: Iterable[str], name: Sequence[str]) -> int:
    """How many words of a question a name shares, in singular or plural."""
    return sum(any(word in {part, f"{part}s"} or part == f"{word}s" for part in name) for word in asked)
