"""A small algebra of Linear's ``IssueFilter`` objects: conditions, their opposites, and their joining.

Comparators: https://linear.app/developers/filtering . There is no ``not``, so each comparator has its opposite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from translators.translator import Json

    Filter = dict[str, Json]

OPPOSITES = {"eq": "neq", "eqIgnoreCase": "neqIgnoreCase", "in": "nin", "gte": "lt", "lt": "gte"}
# An issue may have none of these; a comparator inside does not match then, nor does its opposite.
OPTIONAL = frozenset({"creator", "assignee", "project"})


@record
class LinearCondition:
    """One comparator at the end of a path, such as ``assignee.id eq …``."""

    path: tuple[str, ...]
    op: str
    value: Json

    def holds(self) -> Filter:
        """The filter for what satisfies this."""
        return _nested(self.path, {self.op: self.value})

    def fails(self) -> Filter:
        """The filter for what does not: the opposite comparator, or nothing there to compare."""
        opposite = _nested(self.path, {OPPOSITES[self.op]: self.value})
        relation = self.path[0]
        return any_filter([{relation: {"null": True}}, opposite]) if relation in OPTIONAL else opposite


def all_filters(filters: Iterable[Filter]) -> Filter:
    """Everything in ``filters``: one object where no key says two things, else an ``and``."""
    parts = [part for part in filters if part]
    merged: Filter | None = {}
    for part in parts:
        merged = _merged(merged, part) if merged is not None else None
    return {"and": list(parts)} if merged is None else merged


def any_filter(filters: Iterable[Filter]) -> Filter:
    """Anything in ``filters``; an empty one lets everything through, and so does the whole."""
    parts = list(filters)
    if not all(parts):
        return {}
    return parts[0] if len(parts) == 1 else {"or": list(parts)} if parts else {}


def _nested(path: tuple[str, ...], inner: Filter) -> Filter:
    for key in reversed(path):
        inner = {key: inner}
    return inner


def _merged(left: Filter, right: Filter) -> Filter | None:
    """Both in one object, or ``None`` where they give one key two values."""
    result = dict(left)
    for key, value in right.items():
        held = result.get(key)
        if key not in result or held == value:
            result[key] = value
        elif isinstance(held, dict) and isinstance(value, dict) and (deeper := _merged(held, value)) is not None:
            result[key] = deeper
        else:
            return None
    return result
