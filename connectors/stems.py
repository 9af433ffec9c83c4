"""English words by their stem, so that ``refund`` finds ``refunds``."""

from __future__ import annotations

SHORTEST = 3  # letters that are left of a word
VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """An English word without plural, ``-ed``, ``-ing`` and a last ``e``: finds what Porter's longer rules do (ADR 0010)."""
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
