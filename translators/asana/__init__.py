"""Asana's task search: free words without operators, and query parameters for everything structured.

Manual: https://developers.asana.com/reference/searchtasksforworkspace
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.asana.verdicts import judge, project, task, user
from translators.capabilities import Capabilities, Fidelity
from translators.emit import ASKS_ONE, DAY, NO_ALTERNATIVES, SECOND, Settled, as_typed, iso, shown, whole_second
from translators.generate import Dialect, Generator
from translators.query import (
    BY_DATE,
    EVERYTHING,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    all_of,
    conjuncts,
)
from translators.records import record
from translators.said import Said
from translators.translator import Loss, LossKind, NativeQuery

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

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
            Field.DUE: Fidelity.WIDER,
        },
        any_of=True,
        any_of_text=False,
        # ``assignee.not`` and ``projects.not`` exist too, but what becomes of tasks without either is not said.
        negates=frozenset({Field.AUTHOR, Field.STATE}),
        sorts=BY_DATE,
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


# ---- one condition as one query parameter of Asana's task search
# Parameters are joined by AND, the values of an ``.any`` list by OR; there is nothing else to join with.

LISTS = {Field.AUTHOR: "created_by", Field.ASSIGNEE: "assignee", Field.CONTAINER: "projects"}
MOMENTS = {Field.TIME: "modified_at", Field.UPDATED: "modified_at", Field.CREATED: "created_at"}
COMPLETED = {State.OPEN: "false", State.DONE: "true"}
AFTER, BEFORE = ".after", ".before"


@record
class Parameter:
    """A name and a value as they stand in the address of a request."""

    name: str
    value: str


class AsanaParameters(Generator["Parameter | None"]):
    """A pushed condition as a parameter; ``None`` for alternatives that no parameter can list."""

    nothing = None

    def every(self, parts: tuple[Clause, ...]) -> Parameter | None:
        raise AssertionError(f"{parts} are parameters each")

    def either(self, parts: tuple[Clause, ...]) -> Parameter | None:
        """Alternatives of one field with a list, joined by commas, which no value of ours holds."""
        leaves = [part for part in parts if isinstance(part, Compare) and part.field in LISTS]
        found = [each for leaf in leaves if (each := self.condition(leaf)) is not None]
        if len(found) != len(parts) or len({each.name for each in found}) != 1:
            return None
        return Parameter(found[0].name, ",".join(dict.fromkeys(each.value for each in found)))

    def denied(self, part: Clause) -> Parameter | None:
        match part:
            case Compare(_, _, State() as state):
                return self.state(State.DONE if state is State.OPEN else State.OPEN)
            case Compare(field, _, Person() as who):
                return Parameter(f"{LISTS[field]}.not", user(who))
            case _:
                raise AssertionError(f"{part} is never negated")

    def words(self, leaf: Term | Phrase | Prefix) -> Parameter | None:
        raise AssertionError(f"{leaf} goes into the text")

    def person(self, field: Field, who: Person) -> Parameter:
        return Parameter(f"{LISTS[field]}.any", user(who))

    def container(self, where: Container) -> Parameter:
        return Parameter(f"{LISTS[Field.CONTAINER]}.any", project(where))

    def state(self, state: State) -> Parameter:
        return Parameter("completed", COMPLETED[state])

    def kind(self, kind: Kind) -> Parameter:
        return Parameter("resource_subtype", kind.value)

    def instant(self, field: Field, op: Op, instant: datetime) -> Parameter:
        """Whole seconds that lose nothing, whether or not Asana takes the bound itself and parts of a second as within."""
        second = whole_second(op, instant)
        if op is Op.GE:
            return Parameter(f"{MOMENTS[field]}{AFTER}", iso(second - SECOND))
        return Parameter(f"{MOMENTS[field]}{BEFORE}", iso(second))

    def day(self, op: Op, day: date) -> Parameter:
        """A day beyond the bound, that of who is asked about may be another than that of the moment by which it is due."""
        if op is Op.GE:
            return Parameter(f"due_on{AFTER}", (day - 2 * DAY).isoformat())
        return Parameter(f"due_on{BEFORE}", (day + DAY).isoformat())


PARAMETERS = AsanaParameters()


def tighter(found: Parameter, held: Json) -> str | None:
    """The one value that stands for ``found`` and the value already ``held``: bounds narrow, lists cannot."""
    if found.value == held:
        return found.value
    if found.name.endswith(AFTER):
        return max(found.value, str(held))
    return min(found.value, str(held)) if found.name.endswith(BEFORE) else None


TRANSLATOR = Asana
