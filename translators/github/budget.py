"""Keep a query within GitHub's limits: what does not fit is not asked for, and checked on what comes back.

Limits: https://docs.github.com/en/rest/search/search#limitations-on-query-length
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import TIMES
from translators.emit import ASKS_ONE
from translators.github.grammar import choices, count_of_choices, has_words, never, repeats, written
from translators.github.verdicts import MOST_CHARACTERS
from translators.query import AllOf, AnyOf, Clause, Compare, Not
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from translators.github.scopes import SearchScope

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
