"""What of a question is looked for in a text: words in all their spellings, phrases, ids, and pieces of them.

Pieces are evidence that is not enough by itself: the syllables of a Korean word, two words of the question side by
side, a word of the question that is no keyword.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.lexical import folded_words
from translators.letters import with_particles
from translators.match import HANGUL, squeezable, words
from translators.query import IdKind
from translators.records import record
from translators.romanization import sounds_like

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.rank.config import KeywordWorth
    from translators.query import Query

LONG = 3  # syllables of a Korean word that is told by pieces of it
TELLING = 5  # letters of a word that is no keyword: shorter ones hold a sentence together
PIECES = 40  # pieces looked for at most: a question of two thousand characters must not cost more than a search


@record
class InflectedForm:
    """One spelling and its inflections, as substrings; ``stem`` is what they begin with, and the quick test."""

    stem: str
    needles: tuple[str, ...]


@record
class WantedWord:
    """A word of the question: what is looked for (as asked, by other names, across a blank), what it counts.

    ``compound``: how it is written together, to be found with other blanks; ``joined``: it and a word beside it in one.

    ``aliased``: one of the other names is a name, and not the same word written apart. ``named``: it is the name of
    somebody or something.
    """

    text: str
    forms: tuple[InflectedForm, ...]
    others: tuple[InflectedForm, ...] = ()
    joined: tuple[InflectedForm, ...] = ()
    weight: float = 1.0
    compound: str = ""
    address: str = ""
    aliased: bool = False
    named: bool = False


@record
class Substrings:
    """Any of some substrings and what it counts; ``counted``: how often it occurs matters."""

    needles: tuple[str, ...]
    weight: float
    counted: bool = False


def wanted_of(query: Query, worth: KeywordWorth) -> tuple[WantedWord, ...]:
    """Lesser words, keywords, phrases and ids. One that is a keyword too is counted once, as the more exact."""
    variants = dict(query.variants)
    named = {part.casefold() for entity in query.entities for part in entity.name.split()}
    keywords = (
        _keyword(word, variants.get(word, ()), worth, query.in_one_with(word), named=word.casefold() in named)
        for word in dict.fromkeys(query.keywords)
    )
    lesser = (
        replace(_keyword(word, variants.get(word, ()), worth, named=False), weight=weight)
        for word, weight in query.lesser
    )
    phrases = (WantedWord(text, _exact(text), weight=worth.phrase) for text in query.phrases)
    ids = (_identifier(each.kind, each.text, worth) for each in query.ids)
    wanted = {each.text: each for each in (*lesser, *keywords, *phrases, *ids) if each.forms or each.address}
    return tuple(wanted.values())


def pieces_of(query: Query, wanted: tuple[WantedWord, ...], worth: KeywordWorth) -> tuple[Substrings, ...]:
    """Each once, with the most that it counts."""
    found: dict[tuple[str, ...], float] = {}
    for needles, weight in (*_syllables(wanted, worth), *_neighbours(query, wanted, worth)):
        found.setdefault(needles, weight)
    kept = list(found.items())[:PIECES]
    return tuple(
        Substrings(needles, weight, HANGUL.match(needles[0]) is not None) for needles, weight in kept if weight
    )


def _syllables(wanted: tuple[WantedWord, ...], worth: KeywordWorth) -> Iterator[tuple[tuple[str, ...], float]]:
    """Two syllables in a row: what stands in a compound or is inflected still shares them.

    Not of a word that goes by other names: who uses one of those must not stand behind.
    """
    plain = (each for each in wanted if not each.aliased)
    runs = (run for each in plain for run in words(each.text) if HANGUL.match(run) and len(run) >= LONG)
    yield from (((run[at : at + 2],), worth.syllables) for run in runs for at in range(len(run) - 1))


def _neighbours(
    query: Query, wanted: tuple[WantedWord, ...], worth: KeywordWorth
) -> Iterator[tuple[tuple[str, ...], float]]:
    """Keywords side by side as in the question, in either order; and words that are neither keywords nor cues of its type."""
    said = folded_words(query.text)
    keywords = {part for each in wanted for part in folded_words(each.text)}
    for one, other in pairwise(said):
        if not (HANGUL.match(one) or HANGUL.match(other)) and {one, other} <= keywords:
            yield (f" {one}{_stem(f' {other}')}", f" {other}{_stem(f' {one}')}"), worth.side_by_side
    cues = {part for score in query.scores for word in score.words for part in folded_words(word)}
    for word in said:
        if word not in keywords and word not in cues and len(word) >= TELLING and not HANGUL.match(word):
            yield (_stem(f" {word}"),), worth.said


def _keyword(
    word: str, variants: tuple[str, ...], worth: KeywordWorth, joined: tuple[str, ...] = (), *, named: bool
) -> WantedWord:
    others = tuple(form for variant in variants for form in _inflected(variant))
    squeezed = "".join(words(word))
    aliased = any("".join(words(variant)) != squeezed and not sounds_like(word, variant) for variant in variants)
    weight = worth.entity if named else 1.0
    one = tuple(form for each in joined for form in _exact(each))
    return WantedWord(word, _inflected(word), others, one, weight, squeezable(word), aliased=aliased, named=named)


def _identifier(kind: IdKind, text: str, worth: KeywordWorth) -> WantedWord:
    address = canonical_url(text) if kind in {IdKind.URL, IdKind.PERMALINK} else ""
    return WantedWord(text, _exact(text), weight=worth.id, address=address)


def _exact(text: str) -> tuple[InflectedForm, ...]:
    """Particles may follow a Korean word even in a phrase. Nothing but symbols has no form."""
    joined = " ".join(folded_words(text))
    if not joined:
        return ()
    needle = f" {joined}"
    if not HANGUL.match(joined[-1]):
        return (InflectedForm(f"{needle} ", (f"{needle} ",)),)
    alone = needle[-2] == " "  # one syllable begins too many other words
    return (InflectedForm(needle, tuple(f"{each} " for each in with_particles(needle)) if alone else (needle,)),)


def _inflected(text: str) -> tuple[InflectedForm, ...]:
    """English inflections by rule, either way: report, reports, reported, reporting; policy, policies."""
    exact = _exact(text)
    if not exact or not exact[0].stem.endswith(" "):
        return exact
    bare = exact[0].stem[:-1]
    stem = _stem(bare)
    shapes = dict.fromkeys((bare, f"{bare}s", f"{bare}es", *(f"{stem}{end}" for end in _endings(bare, stem))))
    return (InflectedForm(min(stem, bare, key=len), tuple(f"{shape} " for shape in shapes)),)


def _stem(bare: str) -> str:
    """``bare`` (with its leading blank) without an ending, if enough is left to be a word."""
    for end, least in (("ies", 3), ("ied", 3), ("ing", 4), ("es", LONG), ("ed", 4), ("s", LONG), ("y", 4), ("e", 4)):
        if bare.endswith(end) and len(bare) - len(end) > least and not bare.endswith("ss"):
            return bare.removesuffix(end)
    return bare


def _endings(bare: str, stem: str) -> tuple[str, ...]:
    last = bare.rpartition(" ")[2]
    if not last.isalpha() or len(last) <= LONG:
        return ("",) if stem != bare else ()
    if bare.endswith(("y", "ies", "ied")) and stem != bare:
        return ("y", "ies", "ied", "ying")
    return ("", "e", "s", "es", "ed", "ing")
