"""A ledger of claims: what several messages say of one matter, with the value, by whom and when, and how it stands.

What holds is what was said last of the same subject and says that it changes or settles something; the value before it is told as
"was …, until …". Two statements are on one subject only where one says all that the other says but for the value: "the Korea
launch" replaces nothing of "the EU launch". No supersession is invented: what proposes, doubts or denies is no claim here.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.actors import HANDS_OVER, actor_in
from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import NAMED, day_at, day_in_words, day_of, named_days
from orchestrator.answer.moves import Tie
from orchestrator.answer.own import SPOKEN
from orchestrator.answer.places import place_in
from orchestrator.answer.quotes import is_quotable
from orchestrator.answer.replaced import VALUE, reason_of, replaced_by
from orchestrator.answer.revoked import RISEN, day_moves
from orchestrator.answer.signals import AMOUNT, CHANGED, HEDGES, LONG, MOVED, denies, is_reported
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.sound import sound_of
from orchestrator.answer.text import STOP
from orchestrator.answer.wording import FRAME
from translators.match import HANGUL
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query

FINAL = regex(
    r"최종|확정|이제|연장|앞으로|(?:오늘|내일|[월화수목금토일]요일|[이번다음]\s?[주달]|\d[월일])부터"
    r"|\b(?:extend(?:s|ed)|final(?:ly|i[sz]ed)?|confirmed|settled|new|now|as of (?:now|today)|from (?:now on|today|tomorrow|next [a-z]{3,9}|[a-z]{3,6}day)|effective)\b",
    re.IGNORECASE,
)
# Said before the value that is right: "Scrap that, the deposit is 600 euros", "정정합니다. 5월 19일입니다".
CORRECTS = regex(
    r"정정(?:합|드|:)|바로잡|\bcorrection\b|\b(?:scrap|ignore|forget) (?:that|the last|my last)\b|\bI was wrong\b",
    re.IGNORECASE,
)
TURNS = (
    CHANGED,
    MOVED,
    FINAL,
    RISEN,
    regex(HANDS_OVER, re.IGNORECASE),
)  # what says that something is otherwise from now on
DIGITS = regex(r"[\d.,]+")
BEGINNING = 2  # syllables in which two forms of a Korean word are alike
LEAST = 2  # words that a subject is told by


@record
class ClaimEntry:
    """What ``quote`` claims: ``value`` as it is told, ``key`` by which two values are one, and of what ``subject``."""

    quote: Quote
    value: str
    key: str
    unit: str
    subject: frozenset[str]

    @property
    def settles(self) -> bool:
        """Whether it says that something changed, or is settled now."""
        hit = self.quote.result.hit
        if hit.kind in SPOKEN and CORRECTS.search(hit.snippet):
            return True
        return any(pattern.search(self.quote.words) for pattern in TURNS)


@record
class Former:
    """What held before, in ``older``, until ``turn`` said otherwise, and why ("" where it does not say)."""

    older: Quote
    turn: Quote
    value: str
    reason: str = ""


def entries(said: Sequence[Quote], query: Query, now: datetime) -> tuple[ClaimEntry, ...]:
    """The claims among these statements on all of what is asked, oldest first; none where no value is asked for."""
    words = wanted(query).keys()
    dated = [each for each in said if each.when and each.held >= words and each.own and not _is_unsettled(each)]
    dated.sort(key=lambda each: each.when.timestamp() if each.when else 0.0)
    return tuple(entry for each in dated if (entry := _entry(each, query, now)))


def former_of(quotes: Sequence[Quote], said: Sequence[Quote], query: Query, now: datetime) -> Former | None:
    """What the first of ``quotes`` replaced, by what was ``said`` elsewhere; ``None`` where it says so itself, or nothing shows it."""
    kind = kind_of(query)
    if not quotes or not quotes[0].signal or replaced_by(quotes[0], query, now, amount=kind is AnswerKind.AMOUNT):
        return None
    every = entries(said, query, now)
    holds = next((each for each in every if _same(each.quote, quotes[0])), None)
    if holds is None:
        return None
    matter = [each for each in every if each.unit == holds.unit and _is_one_subject(each, holds)]
    if not matter or matter[-1].key != holds.key:  # something newer says otherwise
        return None
    since = len(matter)
    while since and matter[since - 1].key == holds.key:
        since -= 1
    turns, older = matter[since:], matter[since - 1] if since else None
    if older is None or not any(each.settles for each in turns):
        return None
    turn = turns[0].quote
    if turn.result.hit.id == older.quote.result.hit.id or day_at(turn.when, now) <= day_at(older.quote.when, now):
        return None
    return Former(older.quote, turn, older.value, reason_of(turn))


def renumbered(former: Former | None, placed: Sequence[Quote]) -> Former | None:
    """With its two statements as they are numbered in the answer."""
    return replace(former, older=placed[0], turn=placed[1]) if former else None


def _same(one: Quote, other: Quote) -> bool:
    return one.result.hit.id == other.result.hit.id and one.words == other.words


def _is_unsettled(quote: Quote) -> bool:
    """Asked, proposed, in doubt, denied or cut short: nothing that held."""
    doubtful = quote.asks or quote.more or not is_quotable(quote.words) or is_reported(quote.words)
    said = f"{quote.result.hit.title} {quote.words}"
    return doubtful or HEDGES.finds(said) or denies(said)


def _entry(quote: Quote, query: Query, now: datetime) -> ClaimEntry | None:
    """Of a statement that names one value alone."""
    kind, text = kind_of(query), quote.words
    if kind is AnswerKind.DAY:
        days, written = named_days(text, day_of(quote.result.hit, now)), day_moves(quote, now)
        if not written or not all(each.sure for each in days) or any(each.tie is not Tie.MOVED for each in written[1:]):
            return None
        last = written[-1].day
        return ClaimEntry(
            quote, day_in_words(last, query.language), last.isoformat(), "", _subject(NAMED.sub(" ", text))
        )
    if kind is AnswerKind.PERSON:
        acting = sound_of(query).acting
        value = actor_in(text, acting) if acting else ""
        return ClaimEntry(quote, value, value.casefold(), "", _subject(text.replace(value, " "))) if value else None
    pattern = {AnswerKind.AMOUNT: VALUE, AnswerKind.SPAN: LONG}.get(kind)
    if kind is AnswerKind.PLACE:
        value = place_in(text)
        return ClaimEntry(quote, value, value.casefold(), "", _subject(text.replace(value, " "))) if value else None
    if kind in {AnswerKind.MEASURE, AnswerKind.COUNT}:
        pattern = sound_of(query).says
    found = (
        [each for each in pattern.finditer(text) if each[0][0].isdigit() or pattern in {VALUE, LONG}] if pattern else []
    )
    found = [each for each in found if kind is not AnswerKind.AMOUNT or AMOUNT.search(each[0])]
    if len(found) != 1:
        return None
    start, end = found[0].span()
    value = found[0][0].strip(" .,")
    unit = DIGITS.sub("", value).strip().casefold()
    return ClaimEntry(quote, value, value.replace(",", ""), unit, _subject(f"{text[:start]} {text[end:]}"))


def _subject(text: str) -> frozenset[str]:
    """The telling words of a statement besides its value and that it changed something; Korean ones by how they begin."""
    for said in (*TURNS, CORRECTS):
        text = said.sub(" ", text)
    told = (each for each in words_of(text) if each not in STOP and each not in FRAME)
    begun = (each[:BEGINNING] if HANGUL.match(each) else each for each in told)
    return frozenset(each for each in begun if len(each) >= BEGINNING or not HANGUL.match(each))


def _is_one_subject(one: ClaimEntry, other: ClaimEntry) -> bool:
    """One says all that the other says; where that is a single word, in the same place."""
    less, more = sorted((one.subject, other.subject), key=len)
    first, second = one.quote.result.hit, other.quote.result.hit
    told = len(less) >= LEAST or (first.source, first.container) == (second.source, second.container)
    return told and bool(less) and less <= more and one.quote.own == other.quote.own
