"""Which ways of asking a source are worth their requests: one that has brought nothing time and again is tried now and then."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FRUITLESS = 8  # searches in a row without a hit after which a way is passed over
NOW_AND_THEN = 16  # of the searches that follow one in so many tries it, since the first hit of it may come any day
ANOTHER = ""  # the way that is there beside a single one, whatever it is


class Yields:
    """What each way (a kind of thing that is searched, a step of the ladder) has brought to the last searches of one source."""

    def __init__(self) -> None:
        self._without: Counter[str] = Counter()  # searches since the last hit, those that passed the way over included

    def worth_asking(self, ways: Iterable[str]) -> frozenset[str]:
        """Those of ``ways`` that the next search goes: all where none is likely to bring anything."""
        every = frozenset(ways)
        due = frozenset(each for each in every if not self.is_barren(each) or self._without[each] % NOW_AND_THEN == 0)
        self._without.update(every - due if due else ())
        return due or every

    def is_worth(self, way: str) -> bool:
        """Whether the next search goes this way, where another stands in for it."""
        return way in self.worth_asking((way, ANOTHER))

    def is_barren(self, way: str) -> bool:
        """Whether it has brought nothing for so long that it is passed over."""
        return self._without[way] >= FRUITLESS

    def searched(self, way: str, *, found: bool) -> None:
        """One more search that went this way has been answered."""
        self._without[way] = 0 if found else self._without[way] + 1
