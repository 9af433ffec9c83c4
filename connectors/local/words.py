"""The words that texts and questions are compared by: Korean words in pairs of syllables, English words by their stem.

Both sides go through here, so that the index knows nothing of languages. Korean is not taken apart into morphemes by a
dictionary: measured on Korean pages, pairs of syllables without the particle at the end of a word find as well as
Kiwi's morphemes do (nDCG@10 0.925 and 0.925), at forty times the speed and without 490 MB (ADR 0010).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain, islice, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING

from translators.inflection import stem
from translators.match import HANGUL, WORD, fold, is_korean
from translators.question_words import asks
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

LONGEST = 500  # characters of one word; a lexeme of PostgreSQL has at most 2046 bytes
FURTHEST = 16_383  # the last place in a text that PostgreSQL tells apart: src/include/tsearch/ts_type.h
PLACES = tuple(map(str, range(1, FURTHEST + 1)))  # spelled once: every word of every text has one
REMEMBERED = 1 << 16
SHORTEST_STEM = 2
MOST_TERMS = 100  # of each reading of a question
NO_WORDS: Mapping[str, float] = MappingProxyType({})

# Particles, and endings of 하다 and 되다, at the end of a word; the longest that fits is cut.
ENDINGS = tuple(
    sorted(
        (
            "은 는 이 가 을 를 의 에 에서 에게 께 께서 한테 로 으로 와 과 도 만 까지 부터 보다 처럼 마다 나 이나 라도 이라도 "
            "랑 이랑 하고 조차 마저 밖에 뿐 에는 에서는 에도 으로는 로는 으로도 에서도 와의 과의 에의 으로의 로의 에게서 이란 란 "
            "이라는 라는 라고 이라고 입니다 이다 인 인가 인가요 인지 이며 이고 였다 이었다 합니다 하는 하여 해서 했다 했던 하기 하면 "
            "하며 한 할 함 된 되는 되어 되었다 됐다 될 됨 했습니다 됩니다 했나요 하나요 되나요 에서의 까지의 부터의 들 들은 들이 들을 "
            "들의 적 적인 적으로"
        ).split(),
        key=len,
        reverse=True,
    )
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, as often as they occur."""
    found: list[str] = []
    for word in WORD.findall(fold(text)):
        found += _terms_of(word)
    return found


def question_terms(text: str, wanted: Collection[str]) -> list[str]:
    """The terms of a question, without the words that ask or thank (who, 궁금합니다), unless they are ``wanted``."""
    found = ((word, term) for word in WORD.findall(fold(text)) for term in _terms_of(word))
    return [term for word, term in found if term in wanted or not asks(word)]


def whole_words(text: str) -> list[str]:
    """The folded words of a text as filters compare them (:mod:`translators.match`), none longer than ``LONGEST``."""
    return [word[:LONGEST] for word in WORD.findall(fold(text))]


@record
class QuestionWords:
    """The terms of a question, and the share of its rarity that each counts.

    ``typed``: those that a person typed, in their order. ``wanted``: what its keywords are called, which alone find. ``translated``:
    those of them in the other language.
    """

    shares: Mapping[str, float]
    typed: Sequence[str]
    wanted: frozenset[str]
    translated: Sequence[str] = ()


def question_words(wanted: str, typed: str = "", lesser: Mapping[str, float] = NO_WORDS) -> QuestionWords:
    """Each term counts the mean of two readings: as typed all words count; as understood ``wanted`` ones do, and ``lesser`` ones their share.

    Either reading is right where the other errs: some questions repeat their text, verbs and all, and some say it in words of their
    own. So a keyword counts whole, what was only typed (a verb) or only understood (another name) half. What the other language
    calls it nobody could have typed as well: it counts whole.
    """
    names = terms(wanted)[:MOST_TERMS]
    said = question_terms(typed or wanted, set(names))[:MOST_TERMS]
    understood = {term: share for word, share in lesser.items() for term in terms(word)} | dict.fromkeys(names, 1.0)
    every = islice(dict.fromkeys((*names, *said, *understood)), 2 * MOST_TERMS)
    repeated = frozenset(said)
    shares = {term: ((term in repeated) + understood.get(term, 0.0)) / 2 for term in every}
    korean = is_korean(typed or wanted)
    translated = [term for term in names if (HANGUL.match(term) is not None) != korean]
    return QuestionWords(shares | dict.fromkeys(translated, 1.0), said, frozenset(names), translated)


def lexemes(found: Iterable[str]) -> str:
    """Terms with their places, in the notation of a tsvector. Terms are letters, digits and underscores alone."""
    places: dict[str, str] = {}
    for place, term in zip(chain(PLACES, repeat(PLACES[-1])), found, strict=False):
        there = places.get(term)
        places[term] = place if there is None else f"{there},{place}"
    return " ".join([f"{term}:{at}" for term, at in places.items()])


@lru_cache(maxsize=REMEMBERED)
def _terms_of(word: str) -> tuple[str, ...]:
    if not HANGUL.match(word):
        return (stem(word[:LONGEST]),)
    bare = _without_ending(word[:LONGEST])
    return tuple(bare[at : at + 2] for at in range(len(bare) - 1)) or (bare,)


def _without_ending(word: str) -> str:
    for ending in ENDINGS:
        if len(word) - len(ending) >= SHORTEST_STEM and word.endswith(ending):
            return word[: -len(ending)]
    return word
