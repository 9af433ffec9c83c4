"""The English grammar of periods: recursive descent over tokens, one method per way of naming a time."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period
from orchestrator.understand.time.english_relative import Relative
from orchestrator.understand.time.english_words import MONTHS, PARTS, UNIT_WORDS, WEEKDAYS, PeriodMatch
from orchestrator.understand.time.tokens import END, UNITS
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Callable

PLACING = frozenset({"in", "during", "over", "since", "before", "after", "until", "throughout"})
WEEK_NUMBER = regex(r"[CK]?W(\d\d)")


class English(Relative):
    """All rules, and the parts and members of periods: early next year, first week of Jan, week of Nov 30."""

    def __init__(self, text: str, today: date, fiscal: int = 1) -> None:
        super().__init__(text, today, fiscal)
        self.rules: tuple[Callable[[int], PeriodMatch | None], ...] = (
            self.feast, self.numeric, self._day_word, self.to_date, self.month_led, self._weekday_led, self.relative, self.quarter, self._counted,
            self._part, self._week_of, self._nth, self.day_led, self._year_led, self._decade, self._weekend, self._season,
        )  # fmt: skip

    def period(self, index: int) -> PeriodMatch | None:
        """The longest way to read a period from ``index`` on; ``None`` where there is none or it leaves the calendar."""
        best: PeriodMatch | None = None
        for rule in self.rules:
            try:
                found = rule(index)
            except (ValueError, OverflowError):
                continue  # 31 June, year 12000: words that look like a time and name none
            if found and (best is None or found[1] > best[1]):
                best = found
        return best

    def _season(self, index: int) -> PeriodMatch | None:
        """Summer 2024, the winter of 2023, in the spring: by its name alone it is a thing (spring cleaning, Spring Boot)."""
        start = self.skip(index, "the")
        found = self.season(start)
        if found is None:
            return None
        if given := self.year_number(self.skip(start + 1, "of", ",")):
            return cal.season_of(given[0], cal.SEASONS[self.at(start).text]), given[1]
        return found if self.at(start - 1).text == "the" and self.at(start - 2).text in PLACING else None

    def _part(self, index: int) -> PeriodMatch | None:  # noqa: PLR0911  (a ladder of rules, one a line)
        """Early next year, mid-May, the end of March, rest of the week, earlier this month."""
        start = self.skip(index, "the", "very")
        word = self.at(start).text
        if word in {"earlier", "later"}:
            inner = self.relative(start + 1)
            if inner is None or not inner[0].open:
                return None
            whole = inner[0]
            if word == "later":
                return Period(self.today, whole.end, whole.grain, open=True), inner[1]
            return Period(whole.start, max(self.today, whole.start + timedelta(days=1)), whole.grain), inner[1]
        if word == "rest":
            inner = self.period(self.skip(start + 1, "of", "the", "my", "this")) or self._this_unit(
                self.skip(start + 1, "of", "the", "my", "this")
            )
            return (Period(self.today, inner[0].end, inner[0].grain, open=True), inner[1]) if inner else None
        which = PARTS.get(word)
        if which is None:
            return None
        after = self.skip(start + 1, "-", "in", "of", "part", "to")
        inner = self.period(after) or self._this_unit(self.skip(after, "the", "this"))
        if (
            inner is None
            or inner[0].grain is Grain.DAY
            or (inner[0].weak and inner[0].grain is not Grain.YEAR and inner[0].grain is not Grain.MONTH)
        ):
            return None
        numbered = inner[0].grain is Grain.YEAR and self.at(inner[1] - 1).kind == "number"
        return (cal.thirds if numbered else cal.part)(inner[0], which), inner[1]

    def _this_unit(self, index: int) -> PeriodMatch | None:
        grain = UNIT_WORDS.get(self.at(index).text)
        return (cal.around(self.today, grain), index + 1) if grain and not self.at(index).text.endswith("s") else None

    def _week_of(self, index: int) -> PeriodMatch | None:
        """Week of Nov 30, w/c Feb 4, the week starting tomorrow, week 31 of 2027."""
        start = self.skip(index, "the", "a")
        text = self.at(start).text
        if (numbered := self._numbered_week(start)) is not None:
            return numbered
        if text == "w" and self.at(start + 1).text == "/" and self.at(start + 2).text == "c":
            after = start + 3
        elif text in {"week", "wk"}:
            after = start + 1
            if (number := self.at(after)).kind == "number" and 1 <= int(number.text[:3]) <= 53:  # noqa: PLR2004
                given = self.year_number(self.skip(after + 1, "of", ",", "in"))
                return self._iso_week(int(number.text), given[0] if given else self.today.year), given[
                    1
                ] if given else after + 1
            if self.at(after).text not in {"of", "starting", "beginning", "commencing"}:
                return None
            if (
                self.at(start - 1).text == "a"
                and self.at(after).text != "of"
                and (inner := self.period(self.skip(after + 1, "on")))
            ):
                return cal.days(inner[0].start, 7, Grain.WEEK), inner[1]
        else:
            return None
        inner = self.period(
            self.skip(after, "of", "starting", "beginning", "commencing", "on", "the")
        ) or self.bare_day(self.skip(after, "of", "the"))
        return (cal.week_around(inner[0]), inner[1]) if inner and inner[0].grain is Grain.DAY else None

    def _numbered_week(self, index: int) -> PeriodMatch | None:
        """W46, CW46, 2026-W46."""
        year, at = self.today.year, index
        if self.at(index).kind == "number" and self.at(index + 1).text == "-" and (given := self.year_number(index)):
            year, at = given[0], index + 2
        found = WEEK_NUMBER.fullmatch(self.text, self.at(at).start, self.at(at).end)
        return (self._iso_week(int(found[1]), year), at + 1) if found else None

    def _iso_week(self, number: int, year: int) -> Period:
        return cal.days(date.fromisocalendar(year, number, 1), 7, Grain.WEEK)

    def bare_day(self, index: int) -> PeriodMatch | None:
        """The 18th: the newest such day of a month."""
        found = self.day_number(index)
        if found is None:
            return None
        newest = cal.newest_day(self.today, found[0])
        return (newest, found[1]) if newest else None

    def _nth(self, index: int) -> PeriodMatch | None:
        """First week of Jan 2015, last Monday of April, first 2 weeks of 2021, third month of 2021."""
        start = self.skip(index, "the")
        found = (-1, start + 1) if self.at(start).text == "last" else self.ordinal(start)
        if found is None:
            return None
        position, after = found
        count = self.number(after) if self.at(after).kind == "number" or self.at(after).text in UNITS else None
        unit = count[1] if count else after
        weekday, grain = WEEKDAYS.get(self.at(unit).text), UNIT_WORDS.get(self.at(unit).text)
        joined = self.skip(unit + 1, "of", "in", "the")
        inner = self.period(joined) if joined > unit + 1 or self.at(joined).text in MONTHS else None
        if weekday is not None:
            within = inner or (
                (cal.around(self.today, Grain.MONTH), unit + 1)
                if position > 0 and self.at(unit - 1) is not END
                else None
            )
            return (
                (cal.nth_weekday(within[0], weekday, position), within[1])
                if within and within[0].grain > Grain.DAY
                else None
            )
        if grain is None or inner is None or inner[0].grain <= grain:
            return None
        first = cal.nth(inner[0], grain, position)
        return (Period(first.start, cal.shift(first.start, grain, count[0]), grain) if count else first), inner[1]

    def _weekend(self, index: int) -> PeriodMatch | None:
        start = self.skip(index, "the", "that", "my", "on")
        if self.at(start).text == "weekend" and start > index:
            return cal.newest_weekend(self.today), start + 1
        return None
