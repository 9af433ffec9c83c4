"""Asana's task search: free words without operators, and query parameters for everything structured.

Manual: https://developers.asana.com/reference/searchtasksforworkspace
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from translators.asana.parameters import parameter, tighter
from translators.asana.verdicts import judge, task
from translators.capabilities import Capabilities, Fidelity
from translators.emit import ASKS_ONE, NO_ALTERNATIVES, plain, settle, shown
from translators.query import (
    EVERYTHING,
    Clause,
    Compare,
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
from translators.translator import Loss, LossKind, NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.emit import Settled
    from translators.translator import Json

# Without a word there is no relevance; the last change first is what Asana then does by itself.
ORDERS: Mapping[Sort, Mapping[str, str]] = {
    Sort.RELEVANCE: {"sort_by": "relevance"},
    Sort.NEWEST: {"sort_by": "modified_at"},
    Sort.OLDEST: {"sort_by": "modified_at", "sort_ascending": "true"},
}


class Asana:
    """Queries for the task search of a workspace: ``text``, and in ``args`` the other parameters as they are sent.

    A task named by its address or number is read by itself: ``args`` then holds its number as ``task`` and nothing else.
    """

    name: ClassVar[str] = "asana"
    can: ClassVar[Capabilities] = Capabilities(
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

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as a text and parameters."""
        can = self.can.meet(can)
        settled = settle(query, can, judge, fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            native = NativeQuery(self.name, "", {"task": task(settled.pushed.value)})
            return Translation(native, settled.residual, settled.losses)
        words, args, spare = _written(settled.pushed)
        if query.sort in can.sorts and (words or query.sort is not Sort.RELEVANCE):
            args |= ORDERS[query.sort]
        residual, losses = _with_spare(settled, spare)
        return Translation(NativeQuery(self.name, words, args), residual, losses)


def _written(pushed: Clause) -> tuple[str, dict[str, Json], dict[Clause, Said]]:
    """The words, the parameters, and what fits into neither with the reason: each parameter is sent only once."""
    words: list[str] = []
    args: dict[str, Json] = {}
    spare: dict[Clause, Said] = {}
    for part in conjuncts(pushed):
        if isinstance(part, Term | Phrase | Prefix):
            words.append(plain(part.text))
        elif (found := parameter(part)) is None:
            spare[part] = NO_ALTERNATIVES
        elif (narrowed := tighter(found, args.get(found.name, found.value))) is None:
            spare[part] = ASKS_ONE
        else:
            args[found.name] = narrowed
    return " ".join(words), args, spare


def _with_spare(settled: Settled, spare: Mapping[Clause, Said]) -> tuple[Clause | None, tuple[Loss, ...]]:
    """What is left for us once ``spare`` is as well; alternatives that we check anyway are already named."""
    held = settled.residual or EVERYTHING
    fresh = {part: why for part, why in spare.items() if part not in conjuncts(held)}
    losses = (Loss(LossKind.CHECKED, shown(part), why) for part, why in fresh.items())
    residual = all_of((held, *fresh))
    return None if residual == EVERYTHING else residual, (*settled.losses, *losses)


TRANSLATOR = Asana
