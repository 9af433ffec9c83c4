"""The one window a question speaks of, its words taken out of the text; what lies ahead, belongs to a title or is in no calendar is named."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.draft import BLANK, NO_SUCH_DAY, AskedDay, Role
from orchestrator.understand.rule import asks_for_rule
from orchestrator.understand.time.ahead import as_ahead
from orchestrator.understand.time.calendar import MONTHS, Grain, add_months
from orchestrator.understand.time.certainty import CONTENT, LEADS, PARTICLE, SURE, certainty, is_named, keep_words
from orchestrator.understand.time.feasts import feast_at
from translators.letters import PAST_SYLLABLES, has_hangul
from translators.months import MONTH_NAMES
from translators.patterns import regex
from translators.query import Doubt, Window

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.lexicon import Lexicon
    from orchestrator.understand.time.calendar import PeriodHit

NAME = rf"(?P<name>{'|'.join(f'{month[:3]}(?:{month[3:]})?' for month in MONTH_NAMES)}|sept)"
DATED = regex(
    rf"(?<![\w.:-])(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{NAME}\b(?!\s*['’])(?:,?\s(?P<before_year>(?:19|20)\d\d)\b)?"
    rf"|\b{NAME.replace('name', 'name2')}\s+(?:the\s+)?(?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?![\w%:]|[.,]\d|\s?(?:[ap]m|people|days|weeks|hours))(?:,?\s(?P<after_year>(?:19|20)\d\d)\b)?"
    r"|(?:(?P<korean_year>(?:19|20)\d\d)년\s?)?(?P<korean>\d{1,2})월\s?(?P<korean_day>\d{1,2})일"
    r"|(?<![\w.-])(?P<year>(?:19|20)\d\d)(?P<sep>[-/]|\.\s?)(?P<month>\d{1,2})(?P=sep)(?P<day>\d{1,2})(?![\w-]|\.\d)",
    re.IGNORECASE,
)
BEFORE_KO = regex(r"(?:며칠|몇\s?\S{1,2}|[일주달월년간])\s전(?:에|까지)?(?:는|은)?$")
YEARS = ("before_year", "after_year", "korean_year", "year")
WEEK = timedelta(days=7)
LEAP_YEAR = 2024
MONTH = 31  # days
DIGIT = regex(r"\d")
ENGLISH_CUE = regex(
    r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|yesterday|yday|today|tonight|tomorrow|tmrw|week|month|quarter|year|decade|century|christmas|xmas|easter|thanks ?giving|halloween"
    r"|new year|fortnight|weekend|spring|summer|autumn|fall|winter|this (?:morning|afternoon)|days?\b|half|earth day|last night|night before|chuseok|seollal|nineties|eighties|seventies|noughties|twenty|nineteen|two thousand|one thousand|[ymq]td\b|hours?\b|moment ago|just now|juneteenth|black friday|first|second|third|the [a-z-]+th\b)"
)
KOREAN_CUE = regex(
    r"\d|어제|어젯|[간지난]\s?밤|밤\s?사이|어저께|그제|그저께|께|오늘|[금전명당]일|내일|모레|글피|[지저이요]번|지난|다음|담\s?[주달]|다가오|오는|작년|올\s?해|[금전내]년|내후년|분기|반기|요일|주말|개월|달|월|년|주일|일주|주\s?(?:쯤|정도)?\s?전|[지전]날|금주|차주|그 ?[날주]|같은 주|연[초말]|시간|올\s"
    r"|설|구정|추석|한가위|오신|석가|초파일|대보름|신정|새해|데이|일절|식목일|노동절|의\s?날|어린이날|어버이날|현충일|제헌절|광복절|개천절|한글날|윈|크리스마스|성탄|그믐|감사절|부활절|최근|과거|방금|아까|조금\s?전|좀\s?전|며칠|몇|이틀|사흘|나흘|닷새|열흘|보름|하루"
    r"|봄|여름|가을|겨울|십[일이삼사오육칠팔구]?일|[일이삼사]일(?=[\s에])|세기"
)


AS_OF = regex(
    r"\bas (?:of|at)\s(?:the\s)?"
    r"|(?<=[\d일월달말초년])\s?(?:기준(?:으로(?:는)?|에(?:는)?|엔|의)?|당시(?:에는|에|엔|의)?|시점(?:에서는|에서|에|의|으로)?)(?![가-힣])",
    re.IGNORECASE,
)
"""Beside a day: what held then is asked for."""
PLANNED = regex(
    rf"^(?=.*(?:\b(?:was|were|had)\b|[{PAST_SYLLABLES}]))"
    r"(?=.*(?:\bwhen\b|\bwhat (?:day|date|time)\b|\bplan|\bscheduled|\bexpected|\bdue\b|\bdeadline|언제|며칠|예정|계획|목표|일정|기한|마감))",
    re.IGNORECASE | re.DOTALL,
)
"""For what day a thing was planned: of a month gone by that asks what was known at its end. A figure of a month is told after it."""


def impossible_days(text: str) -> Iterator[tuple[int, int]]:
    """Where ``text`` names days that do not exist in the year named with them, or in any. 29 February without a year may be some year's."""
    for match in DATED.finditer(text):
        year, month, day = _parts(match)
        if not 1 <= month <= len(MONTH_NAMES) or not 1 <= day <= monthrange(year, month)[1]:
            yield match.span()


