"""Whether a sentence says that a day lies ahead or behind: what is planned, moved there, due or asked for, and what is told as done.

English says it before the day or, where nothing stands there, behind it; Korean says it at the end, in the verb.
"""

from __future__ import annotations

import re
from enum import Enum

from orchestrator.answer.signals import DECIDED, DONE, MOVED
from translators.letters import has_hangul
from translators.patterns import regex

REACH = 120  # characters to either side that are read
FIRST, EACH = ord("가"), 28  # syllables are in the order of their last consonant, 28 to a vowel


def _ending_in(last: int) -> str:
    """Every Korean syllable with the last consonant of this place in Unicode's order (UAX 15, Hangul)."""
    return "".join(chr(FIRST + place + last) for place in range(0, 11_172, EACH))


ENDS = regex(r"[?!;\n]|(?<!\d)\.(?=\s|$)|(?<=\d)\.(?=\s[A-Z])")
WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s)?"
DUE = regex(rf"(?:\b(?:until|till|by)\s|(?:→|⇒|->|=>)\s?){WEEKDAY}$", re.IGNORECASE)
TO = regex(rf"\b(?:to|for)\s(?:the\s)?{WEEKDAY}$", re.IGNORECASE)
MOVE = regex(r"\b(?:mov|postpon|push|delay|reschedul|shift|slip|brought|bring)\w{0,10}\b", re.IGNORECASE)
# "10월 15일까지", "10월 15일(목)로": a day by which, and the one that something is moved to.
UNTIL = regex(r"(?:\s?\([^()]{1,9}\))?(?:까지|으?로(?=\s))")
ENGLISH = regex(
    r"(?P<open>\b(?:was|were|had been)\s(?:[a-z]{1,16}ly\s)?(?:planned|scheduled|due|slated|expected|supposed|going to|to be)\b)"
    r"|(?P<ahead>(?:\b(?:will|shall|should|must|can|could|would|may|might|going to|to be|let['’]?s)|['’]ll)\s(?:(?:be|not|[a-z]{1,16}ly)\s){0,2}[a-z]+"
    r"|\b(?:plan(?:s|ned|ning)?|scheduled?|due|slated|targets?|targeted|aim(?:s|ing|ed)?|expect(?:s|ed)?|propos(?:es?|ed|ing)|suggest(?:s|ed)?"
    r"|please|deadline|upcoming|needs? to|ha(?:s|ve) to|eta)\b)"
    rf"|(?P<behind>\b(?:was|were|did|had|since|went|came|took|held|met|sent|began|made|got|paid|bought|sold|left|has been|have been|(?!hundred)[a-z]{{1,20}}[^\We]ed)\b|{DONE.pattern})",
    re.IGNORECASE,
)
KOREAN = regex(
    rf"(?P<ahead>예정|계획|목표|마감|기한|겠|[{_ending_in(17)}]시다|하자(?=\W|$)|하죠|시죠|세요|십시오|바랍니다|부탁|[{_ending_in(8)}](?:게|까|\s?(?:것|거|텐데)))"
    r"|(?P<open>[가-힣](?:한|된)\s)"  # "체결한 계약을": what is said of the contract is not said of the day
    rf"|(?P<behind>[{''.join(sorted({*_ending_in(20)} - {*'있겠'}))}])"
)


# "There was no alert", 없었습니다: what is denied of what is over.
DENIED_BEHIND = regex(
    r"(?:없었|않았|못했|(?<![가-힣])안\s?[했됐갔왔]|(?<![가-힣])안\s[가-힣]{1,3}[였했됐갔왔])"
    r"|\b(?:was|were|did|had|could)(?:n['’]t|\snot|\snever|\sno)\b",
    re.IGNORECASE,
)


class Tense(Enum):
    """Where a day lies, seen from when the sentence was written."""

    AHEAD = 1
    BEHIND = -1


def tense_of(text: str, start: int, end: int) -> Tense | None:
    """What the sentence says of the day that stands at ``start`` to ``end`` of a text; ``None`` where it does not say."""
    before, after = _before(text, start), _after(text, end)
    if DUE.search(before) or UNTIL.match(after) or (TO.search(before) and MOVE.search(before)):
        return Tense.AHEAD
    korean = has_hangul(before) or has_hangul(after)
    if korean and before.strip() and after.startswith(", "):
        after = ""  # "첫 방송 2월 2일, 편성표까지 나왔대요": it has been said of what stands before it
    cues = KOREAN if korean else ENGLISH
    earlier, later = list(cues.finditer(before)), cues.search(after)
    if korean:  # what stands before a day is of it only as its name: "마감: 10월 15일"
        cue = later or next((each for each in reversed(earlier) if each["ahead"]), None)
    else:
        cue = earlier[-1] if earlier else later
    if cue is None or cue["open"]:
        return None
    if cue["ahead"]:
        return Tense.AHEAD
    # When something was moved or decided is one day, and to which day another.
    whole = f"{before} {after}"
    return None if MOVED.search(whole) or DECIDED.search(whole) else Tense.BEHIND


def is_to_come(text: str) -> bool:
    """Whether anything in a text is told as planned, promised or due."""
    return any(cue["ahead"] for cue in (KOREAN if has_hangul(text) else ENGLISH).finditer(text))


def denies_what_was(text: str) -> bool:
    """Whether a text denies what is over: that there was none takes back nothing that is planned."""
    return DENIED_BEHIND.search(text) is not None


def _before(text: str, start: int) -> str:
    clause = text[max(0, start - REACH) : start]
    ends = [each.end() for each in ENDS.finditer(clause)]
    return clause[ends[-1] :] if ends else clause


def _after(text: str, end: int) -> str:
    clause = text[end : end + REACH]
    first = ENDS.search(clause)
    return clause[: first.start()] if first else clause
