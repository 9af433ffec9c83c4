"""GitHub's searches of issues, pull requests, discussions and code: one question, a query for each in what it knows.

Manual: https://docs.github.com/en/search-github and https://docs.github.com/en/rest/search/search . What does not fit within
GitHub's limits (https://docs.github.com/en/rest/search/search#limitations-on-query-length) is not asked for, and checked on what comes back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import TIMES, Capabilities, Fidelity, Verdict
from translators.emit import ASKS_ONE, NO_ORDER, ONE_FETCH, settle, shown
from translators.github.grammar import SEPARATOR, choices, count_of_choices, has_words, never, repeats, written
from translators.github.scopes import SCOPES, SearchScope, known_of, reduced, silence_of, wanted_leaves
from translators.github.verdicts import MOST_CHARACTERS, fetchable, judge
from translators.query import (
    BY_DATE,
    EVERYTHING,
    NOTHING,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Field,
    Identifier,
    Leaf,
    Not,
    Query,
    Sort,
    Term,
    all_of,
    conjuncts,
)
from translators.records import record
from translators.said import UNSAID, Said, joined
from translators.translator import Loss, LossKind, NativeQuery, Translation, order_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from translators.translator import Json

MOST_OPERATORS = 5
DEEPEST = 5
MOST_QUERIES = 3  # that one search gets for one question

TOO_LONG = Said("GitHub takes {most_characters} characters of words in one query")
TOO_MANY = Said("GitHub takes {most_operators} of AND, OR and NOT in one query")
TOO_DEEP = Said("GitHub takes parentheses {deepest} deep")
NOT_IN_OR = Said("GitHub does not say what NOT means among alternatives")
NO_OR = Said("the searches of GitHub that know no OR are asked {most_queries} times for one question at most")
NO_WORDS = Said("GitHub finds code by words only")


@record
class Fitted:
    """``queries`` for one scope (none: nothing there can be wanted), and what did not fit with why.

    ``wordless``: queries were left out because this scope is searched by words only.
    """

    queries: tuple[str, ...]
    spare: tuple[tuple[Clause, Said], ...] = ()
    wordless: bool = False


def fitted(parts: Sequence[Clause], scope: SearchScope) -> Fitted:
    """Queries that together ask for all of ``parts``, as far as they fit, in the order in which they come."""
    kept: list[Clause] = []
    spare: list[tuple[Clause, Said]] = []
    for part in parts:
        if reason := _reason([*kept, part], part, scope):
            spare.append((part, reason))
        else:
            kept.append(part)
    ways = [way for way in _ways(kept, scope) if not never(way, scope)]
    asked = [way for way in ways if has_words(way) or not scope.by_words]
    queries = dict.fromkeys(written(way, scope).text for way in asked)
    return Fitted(tuple(queries), tuple(spare), len(asked) < len(ways))


def _ways(parts: Sequence[Clause], scope: SearchScope) -> list[tuple[Clause, ...]]:
    """One query where there is OR, else one for each choice among the alternatives."""
    return [tuple(parts)] if scope.groups else choices(AllOf(tuple(parts)))


def _reason(parts: Sequence[Clause], last: Clause, scope: SearchScope) -> Said:
    """Why a query for ``parts``, the ``last`` of which is new, would not do; empty if it would."""
    if scope.groups:
        return NOT_IN_OR if _negates_alternatives(last) else _refusal(parts, scope)
    if count_of_choices(AllOf(tuple(parts))) > MOST_QUERIES:
        return NO_OR.filled(most_queries=MOST_QUERIES)
    ways = [way for way in _ways(parts, scope) if not never(way, scope)]
    return ASKS_ONE if any(map(repeats, ways)) else next(filter(None, (_refusal(way, scope) for way in ways)), UNSAID)


def _refusal(parts: Sequence[Clause], scope: SearchScope) -> Said:
    """The limit that one query would exceed."""
    query = written(parts, scope)
    if query.characters > MOST_CHARACTERS:
        return TOO_LONG.filled(most_characters=MOST_CHARACTERS)
    if query.operators > MOST_OPERATORS:
        return TOO_MANY.filled(most_operators=MOST_OPERATORS)
    return TOO_DEEP.filled(deepest=DEEPEST) if query.depth > DEEPEST else UNSAID


def _negates_alternatives(part: Clause, *, inside: bool = False) -> bool:
    """Whether a NOT stands inside an OR. A negated date is another date."""
    match part:
        case AllOf(parts):
            return any(_negates_alternatives(each, inside=inside) for each in parts)
        case AnyOf(parts):
            return any(_negates_alternatives(each, inside=True) for each in parts)
        case Not(inner):
            return inside and not (isinstance(inner, Compare) and inner.field in TIMES)
        case _:
            return False


FIELDS = (Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.KIND, Field.STATE, *sorted(TIMES))
ORDERS = {Sort.NEWEST: "desc", Sort.OLDEST: "asc"}
NO_DATES = Said("files come last: GitHub does not say when they were changed")


class GitHub:
    """Queries for GitHub's searches.

    ``text`` holds the queries, with ``||`` between them; ``args``: ``search`` says for each which searches it is for,
    ``sort`` and ``order`` are there when an order is wanted. ``fetch`` instead names one thing that is read directly.
    """

    name: ClassVar[str] = "github"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        fields=dict.fromkeys((Field.ID, *FIELDS), Fidelity.EXACT),
        any_of=True,
        ranks=True,
        most_ors=MOST_OPERATORS,
        negates=frozenset({Term, *FIELDS}),
        sorts=BY_DATE,
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as one query for each search that may find something."""
        can = self.can.meet(can)
        fetched = settle(query, can, judge, fetches=True)
        if isinstance(fetched.pushed, Compare) and isinstance(fetched.pushed.value, Identifier):
            native = NativeQuery(self.name, "", {"fetch": fetchable(fetched.pushed.value)})
            return Translation(native, fetched.residual, (*fetched.losses, *_unsorted(query, can)))
        parts = [_Part(scope, query, can) for scope in SCOPES]
        asked = [part for part in parts if part.queries]
        losses = [loss for part in parts for loss in part.losses] + _order_losses(query, can, asked)
        residual = all_of(clause for part in asked for clause in part.residual)
        named = {(loss.kind, loss.what): loss for loss in reversed(losses)}  # of several reasons the first will do
        return Translation(
            NativeQuery(self.name, *_native(asked, query, can)),
            None if residual == EVERYTHING else residual,
            tuple(named[key] for key in dict.fromkeys((loss.kind, loss.what) for loss in losses)),
        )


