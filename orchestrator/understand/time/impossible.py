"""Days no calendar has (31 June, 2월 30일, 2025-13-40): named as a doubt, so that half of one is not taken for a month."""

from __future__ import annotations

import re
from calendar import monthrange
from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
NAME = rf"(?P<name>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTHS)}|sept)"
DATED = regex(
    rf"(?<![\w.:-])(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{NAME}\b(?!\s*['’])(?:,?\s(?P<before_year>(?:19|20)\d\d)\b)?"
    rf"|\b{NAME.replace('name', 'name2')}\s+(?:the\s+)?(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%:]|[.,]\d|\s?(?:[ap]m|people|days|weeks|hours))(?:,?\s(?P<after_year>(?:19|20)\d\d)\b)?"
    r"|(?:(?P<korean_year>(?:19|20)\d\d)년\s?)?(?P<korean>\d{1,2})월\s?(?P<korean_day>\d{1,2})일"
    r"|(?<![\w.-])(?P<year>(?:19|20)\d\d)(?P<sep>[-/.])(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?![\w-]|\.\d)",
    re.IGNORECASE,
)
YEARS = ("before_year", "after_year", "korean_year", "year")
LEAP_YEAR = 2024


def impossible_days(text: str) -> Iterator[tuple[int, int]]:
    """Where ``text`` names days that do not exist in the year named with them, or in any. 29 February without a year may be some year's."""
    for match in DATED.finditer(text):
        year, month, day = _parts(match)
        if not 1 <= month <= len(MONTHS) or not 1 <= day <= monthrange(year, month)[1]:
            yield match.span()


def _parts(match: re.Match[str]) -> tuple[int, int, int]:
    year = next((match[name] for name in YEARS if match[name]), None)
    named = int(year) if year else LEAP_YEAR
    name = match["name"] or match["name2"]
    if name:
        number = next(index for index, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))
        return named, number, int(match["before"] or match["after"])
    return named, int(match["korean"] or match["month"]), int(match["korean_day"] or match["day"])
