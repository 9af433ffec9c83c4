"""Whether a name in Hangul and one in Latin letters sound alike (transliteration): 데이빗 and David, 서연 and Seoyeon.

Both are brought to the same few letters: consonants to classes that Korean does not tell apart in foreign names
(b, v, f and p; d and t; l and r), vowels to five. English spells one sound in many ways, so a Latin name has several
readings (ch as in Chen, Michael and Charlotte).
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from translators.letters import is_syllable, unaccented
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST_SYLLABLE = 0xAC00
INITIALS = ("K", "K", "N", "T", "T", "L", "M", "P", "P", "S", "S", "", "C", "C", "C", "K", "T", "P", "H")
VOWELS = ("a", "e", "ya", "ye", "ə", "e", "yə", "ye", "o", "wa", "we", "we", "yo", "u", "wə", "we", "wi", "yu", "", "ui", "i")  # fmt: skip
OPEN_VOWEL = "ə"
"""ㅓ, which stands for an o as well as for an e: 서연 is Seoyeon, 피터 Peter."""
AS_U = regex(rf"(?<!y){OPEN_VOWEL}")
"""As many spell their own names: Jung, Suh, Chun."""
SOFTENED = frozenset("이임유류노나")
"""Family names whose ㄹ is only written in Latin letters: Lee, Lim."""
FINALS = ("", "K", "K", "K", "N", "N", "N", "T", "L", "K", "M", "P", "L", "L", "P", "L", "M", "P", "P", "T", "T", "N", "T", "T", "K", "T", "P", "T")  # fmt: skip
"""The parts of a syllable in the order of Unicode; ㅡ is silent, as it only carries a consonant in foreign names."""
SPELT = regex(
    r"[aeo]eu|sch|tch|ch|ck|ph|th|sh|gh|qu|dg|ts|tz|ng|wh|kn|wr|eoh|eo|ea|au|oe|oi|oo|ee|ae|eu|ew|ou|y-|[a-z]"
)
READ: dict[str, tuple[str, ...]] = {
    "sch": ("S",), "tch": ("C",), "ch": ("C", "K", "S"), "ck": ("K",), "ph": ("P",), "th": ("T", "S"), "sh": ("S",), "gh": ("", "K"),
    "qu": ("K",), "dg": ("C",), "ts": ("C",), "tz": ("C",), "ng": ("N", "NK"), "wh": ("w",), "kn": ("N",), "wr": ("L",),
    "aeu": ("a", "eu"), "eeu": ("e", "iu"), "oeu": ("o", "eu"), "eo": ("o", "io"), "eoh": ("o",), "oe": ("oe", "oi"), "oi": ("oi", "e"), "ea": ("ea", "i", "o"), "au": ("au", "o"), "oo": ("u",), "ee": ("i",), "ae": ("e",), "eu": ("", "u"), "ew": ("u", "yu"), "ou": ("u", "o"), "y-": ("y", "ai"), "a": ("a", "e"), "b": ("P",), "c": ("K", "S"), "d": ("T",),
    "f": ("P",), "g": ("K", "C"), "h": ("H",), "j": ("C", "y", "H"), "k": ("K",), "l": ("L",), "m": ("M",), "n": ("N",), "p": ("P",), "q": ("K",),
    "r": ("L",), "s": ("S",), "t": ("T",), "v": ("P",), "x": ("KS", "C"), "z": ("C",), "y": ("i",),
}  # fmt: skip
GLIDE = regex(r"y(?=[aeiou])")
SILENT_R = regex(r"r+(?=[^aeiouyr]|$)")
SILENT_END = regex(r"(?<=[^aeiouy])e$|(?<=[aeiou])h$")
TWICE = regex(r"([A-Z])\1+")
INNER_H = regex(r"(?<=.)H")
MOST_READINGS = 64
ALIKE = ((3, 0.8), (5, 0.7), (99, 0.5))
"""Least likeness of two names whose consonants agree, up to each length: of Tom and Tim the vowel makes the name."""
SPIRANT = regex(r"(?<=.)(?:히|흐)$")
"""What ends a German or Slavic name on ch in Hangul: 울리히, 바흐."""
LONG_A = regex(r"a(?=[^aeiouy]es?$)")
"""Jake, Grace."""
LONG_I = regex(r"i(?=[^aeiouy]e$)")
"""Mike; not Denise."""
LONG_E = regex(r"e(?=[^aeiouy]e$)")
"""Pete; not Irene's first."""
LAST_I = regex(r"ie$")
"""Charlie."""
LEAST, TELLING = 2, 3
"""Consonants that a name has at least, and those from which on what a word sounds like is more than chance."""
NEARLY, PLAINLY = 0.75, 0.85
"""Least likeness (0 to 1) of a word that no list has to a name, and to one of fewer consonants."""
JOINED = 3
"""Words of a name that are heard as one."""
WORD = regex(r"[^\W\d_]+")


