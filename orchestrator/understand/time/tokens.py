"""English text cut into dates, numbers, words and marks for the time grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from orchestrator.understand.patterns import regex

NUMERIC = regex(
    r"(?P<iso>(?<![\w./-])(?:1[5-9]|20|21)\d\d(?P<sep>[-/.])\d{1,2}(?P=sep)\d{1,2}(?![A-Za-z0-9_-]|[./]\d))"
    r"|(?P<compact>(?<![\w.$-])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?![A-Za-z0-9_]|[.-]\d))"
    r"|(?P<short>(?:(?<=\d{4}-)|(?<![\w./$-]))\d{1,2}(?P<sep2>[-/.])\d{1,2}(?:(?P=sep2)|,\s?)(?:\d{4}|\d{2})(?![A-Za-z0-9_]|[.:]\d))"
    r"|(?P<month>(?<![\w./$-])(?:(?:19|20)\d\d\s?[-/.]\s?(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\s?[-/]\s?(?:19|20)\d\d)(?![A-Za-z0-9_-]|[./:]\d))"
    r"|(?P<slash>(?<![\w./$:-])(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])(?![A-Za-z0-9_]|[./:]\d))"
    r"|(?P<ordinal>(?<![\w.$-])\d{1,2}(?:st|nd|rd|th)\b)"
    r"|(?P<clock>\b\d{1,4}(?:[:.]\d{2}){0,2}\s?(?:[ap]\.?\s?m\b\.?|o'?clock|hrs?\b)|\b\d{1,2}:\d{2}(?::\d{2})?)"
    r"|(?P<number>(?<![\w.$#])(?<!\D\d{3}-)\d+(?![A-Za-z0-9_%]|\.\d|,\d{3}))"
    r"|(?P<word>'?[a-z\d]*[a-z][a-z\d]*(?:['’][a-z]+)?)"
    r"|(?P<mark>[^\s\w]|\d+)",
    re.IGNORECASE,
)


DIGIT = regex(r"\d")
WORDS = regex(r"(?P<word>'?[a-z]+(?:['’][a-z]+)?)|(?P<mark>[^\s\w])", re.IGNORECASE)
"""What is left of it where there is no digit."""


@dataclass(frozen=True, slots=True)
class Token:
    """One piece: ``kind`` is the group of :data:`NUMERIC`; ``text`` is lower-cased."""

    kind: str
    text: str
    start: int
    end: int


END = Token("end", "", 0, 0)


def tokenise(text: str) -> list[Token]:
    """All tokens in order, with a closing :data:`END`."""
    pattern = NUMERIC if DIGIT.search(text) else WORDS
    found = [Token(match.lastgroup or "", _plain(match.group()), *match.span()) for match in pattern.finditer(text)]
    return [*found, END]


def _plain(text: str) -> str:
    """Lower case without a possessive: last week's release."""
    lower = text.lower().replace("’", "'")
    return lower[:-2] if lower.endswith("'s") and lower[:-2].isalpha() else lower


def read_numeric(kind: str, text: str, today: date) -> date | tuple[int, int] | None:
    """The day of an iso, compact or short token, or (year, month) of a month token; ``None`` where no calendar has it."""
    parts = [int(part) for part in re.findall(r"\d+", text)]
    try:
        if kind == "compact":
            return date(int(text[:4]), int(text[4:6]), int(text[6:]))
        if kind == "iso":
            return date(parts[0], parts[1], parts[2])
        if kind == "month":
            return (parts[0], parts[1]) if parts[0] > 31 else (parts[1], parts[0])  # noqa: PLR2004  (a year, not a day)
        return _short(parts[0], parts[1], parts[2], today)
    except (ValueError, TypeError):
        return None


def _short(first: int, second: int, third: int, today: date) -> date:
    """3-7-2017 is March 7 (month first, as in the US) unless only day-first or year-first makes a date."""
    if first > 31:  # noqa: PLR2004  (89/05/05)
        return date(_century(first, today), second, third)
    if first > 12:  # noqa: PLR2004  (21/04/2016)
        return date(_century(third, today), second, first)
    return date(_century(third, today), first, second)


def _century(year: int, today: date) -> int:
    """Two digits name the newest such year that is no more than one ahead: a search looks back."""
    if year > 99:  # noqa: PLR2004
        return year
    newest = today.year // 100 * 100 + year
    return newest if newest <= today.year + 1 else newest - 100
