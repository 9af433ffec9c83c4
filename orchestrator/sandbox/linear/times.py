"""Linear's date inputs: ISO 8601, shortcuts such as `2026`, and durations counted from now."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from graphql import GraphQLError

_SHORT = re.compile(r"(\d{4})(?:-(\d{2}))?", re.ASCII)
_DURATION = re.compile(
    r"([-+]?)P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?",
    re.ASCII,
)


_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Duration:
    """A stretch of time that calendar months are part of."""

    sign: int
    months: int
    rest: timedelta

    def after(self, moment: datetime) -> datetime:
        """The moment this far from another; a month's missing days fall on its last, and time ends where it ends."""
        months = moment.year * 12 + moment.month - 1 + self.sign * self.months
        try:
            day = min(moment.day, monthrange(months // 12, months % 12 + 1)[1])
            return moment.replace(year=months // 12, month=months % 12 + 1, day=day) + self.sign * self.rest
        except (ValueError, OverflowError):
            return _FIRST if self.sign < 0 else _LAST


Moment = datetime | Duration


def parse_moment(value: object) -> Moment:
    """A `DateTimeOrDuration`; raises `GraphQLError`."""
    if not isinstance(value, str):
        raise GraphQLError(f"Expected an ISO 8601 date or duration, found {value!r}.")
    if duration := _DURATION.fullmatch(value):
        return _duration(duration)
    try:
        if short := _SHORT.fullmatch(value):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC)
        parsed = datetime.fromisoformat(value)
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise GraphQLError(f"{value[:100]!r} is neither an ISO 8601 date nor a duration such as '-P2W'.") from error


def parse_day(value: object) -> date | Duration:
    """A `TimelessDateOrDuration`; raises `GraphQLError`."""
    moment = parse_moment(value)
    return moment if isinstance(moment, Duration) else moment.date()


def _duration(found: re.Match[str]) -> Duration:
    years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    rest = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return Duration(-1 if found[1] == "-" else 1, years * 12 + months, rest)
