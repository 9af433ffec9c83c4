"""A question with the other names that its words are known by: as alternatives, never in place of what was said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.match import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from orchestrator.aliases.reading import Alias
    from translators.query import Query

MOST_NAMES = 4
"""Other names of one word: each may cost a request."""


def taught(query: Query, aliases: Iterable[Alias]) -> tuple[tuple[str, str], ...]:
    """Names in the question and what else each is called, as the question says it and as it was learnt."""
    known = dict(query.variants)
    found: dict[str, str] = {}
    for alias in aliases:
        for name, other in ((alias.name, alias.other), (alias.other, alias.name)):
            words = _said(query, name)
            told = {fold(each) for word in words for each in known.get(word, ())}
            if words and fold(other) not in told and not _said(query, other):
                found.setdefault(" ".join(words), other)
    return tuple(found.items())


def also_called(query: Query, aliases: Iterable[Alias]) -> Query:
    """The question, each such name with one more name that it goes by; words of one name share it."""
    names = dict(query.variants)
    for name, other in taught(query, aliases):
        for word in name.split(" "):
            names[word] = (other, *names.get(word, ()))[:MOST_NAMES]
    in_order = {word: names[word] for word in query.keywords if word in names}
    return replace(query, variants=tuple((in_order | names).items())) if names != dict(query.variants) else query


def _said(query: Query, name: str) -> tuple[str, ...]:
    """The keywords that make up ``name``, side by side; none where it is not in the question."""
    wanted = tuple(fold(name).split())
    return next((words for words in _runs(query.keywords, len(wanted)) if tuple(map(fold, words)) == wanted), ())


def _runs(words: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    return (words[at : at + length] for at in range(len(words) - length + 1))
