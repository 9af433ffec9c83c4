"""What no longer holds: days and numbers that something newer moved away from, and rules of which something newer says the opposite.

A date that was given up is no answer to "when", a price that was raised none to "how much", nor "cannot be carried over" to a question about leave that
now can.

A statement may say so of its own numbers: "30,000원이 아니라 32,000원", "16:10, not 16:40", "84 → 96", "~~20~~ 12".
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from orchestrator.answer.dates import NAMED, day_at, day_of
from orchestrator.answer.moves import DayMove, left, may_move, steps
from orchestrator.answer.own import SPOKEN
from orchestrator.answer.signals import MOVED, REFUSALS, denies
from orchestrator.answer.tense import denies_what_was, is_to_come
from translators.match import HANGUL, happened
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from orchestrator.answer.quote import Quote

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
    rf"오[르릅른]|올[리립랐라렸]|내[리립린렸]|낮[추춥췄춰]|높[이입였여]|줄[었이입어였여]|늘[었어리립렸려]|인상|인하|감액|증액|{MOVED.pattern}"
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
TELLING_VALUES = 2  # digits: what has fewer is said by chance


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
    return frozenset(each for each in found if len(each) >= TELLING_VALUES)


SHARED = 0.5  # of as many words of the question as any one statement holds: two that share these are on one matter
ALIKE = 0.6  # of the shorter statement's words that the other holds too: they say the same, or the opposite
TELLING = 3  # words at least that a statement which is the opposite of another is made of
BEGINNING = 2  # syllables in which two forms of a Korean word are alike


def standing(quotes: Sequence[Quote], now: datetime) -> tuple[Quote, ...]:
    """Without the statements whose days or numbers were moved away from later, or that were turned round; all where none is left."""
    least = SHARED * max((len(quote.held) for quote in quotes), default=0)  # nobody may say the others at all
    told = [quote for quote in quotes if len(quote.held) >= least]
    moves = [(each, gone) for each in told if may_move(each.words) and (gone := left(day_moves(each, now)))]
    revoked = {id(each) for each in told if moves and _is_revoked(each, day_moves(each, now), moves, least)}
    revoked |= _outdated(told) | _turned_round(told, now) | _struck_out(told)
    if not revoked:
        return tuple(quotes)
    return tuple(each for each in quotes if id(each) not in revoked) or tuple(quotes)


def day_moves(quote: Quote, now: datetime) -> tuple[DayMove, ...]:
    """The days that a statement names, in the asker's zone."""
    return steps(quote.words, day_of(quote.result.hit, now))


def _is_revoked(
    quote: Quote, found: tuple[DayMove, ...], moves: Sequence[tuple[Quote, frozenset[date]]], least: float
) -> bool:
    said = happened(quote.result.hit)
    if said is None:
        return False
    named = {each.day for each in found} - left(found)
    later = (
        gone
        for other, gone in moves
        if (then := happened(other.result.hit)) and then > said and len(quote.held & other.held) >= least
    )
    return bool(named) and named <= frozenset().union(*later)


def _outdated(told: Sequence[Quote]) -> set[int]:
    """Statements of a number that a later one leaves for another, which is about all that they are about."""
    dated = [(each, when) for each in told if (when := happened(each.result.hit))]
    changing = [(*each, its) for each in dated if may_leave(each[0].words) and (its := values(each[0].words)).left]
    return {
        id(one)
        for other, then, its in changing
        for one, said in dated
        if then > said and one.own <= other.held and values(one.words).held & its.left
        if not values(one.words).held & its.held
    }


def _turned_round(told: Sequence[Quote], now: datetime) -> set[int]:
    """Statements of which a later one says the opposite in the same words: one is denied, in the other is nothing denied.

    "There was no alert" takes back no alert that is planned.
    """
    dated = [(each, when) for each in told if (when := happened(each.result.hit)) and each.own]
    denied = [each for each in dated if REFUSALS.finds(each[0].words)]
    plain = [each for each in dated if not denies(each[0].words)] if denied else []
    over = {id(each) for each, _ in denied if denies_what_was(each.words)}
    planned = {id(each) for each, _ in plain if over and is_to_come(each.words)}
    against = ((no, yes) for no, yes in product(denied, plain) if id(no[0]) not in over or id(yes[0]) not in planned)
    pairs = (sorted(pair, key=lambda each: each[1]) for pair in against)
    return {
        id(one)
        for (one, then), (other, later) in pairs
        if day_at(later, now) > day_at(then, now) and one.own & other.own and _alike(one.words, other.words)
    }


def _struck_out(told: Sequence[Quote]) -> set[int]:
    """What messages said that something newer repeats and strikes out, whatever it puts in its place."""
    said = {each.number: (each.result.hit, when) for each in told if (when := happened(each.result.hit))}
    gone = [
        (words, when)
        for hit, when in said.values()
        for each in STRUCK.findall(hit.snippet)
        if len(words := _beginnings(each)) >= TELLING
    ]
    messages = [
        (number, _beginnings(hit.snippet), when) for number, (hit, when) in said.items() if gone and hit.kind in SPOKEN
    ]
    numbers = {
        number
        for number, held, when in messages
        if any(then > when and len(held & words) >= ALIKE * len(words) for words, then in gone)
    }
    return {id(each) for each in told if each.number in numbers}


def _alike(one: str, other: str) -> bool:
    """Mostly the same words, whatever their Korean endings; numbers and days may differ."""
    first, second = sorted(map(_beginnings, (one, other)), key=len)
    return len(first) >= TELLING and len(first & second) >= ALIKE * len(first)


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(word[:BEGINNING] if HANGUL.match(word) else word for word in words_of(text))