@dataclass
class _Part:
    """What one search is asked of a question, what it leaves to be checked, and what to tell people."""

    scope: SearchScope
    query: Query
    can: Capabilities
    queries: tuple[str, ...] = ()
    residual: list[Clause] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)

    def __post_init__(self) -> None:
        where = reduced(self.query.where, known_of(self.scope, self._offers))
        if where == NOTHING:
            return
        silence = silence_of(self.scope, self._offers)
        for leaf in wanted_leaves(where):
            if silence(leaf, True) == NOTHING:  # noqa: FBT003 — a callback with a fixed signature
                assert isinstance(leaf, Compare)
                self._lose(LossKind.APPROXIMATED, leaf, self.scope.silent[leaf.field])
        if reduced(where, silence) == NOTHING:
            return
        found = fitted([clause for part in conjuncts(self.query.where) for clause in self._pushed(part)], self.scope)
        self._finish(found)

    def _finish(self, found: Fitted) -> None:
        self.queries = found.queries
        if found.wordless:
            self.losses.append(Loss(LossKind.DROPPED, self.scope.name, NO_WORDS))
        if not found.queries:
            self.losses = [loss for loss in self.losses if loss.what == self.scope.name]
            return
        for clause, why in found.spare:
            self.residual.append(clause)
            self.losses = [loss for loss in self.losses if loss.what != shown(clause)]
            self._lose(LossKind.CHECKED, clause, why)

    def _pushed(self, part: Clause) -> Iterable[Clause]:
        """What this search can be asked of one condition; what it cannot is noted, as it was in the question."""
        mine = reduced(reduced(part, known_of(self.scope, self._offers)), silence_of(self.scope, self._offers))
        settled = settle(replace(self.query, where=mine, sort=Sort.RELEVANCE), self.can, self._judge)
        if settled.residual is None or mine == part:
            self.residual += [] if settled.residual is None else conjuncts(settled.residual)
            self.losses += settled.losses
        else:  # what is left of it holds for this search only; the whole of it holds everywhere
            self.residual.append(part)
            reasons = dict.fromkeys(loss.why for loss in settled.losses if loss.kind is LossKind.CHECKED)
            self.losses += [loss for loss in settled.losses if loss.kind is not LossKind.CHECKED]
            for each in conjuncts(all_of((part,))):  # as they stand in the residual
                self._lose(LossKind.CHECKED, each, joined("; ", reasons))
        return conjuncts(settled.pushed)

    def _judge(self, leaf: Leaf) -> Verdict:
        """An id is fetched by itself, and what a search does not know it is not asked for, negated or not."""
        if isinstance(leaf, Compare) and leaf.field is Field.ID:
            return Verdict(Fidelity.NONE, ONE_FETCH)
        if isinstance(leaf, Compare) and leaf.field in (self.scope.lacks | self.scope.silent.keys()):
            return Verdict(
                Fidelity.NONE,
                Said("GitHub's search of {name} does not know this").filled(name=self.scope.name),
            )
        return judge(leaf)

    def _lose(self, kind: LossKind, clause: Clause, why: Said) -> None:
        self.losses.append(Loss(kind, shown(clause), why))

    def _offers(self, leaf: Leaf, wanted: bool) -> bool:  # noqa: FBT001 — a callback with a fixed signature
        """Whether the source that is asked offers to check a field, and to check its opposite."""
        return self.can.fidelity(leaf) is Fidelity.EXACT if wanted else self.can.can_negate(leaf)


def _native(asked: Iterable[_Part], query: Query, can: Capabilities) -> tuple[str, dict[str, Json]]:
    """Each query once, with the names of the searches that get it."""
    searches: dict[str, list[str]] = {}
    for part in asked:
        for text in part.queries:
            searches.setdefault(text, []).append(part.scope.name)
    args: dict[str, Json] = {"search": [" ".join(names) for names in searches.values()]}
    if query.sort in ORDERS and query.sort in can.sorts:
        args |= {"sort": "updated", "order": ORDERS[query.sort]}
    return SEPARATOR.join(searches), args


def _order_losses(query: Query, can: Capabilities, asked: Iterable[_Part]) -> list[Loss]:
    undated = any(part.scope.by_words for part in asked)
    if query.sort in ORDERS and query.sort in can.sorts and undated:
        return [Loss(LossKind.APPROXIMATED, order_name(query.sort), NO_DATES)]
    return list(_unsorted(query, can))


def _unsorted(query: Query, can: Capabilities) -> tuple[Loss, ...]:
    kept = query.sort is Sort.RELEVANCE or query.sort in can.sorts
    return () if kept else (Loss(LossKind.DROPPED, order_name(query.sort), NO_ORDER),)


TRANSLATOR = GitHub
