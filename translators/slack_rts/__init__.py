"""Slack's Real-time Search (``assistant.search.context``): an AND of clauses, each an OR of words, and modifiers.

Manual: https://docs.slack.dev/reference/methods/assistant.search.context
"""

from __future__ import annotations

from itertools import chain, islice, product
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import NO_ALTERNATIVES, barring, window
from translators.generate import Dialect
from translators.query import (
    BY_DATE,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Field,
    Identifier,
    Kind,
    Not,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    conjuncts,
    leaves,
)
from translators.records import record
from translators.said import Said
from translators.slack import ORDERS, SlackModifiers
from translators.slack.verdicts import KINDS, message_at
from translators.slack_rts.verdicts import CONTENT, LONGEST, after, before, judge, unworded, words_of
from translators.split import split
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from translators.query import Clause, Leaf
    from translators.split import Judge
    from translators.translator import Json


class SlackRts(Dialect, SlackModifiers):
    """Queries for ``assistant.search.context``.

    The text holds the words, alternatives in parentheses (``deploy (k8s kubernetes)``). ``args`` holds ``modifiers``
    (one string), ``after`` and ``before`` (seconds since 1970), ``content_types``, ``sort`` and ``sort_dir``; or, for a
    message named by its address, ``channel``, ``ts`` and ``thread_ts`` and nothing else.
    """

    name = "slack_rts"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.WIDER,
        fields={
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.ID: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        sorts=BY_DATE,
        meaning=True,
    )
    verdicts = judge
    # What two from: or two in: mean together is not documented, and a result is of one type.
    single = frozenset({Field.AUTHOR, Field.CONTAINER, Field.KIND})
    fetches = True

    def judge_of(self, query: Query, can: Capabilities) -> Judge:
        """What can be said of a leaf depends on the room that the others leave, and on there being words."""
        found = fitted(split(query.where, can, self.verdicts).pushed)
        left = split(query.where, can, _in_company(found)).pushed
        return _in_company(FittedClauses(fitted(left).clauses, found.barred))

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        conditions = [part for part in conjuncts(pushed) if isinstance(part, Compare)]
        args: dict[str, Json] = {}
        if modifiers := self.both.join(filter(None, map(self.condition, conditions))):
            args["modifiers"] = modifiers
        since, until = window(conditions)
        if since:
            args["after"] = after(since)
        if until:
            args["before"] = before(until)
        for leaf in conditions:
            if isinstance(leaf.value, Kind):
                args["content_types"] = [CONTENT[leaf.value]]
        return NativeQuery(self.name, written(fitted(pushed).clauses), {**args, **ORDERS.get(order, {})})

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", message_at(thing))

    def kind(self, kind: Kind) -> str:
        """A thread; other kinds are asked for by content type."""
        return KINDS[kind] if kind is Kind.THREAD else self.nothing


def _in_company(found: FittedClauses) -> Judge:
    return barring(judge if found.clauses else unworded, found.barred)


# ---- words as ``term_clauses``: an AND of clauses, each an OR of terms, of which Slack takes five

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


TRANSLATOR = SlackRts
