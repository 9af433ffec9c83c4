"""What questions came to, in numbers, for whoever runs the server: how many, how sure the answers were, how each source did.

No name of anybody and no text of a source. The words of a question stand here only where it was left without an answer, and only where the
audit log may hold words as well.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter, defaultdict
from dataclasses import field
from datetime import date, datetime, timedelta
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from orchestrator.lines import DayFiles, days_in, newest_first
from orchestrator.model import ANSWERED, Confidence, Status
from storage.logs import log_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from orchestrator.model import Answer, Ask

USAGE = "usage"  # the folder, in that of the data
DIGEST = 12  # characters
HOURS = 24
DAYS = 14
MOST = 50_000  # answers that are looked at, the newest
MOST_UNANSWERED = 50
NOBODYS = frozenset({Status.SKIPPED, Status.NOT_CONNECTED})  # says nothing of how a source does
log = log_of(__name__)


class UsageLog:
    """Appends a line an answer. ``secret``: what people's digests are made with; ``texts``: whether words of unanswered questions are kept.

    A disk that takes nothing costs figures, and no answer.
    """

    def __init__(
        self, folder: Path, secret: Callable[[], bytes], clock: Callable[[], datetime], keep: int, *, texts: bool
    ) -> None:
        self._files = DayFiles(folder, clock, keep)
        self._secret = cache(secret)
        self._clock = clock
        self._texts = texts

    async def asked(self, ask: Ask, answer: Answer) -> None:
        """One answered question."""
        if not self._files.keep:
            return
        row: dict[str, Any] = {
            "at": self._clock().isoformat(),
            "who": self._who(ask.principal.id),
            "confidence": str(answer.confidence),
            "results": len(answer.results),
            "took": round(answer.took, 3),
            "sources": {each.source: [str(each.status), each.requests] for each in answer.outcomes},
        }
        if self._texts and is_unanswered(row):
            row["question"] = ask.text
        try:
            await self._files.append(row)
        except OSError as failure:
            log.warning("usage is not counted", error=failure.strerror or type(failure).__name__)

    async def kept_of(self, principal: str) -> int:
        """How many lines stand there of somebody's questions. Raises ``OSError``."""
        return await self._files.count(self._is_of(principal))

    async def erase(self, principal: str) -> int:
        """Take them out, and out of the figures with them. Raises ``OSError``."""
        return await self._files.drop(self._is_of(principal))

    def _is_of(self, principal: str) -> Callable[[Mapping[str, Any]], bool]:
        who = self._who(principal)
        return lambda row: row.get("who") == who

    def _who(self, principal: str) -> str:
        digest = hmac.new(self._secret(), principal.encode("utf-8", "replace"), hashlib.sha256)
        return digest.hexdigest()[:DIGEST]


def is_unanswered(row: Mapping[str, Any]) -> bool:
    """Whether somebody went away with nothing: no result, or nothing in them that answers."""
    return not row["results"] or row["confidence"] == Confidence.NONE


@record
class UsageDay:
    """``unanswered`` of the ``questions``; ``people``: how many different ones asked."""

    day: date
    questions: int = 0
    unanswered: int = 0
    people: int = 0


@record
class SourceHour:
    """Questions that a source answered and those at which it did not, and the requests that they took."""

    answered: int = 0
    failed: int = 0
    requests: int = 0


@record
class UnansweredQuestion:
    """Its words, how often they were asked, and when last."""

    words: str
    times: int
    last: datetime


@record
class UsageFigures:
    """``days`` and ``hours`` end with those of now, empty ones among them; ``sources``: an entry for each of the hours.

    ``median`` and ``slow`` (95 of 100 are quicker) in seconds. ``cut``: there was more than is looked at.
    """

    days: tuple[UsageDay, ...]
    hours: tuple[datetime, ...]
    sources: Mapping[str, tuple[SourceHour, ...]] = field(default_factory=dict)
    confidence: Mapping[str, int] = field(default_factory=dict)
    median: float | None = None
    slow: float | None = None
    unanswered: tuple[UnansweredQuestion, ...] = ()
    cut: bool = False


