"""What a statement says of itself that it replaced: "was …, until …, because …". Only where it names the old value beside the new one."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.answer.actors import former_actor
from orchestrator.answer.dates import day_in_words
from orchestrator.answer.moves import ARROW, INSTEAD, KOREAN_MOVE, TO, VERB, Tie
from orchestrator.answer.passages import passage_of
from orchestrator.answer.quotes import is_quotable
from orchestrator.answer.revoked import day_moves
from orchestrator.answer.sentences import sentences
from orchestrator.answer.signals import AMOUNT, MOVED, REASON, asks
from translators.patterns import regex
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query

VALUE = regex(
    r"(?:[$€£¥₩]\s?|\b(?:usd|eur|krw|gbp|jpy|chf|cny)\s?)?(?<![\d.,])\d[\d,.]{0,20}+(?:\s?[천만억])?+\s?(?:원|달러|유로|퍼센트|%|(?:won|krw|usd|eur|gbp|jpy|chf|cny|dollars?|euros?|percent)\b)?",
    re.IGNORECASE,
)
GROUND = regex(r"\b(?:because(?: of)?|due to|owing to)\s(?P<why>[^.;!?]{8,160}+)", re.IGNORECASE)
OF_DAYS = frozenset({QueryType.TEMPORAL, QueryType.DECISION})


@record
class Replaced:
    """What held before, as it is told, and why it no longer does, in the words of the text ("" where it does not say)."""

    old: str
    reason: str


def replaced_by(quote: Quote, query: Query, now: datetime, *, amount: bool) -> Replaced | None:
    """What a statement replaced; ``amount``: an amount is asked for, and not a day."""
    if query.type is QueryType.PERSON:
        old = former_actor(quote.words)
    else:
        old = _old_amount(quote.words) if amount else _old_day(quote, query, now) if query.type in OF_DAYS else ""
    return Replaced(old, reason_of(quote)) if old else None


def _old_day(quote: Quote, query: Query, now: datetime) -> str:
    """The last day that was left, where the sentence tells of one move after the other and of nothing else."""
    found = day_moves(quote, now)
    if len(found) < 2 or any(each.tie is not Tie.MOVED for each in found[1:]):  # noqa: PLR2004
        return ""
    return day_in_words(found[-2].day, query.language)


def _old_amount(text: str) -> str:
    found = [each for each in VALUE.finditer(text) if AMOUNT.search(each[0])]
    for one, other in pairwise(found):
        between = one.end(), other.start()
        if one[0].strip() == other[0].strip():
            continue
        if INSTEAD.fullmatch(text, *between):
            return other[0].strip(" .,")
        moved = TO.fullmatch(text, *between) and MOVED.search(text, max(0, one.start() - VERB), one.start())
        if moved or ARROW.fullmatch(text, *between) or KOREAN_MOVE.fullmatch(text, *between):
            return one[0].strip(" .,")
    return ""


def reason_of(quote: Quote) -> str:
    """What follows "because" in the sentence, else the sentence beside it that gives a reason."""
    if ground := GROUND.search(quote.words):
        return ground["why"].strip()
    beside = sentences(quote.passage or passage_of(quote.result.hit, quote.words))
    others = (each for each in beside if each not in quote.words and quote.words not in each)
    return next((each for each in others if REASON.search(each) and not asks(each) and is_quotable(each)), "")
