"""Asana's task search: free words without operators, and query parameters for everything structured.

Manual: https://developers.asana.com/reference/searchtasksforworkspace
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.asana.parameters import PARAMETERS, tighter
from translators.asana.verdicts import judge, task
from translators.capabilities import Capabilities, Fidelity
from translators.emit import ASKS_ONE, NO_ALTERNATIVES, Settled, as_typed, shown
from translators.generate import Dialect
from translators.query import (
    EVERYTHING,
    Clause,
    Field,
    Identifier,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    all_of,
    conjuncts,
)
from translators.said import Said
from translators.translator import Loss, LossKind, NativeQuery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.translator import Json

# Without a word there is no relevance; the last change first is what Asana then does by itself.
ORDERS: Mapping[Sort, Mapping[str, str]] = {
    Sort.RELEVANCE: {"sort_by": "relevance"},
    Sort.NEWEST: {"sort_by": "modified_at"},
    Sort.OLDEST: {"sort_by": "modified_at", "sort_ascending": "true"},
}


class Asana(Dialect):
    """Queries for the task search of a workspace: ``text``, and in ``args`` the other parameters as they are sent.

    A task named by its address or number is read by itself: ``args`` then holds its number as ``task`` and nothing else.
    """

    name = "asana"
    can = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.WIDER,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.EXACT,
            Field.ASSIGNEE: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.STATE: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
            Field.UPDATED: Fidelity.WIDER,
        },
        any_of=True,
        any_of_text=False,
        # ``assignee.not`` and ``projects.not`` exist too, but what becomes of tasks without either is not said.
        negates=frozenset({Field.AUTHOR, Field.STATE}),
        sorts=frozenset(Sort),
        note=Said("Asana compares words of names and descriptions in its own way"),
    )
    verdicts = judge
    fetches = True

    def settled(self, query: Query, can: Capabilities) -> Settled:
        """What no parameter can list is left for us, unless it is anyway."""
        settled = super().settled(query, can)
        if self.fetched(settled.pushed):
            return settled
        _, spare = _fitted(settled.pushed)
        held = settled.residual or EVERYTHING
        fresh = {part: why for part, why in spare.items() if part not in conjuncts(held)}
        losses = (Loss(LossKind.CHECKED, shown(part), why) for part, why in fresh.items())
        residual = all_of((held, *fresh))
        return Settled(
            all_of(part for part in conjuncts(settled.pushed) if part not in spare),
            None if residual == EVERYTHING else residual,
            (*settled.losses, *losses),
        )

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        words = [as_typed(part.text) for part in conjuncts(pushed) if isinstance(part, Term | Phrase | Prefix)]
        args, _ = _fitted(pushed)
        if words or order is not Sort.RELEVANCE:
            args |= ORDERS[order]
        return NativeQuery(self.name, " ".join(words), args)

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"task": task(thing)})


def _fitted(pushed: Clause) -> tuple[dict[str, Json], dict[Clause, Said]]:
    """The conditions as parameters, and those that do not fit with the reason: each parameter is sent only once."""
    args: dict[str, Json] = {}
    spare: dict[Clause, Said] = {}
    for part in conjuncts(pushed):
        if isinstance(part, Term | Phrase | Prefix):
            continue
        if (found := PARAMETERS.write(part)) is None:
            spare[part] = NO_ALTERNATIVES
        elif (narrowed := tighter(found, args.get(found.name, found.value))) is None:
            spare[part] = ASKS_ONE
        else:
            args[found.name] = narrowed
    return args, spare


TRANSLATOR = Asana
