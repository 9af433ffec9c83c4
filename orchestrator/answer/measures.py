"""What a measure is asked for by, and the units that say it: "how thick" a number of millimetres, "바람이 얼마나 불면" one of metres a second."""

from __future__ import annotations

import re

from orchestrator.answer.signals import AMOUNT
from translators.patterns import regex

# Korean puts a number straight behind a word (영하18도, 최대250kg) and a particle behind a unit in Latin letters (몇 kg까지).
NUMBER = r"(?<![A-Za-z\d_.])\d[\d,.]{0,20}\s?"
SHARE = (
    r"\bhow full\b|\b(?:what|which) (?:percentage|share|proportion)\b|\bhow many per ?cent\b"
    r"|몇\s?(?:퍼센트|프로(?![가-힣])|%)|얼마나 (?:차|채[우워])"
)
WARMTH = (
    r"\bhow (?:hot|cold|warm|cool)\b|\b(?:what|which) temperature\b"
    r"|몇\s?(?:℃|°)|몇\s?도(?=[\s에까를로이인?]|$)|(?:온도|기온)\S{0,3} (?:얼마나|얼마|몇)|얼마나 (?:뜨[거겁]|차[가갑]|추[우워운]|더[우워운])"
)
SPEED = (
    r"\bhow windy\b|\b(?:what|which) (?:wind )?speed\b"
    r"|(?:바람|풍속|속도|속력)\S{0,3} (?:얼마나|얼마|몇)|얼마나 빠[르른]|몇\s?(?:m/s|km/h)"
)
# "How far along are we?" asks how it stands, as "how far is the move" does.
LENGTH = (
    r"\bhow (?:thick|thin|wide|tall|far (?:is it|away|apart|from))\b"
    r"|\b(?:what|which) (?:height|width|depth|thickness|distance)\b"
    r"|얼마나 (?:두[꺼껍]|넓|먼|멀|굵)|몇\s?(?:미터|센티|밀리|[ckm]?m(?![a-z/²³]))"
)
# A fee and a share are high, and a discount is deep, as well.
HEIGHT = r"\bhow (?:high|deep|low)\b|얼마나 (?:높|깊|낮)"
SPEEDS = r"m/s|km/h|㎧|㎞/h|미터|노트|knots?\b"
LENGTHS = r"(?:[ckm]?m|inch(?:es)?|feet|met(?:re|er)s?|miles?)\b|[ckm]?m(?=[가-힣])|㎝|㎜|㎞|미터|센티|밀리|킬로"
WEIGHT = r"\bhow heavy\b|\b(?:what|which) weight\b|얼마나 무[거겁]|몇\s?(?:킬로(?:그램)?|톤|그램|k?g(?![a-z/]))"
LOUDNESS = r"\bhow loud\b|얼마나 시끄|몇\s?(?:dB|데시벨)"


def _of(units: str) -> str:
    return rf"{NUMBER}(?:{units})"


# What is told by the hour or the day is no length: "10 km/h", "30 miles an hour", 시속 40킬로.
SPAN = rf"(?<!속)(?<!속 ){_of(LENGTHS)}(?!\s?(?:/|per\b|an?\b))"
MEASURES = tuple(
    (regex(asked, re.IGNORECASE), regex(told, re.IGNORECASE))
    for asked, told in (
        (SHARE, _of(r"%|퍼센트|프로(?![가-힣])|per ?cent\b")),
        (WARMTH, _of(r"℃|°|도(?=까지|에서|부터|보다|미만|정도|입니다|이[상하다고며])|도(?![가-힣]{2})|degrees?\b")),
        (SPEED, _of(SPEEDS)),
        (r"\bhow fast\b", _of(rf"{SPEEDS}|시간|분|(?:days?|hours?|minutes?|seconds?)\b")),
        (LENGTH, SPAN),
        (HEIGHT, rf"{SPAN}|{AMOUNT.pattern}"),
        (WEIGHT, _of(r"k?g(?![A-Za-z/])|t(?![A-Za-z])|톤|킬로|그램|tonnes?\b|tons?\b|kilos?\b")),
        (LOUDNESS, _of("dB|데시벨")),
    )
)


def measure_of(question: str) -> re.Pattern[str] | None:
    """What says the measure that a question asks for; None where it asks for none."""
    return next((told for asked, told in MEASURES if asked.search(question)), None)
