"""What a dialect is: a total, pure function from a Query to the native query of one search language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

from translators.records import record

if TYPE_CHECKING:
    from translators.capabilities import Capabilities
    from translators.query import Clause, Implied, Query, Sort
    from translators.said import Said

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"] | Mapping[str, "Json"] | tuple["Json", ...]

NO_ARGS: Mapping[str, Json] = MappingProxyType({})


@record
class NativeQuery:
    """A question in a source's own language.

    ``text`` is the query string (what one would paste in that product's search box, possibly empty);
    ``args`` is the structured part: filters, sort, anything that is not text.
    """

    dialect: str
    text: str
    args: Mapping[str, Json] = field(default_factory=lambda: NO_ARGS)

    def __str__(self) -> str:
        shown = [self.text] if self.text else []
        shown += [f"{name}={value}" for name, value in self.args.items()]
        return " · ".join(shown) or "(everything)"


class LossKind(StrEnum):
    """What became of a condition that the source could not be asked exactly."""

    APPROXIMATED = "approximated"
    CHECKED = "checked here"
    ORDERED = "ordered here"
    DROPPED = "dropped"


@record
class Loss:
    """One condition that the native query does not carry as it was meant, and why."""

    kind: LossKind
    what: str
    why: Said


@record
class Translation:
    """A native query, what we must still check on its results, and what it lost on the way.

    ``residual`` excludes what fails it. ``preferred`` are conditions that prose implies and the native query does not
    carry: what fails one of them stands behind what satisfies it, and is no less a result.
    """

    native: NativeQuery
    residual: Clause | None = None
    losses: tuple[Loss, ...] = ()
    preferred: tuple[Implied, ...] = ()

    def keeps(self, sort: Sort) -> bool:
        """Whether the source was asked to put what it returns in this order."""
        return all(loss.what != order_name(sort) for loss in self.losses)


def order_name(sort: Sort) -> str:
    """What a loss of that order is called."""
    return f"sort {sort}"


@runtime_checkable
class Translator(Protocol):
    """One dialect. ``can`` is the most the language offers; a source may offer less (its manifest says).

    >>> from translators.query import Query, Term
    >>> from translators.registry import load_dialect
    >>> slack = load_dialect("slack")
    >>> translation = slack.translate(Query("okta", where=Term("okta")), slack.can)
    >>> translation.native.text, translation.residual
    ('okta', None)
    """

    name: ClassVar[str]
    can: ClassVar[Capabilities]

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """Total: never raises on a valid Query, whatever its text holds."""
        ...
