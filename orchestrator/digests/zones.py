"""Time zones by the names that digests are kept with."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from connectors.errors import Misconfigured


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
        raise Misconfigured(f"there is no time zone {name!r}; write one like Asia/Seoul") from None


def zone_name(zone: tzinfo, at: datetime) -> str:
    """The name that :func:`zone_of` reads: IANA's, or the offset at that moment where it has none."""
    key = getattr(zone, "key", None)
    if isinstance(key, str):
        return key
    told = at.astimezone(zone).strftime("%z")
    return f"UTC{told[:3]}:{told[3:5]}"
