"""How the conditions of a parsed query hang together: what every vendor's language has, whatever its leaves are."""

from abc import ABC, abstractmethod
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


class Junctions(ABC, Generic[LeafT]):
    """Reads what is joined by AND and OR, the first of which binds more closely, as most of the languages have it."""

    @abstractmethod
    def takes_or(self) -> bool:
        """Take the operator if it stands here."""

    @abstractmethod
    def takes_and(self) -> bool:
        """Take the operator if it stands here, or say that two side by side are joined so."""

    @abstractmethod
    def unit(self) -> "LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]":
        """Read a condition, one that is negated, or a group."""

    def alternatives(self) -> "LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]":
        """Read conditions up to something that joins none."""
        nodes = [self._together()]
        while self.takes_or():
            nodes.append(self._together())
        return nodes[0] if len(nodes) == 1 else Any(tuple(nodes))

    def _together(self) -> "LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]":
        nodes = [self.unit()]
        while self.takes_and():
            nodes.append(self.unit())
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))