def _parts(match: re.Match[str]) -> tuple[int, int, int]:
    year = next((match[name] for name in YEARS if match[name]), None)
    named = int(year) if year else LEAP_YEAR
    name = match["name"] or match["name2"]
    if name:
        number = next(index for index, month in enumerate(MONTH_NAMES, 1) if month.startswith(name[:3].lower()))
        return named, number, int(match["before"] or match["after"])
    return named, int(match["korean"] or match["month"]), int(match["korean_day"] or match["day"])


def read_time(draft: Draft) -> None:
    """Find the window and take its words out of the text. A typed ``after:`` or ``before:`` stands above what is said."""
    if DIGIT.search(draft.open):
        _leave_out_impossible_days(draft)
    _read_as_of(draft)
    found = [hit for hit in find_windows(draft) if not _is_lead(hit, draft)]
    hits = as_ahead(found, draft.text, draft.now.date())
    for hit in hits:
        draft.claim(hit.first, hit.last, Role.TIME)
    if len(hits) == 1:
        draft.spoken_of = _days_of(hits[0], draft)
    past = [hit for hit in hits if not hit.future]
    draft.future = len(past) < len(hits)
    draft.coming = next(
        ((hit.first, names) for hit in hits if hit.future and (names := _names_of_coming(hit, draft))), None
    )
    sure = {hit: certainty(hit, draft.text, draft.now.date()) for hit in past}
    of_a_day = (hit for hit in hits if hit.future or sure[hit] <= CONTENT)
    draft.day = next(filter(None, (_day_of(hit, draft) for hit in of_a_day)), None)
    for hit in hits:
        if hit.future and (name := _feast(draft, hit)):
            draft.keywords.append(name)  # it restricts nothing, and what is planned for it names it
        elif sure.get(hit, 0) < SURE and is_named(hit, draft.text):
            keep_words(draft, hit)
    if draft.window is None and past:
        draft.window = _one(draft, past)
        if draft.window is not None:
            draft.imply("window", max(sure.values()), draft.window.words)


def _is_lead(hit: PeriodHit, draft: Draft) -> bool:
    """How long before something a rule wants a thing done, and no time that is over: 며칠 전에 신청해야 돼."""
    return BEFORE_KO.search(draft.text[hit.first : hit.last]) is not None and asks_for_rule(draft.text)


def _days_of(hit: PeriodHit, draft: Draft) -> Window | None:
    """Its days as ones to come: of a day without a year the next one, of a week that goes on all of it, and of what begins on a day the nearer one."""
    start, end, today = hit.start, hit.end or hit.over, draft.now.date()
    year = MONTHS[Grain.YEAR]
    if start is None and end is not None and end <= today < end + WEEK:
        end += WEEK  # by Friday is by the next one
    if hit.yearless and end is not None and end <= today:
        start, end = start and add_months(start, year), add_months(end, year)
    elif hit.yearless and end is None and start is not None and add_months(start, year) - today < today - start:
        start = add_months(start, year)
    return Window(start, end, draft.text[hit.first : hit.last])


