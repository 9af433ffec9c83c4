"""One condition as one query parameter of Asana's task search.

Parameters are joined by AND, the values of an ``.any`` list by OR; there is nothing else to join with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, assert_never

from translators.asana.verdicts import project, user
from translators.emit import utc
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)

if TYPE_CHECKING:
    from translators.translator import Json

LISTS = {Field.AUTHOR: "created_by", Field.ASSIGNEE: "assignee", Field.CONTAINER: "projects"}
MOMENTS = {Field.TIME: "modified_at", Field.UPDATED: "modified_at", Field.CREATED: "created_at"}
COMPLETED = {State.OPEN: "false", State.DONE: "true"}
AFTER, BEFORE = ".after", ".before"
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A name and a value as they stand in the address of a request."""

    name: str
    value: str


def parameter(part: Clause) -> Parameter | None:
    """A pushed condition as a parameter; ``None`` for alternatives that no parameter can list."""
    match part:
        case Compare():
            return _condition(part)
        case Not(Compare(Field.STATE, _, State() as state)):
            return Parameter("completed", COMPLETED[State.DONE if state is State.OPEN else State.OPEN])
        case Not(Compare(field, _, Person() as who)):
            return Parameter(f"{LISTS[field]}.not", user(who))
        case AnyOf(parts):
            return _listed(parts)
        case Not() | AllOf() | Term() | Phrase() | Prefix():
            raise AssertionError(f"{part} is never pushed as a condition of its own")
        case _:
            assert_never(part)


def tighter(found: Parameter, held: Json) -> str | None:
    """The one value that stands for ``found`` and the value already ``held``: bounds narrow, lists cannot."""
    if found.value == held:
        return found.value
    if found.name.endswith(AFTER):
        return max(found.value, str(held))
    return min(found.value, str(held)) if found.name.endswith(BEFORE) else None


def _condition(leaf: Compare) -> Parameter:
    match leaf.value:
        case Person() as who:
            return Parameter(f"{LISTS[leaf.field]}.any", user(who))
        case Container() as where:
            return Parameter(f"{LISTS[leaf.field]}.any", project(where))
        case State() as state:
            return Parameter("completed", COMPLETED[state])
        case datetime() as instant:
            return _bound(leaf.field, leaf.op, instant)
        case Kind() as kind:
            return Parameter("resource_subtype", kind.value)
        case Identifier():
            raise AssertionError("what is named by an id is fetched")
        case _:
            assert_never(leaf.value)


def _listed(parts: tuple[Clause, ...]) -> Parameter | None:
    """Alternatives of one field with a list, joined by commas, which no value of ours holds."""
    leaves = [part for part in parts if isinstance(part, Compare) and part.field in LISTS]
    fields = {leaf.field for leaf in leaves}
    if len(leaves) != len(parts) or len(fields) != 1:
        return None
    conditions = [_condition(leaf) for leaf in leaves]
    return Parameter(conditions[0].name, ",".join(dict.fromkeys(each.value for each in conditions)))


def _bound(field: Field, op: Op, instant: datetime) -> Parameter:
    """Whole seconds that lose nothing, whether or not Asana takes the bound itself and parts of a second as within."""
    moment = utc(instant)
    whole = moment.replace(microsecond=0)
    if op is Op.GE:
        return Parameter(f"{MOMENTS[field]}{AFTER}", _written(whole - SECOND))
    return Parameter(f"{MOMENTS[field]}{BEFORE}", _written(whole if whole == moment else whole + SECOND))


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
