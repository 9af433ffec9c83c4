"""Sequences that are made as far as somebody looks: most questions never climb their ladder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from itertools import islice
from typing import ParamSpec, TypeVar, overload

MadeT_co = TypeVar("MadeT_co", covariant=True)
P = ParamSpec("P")


class Lazily(Sequence[MadeT_co]):
    """What an iterator yields, each made once, when it is first looked at. Equal to the tuple of it all."""

    def __init__(self, making: Iterator[MadeT_co]) -> None:
        self._making = making
        self._made: list[MadeT_co] = []

    @property
    def made(self) -> tuple[MadeT_co, ...]:
        """As far as somebody has looked."""
        return tuple(self._made)

    @overload
    def __getitem__(self, index: int) -> MadeT_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[MadeT_co, ...]: ...
    def __getitem__(self, index: int | slice) -> MadeT_co | tuple[MadeT_co, ...]:
        if isinstance(index, slice):
            self._make(index.stop)
            return tuple(self._made[index])
        self._make(index + 1 if index >= 0 else None)
        return self._made[index]

    def __len__(self) -> int:
        self._make(None)
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Lazily) else other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def _make(self, most: int | None) -> None:
        """The first ``most``; all where that is ``None`` or counted from the end."""
        missing = None if most is None or most < 0 else max(0, most - len(self._made))
        self._made += islice(self._making, missing)


def lazily(make: Callable[P, Iterator[MadeT_co]]) -> Callable[P, Lazily[MadeT_co]]:
    """A generator function as one that returns such a sequence."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Lazily[MadeT_co]:
        return Lazily(make(*args, **kwargs))

    return made
