"""The value of each element of a Korean time: what it makes of the period named before it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period
from orchestrator.understand.time.feasts import feast_at
from orchestrator.understand.time.korean_elements import (
    COUNT,
    DAY_WORDS,
    ELEMENTS,
    PARTS,
    STEPS,
    UNITS,
    WEEKDAYS,
    YEAR_WORDS,
)
from orchestrator.understand.time.tokens import (
    KOREAN_ABOUT,
    KOREAN_DAYS,
    KOREAN_ORDINAL,
    korean_number,
    read_numeric,
)
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Callable


COUNTED_FROM_NOW = regex(r"(?:^|[이가은는서,.?!]\s)(?:약\s)?$")
"""Before a number of hours: nothing they are counted from."""
ABOUT = regex(rf"며칠|\d\s?[~-]|{'|'.join(KOREAN_ABOUT)}")


class Values:
    """One method per kind of element, as of ``today``; ``None`` where the element does not fit behind the one before."""

    def __init__(self, text: str, today: date, fiscal: int = 1) -> None:
        self.text = text
        self.today = today
        self.fiscal = fiscal

    def decade(self, within: Period | None, match: re.Match[str]) -> Period | None:
        first = int(match["de"])
        return None if within else cal.decade(first if first > 99 else first + (2000 if first < 30 else 1900))  # noqa: PLR2004

    def century(self, within: Period | None, match: re.Match[str]) -> Period | None:
        first = 100 * (int(match["ce"]) - 1)
        return None if within or first < 1 else Period(date(first, 1, 1), date(first + 100, 1, 1), Grain.DECADE)

    def ago(self, within: Period | None, match: re.Match[str]) -> Period | None:
        if within and (within.grain is not Grain.DAY or within.open):
            return None
        day = within.start if within else self.today  # 크리스마스 2주 전
        grain = Grain.DAY
        for count, unit in re.findall(rf"({COUNT})\s?(년|개월|달|주일|주|일)", match.group()):
            grain = UNITS[unit]
            day = cal.shift(day, grain, -(korean_number(count) or 3))
        for word in re.findall("|".join(KOREAN_DAYS), match.group()):
            day -= timedelta(days=KOREAN_DAYS[word])
        if re.search(r"며칠|몇\s?일", match.group()) and not within and day == self.today:
            day -= timedelta(days=3)
        if within:
            return cal.days(day)
        if re.search(r"반\s?년", match.group()):
            grain, day = Grain.HALF, cal.shift(day, Grain.HALF, -1)
        some = ABOUT.search(match.group()) is not None
        return cal.counted_back(self.today, day, grain, some=some)

    def hours(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """두 시간 전, 아까: since the day on which that was. Behind a thing they are counted from it (배포 두 시간 전)."""
        if within or (match["hn"] and not COUNTED_FROM_NOW.search(self.text, 0, match.start())):
            return None
        return cal.hours_back(self.today, korean_number(match["hn"]) if match["hu"] == "시간" else 0)

    def roll(self, within: Period | None, match: re.Match[str]) -> Period | None:
        if within:
            return None
        if word := match["rw"]:
            if word in KOREAN_DAYS:
                return cal.back(self.today, Grain.DAY, KOREAN_DAYS[word])
            known = {
                "일주일": (Grain.DAY, 7),
                "한달": (Grain.MONTH, 1),
                "반년": (Grain.MONTH, 6),
                "반 년": (Grain.MONTH, 6),
            }
            return cal.back(self.today, *known.get(word, (Grain.DAY, 3)))
        count, unit = match["rn"], match["u"]
        if (unit == "주" and count in {"일", "한"}) or unit == "주일":
            return cal.back(self.today, Grain.WEEK, 1 if count == "일" else korean_number(count))
        number = korean_number(count)
        if unit == "영업일":
            return Period(cal.business_day(self.today, -number), self.today, Grain.DAY, open=True) if number else None
        if unit == "시간":
            number = -(-number // cal.HOURS_A_DAY)
        return cal.back(self.today, UNITS[unit], number) if number else None

    def ahead(self, within: Period | None, _match: re.Match[str]) -> Period | None:
        return None if within else cal.days(self.today + timedelta(days=1))

    def relyear(self, within: Period | None, match: re.Match[str]) -> Period | None:
        step = YEAR_WORDS[match.group().replace(" ", "")]
        period = cal.year(self.today.year + step)
        return None if within else (period if step else period.opened())

    def relhalf(self, within: Period | None, match: re.Match[str]) -> Period | None:
        step = STEPS[match["hs"]]
        period = cal.neighbour(self.today, Grain.HALF, step)
        return None if within else (period if step else period.opened())

    def half(self, within: Period | None, match: re.Match[str]) -> Period | None:
        return self._of_year(within, Grain.HALF, 1 if match["h"] == "상" else 2)

    def relquarter(self, within: Period | None, match: re.Match[str]) -> Period | None:
        step = STEPS.get(match["qs"], 0)
        period = cal.neighbour(self.today, Grain.QUARTER, step)
        return None if within else (period if step else period.opened())

    def quarter(self, within: Period | None, match: re.Match[str]) -> Period | None:
        text = match["q"] or match["q2"] or match["q3"]
        return self._of_year(within, Grain.QUARTER, korean_number(text))

    def _of_year(self, within: Period | None, grain: Grain, number: int) -> Period | None:
        if within is None:
            return cal.latest(lambda year: self._fiscal(year, grain, number), self.today)
        return self._fiscal(within.start.year, grain, number) if within.grain is Grain.YEAR else None

    def _fiscal(self, year: int, grain: Grain, number: int) -> Period:
        start = cal.add_months(
            date(year, 1, 1), cal.MONTHS[grain] * (number - 1) + (0 if self.fiscal == 1 else self.fiscal - 13)
        )
        return Period(start, cal.add_months(start, cal.MONTHS[grain]), grain)

    def relmonth(self, within: Period | None, match: re.Match[str]) -> Period | None:
        word = match.group().replace(" ", "")
        step = (
            STEPS[match["ms"]]
            if match["ms"]
            else -2
            if match["mb"]
            else {"전월": -1, "전달": -1, "내달": 1}.get(word, 0)
        )
        period = cal.neighbour(self.today, Grain.MONTH, step)
        return None if within else (period if step else period.opened())

    def lastmonth(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """지난 9월: the newest September that is over; the word itself only prepares for the month."""
        following = re.match(r"(\d{1,2})월", self.text[match.end() :])
        number = int(following[1]) if following else 0
        if within is not None or not 1 <= number <= 12:  # noqa: PLR2004
            return None
        newest = cal.latest(lambda year: cal.month(year, number), self.today)
        return cal.year(newest.start.year if newest.end <= self.today else newest.start.year - 1)

    def relweek(self, within: Period | None, match: re.Match[str]) -> Period | None:
        word = match.group().replace(" ", "")
        step = STEPS[match["ws"]] if match["ws"] else 1 if word.startswith("차주") else 0
        period = cal.neighbour(self.today, Grain.WEEK, step)
        return None if within else (period if step else period.opened())

    def weekend(self, within: Period | None, match: re.Match[str]) -> Period | None:
        if within is not None:
            return cal.weekend_of(within.start) if within.grain is Grain.WEEK else None
        if not match["es"]:
            return cal.newest_weekend(self.today)
        return cal.weekend_of(self.today + timedelta(weeks=STEPS[match["es"]]))

    def season(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """여름 of a year (작년 여름), the last, this or the next one (올봄), or the newest that has begun."""
        begins = cal.SEASONS[match["sn"]]
        if within is not None:
            return cal.season_of(within.start.year, begins) if within.grain is Grain.YEAR and not match["ns"] else None
        newest = cal.latest(lambda year: cal.season(year, begins), self.today)
        if match["ns"] is None:
            return newest
        return cal.turned(newest, STEPS[match["ns"]], self.today)

    def weekno(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """18주차 of a year; 3주차 of a month."""
        number = int(match["wn"])
        if within is not None and within.grain is Grain.MONTH:
            return cal.nth(within, Grain.WEEK, number)
        return cal.days(
            date.fromisocalendar(within.start.year if within else self.today.year, number, 1), 7, Grain.WEEK
        )

    def nthweek(self, within: Period | None, match: re.Match[str]) -> Period | None:
        number = KOREAN_ORDINAL[match["nw"].replace(" ", "")]
        within = within or cal.around(self.today, Grain.MONTH)
        return cal.nth(within, Grain.WEEK, number) if within.grain > Grain.WEEK else None

    def nthday(self, within: Period | None, match: re.Match[str]) -> Period | None:
        within = within or cal.around(self.today, Grain.MONTH)
        number = KOREAN_ORDINAL[match["nd"].replace(" ", "")]
        return cal.nth_weekday(within, WEEKDAYS[match["ndw"]], number) if within.grain > Grain.WEEK else None

    def year(self, within: Period | None, match: re.Match[str]) -> Period | None:
        number = korean_number(match["y"])
        if len(match["y"]) == 2 and match["y"].isdecimal():  # noqa: PLR2004
            number += 2000 if number < 70 else 1900  # noqa: PLR2004
        if within is not None:  # 9월 10일, 1901년에
            return (
                cal.days(date(number, within.start.month, within.start.day))
                if within.grain is Grain.DAY and within.yearless
                else None
            )
        return cal.year(number)

    def months(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """9~10월, 11~2월."""
        first, last = int(match["m1"]), int(match["m2"])
        if within is None:
            begins = cal.latest(lambda year: cal.month(year, first), self.today)
        elif within.grain is Grain.YEAR:
            begins = cal.month(within.start.year, first)
        else:
            return None
        return replace(begins, end=cal.add_months(begins.start, (last - first) % 12 + 1))

    def month(self, within: Period | None, match: re.Match[str]) -> Period | None:
        number = {"유": 6, "시": 10}.get(match["m"]) or korean_number(match["m"])
        if within is None or (within.grain is Grain.DAY and match.start() > 0 and "요일" in self.text[: match.start()]):
            return cal.latest(lambda year: cal.month(year, number), self.today)
        return cal.month(within.start.year, number) if within.grain is Grain.YEAR else None

    def numeric(self, within: Period | None, match: re.Match[str]) -> Period | None:
        kind = next(name for name in ("iso", "compact", "short", "month", "slash") if match[name])
        if within is not None:
            return None
        if kind == "slash":
            first, second = (int(part) for part in match.group().split("/"))
            number, day = (second, first) if first > 12 else (first, second)  # noqa: PLR2004
            return replace(cal.latest(lambda year: cal.days(date(year, number, day)), self.today), weak=True)
        read = self._year_first(match.group()) or read_numeric(kind, match.group(), self.today)
        if isinstance(read, date):
            return cal.days(read)
        return cal.month(*read) if read else None

    def _year_first(self, text: str) -> date | None:
        """26.11.03 is a day of 2026: Korean dates run from the year down (KS X ISO 8601)."""
        if not re.fullmatch(r"\d\d(\D)\d\d?\1\d\d?", text):
            return None
        year, number, day = (int(part) for part in re.findall(r"\d+", text))
        try:
            read = date(2000 + year, number, day)
        except ValueError:
            return None
        return read if read.year <= self.today.year + 1 else None

    def weekdays(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """지난주 월~수: days of the week before it."""
        first, last = WEEKDAYS[match["w1"]], WEEKDAYS[match["w2"]]
        if within is None or within.grain is not Grain.WEEK or last < first:
            return None
        return Period(within.start + timedelta(days=first), within.start + timedelta(days=last + 1), Grain.DAY)

    def weekday(self, within: Period | None, match: re.Match[str]) -> Period | None:
        weekday = WEEKDAYS[match["d"]]
        if within is not None:
            if within.grain is Grain.DAY:  # 1월 22일 월요일: the date decides
                return within
            whole = within.grain is Grain.WEEK and within.end - within.start == timedelta(weeks=1)
            return cal.nth(within, Grain.DAY, weekday + 1) if whole else None
        if match["ds"]:
            return cal.days(cal.week_of(self.today).start + timedelta(days=weekday + 7 * STEPS[match["ds"]]))
        return cal.weekday_before(self.today, weekday)

    def day(self, within: Period | None, match: re.Match[str]) -> Period | None:
        number = korean_number(match["dd"])
        if within is None:
            newest = cal.newest_day(self.today, number)
            return replace(newest, weak=True) if newest else None
        return self._day_of(within, number) if within.grain is Grain.MONTH else None

    def _day_of(self, month: Period, number: int) -> Period:
        if month.yearless:  # 11월 19일 asked on the 7th of November is last year's
            return cal.latest(lambda year: cal.days(date(year, month.start.month, number)), self.today)
        return cal.days(month.start.replace(day=number))

    def monthdays(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """10월 15~20일."""
        first, last = int(match["d1"]), int(match["d2"])
        if within is None or within.grain is not Grain.MONTH or last < first:
            return None
        begins = self._day_of(within, first)
        return replace(begins, end=begins.start.replace(day=last) + timedelta(days=1))

    monthday = day
    """Behind a month it is one of its days whatever comes then (10월 15일 전에), where alone it may be a number of days."""

    def weekof(self, within: Period | None, _match: re.Match[str]) -> Period | None:
        return cal.week_around(within) if within is not None and within.grain is Grain.DAY else None

    def night(self, within: Period | None, _match: re.Match[str]) -> Period | None:
        """어젯밤 began yesterday and ended today."""
        return None if within else cal.days(self.today - timedelta(days=1), 2)

    def dayword(self, within: Period | None, match: re.Match[str]) -> Period | None:
        offset = DAY_WORDS[re.sub(r"\s+", " ", match["dw"])]
        period = cal.days(self.today + timedelta(days=offset))
        return None if within else (period if offset else period.opened())

    def turn(self, within: Period | None, match: re.Match[str]) -> Period | None:
        """연초, 연말 of the newest year in which it has begun; 작년 연말, 지난달 월말 of that one."""
        word = match["tp"]
        grain = Grain.YEAR if word.startswith("연") else Grain.MONTH
        if within is not None:
            return cal.part(replace(within, open=False), PARTS[word]) if within.grain is grain else None
        newest = cal.part(cal.around(self.today, grain), PARTS[word])
        before = cal.part(cal.neighbour(self.today, grain, -1), PARTS[word])
        return newest if newest.start <= self.today else before

    def part(self, within: Period | None, match: re.Match[str]) -> Period | None:
        word = match["p"]
        if (
            within is None
            or within.grain is Grain.DAY
            or (word == "중" and within.grain is not Grain.MONTH and within.grain is not Grain.YEAR)
        ):
            return None
        if word == "중":
            return within
        if word in {"초순", "하순"} and within.grain is Grain.MONTH:
            start = within.start if word == "초순" else within.start + timedelta(days=20)
            return Period(start, start + timedelta(days=10) if word == "초순" else within.end, Grain.WEEK)
        return cal.part(replace(within, open=False), PARTS[word])

    def feast(self, within: Period | None, match: re.Match[str]) -> Period | None:
        found = feast_at(self.text, match.start(), korean=True)
        if found is None:
            return None
        make = found[0]
        if within is None:
            return cal.latest(make, self.today)
        return make(within.start.year) if within.grain is Grain.YEAR else None


NARROW: dict[str, Callable[[Values, Period | None, re.Match[str]], Period | None]] = {
    name: getattr(Values, name) for name, _ in (*ELEMENTS, ("feast", ""))
}
