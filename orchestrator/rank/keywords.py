"""How well a text matches the words of the question, on one scale for all sources: BM25F over the candidates.

A word counts by how rare it is among the candidates, by where and how often it was found (saturating, and less in a
long text), and by how it was meant (Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields,
CIKM 2004). Phrases and ids are exact, a Korean word matches what begins with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import mul
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.wanted import Form, Piece, Wanted, pieces_of, wanted_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.rank.config import KeywordWorth
    from orchestrator.rank.lexical import Text
    from translators.query import Query


@dataclass(frozen=True, slots=True)
class Match:
    """How well one text matches: ``score`` 0 to 1, and ``strength``, which has no upper bound and tells more apart."""

    score: float
    strength: float


@dataclass(frozen=True, slots=True)
class Found:
    """The words of the question that a text holds, and those among them in its title."""

    words: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()


def match_keywords(query: Query, texts: Sequence[Text], worth: KeywordWorth) -> tuple[Match, ...]:
    """One match per text. A question without words is matched by everything."""
    wanted = wanted_of(query, worth)
    if not wanted:
        return (Match(1.0, 1.0),) * len(texts)
    pieces = pieces_of(query, wanted, worth)
    if not texts:
        return ()
    average = math.fsum(len(text.body) for text in texts) / len(texts)
    rows = [_row(text, wanted, pieces, worth, average) for text in texts]
    weights = _weights(wanted, pieces, rows)
    whole = math.fsum(weights[: len(wanted)])
    return tuple(_match(row, weights, whole) for row in rows)


def found_words(query: Query, text: Text, worth: KeywordWorth) -> Found:
    """For people: which words, and where."""
    places = {each.text: _value(each, text, text.whole, worth) for each in wanted_of(query, worth)}
    titled = {each.text for each in wanted_of(query, worth) if _is_in((*each.forms, *each.others), text.title)}
    found = tuple(word for word, value in places.items() if value)
    return Found(found, tuple(word for word in found if word in titled))


# ---- where it is found


def _row(
    text: Text, wanted: Sequence[Wanted], pieces: Sequence[Piece], worth: KeywordWorth, average: float
) -> list[float]:
    """Words by their best place; syllables by how often, saturating, and less in a long text."""
    whole = text.whole
    row = [_value(each, text, whole, worth) for each in wanted]
    enough = worth.saturation * (1.0 - worth.length + worth.length * len(text.body) / average)
    for piece in pieces:
        found = 0.0
        for needle in piece.needles:
            if needle in whole:
                count = whole.count(needle) if piece.counted else 0
                found = count / (count + enough) if count else 1.0
                break
        row.append(found)
    return row


def _value(wanted: Wanted, text: Text, whole: str, worth: KeywordWorth) -> float:
    """What the best place is worth, 0 where there is none."""
    if wanted.address and wanted.address == canonical_url(text.url):
        return 1.0
    place = _place(wanted.forms, text, worth) if _is_in(wanted.forms, whole) else 0.0
    if place >= worth.body:
        return place
    other = _place(wanted.others, text, worth) * worth.variant if _is_in(wanted.others, whole) else 0.0
    across = _across(wanted.compound, text, worth) * worth.compound if wanted.compound else 0.0
    return max(place, other, across)


def _place(forms: tuple[Form, ...], text: Text, worth: KeywordWorth) -> float:
    """For forms that are somewhere in the text."""
    if _is_in(forms, text.title):
        return worth.title
    if _is_in(forms, text.body):
        return worth.untitled if text.title.isspace() else worth.body
    return worth.names


def _is_in(forms: tuple[Form, ...], text: str) -> bool:
    """The inner loop of ranking: plain loops, since ``any`` over a generator takes three times as long."""
    for form in forms:
        if form.stem in text:
            for needle in form.needles:
                if needle in text:
                    return True
    return False


def _across(compound: str, text: Text, worth: KeywordWorth) -> float:
    if compound in text.title.replace(" ", ""):
        return worth.title
    return worth.body if compound in text.body.replace(" ", "") else 0.0


# ---- what it counts


def _weights(wanted: Sequence[Wanted], pieces: Sequence[Piece], rows: list[list[float]]) -> list[float]:
    """Rare words count more; one that no candidate holds tells none from another and counts least."""
    base = [*(each.weight for each in wanted), *(piece.weight for piece in pieces)]
    counts = [sum(map(bool, column)) for column in zip(*rows, strict=True)]
    return [weight * _rarity(count, len(rows)) for weight, count in zip(base, counts, strict=True)]


def _rarity(count: int, total: int) -> float:
    return 1.0 + (math.log((total + 1) / (count + 0.5)) if count else 0.0)


def _match(row: list[float], weights: list[float], whole: float) -> Match:
    """Pieces come on top of the words: who holds every word as asked has 1 already."""
    strength = sum(map(mul, row, weights)) / whole
    return Match(min(1.0, strength), strength)
