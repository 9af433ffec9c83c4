"""Holidays people date things by, in both countries' calendars: fixed, by weekday, by Easter, by the Korean lunar calendar."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from orchestrator.understand.cues import branches
from orchestrator.understand.time.calendar import days, month, nth_weekday
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.understand.time.calendar import Period


def _fixed(number: int, day: int) -> Callable[[int], Period]:
    return lambda year: days(date(year, number, day))


def _weekday(number: int, weekday: int, nth: int) -> Callable[[int], Period]:
    return lambda year: nth_weekday(month(year, number), weekday, nth)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (Meeus/Jones/Butcher)."""
    century, in_century = divmod(year, 100)
    golden = year % 19
    skipped = (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - century // 4 - skipped + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    number, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, number, day + 1)


def _easter(offset: int) -> Callable[[int], Period]:
    return lambda year: days(easter(year) + timedelta(days=offset))


@lru_cache(maxsize=256)
def _lunar(year: int, number: int, day: int) -> date:
    """A day of the Korean lunar calendar. Raises ``ValueError`` outside 1000 to 2050, which the tables cover."""
    from korean_lunar_calendar import KoreanLunarCalendar

    calendar = KoreanLunarCalendar()
    if not calendar.setLunarDate(year, number, day, False):  # noqa: FBT003  (third-party signature)
        raise ValueError(f"no lunar table for {year}")
    return date.fromisoformat(calendar.SolarIsoFormat())


def _moon(number: int, day: int, before: int = 0, after: int = 0) -> Callable[[int], Period]:
    """A lunar feast with the days off around it."""
    return lambda year: days(_lunar(year, number, day) - timedelta(days=before), 1 + before + after)


ENGLISH: dict[str, Callable[[int], Period]] = {
    r"christmas eve": _fixed(12, 24),
    r"(?:christmas|xmas)(?: day)?": _fixed(12, 25),
    r"boxing day": _fixed(12, 26),
    r"new year'?s? eve|nye": _fixed(12, 31),
    r"new year'?s?(?: day)?": _fixed(1, 1),
    r"valentine'?s day": _fixed(2, 14),
    r"(?:saint|st\.?) patrick'?s day": _fixed(3, 17),
    r"april fools'?(?: day)?": _fixed(4, 1),
    r"earth day": _fixed(4, 22),
    r"(?:international )?workers'? day|may day": _fixed(5, 1),
    r"juneteenth": _fixed(6, 19),
    r"independence day|(?:fourth|4th) of july": _fixed(7, 4),
    r"halloween": _fixed(10, 31),
    r"veterans'? day": _fixed(11, 11),
    r"(?:martin luther king|mlk)(?: jr\.?)? day": _weekday(1, 0, 3),
    r"presidents'? day": _weekday(2, 0, 3),
    r"memorial day": _weekday(5, 0, -1),
    r"mother'?s'? day": _weekday(5, 6, 2),
    r"father'?s'? day": _weekday(6, 6, 3),
    r"labou?r day": _weekday(9, 0, 1),
    r"columbus day|indigenous peoples'? day": _weekday(10, 0, 2),
    r"thanks ?giving(?: day)?": _weekday(11, 3, 4),
    r"black friday": lambda year: days(nth_weekday(month(year, 11), 3, 4).start + timedelta(days=1)),
    r"cyber monday": lambda year: days(nth_weekday(month(year, 11), 3, 4).start + timedelta(days=4)),
    r"good friday": _easter(-2),
    r"easter monday": _easter(1),
    r"easter(?: sunday)?": _easter(0),
    r"lunar new year|chinese new year|seollal": _moon(1, 1, 1, 1),
    r"chuseok": _moon(8, 15, 1, 1),
}
KOREAN: dict[str, Callable[[int], Period]] = {
    r"설\s?연휴|구정\s?연휴": _moon(1, 1, 1, 1),
    r"설날|구정(?!동)|음력\s?설|설(?=\s?(?:전|이후|때|부터|명절|직후|지나))": _moon(1, 1),
    r"추석\s?연휴": _moon(8, 15, 1, 1),
    r"추석|한가위": _moon(8, 15),
    r"(?:부처님\s?오신\s?날|석가탄신일|초파일)": _moon(4, 8),
    r"정월\s?대보름": _moon(1, 15),
    r"신정(?!동)|새해\s?첫날|새해(?=에|$|\s)": _fixed(1, 1),
    r"밸런타인데이|발렌타인데이": _fixed(2, 14),
    r"삼일절|3\.1절|3·1절": _fixed(3, 1),
    r"식목일": _fixed(4, 5),
    r"근로자의\s?날|노동절": _fixed(5, 1),
    r"어린이날": _fixed(5, 5),
    r"어버이날": _fixed(5, 8),
    r"스승의\s?날": _fixed(5, 15),
    r"현충일": _fixed(6, 6),
    r"제헌절": _fixed(7, 17),
    r"광복절": _fixed(8, 15),
    r"개천절": _fixed(10, 3),
    r"한글날": _fixed(10, 9),
    r"할로윈|핼러윈": _fixed(10, 31),
    r"빼빼로\s?데이": _fixed(11, 11),
    r"크리스마스\s?이브|성탄\s?전야": _fixed(12, 24),
    r"크리스마스|성탄절": _fixed(12, 25),
    r"섣달\s?그믐날?": _fixed(12, 31),
    r"아버지의\s?날": _weekday(6, 6, 3),
    r"어머니의\s?날": _weekday(5, 6, 2),
    r"추수\s?감사절": _weekday(11, 3, 4),
    r"블랙\s?프라이데이": lambda year: days(nth_weekday(month(year, 11), 3, 4).start + timedelta(days=1)),
    r"부활절": _easter(0),
}


class _Feasts:
    """The holidays of one language as one pattern with a group per feast, tried where the first letters fit."""

    def __init__(self, makers: dict[str, Callable[[int], Period]], letters: int) -> None:
        self._makers = tuple(makers.values())
        self._names = "|".join(f"({name})" for name in makers)
        self._pattern = regex(self._names, re.IGNORECASE)
        self._letters = letters

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset[str]().union(*(letters for _, letters in branches(self._names, self._letters)))

    def at(self, text: str, position: int) -> tuple[Callable[[int], Period], re.Match[str]] | None:
        if text[position : position + self._letters].lower() not in self._beginnings:
            return None
        match = self._pattern.match(text, position)
        return (self._makers[(match.lastindex or 1) - 1], match) if match else None


IN_ENGLISH = _Feasts(ENGLISH, letters=3)
IN_KOREAN = _Feasts(KOREAN, letters=1)


def feast_at(text: str, position: int, *, korean: bool) -> tuple[Callable[[int], Period], re.Match[str]] | None:
    """The holiday named at ``position``: what it is in a year, and the words."""
    return (IN_KOREAN if korean else IN_ENGLISH).at(text, position)
