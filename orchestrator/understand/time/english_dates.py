"""English dates: numeric, month first, day first, year first, decades, holidays; quarters, halves and fiscal years (Q3 2025, FY26)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period, PeriodPart
from orchestrator.understand.time.english_words import (
    DASHED,
    DECADES,
    HERE,
    MONTHS,
    UNIT_WORDS,
    WEEKDAYS,
    PeriodMatch,
    PeriodReading,
    full_year,
)
from orchestrator.understand.time.feasts import feast_at
from orchestrator.understand.time.tokens import END, TENS, UNITS, read_numeric
from translators.patterns import regex

# All hold digits, so no plain word need be tried.
SHORT = regex(r"q([1-4])|([1-4])q|h([12])|([12])h")
WITH_YEAR = regex(r"(?:q([1-4])|([12])h|h([12]))(?:fy)?'?(\d{4}|\d{2})|(\d{4})(?:q([1-4])|h([12]))")
FISCAL = regex(r"(?:fy|cy)'?(\d{4}|\d{2})")
LONGEST_MONTH = 31
CLOCK = regex(r":\d")
GLUED = regex(r"([a-z]{3,9}?)(\d{1,2})")
"""Jan5."""
DECADE = regex(r"'?((?:1[5-9]|20)?\d0)'?s")
TENS_OF_YEARS = regex(r"(?:(?:1[5-9]|20)\d0|[3-9]0)")

SUBJECTS = frozenset(
    "i we you he she they it one a an my our your their his her this these those anyone anybody somebody someone everyone".split()
)
"""What a modal verb stands before."""
FINITE = frozenset("is are was were has have had do does did will can should must status".split())
"""Beside one of them a month is a month."""
OF_TIME = frozenset("of last this next to and through until or".split())
"""Behind a month, what belongs to the time: did March last year beat May."""
GREETING = frozenset("and so but ok okay hi hey hello please , : ; . !".split())
FEW = 3
"""Words and marks behind it, at least one more than which a sentence has."""


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


class Dates(Quarters):
    """Rules for days, months, years and longer stretches that are named outright."""

    def numeric(self, index: int) -> PeriodMatch | None:
        token = self.at(index)
        if token.kind in {"iso", "compact", "short"}:
            read = read_numeric(token.kind, token.text, self.today)
            return (cal.days(read), index + 1) if isinstance(read, date) else None
        if token.kind == "month":
            read = read_numeric("month", token.text, self.today)
            return (cal.month(*read), index + 1) if isinstance(read, tuple) else None
        if token.kind == "slash":
            first, second = (int(part) for part in token.text.split("/"))
            return self._slash(first, second, index + 1)
        return self._dashed(index)

    def _slash(self, first: int, second: int, after: int) -> PeriodMatch | None:
        number, day = (second, first) if first > 12 else (first, second)  # noqa: PLR2004
        if number > 12:  # noqa: PLR2004
            return None
        separated = self.skip(after, ",")
        if separated > after and (given := self.year_number(separated)):
            return cal.days(date(given[0], number, day)), given[1]
        return replace(self.yearless_day(number, day), weak=True), after

    def _dashed(self, index: int) -> PeriodMatch | None:
        """On 4-22, Friday 7.6: month and day, where a weekday or "on" says that it is no version or score."""
        before, token = self.at(index - 1).text, self.at(index)
        match = DASHED.match(self.text, token.start) if index and token.text.isdecimal() else None
        if match is None or not (before in WEEKDAYS or (before == "on" and "-" in match.group())):
            return None
        after = next(
            position
            for position in range(index, len(self.tokens))
            if self.tokens[position].start >= match.end() or self.tokens[position] is END
        )
        return self.yearless_day(int(match[1]), int(match[2])), after

    def yearless_day(self, number: int, day: int) -> Period:
        return cal.latest(lambda year: cal.days(date(year, number, day)), self.today)

    def day_number(self, index: int) -> tuple[int, int] | None:
        """A day of the month: 3, 3rd, the third; no clock time, no count of something."""
        index = self.skip(index, "the")
        if found := self.ordinal(index):
            return (found[0], self.skip(found[1], "day")) if 1 <= found[0] <= 31 else None  # noqa: PLR2004
        token = self.at(index)
        if token.kind == "number" and len(token.text) <= 2 and 1 <= int(token.text) <= 31:  # noqa: PLR2004
            counted = self.at(index + 1).text
            if counted == "minutes" and self.at(index - 1).text in MONTHS:
                return int(token.text), index + 1  # of a meeting
            if counted in UNIT_WORDS or counted in {"hours", "hour", "minutes", "people", "items", "%"}:
                return None
            return int(token.text), index + 1
        spelled = self.number(index) if token.text in UNITS or token.text in TENS else None
        if (
            spelled
            and 1 <= spelled[0] <= LONGEST_MONTH
            and (
                self.at(spelled[1]).text in MONTHS or (self.at(index - 1).text == "the" and self.at(spelled[1]) is END)
            )
        ):
            return spelled
        return None

    def month_led(self, index: int) -> PeriodMatch | None:
        token = self.at(index)
        number, glued = MONTHS.get(token.text), None
        glued_on = None if number or token.text.isalpha() else GLUED.fullmatch(token.text)
        if glued_on and glued_on[1] in MONTHS:
            number, glued = MONTHS[glued_on[1]], int(glued_on[2])
        if number is None or self._begins_a_name(index) or self.is_somebody(index) or self._is_modal(index):
            return None
        after = self.skip(index + 1, ".", "-", "/") if self.at(index + 1).text in {".", "-", "/"} else index + 1
        if glued:
            return self._with_year(number, glued, after)
        separated = self.skip(after, ",")
        if given := self.year_number(self.skip(separated, "of", "in")):
            return cal.month(given[0], number), given[1]
        if (day := self.day_number(after)) and not CLOCK.match(self.text, self.at(day[1]).start):
            try:
                return self._with_year(number, *day)
            except ValueError:
                pass  # "June 31 seats": the number counts something else
        if given := self.relative_year(self.skip(separated, "of")):
            return cal.month(given[0], number), given[1]
        found = cal.latest(lambda year: cal.month(year, number), self.today)
        return replace(found, weak=self._month_is_weak(index)), index + 1

    def is_somebody(self, index: int) -> bool:
        """Did August sign, where does Mon keep the keys: a capital behind what asks of somebody's deed, and no word of time behind it."""
        behind = self.at(index + 1)
        asked = self.at(index - 1).text in {"did", "does", "has"} and self.text[self.at(index).start].isupper()
        return asked and behind.kind == "word" and behind.text not in OF_TIME

    def _is_modal(self, index: int) -> bool:
        """May a technician go up alone: it opens a question that has no other verb of asking; "May invoices" opens none."""
        opens = self.at(index).text == "may" and all(token.text in GREETING for token in self.tokens[:index])
        if not opens or self.at(index + 1).kind != "word":
            return False
        behind = [token.text for token in self.tokens[index + 1 :]]
        return behind[0] in SUBJECTS or ("?" in behind and len(behind) > FEW and FINITE.isdisjoint(behind))

    def _begins_a_name(self, index: int) -> bool:
        """Jun-ho, Jan-Erik: a word is joined to the short form of a month, and it is no other month."""
        dash, other = self.at(index + 1), self.at(index + 2)
        joined = dash.text == "-" and self.at(index).end == dash.start and dash.end == other.start
        short = len(self.at(index).text) == 3  # noqa: PLR2004
        return (
            joined and short and other.text.isalpha() and other.text not in MONTHS and other.text not in {"to", "end"}
        )

    def _month_is_weak(self, index: int) -> bool:
        """may, march, sec and other abbreviations are words too: they need a preposition or a capital inside the sentence."""
        token = self.at(index)
        if token.text in MONTHS and len(token.text) > 3 and token.text != "march":  # noqa: PLR2004
            return False
        written = self.text[token.start : token.end]
        return not (written[0].isupper() and not written.isupper() and index > 0) or self.at(index - 1).text in {
            "$",
            ".",
        }

    def _with_year(self, number: int, day: int, after: int) -> PeriodMatch:
        if given := self.year_after(after):
            return cal.days(date(given[0], number, day)), given[1]
        return self.yearless_day(number, day), after

    def day_led(self, index: int) -> PeriodMatch | None:
        """3 Jan 2019, the 4th of July, 20th of next month, the 15th day of June, 23/Sep/2020."""
        found = self.day_number(index)
        if found is None:
            return None
        day, after = found
        joined = self.skip(after, "of", "-", "/", "in", ".")
        number = MONTHS.get(self.at(joined).text)
        if number is not None:
            tail = self.skip(joined + 1, ".", "/") if self.at(joined + 1).text in {".", "/"} else joined + 1
            return self._with_year(number, day, tail)
        relative = self.relative(joined) if joined > after or self.at(after).text in HERE else None
        if relative and relative[0].grain is Grain.MONTH:
            return cal.nth(relative[0], Grain.DAY, day), relative[1]
        return None

    def _year_led(self, index: int) -> PeriodMatch | None:
        """2008, the year (of) 2008, 2016 Nov 3, 2016 Q3, 2016 the third quarter, 2019/aug/01."""
        named = (
            self.skip(index, "the", "calendar", "year", "cy", "of", "fiscal")
            if self.at(index).text in {"the", "calendar", "year", "cy", "fiscal"}
            else index
        )
        given = self.year_number(named)
        if given is None:
            coded = self._fiscal_year(named)
            return (
                (replace(self._fiscal_span(coded[0]), weak=self.at(named).text.startswith("fy")), coded[1])
                if coded
                else None
            )
        year, after = given
        joined = self.skip(after, "-", "/", ",", "the", ".")
        if (number := MONTHS.get(self.at(joined).text)) is not None:
            day = self.day_number(self.skip(joined + 1, "-", "/", "."))
            return (cal.days(date(year, number, day[0])), day[1]) if day else (cal.month(year, number), joined + 1)
        if (
            (day := self.day_number(joined))
            and self.at(day[1]).text in {"/", "-"}
            and (number := MONTHS.get(self.at(day[1] + 1).text))
        ):
            return cal.days(date(year, number, day[0])), day[1] + 2
        if inner := self.quarter_number(joined):
            return replace(self.of_year(inner[0], inner[1], year), weak=True), inner[2]
        is_marked = any(self.at(position).text == "year" for position in range(index, named))
        return replace(cal.year(year), weak=not is_marked), after

    def _decade(self, index: int) -> PeriodMatch | None:
        """1970s, the '70s, 90 s, nineties, nineteen seventies, 15th century."""
        start = self.skip(index, "the", "'")
        text = self.at(start).text
        if not text.isalpha() and (match := DECADE.fullmatch(text)):
            first = int(match[1])
            return cal.decade(first if first > 99 else first + (1900 if first > 20 else 2000)), start + 1  # noqa: PLR2004
        if self.at(start).kind == "number" and TENS_OF_YEARS.fullmatch(text) and self.at(start + 1).text in {"s", "'s"}:
            first = int(text)
            return cal.decade(first if first > 99 else first + 1900), start + 2  # noqa: PLR2004
        if text in {"nineteen", "twenty", "eighteen"}:
            joined = self.skip(start + 1, "-")
            tens = {"tens": 10, "noughties": 0, "hundreds": 0}.get(
                self.at(joined).text, DECADES.get(self.at(joined).text, 0) % 100
            )
            century = {"nineteen": 1900, "twenty": 2000, "eighteen": 1800}[text]
            return (cal.decade(century + tens), joined + 1) if tens else None
        if text in DECADES:
            return cal.decade(DECADES[text]), start + 1
        if (number := self.ordinal(start)) and self.at(number[1]).text == "century" and number[0] > 1:
            first = 100 * (number[0] - 1)
            return Period(date(first, 1, 1), date(first + 100, 1, 1), Grain.DECADE), number[1] + 1
        return None

    def season(self, index: int) -> PeriodMatch | None:
        """The newest that has begun."""
        begins = cal.SEASONS.get(self.at(index).text)
        return (cal.latest(lambda year: cal.season(year, begins), self.today), index + 1) if begins else None

    def feast(self, index: int) -> PeriodMatch | None:
        """A holiday with or without its year; "labor day weekend" is the weekend nearest to it, "Thanksgiving week" its week."""
        token = self.at(index)
        found = feast_at(self.text, token.start, korean=False) if token.kind in {"word", "ordinal"} else None
        if found is None or self.text[found[1].end() : found[1].end() + 1].isalnum():
            return None
        make, match = found
        after = next(
            (position for position, other in enumerate(self.tokens) if other.start >= match.end()), len(self.tokens) - 1
        )
        given = self.year_after(after)
        period = make(given[0]) if given else cal.latest(make, self.today)
        after = given[1] if given else after
        if self.at(after).text == "weekend":
            saturday = period.start + timedelta(days=(5 - period.start.weekday() + 3) % 7 - 3)
            return Period(saturday, max(saturday + timedelta(days=2), period.end), Grain.DAY), after + 1
        if self.at(after).text == "week":
            return cal.week_around(period), after + 1
        return period, after
