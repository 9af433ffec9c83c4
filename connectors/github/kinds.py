"""Which of GitHub's kinds are worth their requests: one that has brought nothing time and again is asked for now and then."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FRUITLESS = 12  # searches in a row without a hit after which a kind is passed over
NOW_AND_THEN = 16  # of the searches that follow one in so many asks for it, since the first of a kind may come any day


class KindYield:
    """What each kind (issues, discussions, …) has brought to the last searches of one source."""

    def __init__(self) -> None:
        self._without: Counter[str] = Counter()  # searches since the last hit, those that passed the kind over included

    def worth_asking(self, kinds: Iterable[str]) -> frozenset[str]:
        """Those of ``kinds`` that the next search asks for: all where none is likely to bring anything."""
        every = frozenset(kinds)
        due = frozenset(each for each in every if not self.is_barren(each) or self._without[each] % NOW_AND_THEN == 0)
        self._without.update(every - due if due else ())
        return due or every

    def is_barren(self, kind: str) -> bool:
        """Whether it has brought nothing for so long that it is passed over."""
        return self._without[kind] >= FRUITLESS

    def searched(self, kind: str, *, found: bool) -> None:
        """One more search for a kind has been answered."""
        self._without[kind] = 0 if found else self._without[kind] + 1
