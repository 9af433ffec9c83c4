"""English words in their forms: by their stem, as singular and plural, and as dictionaries list them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView

HISSING = ("s", "x", "z", "ch", "sh", "o")
"""Endings of a word behind which its plural is written with an e."""
DOUBLING = frozenset({"ing", "ed", "er"})
SHUT = regex(r"[^aeiouy]{0,4}[aeiou][^aeiouywx]")
"""One syllable with one vowel and one consonant behind it, which is doubled before such an ending."""
SHORTEST = 3  # letters that are left of a word
VOWELS = frozenset("aeiouy")
ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("er", ""))


def stem(word: str) -> str:
    """A word without plural, ``-ed``, ``-ing`` and a last ``e``, so that ``refund`` finds ``refunds``: it finds what Porter's longer rules do (ADR 0010)."""
    found = _singular(word)
    for ending in ("ing", "ed"):
        bare = found.removesuffix(ending)
        if bare != found and len(bare) >= SHORTEST and not VOWELS.isdisjoint(bare):
            doubled = bare[-1] == bare[-2] and bare[-1] not in "lsz"
            found = bare[:-1] if doubled else bare
            break
    return found[:-1] if found.endswith("e") and len(found) > SHORTEST else found


def _singular(word: str) -> str:
    if len(word) <= SHORTEST or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ses", "xes", "zes")):
        return word[:-2]
    return word if word.endswith(("us", "ss")) else word[:-1]


def other_number(word: str) -> str:
    """The plural of a word in small letters, or its singular where it is one; nothing of what is no English word."""
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha() and word[1:].islower()):
        return ""
    if (single := _singular(word)) != word:
        return single
    if word.endswith("y") and word[-2] not in VOWELS:
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(HISSING) else f"{word}s"


@lru_cache(maxsize=512)
def numbers(word: str) -> KeysView[str]:
    """A word in singular and plural, whichever of them it is itself."""
    return dict.fromkeys((word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es"))).keys()


def base_forms(word: str) -> Iterator[str]:
    """What a word may be listed as: as written, then without what inflects it (reports, reported, reporting; policies; running).

    What English would make the form of comes first: rates and rating are of rate, since of rat they would be rats and ratting.
    """
    yield word
    for ending, back in sorted(ENDINGS, key=lambda each: _is_unlikely(word, *each)):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= SHORTEST:
            yield bare + back
            if not back and len(bare) > SHORTEST and bare[-1] == bare[-2]:
                yield bare[:-1]


def _is_unlikely(word: str, ending: str, back: str) -> bool:
    """Whether a form of ``word`` without ``ending`` would be written otherwise: with no e behind it, or with its last letter doubled."""
    bare = word.removesuffix(ending)
    if back or bare == word:
        return False
    if ending == "es":
        return not bare.endswith(HISSING)
    return ending in DOUBLING and SHUT.fullmatch(bare) is not None
