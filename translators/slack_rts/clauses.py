"""Words as ``term_clauses``: an AND of clauses, each an OR of terms, of which Slack takes five."""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.emit import NO_ALTERNATIVES
from translators.query import AllOf, AnyOf, Compare, Not, Phrase, Prefix, Term, conjuncts, leaves
from translators.records import record
from translators.said import Said
from translators.slack_rts.verdicts import LONGEST, judge, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from translators.query import Clause, Leaf

MOST = 5
TOO_MANY = Said("Slack takes {most} conditions on words at most, of {longest} characters each")
TermClause = tuple[str, ...]


@record
class FittedClauses:
    """The clauses that are sent, and the leaves for which there is no room or no way, each with the reason."""

    clauses: tuple[TermClause, ...]
    barred: Mapping[Leaf, Said]


def fitted(pushed: Clause) -> FittedClauses:
    """As many of the conditions on words as Slack takes.

    A condition that is checked by us all the same (words that must stand together) takes what room the others leave,
    and may be sent in part; any other is sent whole or not at all.
    """
    sent: dict[TermClause, None] = {}
    barred: dict[Leaf, Said] = {}
    worded = [part for part in conjuncts(pushed) if not isinstance(part, Compare)]
    for part in sorted(worded, key=_is_checked):
        clauses = conjunctive(part)
        if clauses is None:
            barred |= dict.fromkeys(leaves(part), NO_ALTERNATIVES)
            continue
        wanted = list(islice(clauses, MOST + 1))
        fitting = dict.fromkeys(clause for clause in wanted if clause not in sent and _length(clause) <= LONGEST)
        if _is_checked(part):
            sent |= dict.fromkeys(list(fitting)[: MOST - len(sent)])
        elif len(wanted) > MOST or len(sent | fitting) > MOST or not all(each in sent | fitting for each in wanted):
            barred |= dict.fromkeys(leaves(part), TOO_MANY.filled(most=MOST, longest=LONGEST))
        else:
            sent |= fitting
    return FittedClauses(tuple(sent), barred)


def conjunctive(clause: Clause) -> Iterator[TermClause] | None:
    """The clauses whose AND is ``clause`` (or what of it can be sent); ``None`` where it holds more than words."""
    match clause:
        case Term(text) | Phrase(text):
            return ((word,) for word in words_of(text))
        case AllOf(parts):
            inner = [conjunctive(part) for part in parts]
            return None if None in inner else chain.from_iterable(each for each in inner if each is not None)
        case AnyOf(parts):
            inner = [conjunctive(part) for part in parts]
            return None if None in inner else _distributed([each for each in inner if each is not None])
        case Not() | Compare() | Prefix():
            return None


def written(clauses: Iterable[TermClause]) -> str:
    """``deploy (k8s kubernetes)``: a clause of several terms in parentheses, which no term can hold."""
    return " ".join(clause[0] if len(clause) == 1 else f"({' '.join(clause)})" for clause in clauses)


def _distributed(alternatives: list[Iterator[TermClause]]) -> Iterator[TermClause]:
    """(a AND b) OR c is (a OR c) AND (b OR c). No alternative is longer than what would ever be sent of it."""
    for combination in product(*(list(islice(each, MOST + 1)) for each in alternatives)):
        yield tuple(dict.fromkeys(chain.from_iterable(combination)))


def _is_checked(part: Clause) -> bool:
    return any(judge(leaf).fidelity is not Fidelity.EXACT for leaf in leaves(part))


def _length(clause: TermClause) -> int:
    return sum(map(len, clause)) + len(clause) - 1
