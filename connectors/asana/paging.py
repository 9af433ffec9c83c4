"""Further pages of a search that has none: the same question again from the moment at which the last page ended.

https://developers.asana.com/reference/searchtasksforworkspace : results can be paged only by an order in time and a bound.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Hit
    from translators.translator import Json

ORDER = "modified_at"
AFTER, BEFORE = "modified_at.after", "modified_at.before"
SHAPE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)((?: \d{1,20})*)", re.ASCII)
SECOND = timedelta(seconds=1)


@record
class TaskCursor:
    """Where a page ended: a moment, and the tasks near it that have been seen, since its bound may be within or not."""

    bound: str = ""
    seen: tuple[str, ...] = ()

    @classmethod
    def read(cls, cursor: str | None) -> TaskCursor:
        """The place that a cursor names; the start where it is none of ours."""
        found = SHAPE.fullmatch(cursor or "")
        return cls(found[1], tuple(found[2].split())) if found else cls()

    def __str__(self) -> str:
        return " ".join((self.bound, *self.seen))

    def within(self, args: Mapping[str, Json]) -> dict[str, str]:
        """The bound as a parameter, unless ``args`` have a narrower one."""
        if not self.bound or not ordered(args):
            return {}
        name, narrower = (AFTER, max) if _ascending(args) else (BEFORE, min)
        return {name: narrower(self.bound, str(args.get(name, self.bound)))}

    def after(self, hits: Sequence[Hit], args: Mapping[str, Json]) -> TaskCursor | None:
        """The place behind ``hits``; ``None`` where they are in no order of time."""
        last = hits[-1].updated if hits else None
        if last is None or not ordered(args):
            return None
        whole = last.replace(microsecond=0)
        ascending = _ascending(args)
        bound = whole - SECOND if ascending else whole + SECOND
        near = (hit.id for hit in hits if hit.updated and (hit.updated >= bound if ascending else hit.updated <= bound))
        return TaskCursor(_written(bound), tuple(dict.fromkeys((*self._still_near(bound), *near))))

    def _still_near(self, bound: datetime) -> tuple[str, ...]:
        """What was seen around the last bound is met again only while the bounds are next to each other."""
        if not self.bound or abs(datetime.fromisoformat(self.bound) - bound) > 2 * SECOND:
            return ()
        return self.seen


def ordered(args: Mapping[str, Json]) -> bool:
    """Whether the hits come in an order of time: without any words that is Asana's own."""
    return args.get("sort_by", ORDER) == ORDER


def _ascending(args: Mapping[str, Json]) -> bool:
    return args.get("sort_ascending") == "true"


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