class NamesBySound:
    """Names in Latin letters, and each run of words in them, to be found by a word in Hangul that sounds like one."""

    def __init__(self, names: Iterable[str]) -> None:
        runs: dict[str, str] = {}
        for name in names:
            words = WORD.findall(name)[:JOINED] if name.isascii() else []
            for first, last in combinations(range(len(words) + 1), 2):
                runs.setdefault("".join(words[first:last]), " ".join(words[first:last]))
        self._written: dict[str, dict[str, str]] = {}
        for joined, written in runs.items():
            for reading in heard(joined):
                if len(consonants := bones(reading)) >= LEAST:
                    self._written.setdefault(consonants, {}).setdefault(reading, written)

    def nearest(self, word: str) -> str | None:
        """The one that a word in Hangul sounds most like, as it is written: Emberwick for 엠버윅."""
        best = (NEARLY, "")
        for reading in heard(word) if self._written and is_syllable(word[:1]) else ():
            consonants = bones(reading)
            for other, name in self._written.get(consonants, {}).items():
                alike = likeness(reading, other)
                if abs(vowels(reading) - vowels(other)) <= 1 and (len(consonants) >= TELLING or alike > PLAINLY):
                    best = max(best, (alike, name))
        return best[1] or None


def heard(name: str) -> frozenset[str]:
    """The readings of one word of a name, in either script; none for what is no name."""
    if not is_syllable(name[:1]):
        return _of_latin(name.casefold())
    spoken = _of_hangul(name)
    others = {f"L{spoken.removeprefix('N')}"} if name in SOFTENED else set[str]()
    if SPIRANT.search(name) and (rest := _of_hangul(SPIRANT.sub("", name))):
        others.add(f"{rest}K")
    as_u = {AS_U.sub("u", each) for each in (spoken, *others)}
    return frozenset({each.replace(OPEN_VOWEL, vowel) for each in (spoken, *others, *as_u) for vowel in "oe"} - {""})


def likeness(one: str, other: str) -> float:
    """How much two readings sound alike, from 0 to 1; 0 where their consonants differ, or one of them alone begins with a vowel (알렌 is no Lena)."""
    if bones(one) != bones(other) or one[:1].isupper() != other[:1].isupper():
        return 0.0
    from rapidfuzz import fuzz

    found = fuzz.ratio(one, other) / 100
    shorter = min(len(one), len(other))
    return found if found >= next(least for length, least in ALIKE if shorter <= length) else 0.0


def bones(sound: str) -> str:
    """The consonants of a reading: what two names that sound alike share."""
    return "".join(filter(str.isupper, sound))


def vowels(sound: str) -> int:
    """How many vowels a reading has."""
    return sum(char in "aeiou" for char in sound)


def _of_hangul(name: str) -> str:
    return _plain("".join(map("".join, _spoken(name))))


def syllables_heard(word: str) -> tuple[str, tuple[str, ...]]:
    """The consonants of a word in Hangul, as they sound, and its vowels: what two spellings of it share, and where they differ."""
    spoken = _spoken(word)
    return " ".join(f"{initial}-{final}" for initial, _, final in spoken), tuple(vowel for _, vowel, _ in spoken)


def _spoken(word: str) -> list[tuple[str, str, str]]:
    """The three sounds of each syllable; of what is not all Hangul none."""
    codes = [ord(char) - FIRST_SYLLABLE for char in word if is_syllable(char)]
    if len(codes) < len(word):
        return []
    return [(INITIALS[code // 588], VOWELS[code % 588 // 28], FINALS[code % 28]) for code in codes]


def _of_latin(name: str) -> frozenset[str]:
    name = unaccented(name)
    if not name.isascii() or not name.isalpha():
        return frozenset()
    written = LAST_I.sub("i", LONG_E.sub("i", LONG_A.sub("ei", name)))
    spellings = {SILENT_END.sub("", each) for each in (written, LONG_I.sub("ai", written))}
    spellings |= {SILENT_R.sub("", spelling) for spelling in spellings}
    found: set[str] = set()
    for spelling in spellings:
        parts = [READ.get(part, (part,)) for part in SPELT.findall(GLIDE.sub("y-", spelling))]
        readings = 1
        for part in parts:
            readings *= len(part)
        if readings <= MOST_READINGS:
            found |= {_plain("".join(reading)) for reading in product(*parts)}
    return frozenset(found)


def _plain(sound: str) -> str:
    """A w and an h inside a name are not told apart."""
    return INNER_H.sub("", TWICE.sub(r"\1", sound)).replace("w", "")
