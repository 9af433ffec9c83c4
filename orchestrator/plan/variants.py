"""Other names of the same thing: as alternatives in one query where the source has OR, else as sub-queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.query import Clause, Query, Term, all_of, any_of, conjuncts

if TYPE_CHECKING:
    from translators.capabilities import Capabilities

SENT = frozenset({Fidelity.EXACT, Fidelity.APPROXIMATE})  # what a source is asked and believed


def variants(query: Query, can: Capabilities, most: int) -> tuple[Query, ...]:
    """``query`` first, then at most ``most - 1`` others that say one of its keywords differently."""
    others = {word: tuple(map(_meaning, names)) for word, names in query.variants if names}
    present = [part.text for part in conjuncts(query.where) if isinstance(part, Term) and part.text in others]
    if not present:
        return (query,)
    if can.any_of and can.any_of_text and can.term in SENT:
        return (query.narrowed(_replace(query.where, {word: any_of((Term(word), *others[word])) for word in present})),)
    first = min(present, key=lambda word: _rank(query, word))
    said = [query.narrowed(_replace(query.where, {first: other})) for other in others[first][: most - 1]]
    return (query, *said)


def _rank(query: Query, word: str) -> int:
    return query.essential.index(word) if word in query.essential else len(query.essential)


def _meaning(name: str) -> Clause:
    return all_of(Term(word) for word in name.split())


def _replace(where: Clause, said: dict[str, Clause]) -> Clause:
    """Only terms that must hold are replaced: a negated word keeps its plain sense."""
    parts = (said.get(part.text, part) if isinstance(part, Term) else part for part in conjuncts(where))
    return all_of(parts)
