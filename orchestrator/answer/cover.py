"""Which words of the question a text holds, by the meaning that translators give them."""

from __future__ import annotations

import math
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from translators.inflection import numbers
from translators.match import fold, squeezable, stands_in
from translators.match import words as words_of
from translators.patterns import regex
from translators.query import Phrase, Term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from connectors.contract import Hit
    from orchestrator.model import Result
    from translators.query import Query

# Korean puts particles straight behind foreign words: "API를", "v2로", "Kubernetes에서".
SCRIPT_CHANGE = regex(r"(?<=[A-Za-z0-9])(?=[가-힣])")

TermAlternatives = tuple[Term | Phrase, ...]


@lru_cache(maxsize=32)  # asked for thirty times for one answer
def wanted(query: Query) -> Mapping[str, TermAlternatives]:
    """Every keyword, phrase and id of a question, with the other names it goes by."""
    variants = dict(query.variants)
    words: dict[str, TermAlternatives] = {
        word: tuple(Term(apart(each)) for each in (word, *variants.get(word, ()), *query.in_one_with(word)))
        for word in query.keywords
    }
    exact = (*query.phrases, *(each.text for each in query.ids))
    words |= {text: (Phrase(apart(text)),) for text in exact}
    chosen = {word: instead for word in words if (instead := _instead(query, word, words))}
    return MappingProxyType(words | chosen)


def _instead(query: Query, word: str, words: Mapping[str, TermAlternatives]) -> TermAlternatives:
    """What was typed as alternatives to a word, under all of their names: one of them is enough."""
    return tuple(name for each in query.instead_of(word) for name in words.get(each.text, (each,)))


@lru_cache(maxsize=32)
def asked(query: Query) -> Mapping[str, TermAlternatives]:
    """Every content word of a question: what is wanted, and the lesser words that ask or tell the kind of answer."""
    lesser: dict[str, TermAlternatives] = {word: (Term(apart(word)),) for word, _ in query.lesser}
    return MappingProxyType({**lesser, **wanted(query)})


def share(found: Iterable[str], query: Query) -> float:
    """How much of the question as it was asked these words are, by what each weighs; 1 where it has no words."""
    weights, whole = _weights(query)
    return math.fsum(weights.get(word, 0.0) for word in found) / whole if whole else 1.0


@lru_cache(maxsize=32)
def _weights(query: Query) -> tuple[Mapping[str, float], float]:
    """What each word of a question weighs, and all of them."""
    lesser = dict(query.lesser)
    weights = {word: 1.0 if word in query.keywords else lesser.get(word, 1.0) for word in asked(query)}
    return MappingProxyType(weights), math.fsum(weights.values())


def covered(text: str, words: Mapping[str, TermAlternatives]) -> frozenset[str]:
    """The words that a text holds."""
    whole, folded = _read(text)
    found = []
    for word, names in words.items():
        for name in names:
            if _may(name, folded) and stands_in(name, (whole,)):
                found.append(word)
                break
    return frozenset(found)


@lru_cache(maxsize=128)  # a text is asked for several sets of words
def _read(text: str) -> tuple[str, str]:
    """As its words are looked for: whole, and folded."""
    whole = apart(text)
    return whole, fold(whole)


def _may(name: Term | Phrase, folded: str) -> bool:
    """A quick test that nothing fails which matches: every word stands in the text somewhere, without its plural.

    A Korean one may stand there with other blanks; its first syllable does in any case. Asked of every name of every word
    for every sentence: plain loops.
    """
    stems, syllable = _signs(name.text)
    for stem in stems:
        if stem not in folded:
            return bool(syllable) and syllable in folded and isinstance(name, Term)
    return True


@lru_cache(maxsize=512)
def _signs(text: str) -> tuple[tuple[str, ...], str]:
    """What a text that holds these words holds in any case; and the first syllable, where blanks may fall otherwise."""
    stems = tuple(min(numbers(word), key=len) for word in words_of(text))
    return stems, squeezable(text)[:1]


def covered_by(results: Iterable[Result], words: Mapping[str, TermAlternatives]) -> frozenset[str]:
    """The words that results hold together, in title, headings, text, people, place and address."""
    return frozenset().union(*(covered(_whole(result), words) for result in results))


def _whole(result: Result) -> str:
    hit = result.hit
    people = [person.name for person in (hit.author, hit.assignee) if person]
    place = [hit.container.name] if hit.container else []
    return "\n".join((hit.title, hit.heading, hit.snippet, *people, *place, *attached(hit), hit.id, hit.url))


def attached(hit: Hit) -> tuple[str, ...]:
    """The names of the files that hang on a mail or a message."""
    found = (hit.facts.get(name) for name in ("attachments", "files"))
    return tuple(str(name) for names in found if isinstance(names, tuple) for name in names)


def apart(text: str) -> str:
    """With a blank where a Korean particle follows a foreign word, and where a name of a file has none."""
    text = text.replace("_", " ")
    return text if text.isascii() else SCRIPT_CHANGE.sub(" ", text)
