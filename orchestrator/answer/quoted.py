"""What is said, quoted word for word: before each quote when, where and by whom, behind the first what it replaced."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.passages import cells_of
from orchestrator.answer.claim import TITLE, claim_of, named, named_title, provenance
from orchestrator.answer.cover import TermAlternatives, covered, wanted
from orchestrator.answer.dates import day_at, day_in_words
from orchestrator.answer.earliest import begun, wants_earliest
from orchestrator.answer.ledger import Former
from orchestrator.answer.moves import DayMove, Tie
from orchestrator.answer.own import own_text
from orchestrator.answer.places import place_in
from orchestrator.answer.quotes import DIGIT
from orchestrator.answer.replaced import replaced_by
from orchestrator.answer.revoked import STRUCK, day_moves
from orchestrator.answer.signals import DONE, HEDGED, changes
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.text import shorten
from translators.match import happened
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from orchestrator.answer.claim import Claim, ClaimMaterial
    from orchestrator.answer.quote import Quote

CELL = 40  # characters; a longer one tells by itself
# Which facts of a result stand beside its words, and in which order: a decision is when, who, where.
ORDERS = {
    QueryType.DECISION: ("day", "person", "place", "title"),
    QueryType.STATUS: ("day", "place", "title", "person"),
}
ORDER = ("place", "title", "day", "person")


def quoted(material: ClaimMaterial) -> Iterator[Claim]:
    """What is said, in quotes, the likeliest first; behind it what it replaced."""
    kind, words = material.plan.query.type, wanted(material.plan.query)
    for quote in _verdict_first(material):
        facts = provenance(quote.result.hit, material, quote.words) | {"day": day_at(quote.when, material.now)}
        told = ", ".join(filter(None, (facts[name] for name in ORDERS.get(kind, ORDER))))
        days = _days(quote, material) if kind is QueryType.TEMPORAL else ""
        shown = f"“{quote.shown}”"
        text = f"{shown} — {told}" if kind is QueryType.FACTUAL else f"{told}: {shown}"
        if quote.answers:
            text = material.say("claim_reply", text=text, begun=named_title(quote.answers))
        direct = days or _direct(quote, material)
        cells = "" if direct else _cells(quote, kind, words)
        spans = (quote.words, quote.table) if cells else (quote.words,)
        first = f"{direct or cells} — " if direct or cells else ""
        yield claim_of(f"{first}{text}", tuple((quote.result, words) for words in spans))
        if quote is material.quotes[0]:
            yield from _replaced(quote, material)


def _verdict_first(material: ClaimMaterial) -> tuple[Quote, ...]:
    """The quotes, and before all the one that says yes or no."""
    if material.verdict is None:
        return tuple(material.quotes)
    says = material.quotes[material.verdict.place]
    return (says, *(each for each in material.quotes if each is not says))


def _direct(quote: Quote, material: ClaimMaterial) -> str:
    """The answer in a word, where the sentence says it beyond doubt: yes or no, the place."""
    verdict = material.verdict
    if verdict and quote is material.quotes[verdict.place]:
        return material.say("claim_yes" if verdict.yes else "claim_no")
    where = quote.signal and kind_of(material.plan.query) is AnswerKind.PLACE and not HEDGED.search(quote.words)
    return named(place_in(quote.words)) if where else ""


def _cells(quote: Quote, kind: QueryType, words: Mapping[str, TermAlternatives]) -> str:
    """What holds of a row, under the name of each column but the first, which says of what it is: a row alone is a riddle.

    Where somebody is asked for, only cells that may name one; where the question names some of the columns, only those.
    """
    columns, cells = cells_of(quote.table), cells_of(STRUCK.sub("", quote.words))
    if len(cells) != len(columns) and quote.table:  # empty ones stand at the edges
        columns, cells = (cells_of(STRUCK.sub("", _line_of(quote, each))) for each in (quote.table, quote.words))
    if len(columns) != len(cells) or max(map(len, (*columns, *cells))) > CELL:
        return ""
    pairs = tuple(zip(columns[1:], cells[1:], strict=True))
    pairs = tuple(each for each in pairs if covered(each[0], words)) or pairs
    told = (f"{column}: {cell}" for column, cell in pairs if column and _may_answer(cell, kind))
    return named_title(shorten(", ".join(told), TITLE))


def _line_of(quote: Quote, words: str) -> str:
    """The line of its text that a row or the names of its columns are, with its empty cells; "" for none."""
    return next((each for each in own_text(quote.result.hit).split("\n") if each.strip(" |") == words), "")


def _may_answer(cell: str, kind: QueryType) -> bool:
    return any(map(str.isalnum, cell)) and not (kind is QueryType.PERSON and DIGIT.search(cell))


def _replaced(quote: Quote, material: ClaimMaterial) -> Iterator[Claim]:
    """What held before, until when, and why no longer, where what holds says so itself, or another message shows it."""
    query, said, former = material.plan.query, day_at(quote.when, material.now), material.former
    amount = kind_of(query) is AnswerKind.AMOUNT
    was = replaced_by(quote, query, material.now, amount=amount) if quote.signal and said else None
    if was:
        yield _was(material, Former(quote, quote, was.old, was.reason))
    elif former:
        yield _was(material, former)


def _was(material: ClaimMaterial, former: Former) -> Claim:
    key = "claim_was_why" if former.reason else "claim_was"
    told = ((former.older, former.older.words), (former.turn, former.turn.words), (former.turn, former.reason))
    spans = tuple((quote.result, words) for quote, words in told if words)
    until = day_at(former.turn.when, material.now)
    return claim_of(material.say(key, old=named(former.value), day=until, reason=former.reason), spans)


def _days(quote: Quote, material: ClaimMaterial) -> str:
    """The days that the sentence names, as the asker writes them: what they were and became, or from when to when.

    Of a sentence without any that says that something is done, the day it was said; so too of what came first.
    """
    first_of_all = wants_earliest(material.plan.query)
    is_day = first_of_all or (quote.signal and DONE.search(quote.words))
    when = begun(quote.result.hit) if first_of_all else happened(quote.result.hit)
    found = () if first_of_all else _moves_told(quote, material.now)
    if not found and is_day and when:
        found = (DayMove(when.astimezone(material.now.tzinfo).date()),)
    first, *others = (day_in_words(each.day, material.plan.query.language) for each in found) if found else ("",)
    return first + "".join(f"{step.tie.value}{told}" for step, told in zip(found[1:], others, strict=True))


def _moves_told(quote: Quote, now: datetime) -> tuple[DayMove, ...]:
    """The days of the sentence; where it only says that something moved, those that the next one moves it from and to: "We postpone the opening today. 2 May → 9 May."."""
    found = day_moves(quote, now)
    if any(each.tie is Tie.MOVED for each in found) or not quote.passage or not changes(quote.words):
        return found
    beside = day_moves(replace(quote, words=quote.passage), now)
    moved = [at for at, each in enumerate(beside) if each.tie is Tie.MOVED]
    return beside[max(0, moved[0] - 1) : moved[-1] + 1] if moved else found
