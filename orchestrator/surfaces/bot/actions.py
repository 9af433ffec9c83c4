"""What the buttons are called, and what they carry: the question itself, so that nothing of an answer need be kept."""

from __future__ import annotations

import json

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

LONGEST = 2000  # characters of a value that Slack brings back


@record
class Carried:
    """A question, whether it was asked widely, and the language around it."""

    question: str
    wide: bool = False
    language: str = "en"


def packed(carried: Carried) -> str:
    """As the value of a button; "" where it does not fit, and then the button is left out."""
    said = json.dumps([carried.question, carried.wide, carried.language], ensure_ascii=False, separators=(",", ":"))
    return said if len(said) <= LONGEST else ""


def unpacked(value: str) -> Carried | None:
    """What a button carried; ``None`` where it is not one of ours."""
    try:
        question, wide, language = json.loads(value)
    except (ValueError, TypeError):
        return None
    if not (isinstance(question, str) and isinstance(wide, bool) and language in tuple(LANGUAGES)):
        return None
    return Carried(question, wide, language)