def usage_figures(folder: Path, now: datetime) -> UsageFigures:
    """What the files say of the last days, in the zone of ``now``. Reads disks. Raises ``OSError``."""
    first = now.date() - timedelta(days=DAYS - 1)
    counting = _Counting(now)
    for seen, row in enumerate(_newest_rows(folder, first)):
        if seen == MOST:
            return counting.figures(cut=True)
        counting.add(row)
    return counting.figures(cut=False)


def _newest_rows(folder: Path, first: date) -> Iterator[dict[str, Any]]:
    """From the newest on; a file that goes meanwhile was too old."""
    files = [path for path, day in days_in(folder) if day >= first - timedelta(days=1)]  # a day may be another zone's
    for line in chain.from_iterable(map(newest_first, reversed(files))):
        try:
            row = json.loads(line or b"")
            row["at"] = datetime.fromisoformat(row["at"])
            row["took"], row["who"], row["confidence"] = float(row["took"]), str(row["who"]), str(row["confidence"])
            row["sources"] = {str(name): (str(how), int(sent)) for name, (how, sent) in row["sources"].items()}
            if row["at"].tzinfo is not None and isinstance(row["results"], int):
                yield row
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue  # torn, or a later version's


class _Counting:
    """Sums over the rows, which come newest first."""

    def __init__(self, now: datetime) -> None:
        self._zone = now.tzinfo
        hour = now.replace(minute=0, second=0, microsecond=0)
        self._hours = tuple(hour - timedelta(hours=back) for back in reversed(range(HOURS)))
        self._days = tuple(now.date() - timedelta(days=back) for back in reversed(range(DAYS)))
        self._questions: Counter[date] = Counter()
        self._unanswered: Counter[date] = Counter()
        self._people: defaultdict[date, set[str]] = defaultdict(set)
        self._confidence: Counter[str] = Counter()
        self._took: list[float] = []
        self._sources: defaultdict[str, Counter[tuple[int, str]]] = defaultdict(Counter)
        self._words: dict[str, UnansweredQuestion] = {}

    def add(self, row: Mapping[str, Any]) -> None:
        at = row["at"].astimezone(self._zone)
        day = at.date()
        if day not in self._days:
            return
        self._questions[day] += 1
        self._people[day].add(row["who"])
        self._confidence[row["confidence"]] += 1
        self._took.append(row["took"])
        if is_unanswered(row):
            self._unanswered[day] += 1
            self._worded(row.get("question"), at)
        place = HOURS - 1 - int((self._hours[-1] + timedelta(hours=1) - at) / timedelta(hours=1))
        for name, (how, sent) in row["sources"].items() if 0 <= place < HOURS else ():
            counted = self._sources[name]
            counted[place, "requests"] += sent
            if how not in NOBODYS:
                counted[place, "answered" if how in ANSWERED else "failed"] += 1

    def _worded(self, words: object, at: datetime) -> None:
        if not isinstance(words, str):
            return
        known = self._words.get(words)
        if known is not None:
            self._words[words] = UnansweredQuestion(words, known.times + 1, known.last)
        elif len(self._words) < MOST_UNANSWERED:
            self._words[words] = UnansweredQuestion(words, 1, at)

    def figures(self, *, cut: bool) -> UsageFigures:
        took = sorted(self._took)
        return UsageFigures(
            days=tuple(
                UsageDay(day, self._questions[day], self._unanswered[day], len(self._people[day])) for day in self._days
            ),
            hours=self._hours,
            sources={
                name: tuple(
                    SourceHour(*(counted[place, what] for what in ("answered", "failed", "requests")))
                    for place in range(HOURS)
                )
                for name, counted in self._sources.items()
            },
            confidence=dict(self._confidence),
            median=took[len(took) // 2] if took else None,
            slow=took[len(took) * 95 // 100] if took else None,
            unanswered=tuple(self._words.values()),
            cut=cut,
        )
