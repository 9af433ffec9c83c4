"""When a digest is due: cron lines in a time zone, by the wall clock, over changes of the clock. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from connectors.errors import Misconfigured
from translators.said import Said

NO_ZONE = Said("there is no time zone {zone}; write one like Asia/Seoul")
NO_SCHEDULE = Said("{line} is no schedule; write minute hour day month weekday, such as 0 9 * * 1 for Mondays at 9:00")
NEVER = Said("the schedule {line} never comes round")
FIELDS = 5
PUT_FORWARD = timedelta(hours=3)  # no clock is by more at once, so that nothing it skips is passed over


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """An IANA name, ``UTC`` or a fixed offset such as ``UTC+09:00``. Raises :class:`Misconfigured`."""
    if name == "UTC":
        return UTC
    try:
        if name.startswith("UTC"):
            return datetime.strptime(name.removeprefix("UTC"), "%z").tzinfo or UTC
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Misconfigured(NO_ZONE.filled(zone=repr(name))) from None


def zone_name(zone: tzinfo, at: datetime) -> str:
    """The name that :func:`zone_of` reads: IANA's, or the offset at that moment where it has none."""
    key = getattr(zone, "key", None)
    if isinstance(key, str):
        return key
    told = at.astimezone(zone).strftime("%z")
    return f"UTC{told[:3]}:{told[3:5]}"


def check_cron(line: str) -> None:
    """Raises :class:`Misconfigured` where ``line`` is no schedule."""
    from croniter import CroniterError, croniter

    try:
        if len(line.split()) == FIELDS or line.startswith("@"):
            croniter(line, datetime(2026, 1, 1)).get_next(datetime)  # noqa: DTZ001 - a wall clock
            return
    except (CroniterError, ValueError, KeyError):
        pass
    raise Misconfigured(NO_SCHEDULE.filled(line=repr(line)))


def following(line: str, zone: tzinfo, after: datetime) -> datetime:
    """The first moment after ``after`` (aware) at which the wall clock of ``zone`` shows what the line says; in UTC.

    What the clock skips when it is put forward is due as much later as was skipped; what it shows twice when it is put
    back is due the first time. Raises :class:`Misconfigured` for a day that never comes.
    """
    from croniter import CroniterError, croniter

    wall = after.astimezone(zone).replace(tzinfo=None, fold=0)
    ticking = croniter(line, wall - PUT_FORWARD)
    try:
        while True:
            shown: datetime = ticking.get_next(datetime)
            found = shown.replace(tzinfo=zone).astimezone(UTC)
            if found > after:
                return found
    except CroniterError:
        raise Misconfigured(NEVER.filled(line=repr(line))) from None


def next_occasion(line: str, zone: tzinfo, due: datetime, now: datetime) -> datetime:
    """After the run that was due at ``due``: occasions that have passed meanwhile are not made up for one by one.

    The run that is late covers their time as well. Where the clock was put back, no occasion comes twice.
    """
    return following(line, zone, max(due, now))
