"""Korean windows: a chain of elements (작년 하반기) with what follows it (부터, 이후, 까지, 전까지, 사이) as half-open days."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.called import WORK_KO
from orchestrator.understand.time import calendar as cal
from orchestrator.understand.time.calendar import Grain, Period, PeriodHit
from orchestrator.understand.time.feasts import feast_at
from orchestrator.understand.time.korean_elements import BEGINS, ELEMENTS, JOINT
from orchestrator.understand.time.korean_values import NARROW, Values
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTED = regex(r"\s?\([월화수목금토일](?:요일)?\)")
RANGE = regex(r"\s?(?:부터|에서(?:부터)?|과|와|하고|이?랑|및|,|~|-|–|—)\s?")
SINCE = regex(r"\s?(?:부터|부로|이래로?|이후로?(?:부터)?(?:는|의|에)?|직후(?:에|부터)?|[후뒤](?:에|로|부터)?(?=\s|$))")
BEFORE = regex(r"\s?(?:전까지(?:는|의)?|이전(?:까지|에|의)?|전에|전(?=\s|$))")
UNTIL = regex(r"\s?까지(?:의|는)?")
WITHIN = regex(
    rf"(?:\s?(?:동안|사이|중|내내|내(?! {WORK_KO})|안|간)(?:에는|에서|에|의)?(?=\s|$|[,.?!])|\s?들어서?(?=\s|$)|쯤에?|경에?|께에?|(?:에서는|에서의|에서|에는|에도|에|의|엔|자|분|날에?|까지만)(?=\s|$|[,.?!]|나|진|올|작|한)|\s?(?:기준으로|기준|현재)(?=\s|$))"
)
BETWEEN_END = regex(r"\s?(?:까지|사이(?:에서|에|의)?|동안|간)(?:의|에|는)?")
BARE_DAY = regex(r"(\d{1,2})\s?일(?![가-힣]*주|\s?[간동전후])")
UNTIL_THEN = regex(r"까지(?:의|는)?")
EVERY = regex(r"(?:매|(?:매[주월달년일]|격[주월])\s?)$")
REPEATED = regex(r"\s?(?:마다|씩|에\s?(?:한|두|세|몇|\d+)\s?번)")
BARE_SEASON = frozenset("봄여가겨")
"""What a season begins with that nothing places: neither 올봄 nor 작년 여름."""
INNER = frozenset({"part", "monthday", "monthdays"})
"""Elements that only narrow one that stands before them."""
SUPPOSED = regex(r"에?\s?(?:[가-힣]+\s){0,2}[가-힣]*(?:면|경우)(?=\s|$|[,.?!])")
"""Behind a day of the week: any such day (토요일에 일하면)."""
AWARD = regex(r"의\s(?:[^\s]+\s)?[^\s]*(?:사원|직원|인물|선수|단어|책)(?=\s|$|[을를은이])")
TITLE = regex(
    r"\s(?:[^\s,.?!]+\s){0,2}?(?:okr|kpi|목표|사업\s?계획|계획서?|예산안?|로드맵|가이드(?:라인|북)?|보고서|리포트|결산|실적|플랜|전략|캘린더|달력|매출표|일정표|템플릿|백서|브로슈어|인사평가표|소식지|뉴스레터|호\s)",
    re.IGNORECASE,
)


@record
class Chain:
    """A chain of elements read as one period; ``names`` says of which kinds."""

    period: Period
    first: int
    last: int
    names: tuple[str, ...]


class Korean(Values):
    """One reading of one text as of ``today``."""

    def chain(self, at: int) -> Chain | None:
        """The longest chain that begins at ``at``."""
        period: Period | None = None
        names: list[str] = []
        position = last = at
        while found := self._element(position, first=period is None):
            name, match = found
            try:
                narrowed = self._narrow(period, name, match)
            except (ValueError, OverflowError):
                break  # 2월 30일, 13분기: looks like a time and names none
            if narrowed is None:
                break
            period, last = narrowed, match.end()
            if period.grain is Grain.DAY and (note := NOTED.match(self.text, last)):
                period, last = replace(period, weak=False), note.end()
            names.append(name)
            joint = JOINT.match(self.text, last)
            position = joint.end() if joint else last
        return Chain(period, at, last, tuple(names)) if period else None

    def _element(self, position: int, *, first: bool) -> tuple[str, re.Match[str]] | None:
        if position >= len(self.text) or (first and not BEGINS.match(self.text, position)):
            return None
        if found := feast_at(self.text, position, korean=True):
            return "feast", found[1]
        for name, pattern in ELEMENTS:
            if not (first and name in INNER) and (match := pattern.match(self.text, position)):
                return name, match
        return None

    def _narrow(self, within: Period | None, name: str, match: re.Match[str]) -> Period | None:
        return NARROW[name](self, within, match)


def korean_hits(text: str, today: date, fiscal: int = 1) -> Iterator[PeriodHit]:
    """Windows from left to right, without overlap."""
    read = Korean(text, today, fiscal)
    position = 0
    while position < len(text):
        chain = read.chain(position) if _may_begin(text, position) else None
        if chain is None:
            position += 1
            continue
        hit = _range(read, chain, today) or _single(text, chain, today)
        if hit is None:
            position = chain.last
            continue
        yield hit
        position = max(hit.last, chain.last)


def _may_begin(text: str, position: int) -> bool:
    """At the beginning of a word, so that 남이 달 or 코드이번 do not count."""
    if position == 0:
        return True
    before = text[position - 1]
    return not (before.isalnum() or before in "_#/.-")


def _range(read: Korean, first: Chain, today: date) -> PeriodHit | None:
    """3월부터 5월까지, 9월 3일과 12일 사이, 10.1 ~ 11.7."""
    joint = RANGE.match(read.text, first.last)
    if joint is None or set(first.names) & {"roll", "ahead"}:
        return None
    second = _second(read, first, joint.end())
    if second is None:
        return None
    closing = BETWEEN_END.match(read.text, second.last)
    sign = joint.group().strip()
    listed = sign in {"과", "와", "하고", "랑", "이랑", "및", ","} and not (closing and "사이" in closing.group())
    if listed and not cal.follows(first.period, second.period):
        return None
    if not listed and closing is None and sign not in {"~", "-", "–", "—", "부터"}:
        return None
    period = _joined(first.period, second.period)
    return _hit(
        first.first, closing.end() if closing else second.last, period.start, None if period.open else period.end, today
    )


def _second(read: Korean, first: Chain, position: int) -> Chain | None:
    """The end of a range; a bare day or month borrows from the beginning."""
    if first.period.grain is Grain.DAY and (match := BARE_DAY.match(read.text, position)):
        try:
            day = first.period.start.replace(day=int(match[1]))
        except ValueError:
            return None
        later = day if day >= first.period.start else cal.add_months(day, 1)
        return Chain(cal.days(later), position, match.end(), ("day",))
    found = read.chain(position)
    if (
        found
        and found.names == first.names[-1:] == ("weekday",)
        and "relweek" in first.names
        and found.period.start > first.period.start
    ):
        week = cal.week_of(first.period.start)
        return replace(found, period=cal.days(week.start + timedelta(days=found.period.start.weekday())))
    if found and found.names[0] == "month" and first.period.grain in {Grain.MONTH, Grain.DAY, Grain.YEAR}:
        return replace(found, period=replace(found.period, yearless=True))
    return found


def _joined(first: Period, second: Period) -> Period:
    if second.yearless:
        year = first.start.year
        second = _in_year(second, year)
        if second.start < first.start and first.grain is not Grain.YEAR:
            second = _in_year(second, year + 1)
    elif first.yearless:
        first = _in_year(first, second.start.year)
        if first.start > second.start:
            first = _in_year(first, second.start.year - 1)
    if second.open and second.grain is Grain.DAY:
        return replace(first, end=second.end, open=True)
    return Period(first.start, max(first.end, second.end), first.grain, open=second.open)


def _in_year(period: Period, year: int) -> Period:
    return cal.years_on(period, year - period.start.year)


def _single(text: str, chain: Chain, today: date) -> PeriodHit | None:  # noqa: PLR0911  (a ladder of rules, one a line)
    period, last = chain.period, chain.last
    if REPEATED.match(text, last) or EVERY.search(text, 0, chain.first):
        return None
    if chain.names == ("weekday",) and SUPPOSED.match(text, last):
        return None
    ago = chain.names == ("ago",)
    if match := SINCE.match(text, last):
        since = _hit(chain.first, match.end(), period.start, None, today)
        return replace(since, yearless=period.yearless, rough=period.rough)
    if not ago and (match := BEFORE.match(text, last)):
        return replace(_hit(chain.first, match.end(), None, period.start, today), yearless=period.yearless)
    if ago and (match := UNTIL_THEN.match(text, last)):
        return replace(_hit(chain.first, match.end(), None, period.start, today), rough=period.rough)
    if match := UNTIL.match(text, last):
        until = _hit(chain.first, match.end(), None, period.end, today)
        return None if period.weak else replace(until, yearless=period.yearless)
    within = WITHIN.match(text, last)
    if _rejected(text, chain, marked=within is not None and within.group().strip() not in {"의", "분", "자"}):
        return None
    end = within.end() if within else last
    hit = _hit(chain.first, end, period.start, None if period.open else period.end, today)
    return replace(hit, yearless=period.yearless, over=period.end if period.open else None, rough=period.rough)


def _rejected(text: str, chain: Chain, *, marked: bool) -> bool:
    """A bare day, a date-like fraction, or a period that belongs to a title (2026년 2분기 OKR) names no window."""
    if AWARD.match(text, chain.last):
        return True
    if chain.names == ("season",) and text[chain.first] in BARE_SEASON:
        return not marked  # 여름 휴가 is a thing
    if chain.names[-1] == "day" and len(chain.names) == 1:
        return not marked
    if chain.period.weak:
        return (
            not marked
            and chain.period.grain is Grain.DAY
            and not (chain.first == 0 and chain.last == len(text.rstrip()))
        )
    if set(chain.names) & {"year", "quarter", "half", "month"} and not set(chain.names) & {
        "relyear",
        "day",
        "monthday",
        "part",
        "weekday",
    }:
        return not marked and TITLE.match(text, chain.last) is not None
    return False


def _hit(first: int, last: int, start: date | None, end: date | None, today: date) -> PeriodHit:
    future = bool(start and start > today) or (start is None and end is not None and end > today + timedelta(days=1))
    return PeriodHit(first, last, start, end, future)
