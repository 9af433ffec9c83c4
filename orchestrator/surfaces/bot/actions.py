"""What the buttons are called, and what they carry: the question itself, so that nothing of an answer need be kept."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from translators.records import record
from translators.said import LANGUAGES

ASK = "fedsearch.ask"
WIDER = "fedsearch.wider"
MORE = "fedsearch.more"
WHY = "fedsearch.why"
RECEIPT = "fedsearch.receipt"
GOOD = "fedsearch.good"
BAD = "fedsearch.bad"
ACTIONS = (ASK, WIDER, MORE, WHY, RECEIPT, GOOD, BAD)

YEARS = range(1970, 2200)  # that a question may be asked in
LONGEST = 2000  # characters of a value that Slack brings back


@record
class Carried:
    """A question, whether it was asked widely, the language around it, and the asker's day when it was asked, where that is known."""

    question: str
    wide: bool = False
    language: str = "en"
    asked: date | None = None


def packed(carried: Carried) -> str:
    """As the value of a button; "" where it does not fit, and then the button is left out."""
    asked = [carried.asked.isoformat()] if carried.asked else []
    told = [carried.question, carried.wide, carried.language, *asked]
    said = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return said if len(said) <= LONGEST else ""


def unpacked(value: str) -> Carried | None:
    """What a button carried; ``None`` where it is not one of ours."""
    try:
        question, wide, language, *asked = json.loads(value)
    except (ValueError, TypeError, RecursionError):
        return None
    if not (isinstance(question, str) and isinstance(wide, bool) and language in tuple(LANGUAGES)):
        return None
    return Carried(question, wide, language, _day(asked))


def _day(told: list[Any]) -> date | None:
    """When it was asked; buttons of an earlier version do not say."""
    try:
        day = date.fromisoformat(told[0])
    except (IndexError, ValueError, TypeError):
        return None
    return day if day.year in YEARS else None