def _names_of_coming(hit: PeriodHit, draft: Draft) -> tuple[str, ...]:
    """What is written of a period that lies ahead: the day or month by its names, a longer one as it was said."""
    limit = DATED.search(draft.text, hit.first, hit.last) if hit.start is None else None
    begins = hit.start or (hit.end - timedelta(days=1) if limit and hit.end else None)  # by 14 December is of that day
    if begins is None or hit.end is None:
        return ()
    start = begins if begins > draft.now.date() else add_months(begins, MONTHS[Grain.YEAR])
    if (hit.end - begins).days == 1:
        return _written(start)
    said = " ".join(word.text for word in draft.words_in(hit.first, hit.last) if word.lower not in LEADS)
    said = PARTICLE.sub("", said)
    if begins.day == 1 and add_months(begins, 1) == hit.end:
        names = MONTH_NAMES[start.month - 1].title(), f"{start.month}월"
        return tuple(dict.fromkeys((*(names[::-1] if has_hangul(draft.text) else names), said)))
    return (said,) if said else ()


def _written(day: date) -> tuple[str, ...]:
    """How a day is written in rosters, plans and messages."""
    name = MONTH_NAMES[day.month - 1].title()
    return f"{day.month}/{day.day}", f"{day.month}월 {day.day}일", f"{day.day} {name}", f"{name[:3]} {day.day}"


def _day_of(hit: PeriodHit, draft: Draft) -> AskedDay | None:
    """The one day that is spoken of, or that on which a week begins: a roster has a row for it."""
    if hit.start is None:
        return None
    long = (hit.end or hit.over or draft.now.date() + timedelta(days=1)) - hit.start
    if long != timedelta(days=1) and (long != WEEK or hit.start.weekday()):
        return None
    passed = hit.yearless and hit.start < draft.now.date()
    day = add_months(hit.start, MONTHS[Grain.YEAR]) if passed else hit.start
    return AskedDay(hit.first, (*_written(day), *([f"{day.day}일 주"] if long == WEEK else [])))


def read_coming(draft: Draft) -> None:
    """Where nothing is asked for but what comes then (내일 뭐 있어?, what's happening next week), what names the time is looked for.

    Where more is, ``coming`` is nothing from here on, and the day weighs as it may be written: who answers the phone this Saturday.
    """
    asked = (
        draft.keywords,
        draft.phrases,
        draft.ids,
        draft.author,
        draft.assignee,
        draft.worker,
        draft.container,
        draft.kinds,
    )
    if any(asked):
        draft.coming = None
        if draft.day is not None:
            draft.lessen(draft.day.at, draft.day.written[0], DAY)
    elif draft.coming is not None:
        at, names = draft.coming
        draft.keywords.append((at, names[0]))


DAY = 0.6
"""What the day weighs of which more is asked."""


def _feast(draft: Draft, hit: PeriodHit) -> tuple[int, str] | None:
    """Where a period names a holiday, and its name."""
    for word in draft.words_in(hit.first, hit.last):
        if found := feast_at(draft.text, word.start, korean=word.hangul):
            return word.start, found[1].group()
    return None


def _read_as_of(draft: Draft) -> None:
    """Of a point in time ("as of 1 March", "3월 1일 기준"): a day gone by ends the window and begins none; so does a month, of what was planned then."""
    marker = AS_OF.search(draft.open)
    if marker is None or draft.window is not None:
        return
    first, last = marker.span()
    text = draft.open[:first] + " " * (last - first) + draft.open[last:]
    for hit in _windows_in(text, draft):
        beside = hit.first == last or hit.last == first
        if beside and not hit.future and hit.start and hit.end:
            days = (hit.end - hit.start).days
            told = days == 1 or (days <= MONTH and PLANNED.search(draft.text) is not None)
            if told and hit.start < draft.now.date():
                begins, ends = min(first, hit.first), max(last, hit.last)
                draft.as_of = min(hit.end - timedelta(days=1), draft.now.date())
                draft.window = Window(None, hit.end, draft.text[begins:ends].strip())
                draft.imply("window", SURE, draft.window.words)
                draft.claim(begins, ends, Role.TIME)
            return


