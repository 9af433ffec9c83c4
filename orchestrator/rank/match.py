"""Stage: how well each result matches the words of the question, on one scale for all sources: BM25F over the candidates."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.lexical import spaced
from orchestrator.rank.stage import rescored
from orchestrator.rank.wanted import InflectedForm, Substrings, WantedWord, pieces_of, wanted_of
from translators.match import HANGUL, across_blanks
from translators.query import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Ranking
    from orchestrator.rank.config import KeywordWorth
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext
    from translators.query import Query

NAME = 4  # words at most that a name or a mention is made of
READ = 160  # characters in which a notice has said what it is about
KEYWORDS, MATCH = "keywords", "match"


class Match(NamedTuple):
    """How well one text matches: ``score`` 0 to 1, and ``strength``, which has no upper bound and tells more apart."""

    score: float
    strength: float


@dataclass(frozen=True, slots=True)
class MatchedWords:
    """The words of the question that a text holds, and those among them in its title."""

    words: tuple[str, ...] = ()
    titled: tuple[str, ...] = ()


def match_keywords(query: Query, texts: Sequence[Text], worth: KeywordWorth) -> tuple[Match, ...]:
    """One match per text. A question without words is matched by everything."""
    wanted = wanted_of(query, worth)
    if not wanted or not texts:
        return (Match(1.0, 1.0),) * len(texts)
    pieces = pieces_of(query, wanted, worth)
    wholes = [text.whole for text in texts]
    parts = MatchesByPart.of(texts)
    columns = [_values(each, texts, parts, worth) for each in wanted]
    norms = _norms(texts, worth)
    columns += [_counts(each, wholes, norms) for each in pieces]
    weights = _weights((*(each.weight for each in wanted), *(each.weight for each in pieces)), columns)
    whole = math.fsum(weights[: len(wanted)])
    strengths = [sum(map(mul, row, weights)) / whole for row in zip(*columns, strict=True)]
    for each, column in zip(wanted, columns, strict=False):
        if each.named and any(column):  # what is about another project shares words with it, and is still another
            strengths = [
                strength if found else strength * worth.unnamed
                for strength, found in zip(strengths, column, strict=True)
            ]
    return tuple(Match(min(1.0, strength), strength) for strength in strengths)


def found_words(wanted: Iterable[WantedWord], texts: Sequence[Text], worth: KeywordWorth) -> list[MatchedWords]:
    """For people: which words each text holds, and where."""
    parts = MatchesByPart.of(texts)
    held: list[list[str]] = [[] for _ in texts]
    titled: list[list[str]] = [[] for _ in texts]
    for each in wanted:
        in_titles = holders((*each.forms, *each.others, *each.joined), parts.titles)
        for at, value in enumerate(_values(each, texts, parts, worth)):
            if value:
                held[at].append(each.text)
                titled[at] += [each.text] * (at in in_titles)
    return [MatchedWords(tuple(own), tuple(at_top)) for own, at_top in zip(held, titled, strict=True)]


# ---- where it is found: one word at a time over all texts, since that is what Python is quick at


class MatchesByPart(NamedTuple):
    """The texts again, part by part."""

    titles: Sequence[str]
    bodies: Sequence[str]
    names: Sequence[str]

    @classmethod
    def of(cls, texts: Sequence[Text]) -> MatchesByPart:
        """In the order of ``texts``."""
        return cls([text.title for text in texts], [text.body for text in texts], [text.names for text in texts])


def _values(wanted: WantedWord, texts: Sequence[Text], parts: MatchesByPart, worth: KeywordWorth) -> list[float]:
    """What the best place of a word is worth in each text, 0 where there is none."""
    values = [0.0] * len(texts)
    _place(wanted.forms, parts, values, worth, 1.0)
    if wanted.others:
        _place(wanted.others, parts, values, worth, worth.variant)
    if wanted.joined:
        _place(wanted.joined, parts, values, worth, worth.compound)
    if wanted.compound:
        _look_across(wanted.compound, parts, values, worth)
    if wanted.address:
        for at, text in enumerate(texts):
            if wanted.address == canonical_url(text.url):
                values[at] = 1.0
    return values


def _place(
    forms: Iterable[InflectedForm], parts: MatchesByPart, values: list[float], worth: KeywordWorth, share: float
) -> None:
    """Raise ``values`` to ``share`` of what the place is worth where any of the forms stands: title, then text, then names."""
    title, body, untitled, name = (share * each for each in (worth.title, worth.body, worth.untitled, worth.names))
    titled = holders(forms, parts.titles)
    bodied = holders(forms, parts.bodies) - titled
    named = holders(forms, parts.names) - titled - bodied
    for at in titled:
        values[at] = max(values[at], title)
    for at in bodied:
        values[at] = max(values[at], untitled if parts.titles[at].isspace() else body)
    for at in named:
        values[at] = max(values[at], name)


def holders(forms: Iterable[InflectedForm], texts: Sequence[str]) -> set[int]:
    """Which texts hold any of the needles. What the needles begin with is looked for first, and mostly settles it."""
    found: set[int] = set()
    for form in forms:
        stem = form.stem
        likely = [at for at, text in enumerate(texts) if stem in text]
        if form.needles == (stem,):
            found.update(likely)
            continue
        for needle in form.needles:
            if not likely:
                break
            found.update([at for at in likely if needle in texts[at]])
            likely = [at for at in likely if at not in found]
    return found


def _is_in(needles: Sequence[str], text: str) -> bool:
    """Plain loops in what is run most: ``any`` over a generator takes three times as long."""
    for needle in needles:  # noqa: SIM110
        if needle in text:
            return True
    return False


def _look_across(compound: str, parts: MatchesByPart, values: list[float], worth: KeywordWorth) -> None:
    """A Korean compound written in two words, where it was not found in one."""
    titled, bodied = worth.title * worth.compound, worth.body * worth.compound
    for at, (title, body) in enumerate(zip(parts.titles, parts.bodies, strict=True)):
        if values[at] <= worth.names or values[at] < bodied:
            if across_blanks(compound, title):
                values[at] = max(values[at], titled)
            elif across_blanks(compound, body):
                values[at] = max(values[at], bodied)


def _norms(texts: Sequence[Text], worth: KeywordWorth) -> list[float]:
    """How many occurrences count half in each text: more in a long one."""
    lengths = [len(text.body) for text in texts]
    least = worth.saturation * (1.0 - worth.length)
    steep = worth.saturation * worth.length * len(lengths) / sum(lengths)
    return [least + steep * length for length in lengths]


def _counts(piece: Substrings, wholes: Sequence[str], norms: Sequence[float]) -> list[float]:
    """Whether a piece is there; of what is counted how often, saturating."""
    one, *others = piece.needles
    if not piece.counted:
        return [1.0 if one in whole or (others and _is_in(others, whole)) else 0.0 for whole in wholes]
    counts = [whole.count(one) for whole in wholes]
    return [count / (count + norm) if count else 0.0 for count, norm in zip(counts, norms, strict=True)]


# ---- what it counts


def _weights(base: Sequence[float], columns: Sequence[Sequence[float]]) -> list[float]:
    """Rare words count more; one that no candidate holds tells none from another and counts least."""
    return [
        weight * _rarity(len(column) - column.count(0.0), len(column))
        for weight, column in zip(base, columns, strict=True)
    ]


def _rarity(count: int, total: int) -> float:
    return 1.0 + (math.log((total + 1) / (count + 0.5)) if count else 0.0)


def is_notice(hit: Hit, text: Text, context: RankContext) -> bool:
    """Whether one of the beginnings of ``notices.begin`` stands in a chat message, behind no more than a name."""
    if context.categories.get(hit.source) is not Category.CHAT:
        return False
    begin = text.body[:READ]
    place = hit.container.name if hit.container else ""
    for needle in _needles(context.config.notices.begin, place):
        at = begin.find(needle)
        if at >= 0 and begin.count(" ", 0, at + 1) <= NAME + 1:
            return True
    return False


@lru_cache(maxsize=256)
def _needles(begin: tuple[str, ...], place: str) -> tuple[str, ...]:
    """Without a place, a notice that names it cannot be told."""
    named = (phrase.format(place=place) for phrase in begin if place or "{" not in phrase)
    words = (spaced(phrase).strip() for phrase in named)
    return tuple(each if HANGUL.match(each) else f" {each}" for each in words)  # 님이 follows a name without a blank


def match(ranking: Ranking, context: RankContext) -> Ranking:
    """A group is matched by the hit that speaks for it."""
    hits = [result.hit for result in ranking.results]
    texts = context.texts(hits)
    worth = context.config.keywords.asked_for(context.query.type)
    found = [
        each.strength * worth.notice if is_notice(hit, text, context) else each.strength
        for each, hit, text in zip(match_keywords(context.query, texts, worth), hits, texts, strict=True)
    ]
    best = max(found, default=0.0) or 1.0
    whole = max(1.0, best)
    results = (
        rescored(result, result.score, {KEYWORDS: strength / whole, MATCH: strength / best})
        for result, strength in zip(ranking.results, found, strict=True)
    )
    return replace(ranking, results=tuple(results))
