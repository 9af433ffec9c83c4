"""English quarters, halves and fiscal years: Q3 2025, first half of last year, FY26."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from orchestrator.understand.patterns import regex
from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period, PeriodPart
from orchestrator.understand.time.english_words import UNIT_WORDS, PeriodMatch, PeriodReading, full_year

# All hold digits, so no plain word need be tried.
SHORT = regex(r"q([1-4])|([1-4])q|h([12])|([12])h")
WITH_YEAR = regex(r"(?:q([1-4])|([12])h|h([12]))(?:fy)?'?(\d{4}|\d{2})|(\d{4})(?:q([1-4])|h([12]))")
FISCAL = regex(r"(?:fy|cy)'?(\d{4}|\d{2})")


class Quarters(PeriodReading):
    """Rules for parts of a year."""

    def quarter_number(self, index: int) -> tuple[Grain, int, int] | None:
        """(grain, number, next) of Q3, H2, 3rd quarter, first half, 2h."""
        text = self.at(index).text
        if not text.isalpha() and (match := SHORT.fullmatch(text)):
            number = int(next(group for group in match.groups() if group))
            return (Grain.QUARTER if "q" in text else Grain.HALF), number, index + 1
        if text == "q" and self.at(index + 1).text in {"1", "2", "3", "4"}:
            return Grain.QUARTER, int(self.at(index + 1).text), index + 2
        found = self.ordinal(self.skip(index, "the")) or self._last_as_ordinal(self.skip(index, "the"))
        if found and self.at(found[1]).text in {"quarter", "half"}:
            grain = UNIT_WORDS[self.at(found[1]).text]
            number = found[0] if found[0] > 0 else (4 if grain is Grain.QUARTER else 2)
            return (grain, number, found[1] + 1) if number <= (4 if grain is Grain.QUARTER else 2) else None
        return None

    def _last_as_ordinal(self, index: int) -> tuple[int, int] | None:
        """The last quarter of 2016; "last quarter" alone is another rule's."""
        if self.at(index).text == "last" and self.at(index + 2).text == "of":
            return -1, index + 1
        return None

    def quarter(self, index: int) -> PeriodMatch | None:
        text = self.at(index).text
        if not text.isalpha() and (match := WITH_YEAR.fullmatch(text)):
            quarter = match[1] or match[6]
            number = int(quarter or match[2] or match[3] or match[7])
            return self.of_year(
                Grain.QUARTER if quarter else Grain.HALF, number, full_year(int(match[4] or match[5]))
            ), index + 1
        found = self.quarter_number(index)
        if found is None:
            return None
        grain, number, after = found
        joined = self.skip(after, "of", "in", ",", "-", "fy", "fiscal", "the", "year")
        if (
            given := self.year_number(joined)
            or self.relative_year(self.skip(after, "of", "in", ",", "the"))
            or self._fiscal_year(joined)
        ):
            return replace(self.of_year(grain, number, given[0]), weak=True), given[1]
        spelled = self.at(index).kind != "word" or len(self.at(index).text) > 2  # noqa: PLR2004
        unit_of = grain is Grain.HALF and spelled and self.at(after).text in {"of", "an", "the"}
        if unit_of and self.at(self.skip(after, "of", "the")).text != "year":
            inner = self.period(self.skip(after, "of", "the"))
            return (
                (cal.part(inner[0], PeriodPart.EARLY if number == 1 else PeriodPart.LATE), inner[1]) if inner else None
            )
        latest = cal.latest(lambda year: self.of_year(grain, number, year), self.today)
        return replace(latest, weak=True), self.skip(after, "of", "the", "year") if self.at(
            self.skip(after, "of", "the")
        ).text == "year" else after

    def _fiscal_span(self, year: int) -> Period:
        start = cal.add_months(date(year, 1, 1), 0 if self.fiscal == 1 else self.fiscal - 13)
        return Period(start, cal.add_months(start, 12), Grain.YEAR)

    def _fiscal_year(self, index: int) -> tuple[int, int] | None:
        text = self.at(index).text
        match = None if text.isalpha() else FISCAL.fullmatch(text)
        return (full_year(int(match[1])), index + 1) if match else None

    def of_year(self, grain: Grain, number: int, year: int) -> Period:
        """A quarter or half; with a fiscal year that begins in another month, counted from there (named by its end)."""
        first = cal.span(year, 1, grain).start
        months = cal.MONTHS[grain] * (number - 1)
        offset = 0 if self.fiscal == 1 else self.fiscal - 13
        start = cal.add_months(first, months + offset)
        return Period(start, cal.add_months(start, cal.MONTHS[grain]), grain)
