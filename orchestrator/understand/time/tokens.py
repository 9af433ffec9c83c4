"""Text cut into dates, numbers (written as words too, in English and Korean), words and marks for the time grammar."""

from __future__ import annotations

import re
from datetime import date

from translators.patterns import regex
from translators.records import record

UNITS = {word: value for value, word in enumerate(
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
)}  # fmt: skip
TENS = {
    word: 10 * value
    for value, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
ORDINALS = {word: value for value, word in enumerate(
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"], 1
)} | {"thirtieth": 30}  # fmt: skip
KOREAN_NATIVE = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "석": 3, "셋": 3, "네": 4, "넉": 4, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "열한": 11,
    "열두": 12,
}  # fmt: skip
KOREAN_ORDINAL = {
    "첫": 1,
    "첫째": 1,
    "첫번째": 1,
    "둘째": 2,
    "두번째": 2,
    "셋째": 3,
    "세번째": 3,
    "넷째": 4,
    "네번째": 4,
    "다섯째": 5,
    "다섯번째": 5,
    "마지막": -1,
}
KOREAN_ABOUT = {
    "한두": 2,
    "두어": 2,
    "두세": 3,
    "이삼": 3,
    "서너": 4,
    "삼사": 4,
    "너덧": 5,
    "사오": 5,
    "대여섯": 6,
    "오륙": 6,
    "몇": 3,
    "수": 3,
}
"""Two numbers side by side and other counts that are none exactly: 두세 달, 몇 주."""
KOREAN_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "열흘": 10, "보름": 15}
DIGITS = {"영": 0, "공": 0, "일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
PLACES = {"십": 10, "백": 100, "천": 1000}
MYRIAD = "만"
NATIVE = "|".join(sorted(KOREAN_NATIVE, key=len, reverse=True))
SINO = "[일이삼사오육칠팔구십백천]{1,8}"  # 구천구백구십구 has seven
NUMERIC = regex(
    r"(?P<iso>(?<![\w./-])(?:1[5-9]|20|21)\d\d(?P<sep>[-/.])\d{1,2}(?P=sep)\d{1,2}(?![A-Za-z0-9_-]|[./]\d)|(?<![\w./-])(?:19|20)\d\d\.\s\d{1,2}\.\s\d{1,2}\.?(?![A-Za-z0-9_-]|[./]\d))"
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


def korean_number(text: str) -> int:
    """The value of digits, native numerals (두, 열한) or Sino-Korean ones (이십일, 삼만오천); 0 where it is none."""
    text = text.strip()
    if text.isdecimal():
        return int(text)
    for named in (KOREAN_NATIVE, KOREAN_ABOUT):
        if text in named:
            return named[text]
    if not re.fullmatch(rf"{SINO}(?:{MYRIAD}(?:{SINO})?)?", text):
        return 0
    myriads = total = digit = 0
    for char in text:
        if char == MYRIAD:
            myriads, total, digit = total + digit, 0, 0
        elif char in PLACES:
            total += (digit or 1) * PLACES[char]
            digit = 0
        else:
            digit = DIGITS[char]
    return 10_000 * myriads + total + digit


@record
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
