"""Numbers written as words, in English and Korean."""

from __future__ import annotations

import re

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
KOREAN_DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "열흘": 10, "보름": 15}
DIGITS = {"영": 0, "공": 0, "일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
PLACES = {"십": 10, "백": 100, "천": 1000}

NATIVE = "|".join(sorted(KOREAN_NATIVE, key=len, reverse=True))
SINO = "[일이삼사오육칠팔구십백천]{1,8}"  # 구천구백구십구 has seven


def korean_number(text: str) -> int:
    """The value of digits, native numerals (두, 열한) or Sino-Korean ones (이십일, 이천십팔); 0 where it is none."""
    text = text.strip()
    if text.isdecimal():
        return int(text)
    if text in KOREAN_NATIVE:
        return KOREAN_NATIVE[text]
    if not re.fullmatch(SINO, text):
        return 3 if text in {"몇", "수"} else 0
    total = digit = 0
    for char in text:
        if char in PLACES:
            total += (digit or 1) * PLACES[char]
            digit = 0
        else:
            digit = DIGITS[char]
    return total + digit
