"""Exemplars: canonical queries and the native queries expected of a dialect, in a notation that people can review.

A clause is a table with one key: ``{term = "배포"}``, ``{phrase = "…"}``, ``{prefix = "…"}``, ``{not = {…}}``,
``{any = [{…}, {…}]}``, ``{all = […]}``, or a field: ``{author = {name = "sarah"}}``, ``{container = {name = "…"}}``,
``{kind = "page"}``, ``{state = "open"}``, ``{id = {ticket = "ENG-12"}}``,
``{time = {">=" = 2025-01-01T00:00:00+09:00}}``, ``{due = {"<" = 2025-01-01}}``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from translators.capabilities import ORDERED
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    Value,
    all_of,
)
from translators.records import record

if TYPE_CHECKING:
    from translators.translator import Json, Loss

Table = Mapping[str, Any]
KEYS = frozenset({"says", "language", "hostile", "where", "sort", "text", "args", "residual", "losses"})


class BadExemplar(ValueError):
    """An exemplar that is not in the notation; the message quotes the part that cannot be read."""


@record
class Exemplar:
    """One canonical query, what it ``says``, and the translation expected of it."""

    says: str
    query: Query
    text: str
    args: Mapping[str, Json]
    residual: Clause | None
    losses: tuple[str, ...]
    hostile: bool = False


def exemplars_from(document: Table) -> tuple[Exemplar, ...]:
    """Every ``[[exemplar]]`` of a parsed TOML document. Raises :class:`BadExemplar`."""
    return tuple(_exemplar(table) for table in document.get("exemplar", ()))


def loss_line(loss: Loss) -> str:
    """A loss as exemplars write it."""
    return f"{loss.kind}: {loss.what} ({loss.why})"


def clause_from(table: Table) -> Clause:
    """One clause from its table. Raises :class:`BadExemplar`."""
    if len(table) != 1:
        raise BadExemplar(f"a clause is a table with one key, not {dict(table)!r}")
    ((key, value),) = table.items()
    build = NODES.get(key)
    return build(value) if build else _comparison(key, value)


NODES: Mapping[str, Callable[[Any], Clause]] = {
    "term": Term,
    "phrase": Phrase,
    "prefix": Prefix,
    "not": lambda part: Not(clause_from(part)),
    "all": lambda parts: AllOf(tuple(map(clause_from, parts))),
    "any": lambda parts: AnyOf(tuple(map(clause_from, parts))),
}


def _exemplar(table: Table) -> Exemplar:
    if unknown := table.keys() - KEYS:
        raise BadExemplar(f"exemplar {table.get('says')!r} has keys that mean nothing: {', '.join(sorted(unknown))}")
    if missing := {"says", "where"} - table.keys():
        raise BadExemplar(f"exemplar {table.get('says')!r} lacks: {', '.join(sorted(missing))}")
    residual = table.get("residual")
    return Exemplar(
        says=table["says"],
        query=Query(
            text=table["says"],
            where=all_of(map(clause_from, table["where"])),
            sort=Sort(table.get("sort", Sort.RELEVANCE)),
            language=table.get("language", "en"),
        ),
        text=table.get("text", ""),
        args=table.get("args", {}),
        residual=None if residual is None else all_of(map(clause_from, residual)),
        losses=tuple(table.get("losses", ())),
        hostile=table.get("hostile", False),
    )


def _comparison(key: str, value: Any) -> Compare:
    try:
        name = Field(key)
        if name not in ORDERED:
            return Compare(name, Op.EQ, _value(name, value))
        ((op, instant),) = value.items()
        if name is Field.DUE and type(instant) is date:
            return Compare(name, Op(op), instant)
        if not isinstance(instant, datetime) or instant.tzinfo is None:
            raise BadExemplar(f"{key} wants a date and time with an offset, not {instant!r}")
        return Compare(name, Op(op), instant)
    except (TypeError, ValueError, AttributeError) as error:
        raise BadExemplar(f"cannot read {{{key} = {value!r}}}: {error}") from error


def _value(name: Field, value: Any) -> Value:
    match name:
        case Field.AUTHOR | Field.ASSIGNEE:
            return Person(**{"name": "", **value})
        case Field.CONTAINER:
            return Container(**value)
        case Field.KIND:
            return Kind(value)
        case Field.ID:
            ((kind, text),) = value.items()
            return Identifier(IdKind(kind), text)
        case _:
            return State(value)
