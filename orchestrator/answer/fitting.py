"""Whether what is told first fits what was asked for, and is not something beside it that holds the same words.

A day of something else or outside the days that were asked about, the day by which somebody wants a reply, one thing where all were asked for: each may
be true, and none is an answer to be sure of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer.cover import covered, wanted
from orchestrator.answer.dates import NAMED, day_of, named_days
from orchestrator.answer.rows import window_of
from orchestrator.answer.signals import BLOCKED, LONG, MOMENT, MONTHS, NEAR_DAY
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.sound import sound_of
from orchestrator.answer.text import STOP
from translators.match import words as words_of
from translators.patterns import regex
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from orchestrator.answer.cover import TermAlternatives
    from orchestrator.answer.dates import Named
    from orchestrator.answer.quote import Quote
    from translators.query import Query

# "Yes to both. I send it on Monday": which day that was, the sentence alone does not say.
FLEETING = regex(NEAR_DAY, re.IGNORECASE)
MONTH_ALONE = regex(rf"\b(?:{MONTHS})\b", re.IGNORECASE)
CLAUSE = regex(r"[,;.!?](?=\s)|\s[-–—·/|]\s")
TIME = regex(r"\d{1,2}\s?[시분](?![가-힣]{2})")
OTHERS = 2  # words beside its day by which a clause says of what that is the day
ASKS_UNTIL = regex(
    r"까지|마감|기한|\bby\b|\buntil\b|\bbefore\b|\bdeadline\b|\bdue\b|\blast day\b|\bclos(?:es?|ing)\b|\bend(?:s|ing)?\b",
    re.IGNORECASE,
)
UNTIL_KO = regex(r"(?:\([^()]{1,4}\))?\s?(?:\d{1,2}시\s?)?까지")
UNTIL_EN = regex(r"\b(?:by|until|before)\s(?:the\s)?$", re.IGNORECASE)
# "what incidents did we have": more than one is asked for, and nobody knows whether what was found is all.
ALL_OF_THEM = regex(
    r"\b(?:what|which)\s(?:[a-z]{2,20}\s)?[a-z]{2,20}(?<![sui])s\s(?:did|do|have|had|are|were)\b", re.IGNORECASE
)


def fits(quotes: Sequence[Quote], query: Query, now: datetime) -> bool:
    """Whether the first of what is quoted may be all that was asked for."""
    if not quotes:
        return True
    if ALL_OF_THEM.search(query.text) or _is_of_what_is_blocked(query):
        return False
    if query.type is not QueryType.TEMPORAL or sound_of(query).wants:
        return True
    first = quotes[0]
    days = named_days(first.words, day_of(first.result.hit, now))
    if not days:
        return _tells_when(first.words)
    return not (
        _are_outside(days, query, now)
        or _are_limits(days, first, query)
        or (not first.table and _are_of_else(days, first, query))
    )


def _is_of_what_is_blocked(query: Query) -> bool:
    """Nothing but what is held up is asked for: the word stands in much that is not."""
    words = wanted(query)
    return kind_of(query) is AnswerKind.LIST and bool(words) and all(BLOCKED.search(word) for word in words)


def _tells_when(text: str) -> bool:
    """A month, a week, a quarter, how long: more than a day that only who wrote it knows."""
    told = FLEETING.sub(" ", text)
    return any(each.search(told) for each in (MOMENT, LONG, MONTH_ALONE))


def _are_outside(days: Sequence[Named], query: Query, now: datetime) -> bool:
    """None of them lies where the question asks for one."""
    window = window_of(query, now)
    return window is not None and window.start is not None and not any(window.holds(each.day) for each in days)


def _are_limits(days: Sequence[Named], first: Quote, query: Query) -> bool:
    """By each of them something is to be done, and no limit is asked for: "please send me 80 words by 4 December"."""
    text = first.words
    return not ASKS_UNTIL.search(query.text) and all(
        UNTIL_KO.match(text, each.end) or UNTIL_EN.search(text[: each.start]) for each in days
    )


def _are_of_else(days: Sequence[Named], first: Quote, query: Query) -> bool:
    """Each stands in a clause that says of something else that it is then, and what was asked for stands in others: "the opera opens on 2 May, puppets, a jazz week"."""
    parts = _clauses(first.words)
    words: Mapping[str, TermAlternatives] = wanted(query)
    held = [bool(covered(first.words[start:end], words)) for start, end in parts]
    dated = [any(start <= each.start < end for each in days) for start, end in parts]
    if not any(held) or any(one and other for one, other in zip(held, dated, strict=True)):
        return False
    named = (first.words[start:end] for (start, end), has_day in zip(parts, dated, strict=True) if has_day)
    return all(_says_of_what(each) for each in named)


def _clauses(text: str) -> list[tuple[int, int]]:
    breaks = [each.span() for each in CLAUSE.finditer(text)]
    return list(zip([0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)], strict=True))


def _says_of_what(clause: str) -> bool:
    told = words_of(TIME.sub(" ", NAMED.sub(" ", clause)))
    return sum(word not in STOP and not word[:1].isdigit() for word in told) >= OTHERS
