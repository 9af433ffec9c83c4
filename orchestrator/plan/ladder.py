"""The broadening ladder: the same question with less and less asked of the answer.

Dates go first, then the place, then the lesser keywords, then all but the core. A status question keeps its dates
to the last, because stale news is worse than none. Phrases, ids, authors and negations are never given up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from translators.query import Clause, Compare, Field, Query, QueryType, Term, all_of, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIMES = frozenset({Field.TIME, Field.CREATED, Field.UPDATED})


@dataclass(frozen=True, slots=True)
class Broader:
    """A meaning and what it gave up, in words."""

    where: Clause
    dropped: tuple[str, ...] = ()


def ladder(query: Query) -> tuple[Broader, ...]:
    """The question as asked, then each broader meaning; steps that would change nothing are left out."""
    rungs = [Broader(query.where)]
    for gives_up in _steps(query):
        last = rungs[-1]
        kept = [part for part in conjuncts(last.where) if not gives_up(part)]
        lost = [part for part in conjuncts(last.where) if gives_up(part)]
        if lost and kept:
            rungs.append(Broader(all_of(kept), last.dropped + _name(query, lost)))
    return tuple(rungs)


def _steps(query: Query) -> Iterator[Callable[[Clause], bool]]:
    words = query.essential or query.keywords
    keywords = (_is_term_in(words[(len(words) + 1) // 2 :]), _is_term_in(words[1:]))
    if query.type is QueryType.STATUS:
        yield from (_is_place, *keywords, _is_time)
    else:
        yield from (_is_time, _is_place, *keywords)


def _is_time(part: Clause) -> bool:
    return isinstance(part, Compare) and part.field in TIMES


def _is_place(part: Clause) -> bool:
    return isinstance(part, Compare) and part.field is Field.CONTAINER


def _is_term_in(words: tuple[str, ...]) -> Callable[[Clause], bool]:
    lesser = frozenset(words)
    return lambda part: isinstance(part, Term) and part.text in lesser


def _name(query: Query, lost: list[Clause]) -> tuple[str, ...]:
    """What was given up, as the person said it."""
    named = dict.fromkeys(_words_for(query, part) for part in lost)
    return tuple(named)


def _words_for(query: Query, part: Clause) -> str:
    if isinstance(part, Compare) and part.field in TIMES:
        return (query.window.words if query.window else "") or "dates"
    if isinstance(part, Compare):
        return f"in:{part.value}"
    return str(part)
