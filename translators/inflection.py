"""English words in their forms: by their stem, as singular and plural, and as dictionaries list them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView

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


@lru_cache(maxsize=512)
def numbers(word: str) -> KeysView[str]:
    """A word in singular and plural, whichever of them it is itself."""
    return dict.fromkeys((word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es"))).keys()


def base_forms(word: str) -> Iterator[str]:
    """What a word may be listed as: as written, then without what inflects it (reports, reported, reporting; policies; running)."""
    yield word
    for ending, back in ENDINGS:
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= SHORTEST:
            yield bare + back
            if not back and len(bare) > SHORTEST and bare[-1] == bare[-2]:
                yield bare[:-1]
