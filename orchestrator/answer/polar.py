"""Questions for yes or no, and the sentence that says one of them: of all that is asked, with the state that is asked for.

"Is the canopy approved?" is answered by "the canopy was approved" and "the canopy has not been approved", and by nothing else:
what says something near is how it stands, and the reader's to judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import day_at
from orchestrator.answer.signals import NEGATED, UNDECIDED, is_reported
from translators.inflection import stem
from translators.match import HANGUL
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query

# States that are asked for and said in several words; any other is asked for and said in the same one. What forbids says no by itself.
ALLOWED = r"^\W*(?:can|may)\b|\b(?:allow|permit)\w{0,4}\b|도\s?(?:되|돼)|되나요|가능|허용"
STATES = (
    (
        ALLOWED,
        r"\b(?:allowed|permitted|prohibited|forbidden)\b|도\s?(?:됩니다|돼|된다)|(?:안|못)\s?(?:됩니다|돼요|된다)|가능(?:합|함|하|해)|불가|허용|금지",
    ),
    (r"\b(?:done|finish|complet)\w{0,4}\b|완료|끝[나났]|마쳤|마무리", ""),
    (r"\b(?:approv|signed off)\w{0,4}\b|승인|결재", ""),
    (r"\b(?:fix|resolv|solv)\w{0,4}\b|해결|수정|고쳤|고쳐", ""),
    (r"\b(?:releas|ship|deploy|launch)\w{0,4}\b|배포|출시|릴리스", ""),
    (r"\bsign(?:ed|s|ing)?\b|서명|체결", ""),
)
FORBIDDEN = regex(r"prohibited|forbidden|불가|금지|^[안못]", re.IGNORECASE)
OPEN = regex(
    r"\b(?:if|whether|unless|until|once|when|before|after|may|might|maybe|probably|likely|will|shall|going to|to be|only|except|partly|almost|nearly|half|should|must|needs?|want)\b"
    r"|여부|아마|것 같|예정|하면|되면|나면|겠|위해|만\s|제외|거의|일부|해야|려면|부탁|세요",
    re.IGNORECASE,
)
SHORTEST = 4  # letters of a stem that tells a state
BEFORE = 30  # characters before a state in which it is denied in English,
BEHIND = 14  # and behind it in Korean
AUXILIARY = regex(r"\b(?:is|are|was|were|has|have|had|did|does|do|yet|already|still|again|now)\b", re.IGNORECASE)


@record
class YesOrNo:
    """Which of the quotes says it, by its place from 0, and whether it says yes."""

    place: int
    yes: bool


def verdict(quotes: Sequence[Quote], said: Sequence[Quote], query: Query, now: datetime) -> YesOrNo | None:
    """The newest of ``quotes`` that says yes or no; ``None`` where none does, or anything ``said`` that day or later says the other."""
    state = _state(query.text)
    asked = "|".join(each for each, _ in STATES)
    of = {word for word in wanted(query) if state and not (state.search(word) or re.search(asked, word, re.IGNORECASE))}
    if state is None or not of:
        return None
    told = [
        (each, yes) for each in said if of <= each.held and each.own & of and (yes := _says(each, state)) is not None
    ]
    newest = max((day_at(each.when, now) for each, _ in told), default="")
    latest = [(each, yes) for each, yes in told if day_at(each.when, now) == newest]
    if len({yes for _, yes in latest}) != 1:
        return None
    sentences = {(each.result.hit.id, each.words): yes for each, yes in latest}
    places = (place for place, each in enumerate(quotes) if (each.result.hit.id, each.words) in sentences)
    first = next(places, None)
    return None if first is None else YesOrNo(first, yes=latest[0][1])


def _state(question: str) -> re.Pattern[str] | None:
    """What is asked of the thing: a state that is known by several words, else the last word, in all its forms."""
    for asked, said in STATES:
        if re.search(asked, question, re.IGNORECASE):
            return re.compile(said or asked, re.IGNORECASE)
    last = words_of(AUXILIARY.sub(" ", question))[-1:]
    if not last or HANGUL.match(last[0]):
        return None
    found = stem(last[0])
    return re.compile(rf"\b{re.escape(found)}\w{{0,4}}\b", re.IGNORECASE) if len(found) >= SHORTEST else None


def _says(quote: Quote, state: re.Pattern[str]) -> bool | None:
    """Yes, no, or ``None`` of a sentence that leaves the state out, in doubt, to a condition or to somebody's opinion."""
    text = quote.words
    found = list(state.finditer(text))
    if len(found) != 1 or quote.asks or quote.more or is_reported(text) or OPEN.search(text):
        return None
    start, end = found[0].span()
    denied = len(NEGATED.findall(text))
    if FORBIDDEN.search(found[0][0]):
        return False if denied <= 1 else None
    near = text[end : end + BEHIND] if HANGUL.search(found[0][0]) else text[max(0, start - BEFORE) : start]
    if denied == 1 and NEGATED.search(f" {near} "):
        return False
    return None if denied or UNDECIDED.search(text) else True
