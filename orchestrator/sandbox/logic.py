"""How the conditions of a parsed query hang together: what every vendor's language has, whatever its leaves are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

LeafT = TypeVar("LeafT")


@dataclass(frozen=True, slots=True)
class Not(Generic[LeafT]):
    """What must not match."""

    node: "LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]"


@dataclass(frozen=True, slots=True)
class All(Generic[LeafT]):
    """Everything must match; nothing in it matches everything."""

    nodes: "Sequence[LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]]"


@dataclass(frozen=True, slots=True)
class Any(Generic[LeafT]):
    """At least one must match."""

    nodes: "Sequence[LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]]"
