"""What ranking has worked out for one question and works out no second time, whichever stage or ranking asks again.

A column is a value for each hit. It is filled as hits arrive, while slower sources are awaited, and kept for as long as the question is
asked: whoever ranks again when more has come, or texts were read, reads only what is new. Hits are told apart by identity.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from connectors.contract import Hit
    from orchestrator.rank.config import RankingConfig
    from translators.query import Query


class RankQuestion(Protocol):
    """What is asked, and the numbers that rank it."""

    @property
    def query(self) -> Query: ...

    @property
    def config(self) -> RankingConfig: ...


T = TypeVar("T")
RankQuestionT = TypeVar("RankQuestionT", bound=RankQuestion)


class RankMemo:
    """Of one question by one set of numbers; one whose words have changed, as by another spelling, is another."""

    def __init__(self) -> None:
        self._of: tuple[Query, RankingConfig] | None = None
        self._forget()

    def column(
        self, read: Callable[[Sequence[Hit], RankQuestionT], Iterable[T]], hits: Sequence[Hit], context: RankQuestionT
    ) -> list[T]:
        """What ``read`` makes of each hit. It must say of a hit the same whatever it is read with: a pass over many costs a fraction of many passes."""
        self._begin(context)
        known: dict[int, T] = self._columns.setdefault(read, {})
        keys = list(map(id, hits))
        with suppress(KeyError):
            return list(map(known.__getitem__, keys))
        new = dict(zip(keys, hits, strict=True))
        for key in known.keys() & new.keys():
            del new[key]
        self._hits |= new
        known.update(zip(new, read(tuple(new.values()), context), strict=True))
        return list(map(known.__getitem__, keys))

    def once(self, make: Callable[[RankQuestionT], T], context: RankQuestionT) -> T:
        """What ``make`` makes of the question."""
        self._begin(context)
        if make not in self._made:
            self._made[make] = make(context)
        made: T = self._made[make]
        return made

    def _begin(self, context: RankQuestion) -> None:
        if self._of is None or self._of[0] is not context.query or self._of[1] is not context.config:
            self._of = context.query, context.config
            self._forget()

    def _forget(self) -> None:
        self._hits: dict[int, Hit] = {}  # kept, so that their identities stay theirs
        self._columns: dict[object, dict[int, Any]] = {}
        self._made: dict[object, Any] = {}
