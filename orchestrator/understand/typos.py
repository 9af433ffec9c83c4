"""Misspelt words (typos), a slip of the fingers away from one that is known: letters in Latin script, the parts of syllables in Hangul.

The measure is Damerau and Levenshtein's with adjacent transpositions (optimal string alignment). How many slips a word
may hold goes by its length, as search engines do it; its first letter is right, which slips rarely touch.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.understand.korean import analyse
from orchestrator.understand.spacing import divided
from translators.letters import PARTICLES, has_hangul
from translators.match import words
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from orchestrator.understand.lexicon import Lexicon

LEAST, MOST = 4, 40  # letters of a Latin word that may be mistyped; shorter ones are all alike
LEAST_HANGUL = 2  # syllables
ONE_SLIP, TWO_SLIPS = (
    5,
    8,
)  # letters (or parts of syllables) from which a word may hold so many; below, two change places
VOCABULARY = 20_000  # words that one is compared with at most
LATIN = regex(r"[a-z]+(?:['’-][a-z]+)*")
LONGEST_PARTICLE = 3
HANGUL = regex(r"[가-힣]{1,40}")


def is_known(word: str, lexicon: Lexicon) -> bool:
    """Whether it is a word of the language or of our lists, in any form, so that nobody can say it is mistyped.

    Korean: a noun or nouns of two syllables or more to the dictionary of the morphology.
    """
    lower = word.casefold()
    if lower in _listed(lexicon) or lexicon.bilingual.together(word):
        return True
    if not has_hangul(word):
        return LATIN.fullmatch(lower) is None or not LEAST <= len(word) <= MOST
    if not LEAST_HANGUL <= len(word) <= MOST:
        return True
    if any(morph.unknown for morph in analyse(word)):
        return False
    nouns = divided(word)
    return nouns is not None and all(len(noun) > 1 for noun in nouns)


def is_listed(word: str, lexicon: Lexicon) -> bool:
    """Whether it stands in our lists of single words, in small letters."""
    return word in _listed(lexicon)


def nearest(word: str, vocabulary: Mapping[str, int], lexicon: Lexicon) -> str | None:
    """The word that was most likely meant: of those near enough the nearest, then the commonest at hand, then one of our lists."""
    listed = frozenset() if has_hangul(word) else _listed(lexicon)
    if any(shorter in vocabulary or shorter in listed for shorter in _shorter(word)):
        return None  # directly is no slip for direct
    return _among(word, vocabulary) or _among(word, dict.fromkeys(listed, 1))


def _shorter(word: str) -> tuple[str, ...]:
    """What a Latin word may be a form of."""
    shorter = () if has_hangul(word) else (word.casefold()[:-end] for end in (1, 2, 3))
    return tuple(each for each in shorter if len(each) > LEAST)


def _among(word: str, vocabulary: Mapping[str, int]) -> str | None:
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    wanted = spelt(word)
    slips = 2 if len(wanted) >= TWO_SLIPS else 1
    choices = {other: letters for other in vocabulary if (letters := spelt(other))[:1] == wanted[:1]}
    found = process.extract(wanted, choices, scorer=OSA.distance, score_cutoff=slips, limit=None)
    near = [(distance, -vocabulary[other], other) for letters, distance, other in found if _fits(wanted, letters)]
    return min(near)[2] if near else None


def _fits(wanted: str, letters: str) -> bool:
    """Another word, and of a short one the same letters in another order."""
    return wanted != letters and (len(wanted) >= ONE_SLIP or has_jamo(wanted) or sorted(wanted) == sorted(letters))


def has_jamo(letters: str) -> bool:
    """Whether these are parts of syllables."""
    return "\u1100" <= letters[:1] <= "\u11ff"


def spelt(word: str) -> str:
    """Letters in which slips are counted: a syllable of Hangul has two or three."""
    return unicodedata.normalize("NFD", word.casefold())


def vocabulary_of(texts: Iterable[str], asked: Iterable[str]) -> Counter[str]:
    """How often the words of some texts occur that begin like any of ``asked``.

    Korean ones without particles as well, and with the word behind them as one.
    """
    begin = frozenset(map(_first, asked))
    found: Counter[str] = Counter()
    for text in texts:
        said = words(text)
        like = [at for at, word in enumerate(said) if _first(word) in begin]
        found.update(said[at] for at in like)
        for at in like:
            if HANGUL.match(said[at]):
                whole = said[at] + said[at + 1] if at + 1 < len(said) else ""
                found.update((*_bare(said[at]), *((whole, *_bare(whole)) if HANGUL.fullmatch(whole) else ())))
        if len(found) > VOCABULARY:
            break
    return found


def _first(word: str) -> str:
    return _first_of(word[:1])


@lru_cache(maxsize=4096)
def _first_of(char: str) -> str:
    return spelt(char)[:1]


def _bare(word: str) -> list[str]:
    ends = range(max(LEAST_HANGUL, len(word) - LONGEST_PARTICLE), len(word))
    return [word[:end] for end in ends if word[end:] in PARTICLES]


def known_beginning(word: str) -> str | None:
    """The nouns that an unknown Korean word begins with: sources that compare letters know it by those."""
    for end in range(len(word) - 1, LEAST_HANGUL - 1, -1):
        if not any(morph.unknown for morph in analyse(word[:end])):
            nouns = divided(word[:end])
            if nouns and all(len(noun) > 1 for noun in nouns):
                return word[:end]
    return None


@lru_cache(maxsize=4)
def _listed(lexicon: Lexicon) -> frozenset[str]:
    """Whole words of our lists."""
    listed = (
        lexicon.everyday, lexicon.ordinary, lexicon.generic, lexicon.technical, lexicon.tools, lexicon.loanwords, lexicon.given,
        lexicon.places, lexicon.brands, lexicon.not_projects, lexicon.around, lexicon.heads_en, lexicon.heads_ko, lexicon.variants,
    )  # fmt: skip
    return frozenset(word for words_of in listed for word in words_of if " " not in word)
