"""The days and moments that values of KQL's date properties stand for."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)Z?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` to before `end`; a moment is its own microsecond."""

    start: datetime
    end: datetime


def span(text: str, today: date, zone: ZoneInfo | None) -> Span | None:
    """The span of `2026-03-01`, `2026-03-01T10:00:00Z`, `today`, `yesterday`, or `A..B` with both ends in it.

    Days are `zone`'s (UTC without one), moments always UTC. Nothing for anything else.
    """
    first, dots, last = text.partition("..")
    if dots:
        begin, until = span(first, today, zone), span(last, today, zone)
        return Span(begin.start, until.end) if begin and until else None
    try:
        if found := _MOMENT.fullmatch(text):
            moment = datetime.fromisoformat(found[1][:26]).replace(tzinfo=UTC)
            return Span(moment, moment + timedelta(microseconds=1))
        day = _day(text, today)
        return None if day is None else Span(_midnight(day, zone), _midnight(day + timedelta(days=1), zone))
    except (ValueError, OverflowError):  # a day the calendar does not have
        return None


def compares(operator: str, moment: datetime, wanted: Span) -> bool:
    """Whether a moment stands in the relation to a span: at or after its start, before it, after its end, within it."""
    match operator:
        case ">=":
            return moment >= wanted.start
        case ">":
            return moment >= wanted.end
        case "<":
            return moment < wanted.start
        case "<=":
            return moment < wanted.end
        case "<>":
            return not wanted.start <= moment < wanted.end
        case _:
            return wanted.start <= moment < wanted.end


def _day(text: str, today: date) -> date | None:
    if _DAY.fullmatch(text):
        return date.fromisoformat(text)
    return {"today": today, "yesterday": today - timedelta(days=1)}.get(text.casefold())


def _midnight(day: date, zone: ZoneInfo | None) -> datetime:
    return datetime.combine(day, time(), zone or UTC).astimezone(UTC)
