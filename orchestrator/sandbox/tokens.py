"""Split text into words the way the emulators compare them: NFC, casefolded, Hangul apart from other scripts."""

import re
import unicodedata

_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
WORD = re.compile(f"[{_HANGUL}]+|[^\\W_{_HANGUL}]+")
"""One word of a text in NFC: a run of Hangul, or a run of other letters and digits."""

SHORTEST_INFLECTED, SHORTEST_STEM = 4, 3

_IS_HANGUL = re.compile(f"[{_HANGUL}]")
_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")


def composed(text: str) -> str:
    """The text in NFC, so that decomposed Hangul equals composed Hangul."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def words(text: str) -> list[str]:
    """The words of a text, casefolded."""
    return [word.casefold() for word in WORD.findall(composed(text))]


def is_hangul(word: str) -> bool:
    """Whether a word is written in Hangul."""
    return _IS_HANGUL.match(word) is not None


def stem(word: str) -> str:
    """The light stem of a Latin word: plural, -ing and -ed are taken off, nothing else is.

    Much lighter than Porter's on purpose: the vendors promise no more than this.
    """
    if not (word.isascii() and word.isalpha()) or len(word) < SHORTEST_INFLECTED:
        return word
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= SHORTEST_STEM and _VOWEL.search(bare):
            return _DOUBLED.sub(r"\1", bare).removesuffix("e")
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e")
