"""SEARCH keys as data, as text for people, and the days that they name."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from translators.emit import utc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from translators.translator import Json

# https://www.rfc-editor.org/rfc/rfc3501#section-9: date-month is English whatever the locale.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
TEXTS = frozenset({"TEXT", "FROM"})


def any_key(alternatives: Sequence[Sequence[Json]]) -> list[Json]:
    """One key for alternatives, each a list of keys that must all hold; an empty one lets everything through.

    ``OR`` takes exactly two, so more are halved again and again, which keeps the nesting shallow.
    """
    if not all(alternatives) or not alternatives:
        return []
    if len(alternatives) == 1:
        return list(alternatives[0])
    half = (len(alternatives) + 1) // 2
    return [["OR", _one(any_key(alternatives[:half])), _one(any_key(alternatives[half:]))]]


def _one(keys: Sequence[Json]) -> Json:
    return keys[0] if len(keys) == 1 else ["AND", *keys]


def day_since(start: datetime) -> str:
    """The earliest day on which something at ``start`` or later can be dated.

    Servers compare the day as it is written, "disregarding time and timezone", and no zone is a day away from UTC.
    """
    return day((utc(start) - DAY).date())


def day_before(end: datetime) -> str:
    """The day after the last one on which something before ``end`` can be dated: BEFORE leaves out the day it names."""
    return day((utc(end) - INSTANT + DAY).date() + DAY)


def day(on: date) -> str:
    """A day as IMAP writes it."""
    return f"{on.day}-{MONTHS[on.month - 1]}-{on.year:04}"


def shown(keys: Iterable[Json]) -> str:
    """Keys as one would type them to a server."""
    return " ".join(map(_shown, keys)) or "ALL"


def _shown(key: Json) -> str:
    match key:
        case ["AND", *keys]:
            return f"({shown(keys)})"
        case ["OR" | "NOT" as name, *keys]:
            return f"{name} {shown(keys)}"
        case ["HEADER", name, str(text)]:
            return f"HEADER {name} {_quoted(text)}"
        case [name, str(text)]:
            return f"{name} {_quoted(text) if name in TEXTS else text}"
        case _:
            return "FROM me"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
