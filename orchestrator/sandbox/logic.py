"""How the conditions of a query hang together, how its tokens are read and its times compared: what vendors' languages have, whatever their leaves are."""

import re
from abc import ABC, abstractmethod
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
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


class Tree(Generic[LeafT]):
    """Conditions whose leaves are of one kind, which the caller names: ``Tree[Leaf](node)``."""

    def __init__(self, node: "LeafT | Not[LeafT] | All[LeafT] | Any[LeafT]") -> None:
        self.node = node

    def satisfying(self, everything: frozenset[int], which: Callable[[LeafT], frozenset[int]]) -> frozenset[int]:
        """The numbers among ``everything`` that satisfy it; ``which`` says it of a leaf."""
        match self.node:
            case All(nodes=nodes):
                return everything.intersection(*(Tree(each).satisfying(everything, which) for each in nodes))
            case Any(nodes=nodes):
                return frozenset().union(*(Tree(each).satisfying(everything, which) for each in nodes))
            case Not(node=inner):
                return everything - Tree(inner).satisfying(everything, which)
            case leaf:
                return which(leaf)

    def leaves(self, *, wanted: bool = True) -> Iterator[tuple[LeafT, bool]]:
        """The leaves from left to right, each with whether it is wanted or excluded."""
        match self.node:
            case All(nodes=nodes) | Any(nodes=nodes):
                for inner in nodes:
                    yield from Tree(inner).leaves(wanted=wanted)
            case Not(node=inner):
                yield from Tree(inner).leaves(wanted=not wanted)
            case leaf:
                yield leaf, wanted


Token = tuple[str, str]
"""The group of a pattern that was found, and its text."""
END: Token = ("end", "")


class Tokens:
    """The tokens of a text, read one after the other. What is none, or another than it must be, is ``wrong``."""

    def __init__(self, text: str, pattern: re.Pattern[str], wrong: type[ValueError]) -> None:
        self._wrong = wrong
        self._place = 0
        self._tokens: list[Token] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            token = pattern.match(text, at)
            if token is None or token.lastgroup is None:
                raise wrong(text[at : at + 20])
            self._tokens.append((token.lastgroup, token[token.lastgroup]))
            at = token.end()

    @property
    def here(self) -> Token:
        """What is read next."""
        return self._tokens[self._place] if self._place < len(self._tokens) else END

    def take(self, *kinds: str) -> str:
        """The text of the next, which must be of one of these kinds."""
        kind, text = self.here
        if kind not in kinds:
            raise self._wrong(text)
        self._place += 1
        return text

    def skip(self, kind: str, text: str) -> bool:
        """Whether this is next; if so it is taken."""
        there = self.here == (kind, text)
        self._place += there
        return there

    def end(self) -> None:
        """Nothing may be left."""
        if self.here != END:
            raise self._wrong(self.here[1])


@dataclass(frozen=True, slots=True)
class Span:
    """A day, a minute or whatever else is named, from `start` to before `end`."""

    start: datetime
    end: datetime

    def meets(self, operator: str, moment: datetime) -> bool:
        """Whether a moment is so related to it: `>=` not before, `>` after, `<` before, `<=` not after, `<>` outside, else within."""
        match operator:
            case ">=":
                return moment >= self.start
            case ">":
                return moment >= self.end
            case "<":
                return moment < self.start
            case "<=":
                return moment < self.end
            case _:
                return (self.start <= moment < self.end) is (operator != "<>")


def months_after(moment: datetime, months: int) -> datetime:
    """So many months later, or earlier; a month's missing days fall on its last. Raises `ValueError` beyond the calendar."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))