def _leave_out_impossible_days(draft: Draft) -> None:
    for first, last in impossible_days(draft.open):
        draft.doubts.append(Doubt("bad_date", NO_SUCH_DAY.filled(said=draft.text[first:last])))
        draft.claim(first, last, Role.TIME)


def find_windows(draft: Draft) -> list[PeriodHit]:
    """Every window said, in order; nothing where the words leave the calendar."""
    return _windows_in(draft.open, draft)


def _windows_in(said: str, draft: Draft) -> list[PeriodHit]:
    text = said.replace(BLANK, " ")
    today = draft.now.date()
    hits: list[PeriodHit] = []
    try:
        if draft.hangul and KOREAN_CUE.search(text):
            hits = _korean(text, today, draft.lexicon)
        if not hits and ENGLISH_CUE.search(text.lower()):
            hits = _english(text, today, draft.lexicon)
    except (ValueError, OverflowError):
        return hits  # the years 1 and 9999 have neighbours no calendar knows
    return hits


def _one(draft: Draft, hits: Sequence[PeriodHit]) -> Window | None:
    first, *rest = _dated(hits)
    if not rest:
        return _searched(first, draft)
    start, end, words = first.start, first.end, draft.text[first.first : first.last]
    for other in rest:
        if (start is None) != (other.start is None) and (end is None) != (other.end is None):
            start, end = start or other.start, end or other.end
        elif _inside(other, start, end):
            start, end = other.start, other.end
        else:
            continue
        words = f"{words} {draft.text[other.first : other.last]}"
    if start and end and start >= end:
        return Window(first.start, first.end, draft.text[first.first : first.last])
    return Window(start, end, words) if start or end else None


def _searched(hit: PeriodHit, draft: Draft) -> Window:
    """Its days, with those that may as well be meant where it counts roughly."""
    by = timedelta(days=hit.rough)
    return Window(hit.start and hit.start - by, hit.end and hit.end + by, draft.text[hit.first : hit.last], hit.rough)


def _dated(hits: Sequence[PeriodHit]) -> list[PeriodHit]:
    """In 2025, what did we ship in March: a part without a year falls into the year that is named beside it."""
    whole = next((hit for hit in hits if _is_year(hit)), None)
    if whole is None or whole.start is None:
        return list(hits)
    return [_in_year(hit, whole.start.year) if hit.yearless else hit for hit in hits]


def _is_year(hit: PeriodHit) -> bool:
    return bool(hit.start and hit.end and not hit.yearless and add_months(hit.start, MONTHS[Grain.YEAR]) == hit.end)


def _in_year(hit: PeriodHit, year: int) -> PeriodHit:
    if hit.start is None or hit.end is None:
        return hit
    months = MONTHS[Grain.YEAR] * (year - hit.start.year)
    return replace(hit, start=add_months(hit.start, months), end=add_months(hit.end, months))


def _inside(hit: PeriodHit, start: date | None, end: date | None) -> bool:
    return bool(hit.start and hit.end and start and start <= hit.start and (end is None or hit.end <= end))


def _korean(text: str, today: date, lexicon: Lexicon) -> list[PeriodHit]:
    """The Korean grammar, loaded with the first Korean question."""
    from orchestrator.understand.time.korean_windows import korean_hits

    return list(korean_hits(text, today, lexicon.fiscal_start))


def _english(text: str, today: date, lexicon: Lexicon) -> list[PeriodHit]:
    """The English grammar, loaded with the first question that may hold an English time."""
    from orchestrator.understand.time.english_windows import EnglishWindows

    return list(EnglishWindows(text, today, lexicon, lexicon.fiscal_start).hits())


def period_named(words: str, today: date, lexicon: Lexicon) -> PeriodHit | None:
    """The time that a filter value names in words, where it says nothing else: ``after:yesterday``, ``during:지난주``."""
    text = words.replace("_", " ")
    try:
        hits = _korean(text, today, lexicon) if has_hangul(text) else _english(text, today, lexicon)
    except (ValueError, OverflowError):
        return None
    return next((hit for hit in hits if hit.first == 0 and hit.last >= len(text)), None)
