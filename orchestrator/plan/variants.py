"""Other names of the same thing: as alternatives in one query where the source has OR, else as sub-queries.

Only words are said differently, never phrases or ids, and every name widens what is asked: the question as asked is
always among what is sent. Names in one query share its limit of hits, names in queries of their own do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.query import Clause, Query, Term, all_of, any_of, conjuncts

if TYPE_CHECKING:
    from translators.capabilities import Capabilities


def variants(query: Query, can: Capabilities, most: int) -> tuple[Query, ...]:
    """``query`` first, then at most ``most - 1`` others that say one of its keywords differently."""
    names = dict(query.variants)
    present = [part.text for part in conjuncts(query.where) if isinstance(part, Term) and names.get(part.text)]
    alternatives = can.any_of and can.any_of_text
    together = alternatives or can.term is Fidelity.NONE  # words that are not sent at all are checked here, all at once
    if not present or not (together or most > 1):
        return (query,)
    if together:
        said = {word: any_of((Term(word), *map(_meaning, names[word]))) for word in present}
        return (query.narrowed(_replace(query.where, said)),)
    first = min(present, key=lambda word: _rank(query, word))
    others = (_replace(query.where, {first: _meaning(name)}) for name in names[first][: most - 1])
    return (query, *map(query.narrowed, others))


def _rank(query: Query, word: str) -> int:
    return query.essential.index(word) if word in query.essential else len(query.essential)


def _meaning(name: str) -> Clause:
    return all_of(Term(word) for word in name.split())


def _replace(where: Clause, said: dict[str, Clause]) -> Clause:
    """Only terms that must hold are replaced: a negated word keeps its plain sense."""
    parts = (said.get(part.text, part) if isinstance(part, Term) else part for part in conjuncts(where))
    return all_of(parts)
