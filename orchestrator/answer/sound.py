"""What a sentence must sound like to answer a question: by the question's type, or by what it asks for beside it.

A measure is known by the units that say it: "how thick" wants a number of millimetres, "바람이 얼마나 불면" one of metres a second.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.signals import (
    AMOUNT,
    DATE,
    DONE,
    HOW_TO,
    LONG,
    MANY,
    MOMENT,
    VALUES,
    asks_when_it_was,
    signals,
    wanted_beside,
)
from orchestrator.answer.tense import Tense, tense_of
from translators.patterns import regex
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

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

CLOCK = r"\b(?:at|by|until) what hour\b|\bwhat time\b(?!\s(?:zone|off|frame|limit|of (?:the )?year))|몇\s?시(?!간|즌)"
HOUR = (  # "24시간" is open at any hour, and "2시간" is a stretch
    r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])|(?<!\d)\d{1,2}\s?시(?![간작즌스]|리즈)|(?<!\d)24\s?시간|\b\d{1,2}\s?[ap]\.?m\b"
    r"|(?<![가-힣])(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?시(?![간작즌스]|리즈)|o[’']clock"
    rf"|\b(?:at|until|past) (?:one|{MANY})\b(?! [a-z]+s\b)|\b(?:noon|midday|midnight|around the clock|24/7)\b|정오|자정"
)


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
        (CLOCK, HOUR),
    )
)


def measure_of(question: str) -> re.Pattern[str] | None:
    """What says the measure that a question asks for; None where it asks for none."""
    return next((told for asked, told in MEASURES if asked.search(question)), None)


# Who asks how a test went is not told by whoever waits for it.
OUTCOME = regex(
    r"결과|나왔(?:[어나니지죠]|습니까)|\b(?:results?|outcomes?|findings)\b|\bhow did\b.{1,60}\b(?:go|turn out|come out)\b",
    re.IGNORECASE,
)
AWAITED = regex(
    r"기다[려리립림]|대기|(?:보고|나오면|나온\s?(?:뒤|후)에?)\s?(?:다시\s?)?(?:정하|정합|결정|판단|얘기|이야기)|아직"
    r"|\b(?:await(?:s|ing|ed)?|pending|not (?:yet|back)|wait(?:s|ing)? (?:for|on)|once (?:the|we|it|they))\b",
    re.IGNORECASE,
)

HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
FIRM = 0.6  # of the score of a type: "the approved PRs" only touches on a decision


OF_ITS_OWN = frozenset({"span", "place"})  # a question for a day asks for that, whatever it says of these
VALUED = frozenset({"amount", "count", "span", "measure"})  # of these the newest holds
RARE = VALUED | {"reason"}  # these are rarely said by chance, as a place is


@record
class Sound:
    """``wants``: what is asked for beside the type, which counts for more ("reason", "amount", "count", "span", "place", "measure"), "" for nothing.

    ``steps``: it asks how something is done; ``past``: when it was; ``outcome``: what came of it.
    """

    kind: QueryType
    wants: str = ""
    steps: bool = False
    past: bool = False
    outcome: bool = False
    measure: re.Pattern[str] | None = None

    @property
    def says(self) -> re.Pattern[str]:
        """What says the value that is wanted."""
        return self.measure or VALUES[self.wants][1]

    @property
    def name(self) -> str:
        """What is wanted, as the phrases that introduce it are called."""
        return self.wants or self.kind.value

    @property
    def asked(self) -> bool:
        """Whether something is wanted beside the type."""
        return bool(self.wants)

    @property
    def reason(self) -> bool:
        """Whether it asks why."""
        return self.wants == "reason"

    @property
    def count(self) -> bool:
        """Whether it asks how many."""
        return self.wants == "count"

    def tells(self, sentence: Sentence) -> bool:
        """Whether it says what is rarely said by chance: of a reply that does so no other words are needed."""
        if self.kind is QueryType.TEMPORAL and not self.wants:
            return DATE.search(sentence.text) is not None
        return self.wants in RARE and self.heard(sentence) if self.wants else self.kind is QueryType.STATUS

    @property
    def valued(self) -> bool:
        """Whether a value is wanted, of which the newest holds."""
        return self.wants in VALUED

    def awaits(self, text: str) -> bool:
        """Whether a text waits for the outcome that is asked for."""
        return self.outcome and AWAITED.search(text) is not None

    def valuing(self, text: str) -> bool:
        """Whether a text tells a value of the kind that is asked for: an amount, a count, a stretch of time, a day or a deadline."""
        if self.valued:
            return self.says.search(text) is not None
        return self.kind is QueryType.TEMPORAL and not self.wants and any(says.search(text) for says in (MOMENT, LONG))

    @property
    def worth(self) -> float:
        """What it adds to the score of a sentence: a reason, an amount or a count is rarely said by chance."""
        return 2.0 if self.wants in RARE else 1.0

    def heard(self, sentence: Sentence) -> bool:
        """By itself, or by the heading it stands under: minutes list under "Decisions" what was decided."""
        under = f"{sentence.heading} {sentence.text}"
        if self.wants:
            return self.says.search(under if self.reason else sentence.text) is not None
        if self.past:
            if DONE.search(sentence.text):
                return True
            day = DATE.search(sentence.text)
            if (
                day and tense_of(sentence.text, *day.span()) is Tense.AHEAD
            ):  # a deadline is no day on which something was done
                return False
        return signals(self.kind, sentence.text) or (
            self.kind in HEADED and bool(sentence.heading) and signals(self.kind, under)
        )


def is_firm(query: Query) -> bool:
    """Whether a question reads as its type beyond doubt."""
    return all(each.score >= FIRM for each in query.scores if each.type is query.type)


@lru_cache(maxsize=32)  # asked of each sentence
def sound_of(query: Query) -> Sound:
    """Of a question; one for a document or a person wants that, whatever it says of reasons."""
    if query.type in {QueryType.DOCUMENT, QueryType.PERSON}:
        return Sound(query.type)
    wants, measure = wanted_beside(query.text), None
    if not wants and (measure := measure_of(query.text)):
        wants = "measure"
    temporal = query.type is QueryType.TEMPORAL
    if temporal and wants in OF_ITS_OWN:
        wants = ""
    steps = not wants and query.type not in {QueryType.TEMPORAL, QueryType.STATUS} and bool(HOW_TO.search(query.text))
    outcome = query.type is QueryType.STATUS and OUTCOME.search(query.text) is not None
    return Sound(query.type, wants, steps, temporal and asks_when_it_was(query.text), outcome, measure)
