"""One condition as one query parameter of Asana's task search.

Parameters are joined by AND, the values of an ``.any`` list by OR; there is nothing else to join with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.asana.verdicts import project, user
from translators.emit import SECOND, iso, whole_second
from translators.generate import Generator
from translators.query import Clause, Compare, Container, Field, Kind, Op, Person, Phrase, Prefix, State, Term
from translators.records import record

if TYPE_CHECKING:
    from datetime import datetime

    from translators.translator import Json

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


PARAMETERS = AsanaParameters()


def tighter(found: Parameter, held: Json) -> str | None:
    """The one value that stands for ``found`` and the value already ``held``: bounds narrow, lists cannot."""
    if found.value == held:
        return found.value
    if found.name.endswith(AFTER):
        return max(found.value, str(held))
    return min(found.value, str(held)) if found.name.endswith(BEFORE) else None
