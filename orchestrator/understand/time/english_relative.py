"""English periods named by their relation to now: last week, past 3 months, two weeks ago, Friday."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from orchestrator.understand.places import DETERMINERS
from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period
from orchestrator.understand.time.english_dates import Dates
from orchestrator.understand.time.english_words import (
    BACK,
    HERE,
    ON,
    PARTS,
    UNIT_WORDS,
    WEEKDAYS,
    PeriodMatch,
)

DAY_OFFSETS = {"yesterday": -1, "yday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "now": 0}
BESIDE = {("after", "next"): 2, ("before", "last"): -2}
COUNTED = {word: (grain, 1) for word, grain in UNIT_WORDS.items()} | {
    "fortnight": (Grain.WEEK, 2),
    "fortnights": (Grain.WEEK, 2),
}
BACK_OR_ON = BACK | ON
SOME = frozenset({"few", "couple", "several", "or", "to", "-", "about", "around", "roughly"})
"""In or before a count that is none exactly."""
WEEKENDS = frozenset({"weekend", "wkend"})
UP_TO_NOW = frozenset({"in", "over", "during", "within"})
"""Before the last week: the days up to now, and not the week that is over."""
TO_DATE = {"ytd": Grain.YEAR, "qtd": Grain.QUARTER, "mtd": Grain.MONTH}
HOURS = frozenset(
    {"hour", "hours", "hr", "hrs", "minute", "minutes", "min", "mins", "moment", "second", "seconds", "sec", "secs"}
)
AUXILIARIES = frozenset({
    "will", "would", "should", "can", "could", "may", "might", "must", "to", "not", "does", "did", "do",
    "shouldn't", "won't", "can't", "cannot", "doesn't", "didn't",
})  # fmt: skip
BOUNDS = frozenset({"and", "to", "until", "till", "through", "-", "between", "from"})


class Relative(Dates):
    """Rules that count from today."""

    def _day_word(self, index: int) -> PeriodMatch | None:
        text, after = self.at(index).text, self.at(index + 1).text
        if text == "the":
            return self._the_unit(index, after)
        if text == "day" and after in {"before", "after"}:
            return self._day_beside(index, -1 if after == "before" else 1)
        if text == "this" and after in {"morning", "afternoon"}:
            return cal.days(self.today).opened(), index + 2
        if text == "just" and after == "now":
            return cal.hours_back(self.today, 0), index + 2
        offset = DAY_OFFSETS.get(text)
        if offset is None or (text == "now" and self.at(index - 1).text not in BOUNDS):
            return None
        period = cal.days(self.today + timedelta(days=offset))
        return (period.opened() if offset == 0 else period), self.skip(
            index + 1, "morning", "afternoon", "evening", "night"
        )

    def _the_unit(self, index: int, unit: str) -> PeriodMatch | None:
        """In the week: the current one. The day before: see :meth:`_day_beside`."""
        if unit in {"week", "month", "quarter", "year"}:
            closed = self.at(index - 1).text == "in" and self.at(index + 2).kind in {"end", "mark"}
            return (cal.around(self.today, UNIT_WORDS[unit]).opened(), index + 2) if closed else None
        return self._day_word(index + 1) if unit == "day" else None

    def _day_beside(self, index: int, step: int) -> PeriodMatch | None:
        """The day before yesterday, the day after tomorrow; "the day before" alone only at the end."""
        anchor = self.at(index + 2)
        if anchor.text in {"yesterday", "tomorrow", "tmrw"}:
            return cal.days(self.today + timedelta(days=2 * step)), index + 3
        return (cal.days(self.today + timedelta(days=step)), index + 2) if anchor.kind in {"end", "mark"} else None

    def to_date(self, index: int) -> PeriodMatch | None:
        """Year to date, MTD: the running period up to now."""
        word = self.at(index).text
        if word in TO_DATE:
            return cal.around(self.today, TO_DATE[word]).opened(), index + 1
        if word in UNIT_WORDS and self.at(index + 1).text == "to" and self.at(index + 2).text == "date":
            return cal.around(self.today, UNIT_WORDS[word]).opened(), index + 3
        return None

    def relative(self, index: int) -> PeriodMatch | None:
        """Last week, past 3 months, this quarter, last Friday, next June, the year after next."""
        start = self.skip(index, "the", "over")
        word = self.at(start).text
        beside = BESIDE.get((self.at(start + 1).text, self.at(start + 2).text))
        if beside and (found := self._beside(word, beside)):
            return found, start + 3
        if word not in BACK and word not in ON and word not in HERE:
            return self._count_first(start)
        after = start + 1
        if word == "this" and (self.at(after).text in BACK or self.at(after).text == "coming"):
            word, after = self.at(after).text, after + 1
        return self._counted_back(word, after) or self._one_unit(word, after) or self._one_named(word, after)

    def _beside(self, word: str, step: int) -> Period | None:
        """The week before last, the Friday before last, the weekend after next, the night before last."""
        if word in WEEKDAYS:
            return cal.days(cal.week_of(self.today).start + timedelta(days=WEEKDAYS[word], weeks=step))
        if word in WEEKENDS:
            return cal.days(cal.weekend_of(self.today).start + timedelta(weeks=step), 2)
        if word == "night":
            return cal.days(self.today + timedelta(days=step), 2)
        return cal.neighbour(self.today, UNIT_WORDS[word], step) if word in UNIT_WORDS else None

    def _count_first(self, index: int) -> PeriodMatch | None:
        """The 10 previous weeks, 5 upcoming years."""
        found = self.number(index)
        if found and self.at(found[1]).text in BACK_OR_ON and self.at(found[1] + 1).text in UNIT_WORDS:
            return self._rolling(self.at(found[1]).text, UNIT_WORDS[self.at(found[1] + 1).text], found[0]), found[1] + 2
        return None

    def _counted_back(self, word: str, index: int) -> PeriodMatch | None:
        found = self.number(index)
        if found is None or word in HERE or (word == "last" and self.at(index - 2).text in AUXILIARIES):
            return None
        count, after = found
        if self.at(after).text in {"business", "working", "work", "calendar", "full", "consecutive"}:
            business = self.at(after).text in {"business", "working", "work"} and self.at(after + 1).text in {
                "day",
                "days",
            }
            if business:
                return self._business_days(word, count), after + 2
            after += 1
        if self.at(after).text in {"hour", "hours"} and word in BACK:
            return cal.back(self.today, Grain.DAY, -(-count // 24)), after + 1
        grain = UNIT_WORDS.get(self.at(after).text)
        if grain is None or not count:
            return None
        if self.at(after + 1).text == "of" and (inner := self.period(after + 2)):
            start = cal.nth(inner[0], grain, -count).start
            return Period(start, inner[0].end, inner[0].grain), inner[1]
        return self._rolling(word, grain, count), after + 1

    def _rolling(self, word: str, grain: Grain, count: int) -> Period:
        if word in BACK:
            return cal.back(self.today, grain, count)
        start = cal.neighbour(self.today, grain, 1).start if grain >= Grain.QUARTER else self.today + timedelta(days=1)
        return Period(start, cal.shift(start, grain, count), grain)

    def _business_days(self, word: str, count: int) -> Period:
        if word in BACK:
            return Period(cal.business_day(self.today, -count), self.today, Grain.DAY, open=True)
        last = cal.business_day(self.today, count)
        return Period(self.today + timedelta(days=1), last + timedelta(days=1), Grain.DAY)

    def _one_unit(self, word: str, index: int) -> PeriodMatch | None:  # noqa: PLR0911  (a ladder of rules, one a line)
        """Last week, this quarter, past month; with a weekday behind: last week Friday."""
        unit = self.at(index).text
        if unit in {"night", "fortnight"} and word in BACK:
            return self._nights(unit), index + 1
        grain = UNIT_WORDS.get(unit)
        several = unit in {"days", "weeks", "months", "quarters", "years", "decades", "halves", "half"}
        if grain is None or several or (grain is Grain.DAY and self._is_end(word, index)):
            return None
        after = index + 1
        if word in BACK and self.at(after).text == "of":
            if inner := self.period(self.skip(after, "of")):
                return cal.nth(inner[0], grain, -1), inner[1]
            if self.at(after + 1).text in DETERMINERS:  # what is no time and has a last day: each sprint, the lease
                return None
        within = word == "last" and self.at(index - 2).text == "the" and self.at(index - 3).text in UP_TO_NOW
        if (word == "past" or within) and grain in {Grain.WEEK, Grain.MONTH, Grain.YEAR}:
            return cal.back(self.today, grain, 1), after
        step = -1 if word in BACK else 1 if word in ON else 0
        if grain is Grain.DAY:
            return cal.days(self.today + timedelta(days=step)), after
        period = cal.neighbour(self.today, grain, step)
        if grain is Grain.WEEK and (days := self._days_of_week(period, after)):
            return days
        if (
            grain is Grain.WEEK
            and (weekday := WEEKDAYS.get(self.at(self.skip(after, "'", "s", "on", ",")).text)) is not None
        ):
            return cal.nth(period, Grain.DAY, weekday + 1), self.skip(after, "'", "s", "on", ",") + 1
        return (period if step or word == "that" else period.opened()), after

    def _is_end(self, word: str, index: int) -> bool:
        """The last day of something is the one until which it goes: "last day to claim expenses", "Ravi's last day"; not "in the last day", nor "I go back the last day"."""
        before = self.at(index - 2).text
        lately = {before, self.at(index - 3).text} & UP_TO_NOW
        alone = before == "the" and self.at(index + 1).kind in {"end", "mark"}
        return word == "last" and not (lately or alone)

    def _nights(self, unit: str) -> Period:
        """Last night began yesterday and ended today; the last fourteen of them are a fortnight."""
        return cal.days(self.today - timedelta(days=1), 2) if unit == "night" else cal.back(self.today, Grain.WEEK, 2)

    def _days_of_week(self, week: Period, index: int) -> PeriodMatch | None:
        """Last week from Tuesday to Thursday."""
        if self.at(index).text not in {"from", "between"} or self.at(index + 2).text not in {
            "to",
            "and",
            "-",
            "through",
            "until",
        }:
            return None
        first, last = (WEEKDAYS.get(self.at(position).text) for position in (index + 1, index + 3))
        if first is None or last is None or last < first:
            return None
        return Period(week.start + timedelta(days=first), week.start + timedelta(days=last + 1), Grain.DAY), index + 4

    def _one_named(self, word: str, index: int) -> PeriodMatch | None:
        """Last Friday, this August, next Christmas, last weekend."""
        token = self.at(index)
        if token.text in WEEKDAYS:
            dated = self._weekday_led(index)
            if dated and dated[1] > index + 1:
                return dated
            return cal.days(self._weekday_of(word, WEEKDAYS[token.text])), index + 1
        if token.text in WEEKENDS:
            return cal.days(cal.weekend_of(self.today).start + timedelta(weeks=_step(word)), 2), index + 1
        if word == "this" and token.text in {"may", "march"} and self.text[token.start].islower():
            return None  # "this may take longer"
        quarter = self.quarter(index) if token.text[:1] in {"q", "h"} else None
        found = (
            self.season(index)
            or self.month_led(index)
            or self.feast(index)
            or quarter
            or self.day_led(index)
            or self.numeric(index)
        )
        if found is None:
            return self.period(index) if word == "this" and token.text in PARTS else None
        return self._turned(word, found[0]), found[1]

    def _weekday_of(self, word: str, weekday: int) -> date:
        """Last and next count weeks; past and coming take the nearest such day on that side of today."""
        day = cal.week_of(self.today).start + timedelta(days=weekday)
        if word == "past":
            return day if day < self.today else day - timedelta(weeks=1)
        if word == "coming":
            return day if day > self.today else day + timedelta(weeks=1)
        return day + timedelta(weeks=_step(word))

    def _turned(self, word: str, period: Period) -> Period:
        """The last one that is over, this year's, or the next to come."""
        return replace(cal.turned(period, _step(word), self.today), weak=False) if period.yearless else period

    def _counted(self, index: int) -> PeriodMatch | None:  # noqa: PLR0911  (a ladder of rules, one a line)
        """3 weeks ago, 1 month and 21 days ago, two weeks before May 13, 3 days from tomorrow, a week later."""
        steps: list[tuple[Grain, int]] = []
        after = index
        if (
            self.at(index).text == "half"
            and self.at(index + 1).text in {"a", "an"}
            and self.at(index + 2).text == "year"
        ):
            steps, after = [(Grain.HALF, 1)], index + 3
        while (found := self.number(after)) and (unit := COUNTED.get(self.at(found[1]).text)) is not None:
            steps.append((unit[0], unit[1] * found[0]))
            after = self.skip(found[1] + 1, ",", "and", "or", "so")
        if not steps:
            return self._hours_ago(index) or self._weekdays_ago(index)
        word = self.at(after).text
        if steps[0][0] is Grain.WEEK and len(steps) == 1 and (day := self._coming(after)):
            return cal.days(day[0] + timedelta(weeks=steps[0][1])), day[1]
        if self.at(index - 1).text == "than" and self.at(index - 2).text in {"older", "newer"} and word != "ago":
            return cal.days(self._moved(self.today, steps, -1)), after
        if word in {"ago", "back", "earlier", "later", "hence", "prior"} and not (
            word == "back" and self.at(after + 1).text in {"to", "in", "at", "on", "from"}
        ):
            if word in {"later", "hence"}:
                return cal.days(self._moved(self.today, steps, 1)), after + 1
            some = any(self.at(position).text in SOME for position in range(index - 1, after))
            gone = self._moved(self.today, steps, -1)
            return cal.counted_back(self.today, gone, steps[-1][0], some=some), after + 1
        if word not in {"before", "after", "from", "since", "following"}:
            return None
        anchor = self.period(after + 1) or (
            (cal.days(self.today), after + 2) if self.at(after + 1).text == "now" else None
        )
        if anchor is None:
            return None
        return cal.days(self._moved(anchor[0].start, steps, -1 if word == "before" else 1)), anchor[1]

    def _hours_ago(self, index: int) -> PeriodMatch | None:
        """Two hours ago, a moment ago: since the day on which that was."""
        found = self.number(index)
        unit = self.at(found[1]).text if found else ""
        if found is None or unit not in HOURS or self.at(found[1] + 1).text != "ago":
            return None
        return cal.hours_back(self.today, found[0] if unit.startswith("h") else 0), found[1] + 2

    def _coming(self, index: int) -> tuple[date, int] | None:
        """On Tuesday, tomorrow, today, behind a number of weeks: the day from which they are counted lies ahead."""
        word = self.at(index).text
        if word in {"today", "tomorrow"}:
            return self.today + timedelta(days=DAY_OFFSETS[word]), index + 1
        weekday = WEEKDAYS.get(self.at(index + 1).text)
        return (self._next(weekday), index + 2) if word in {"on", "from"} and weekday is not None else None

    def _next(self, weekday: int) -> date:
        return self.today + timedelta(days=(weekday - self.today.weekday() - 1) % 7 + 1)

    def _weekdays_ago(self, index: int) -> PeriodMatch | None:
        """Two Fridays ago: the second that is over."""
        found = self.number(index)
        if found is None or self.at(found[1] + 1).text != "ago":
            return None
        weekday = WEEKDAYS.get(self.at(found[1]).text.removesuffix("s"))
        if weekday is None or not found[0]:
            return None
        return cal.days(self._next(weekday) - timedelta(weeks=found[0] + (self.today.weekday() == weekday))), found[
            1
        ] + 2

    @staticmethod
    def _moved(day: date, steps: list[tuple[Grain, int]], sign: int) -> date:
        for grain, count in steps:
            day = cal.shift(day, grain, sign * count)
        return day

    def _weekday_led(self, index: int) -> PeriodMatch | None:
        """Friday; Friday last week; Wed, 22 of Jan; Thursday the 21st; Monday Jan 12th."""
        weekday = WEEKDAYS.get(self.at(index).text)
        if weekday is None or self._is_no_weekday(index):
            return None
        if self.at(index + 1).text == "week" and self.at(index + 2).kind in {"end", "mark"}:
            return cal.days(self._next(weekday) + timedelta(weeks=1)), index + 2  # Tuesday week
        after = self.skip(index + 1, ",", ".", "-", "the", "on", "of")
        dated = self.month_led(after) or self.day_led(after) or self.numeric(after)
        if dated and dated[0].grain is Grain.DAY:
            return replace(dated[0], weak=False), dated[1]
        relative = self.relative(after)
        if relative and relative[0].grain is Grain.WEEK:
            return cal.nth(cal.week_of(relative[0].start), Grain.DAY, weekday + 1), relative[1]
        if (after > index + 1 or self.at(after).kind == "ordinal") and (
            (day := self.day_number(after))
            and self.at(after).kind in {"ordinal", "word"}
            and (found := self._weekday_on(weekday, day[0]))
        ):
            return found, day[1]
        return cal.weekday_before(self.today, weekday), index + 1

    def _is_no_weekday(self, index: int) -> bool:
        """The sun, what does Mon keep, and the SAT report: short, behind an article and in capitals that the text has not."""
        token = self.at(index)
        written = self.text[token.start : token.end]
        short = token.text in {"sat", "sun", "mon", "wed", "fri"}
        shouted = written.isupper() and not self.text.isupper()
        named = shouted and self.at(index - 1).text in {"the", "a", "an", "our", "your", "my"}
        return (short and (named or not written[0].isupper())) or self.is_somebody(index)

    def _weekday_on(self, weekday: int, day: int) -> Period | None:
        """The newest such weekday that falls on that day of a month."""
        first = self.today.replace(day=1)
        for back in range(60):
            start = cal.add_months(first, -back)
            try:
                candidate = start.replace(day=day)
            except ValueError:
                continue
            if candidate.weekday() == weekday and candidate <= self.today:
                return cal.days(candidate)
        return None


def _step(word: str) -> int:
    """Minus one for last, plus one for next, zero for this."""
    return -1 if word in BACK else 1 if word in ON else 0
