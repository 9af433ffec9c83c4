"""The numbers of a statement, and those that it says of itself no longer hold: "30,000원이 아니라 32,000원", "16:10, not 16:40", "84 → 96", "~~20~~ 12"."""

from __future__ import annotations

import re
from functools import lru_cache

from orchestrator.answer.dates import NAMED
from orchestrator.answer.signals import MOVED
from translators.patterns import regex
from translators.records import record

NUMBER = r"\d(?:[\d,.:]{0,20}\d)?"
SIGN = r"[€$£¥₩]?"
ARROW = "→|⇒|->|=>"
# What a number is of, up to what parts it from the one that took its place.
LEFT = regex(
    rf"(?P<told>{NUMBER})[^\s\d,.:]{{0,6}}\s?(?:이\s|가\s)?(?:아니라|말고|대신|{ARROW})"
    rf"|(?:\bnot|\binstead of|\brather than|\bpreviously|\bformerly|기존|당초|종전)\s(?:the\s|at\s)?{SIGN}(?P<instead>{NUMBER})",
    re.IGNORECASE,
)
# "from 84 to 96" and "84에서 96으로" may be a range as well, unless the sentence says that something rose, fell or moved.
FROM_TO = regex(
    rf"\bfrom\s{SIGN}(?P<en>{NUMBER})(?:\s[a-z]{{1,12}})?\sto\s{SIGN}\d|(?P<ko>{NUMBER})[^\s\d,.:]{{0,6}}에서\s\d",
    re.IGNORECASE,
)
RISEN = regex(
    rf"오[르릅른]|올[리립]|내[리립린]|낮[추춥]|줄[었이입어]|늘[었어리립]|인상|인하|감액|증액|{MOVED.pattern}"
    r"|\b(?:up|down|rais\w{1,4}|rose|rises?|reduc\w{1,4}|cuts?|drop\w{0,4}|lower\w{0,3}|increas\w{1,4}|decreas\w{1,4})\b",
    re.IGNORECASE,
)
# Where an arrow leads: "12 → 10m/s, 10 → 8" is of two things, and of one of them 10 is what holds.
REACHED = regex(rf"(?:{ARROW})\s?{SIGN}({NUMBER})(?![\d,.:]|[^\s\d,.:]{{0,6}}\s?(?:{ARROW}))")
# What stands in every sentence that leaves a number: most do not.
SIGNS = (
    *ARROW.split("|"),
    "~~",
    "아니라",
    "말고",
    "대신",
    "기존",
    "당초",
    "종전",
    "에서",
    "not ",
    "instead",
    "rather",
    "previous",
    "former",
    "from ",
)
STRUCK = regex(r"~~([^~]{1,400})~~")
EACH = regex(NUMBER)
TELLING = 2  # digits: what has fewer is said by chance


@record
class HeldValues:
    """The numbers of a statement without its days: those that it says hold, and those that it leaves."""

    held: frozenset[str]
    left: frozenset[str]


def may_leave(text: str) -> bool:
    """A quick test that every statement passes which leaves a number."""
    folded = text.casefold()
    return any(sign in folded for sign in SIGNS) and EACH.search(folded) is not None


@lru_cache(maxsize=1024)  # each statement is held against all others
def values(text: str) -> HeldValues:
    """As they are written, without the commas within; those of one digit are none."""
    told = NAMED.sub(" ", text)
    standing = STRUCK.sub(" ", told)
    gone = _numbers(" ".join(STRUCK.findall(told)))
    patterns = (LEFT, FROM_TO) if RISEN.search(standing) else (LEFT,)
    gone |= {
        number
        for pattern in patterns
        for found in pattern.finditer(standing)
        for number in _numbers(" ".join(filter(None, found.groups())))
    }
    gone -= _numbers(" ".join(REACHED.findall(standing)))
    return HeldValues(_numbers(standing) - gone, gone)


def _numbers(text: str) -> frozenset[str]:
    found = (each.replace(",", "") for each in EACH.findall(text))
    return frozenset(each for each in found if len(each) >= TELLING)
