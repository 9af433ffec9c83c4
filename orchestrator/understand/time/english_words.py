"""Words and numbers of the English time grammar, and the tokens a reading walks over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from orchestrator.understand.time.calendar import Grain, Period, PeriodPart
from orchestrator.understand.time.tokens import END, ORDINALS, TENS, UNITS, Token, tokenise
from translators.months import MONTH_NAMES
from translators.patterns import regex

if TYPE_CHECKING:
    from datetime import date

PeriodMatch = tuple[Period, int]
"""A period and the index of the token after it."""

MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, 1)}
MONTHS |= {name[:3]: number for name, number in list(MONTHS.items())} | {"sept": 9}
WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAYS = {name: number for number, name in enumerate(WEEKDAY_NAMES)}
WEEKDAYS |= {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "weds": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
    "sun": 6,
}
UNIT_WORDS = {"day": Grain.DAY, "week": Grain.WEEK, "wk": Grain.WEEK, "month": Grain.MONTH, "quarter": Grain.QUARTER, "year": Grain.YEAR, "yr": Grain.YEAR,
              "decade": Grain.DECADE, "half": Grain.HALF, "workweek": Grain.WEEK, "weeks": Grain.WEEK}  # fmt: skip
UNIT_WORDS |= {f"{word}s": grain for word, grain in list(UNIT_WORDS.items()) if not word.endswith("s")} | {
    "halves": Grain.HALF
}
BACK = frozenset({"last", "past", "previous", "prior", "preceding"})
ON = frozenset({"next", "coming", "upcoming", "following"})
HERE = frozenset({"this", "current", "same", "that"})
PARTS = {
    "early": PeriodPart.EARLY,
    "mid": PeriodPart.MIDDLE,
    "middle": PeriodPart.MIDDLE,
    "late": PeriodPart.LATE,
    "beginning": PeriodPart.EARLY,
    "start": PeriodPart.EARLY,
    "end": PeriodPart.LATE,
}
DECADES = {
    "twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980,
    "nineties": 1990, "noughties": 2000,
}  # fmt: skip
FEWS = {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 3}
DASHED = regex(r"(\d{1,2})[-.](\d{1,2})(?![\w-]|\.\d)")
STARTERS = frozenset({
    "q1", "q2", "q3", "q4", "h1", "h2", "just", "yesterday", "today", "tomorrow", "tmrw", "tonight", "now", "the", "that", "a", "an", "couple",
    "few", "several", "weekend", "week", "w", "year", "cy", "fy", "month", "quarter", "ytd", "qtd", "mtd",
})  # fmt: skip


class PeriodReading(ABC):
    """One reading of one text as of ``today``. ``fiscal`` is the month the fiscal year begins with."""

    def __init__(self, text: str, today: date, fiscal: int = 1) -> None:
        self.text = text
        self.today = today
        self.fiscal = fiscal
        self.tokens = tokenise(text)
        self._count = len(self.tokens)

    @abstractmethod
    def period(self, index: int) -> PeriodMatch | None:
        """The longest way to read a period from ``index`` on."""

    @abstractmethod
    def relative(self, index: int) -> PeriodMatch | None:
        """A period named by its relation to now."""

    def at(self, index: int) -> Token:
        """The token at ``index``, or the end."""
        return self.tokens[index] if 0 <= index < self._count else END

    def skip(self, index: int, *words: str) -> int:
        """The index after any of ``words``."""
        while self.at(index).text in words and self.at(index) is not END:
            index += 1
        return index

    def number(self, index: int) -> tuple[int, int] | None:
        """A cardinal number below a thousand, in digits or words."""
        token = self.at(index)
        if token.kind == "number" and len(token.text) <= 3:  # noqa: PLR2004
            return int(token.text), index + 1
        if token.text in FEWS:
            after = (
                self.skip(index + 1, "few", "couple", "of")
                if token.text in {"a", "couple"}
                else self.skip(index + 1, "of")
            )
            words = {self.at(position).text for position in range(index, after)}
            return next((FEWS[word] for word in ("few", "couple") if word in words), FEWS[token.text]), after
        if token.text in UNITS:
            return UNITS[token.text], index + 1
        if token.text in TENS:
            after = self.skip(index + 1, "-")
            unit = UNITS.get(self.at(after).text, 0)
            return (TENS[token.text] + unit, after + 1) if 0 < unit < 10 else (TENS[token.text], index + 1)  # noqa: PLR2004
        return None

    def ordinal(self, index: int) -> tuple[int, int] | None:
        """3rd, third, twenty-first."""
        token = self.at(index)
        if token.kind == "ordinal":
            return int(token.text[:-2]), index + 1
        if token.text in ORDINALS:
            return ORDINALS[token.text], index + 1
        if token.text in TENS:
            after = self.skip(index + 1, "-")
            unit = ORDINALS.get(self.at(after).text, 0)
            return (TENS[token.text] + unit, after + 1) if 0 < unit < 10 else None  # noqa: PLR2004
        return None

    def year_number(self, index: int) -> tuple[int, int] | None:
        """2018, '18, two thousand and eighteen, nineteen ninety nine."""
        token = self.at(index)
        if token.kind == "number" and len(token.text) == 4 and 1500 <= int(token.text) <= 2199:  # noqa: PLR2004
            return int(token.text), index + 1
        if token.text == "'" and self.at(index + 1).kind == "number" and len(self.at(index + 1).text) == 2:  # noqa: PLR2004
            return full_year(int(self.at(index + 1).text)), index + 2
        return self._year_in_words(index)

    def _year_in_words(self, index: int) -> tuple[int, int] | None:
        first = self.number(index) if self.at(index).kind == "word" and self.at(index).text not in FEWS else None
        if first is None:
            return None
        value, after = first
        if self.at(after).text == "thousand" and value < 3:  # noqa: PLR2004
            return self._thousands(1000 * value, after + 1)
        rest = self.number(after) if self.at(after).kind == "word" and self.at(after).text not in FEWS else None
        if rest and 17 <= value <= 21 and rest[0] >= 10:  # noqa: PLR2004  (nineteen ninety nine)
            return 100 * value + rest[0], rest[1]
        return None

    def _thousands(self, total: int, index: int) -> tuple[int, int]:
        hundreds = self.number(index)
        if hundreds and self.at(hundreds[1]).text == "hundred":
            total, index = total + 100 * hundreds[0], hundreds[1] + 1
        joined = self.skip(index, "and")
        rest = self.number(joined) if self.at(joined).kind == "word" and self.at(joined).text not in FEWS else None
        return (total + rest[0], rest[1]) if rest and rest[0] > 0 else (total, index)

    def year_after(self, index: int) -> tuple[int, int] | None:
        """A year after a day or month: "2016", ", 2016", "of 1992", "in 2020"; two digits only after "of"."""
        joined = self.skip(index, ",", "of", "in", "-", "/", ".")
        if found := self.year_number(joined):
            return found
        token = self.at(joined)
        if self.at(index).text == "of" and token.kind == "number" and len(token.text) == 2:  # noqa: PLR2004
            return full_year(int(token.text)), joined + 1
        return self.relative_year(joined)

    def relative_year(self, index: int) -> tuple[int, int] | None:
        """(of) last year, this year."""
        word = self.at(index).text
        if self.at(index + 1).text == "year" and (word in BACK or word in HERE or word in ON):
            return self.today.year + (1 if word in ON else 0 if word in HERE else -1), index + 2
        return None


def full_year(number: int) -> int:
    """Two digits as people write them: 18 is 2018, 87 is 1987."""
    return number if number > 99 else number + (2000 if number < 70 else 1900)  # noqa: PLR2004
