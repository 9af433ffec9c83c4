"""Judgments from use (clicks, feedback): grades of what was shown, by what people did with it.

What a person says outright is strong, what they do is weak: many open what they then find wanting. One person counts once for a question, by
what they were shown last. Whoever does much counts by the root of it. How much of an act is due to the place where a result stood is not
settled here but estimated together with what ranks (:mod:`orchestrator.learning.tuning`): then an open fifth place says more than an open
first one, and to be shown above and passed over says more against a result than to stand below, where fewer look.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING

from orchestrator.learning.impressions import Reaction
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from orchestrator.learning.impressions import Impression, ReactionEntry
    from orchestrator.learning.log import RecordedUse

# What is said outright, and of two such the later; then what was done, and of that the most.
SAID: Mapping[Reaction, float] = {
    Reaction.RIGHT: 1.0,
    Reaction.INCOMPLETE: 0.3,
    Reaction.OUTDATED: 0.0,
    Reaction.WRONG: 0.0,
}
DONE: Mapping[Reaction, float] = {Reaction.COPIED: 0.5, Reaction.OPENED: 0.3}
WENT_ON = 0.1  # opened, and then something else of the same answer was
QUOTED = 0.5  # what an answer quotes that was right as a whole
UNTOLD = 0.1  # the others, where all that was said is that one is wrong
MOST = 20_000  # judgments that are learnt from
LASTS = timedelta(days=1)  # that what was shown may still be acted upon


@record
class GradedImpression:
    """One judgment: an answer as it was shown and the grade of each result, 0 for what nobody wanted.

    ``who``: the digest of whoever judged, which in a channel may be another than who asked. ``weight``: beside others.
    """

    shown: Impression
    grades: tuple[float, ...]
    who: str
    weight: float = 1.0

    @property
    def question(self) -> str:
        """The digest of what was asked."""
        return self.shown.asked[0]


def judgments_of(use: RecordedUse) -> tuple[GradedImpression, ...]:
    """In the order of time, the latest :data:`MOST`. A reaction to what nobody was shown is left out."""
    acted: dict[int, list[ReactionEntry]] = defaultdict(list)
    shown = _Shown(use.shown)
    for entry in use.reactions:
        if (at := shown.before(entry)) is not None:
            acted[at].append(entry)
    latest: dict[tuple[str, str], tuple[Impression, tuple[float, ...]]] = {}
    for at, entries in sorted(acted.items()):
        grades = _grades(use.shown[at], entries)
        if max(grades) > min(grades):
            latest[entries[-1].who, use.shown[at].asked[0]] = (use.shown[at], grades)
    counts = Counter(who for who, _ in latest)
    judged = (
        GradedImpression(impression, grades, who, max(grades) * counts[who] ** -0.5)
        for (who, _), (impression, grades) in latest.items()
    )
    return tuple(sorted(judged, key=lambda each: each.shown.at)[-MOST:])


class _Shown:
    """Which answer a reaction is about: the last that this person was given to this question, or else anybody."""

    def __init__(self, shown: Sequence[Impression]) -> None:
        self._places: dict[tuple[str, str], list[tuple[datetime, int]]] = defaultdict(list)
        for at, each in enumerate(shown):
            for asked in each.asked:
                for who in (each.who, ""):
                    self._places[who, asked].append((each.at, at))

    def before(self, entry: ReactionEntry) -> int | None:
        """Its place, ``None`` where there is none."""
        for who in (entry.who, ""):
            known = self._places.get((who, entry.asked), ())
            last = bisect_right(known, entry.at, key=itemgetter(0)) - 1
            if last >= 0 and entry.at <= known[last][0] + LASTS:
                return known[last][1]
        return None


def _grades(shown: Impression, entries: Iterable[ReactionEntry]) -> tuple[float, ...]:
    said: dict[str, float] = {}
    done: dict[str, float] = {}
    opened, whole = "", 0.0
    for entry in entries:
        if not entry.item:
            whole = QUOTED if entry.did is Reaction.RIGHT else 0.0
        elif entry.did in SAID:
            said[entry.item] = SAID[entry.did]
        else:
            if (
                opened
                and opened != entry.item
                and entry.did is Reaction.OPENED
                and done[opened] == DONE[Reaction.OPENED]
            ):
                done[opened] = WENT_ON
            done[entry.item] = max(done.get(entry.item, 0.0), DONE[entry.did])
            opened = entry.item if entry.did is Reaction.OPENED else opened
    silent = 0.0 if whole or done or any(said.values()) or not said else UNTOLD
    return tuple(
        said.get(item.key, max(done.get(item.key, silent), whole if item.cited else 0.0)) for item in shown.items
    )
