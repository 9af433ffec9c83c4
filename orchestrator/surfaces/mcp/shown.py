"""What each asker was shown a moment ago, so that it can be fetched where its source cannot be asked for it by an address."""

from __future__ import annotations

from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from orchestrator.model import Result

MOST = 1000  # results of all askers together
KEPT = timedelta(minutes=15)  # after which the source must be asked whether it is still there, and still theirs


class ShownResults:
    """Results by asker; the oldest are forgotten first. ``clock`` is aware."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._kept: OrderedDict[tuple[str, str, str], tuple[datetime, Result]] = OrderedDict()

    def note(self, principal: str, results: Iterable[Result]) -> None:
        """Somebody was shown these."""
        now = self._clock()
        for each in results:
            key = (principal, each.hit.source, each.hit.id)
            self._kept[key] = (now, each)
            self._kept.move_to_end(key)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def find(self, principal: str, wanted: Callable[[Result], bool], source: str | None = None) -> Result | None:
        """The last that somebody was shown and that is ``wanted``."""
        since = self._clock() - KEPT
        for (whose, name, _), (when, result) in reversed(self._kept.items()):
            if when < since:
                return None
            if whose == principal and source in {None, name} and wanted(result):
                return result
        return None
