"""Names across scripts: a Korean name as the Revised Romanization spells it (해솔: Haesol), and such a spelling in Hangul.

A place, a product or a project goes by its sound in the other language, and no word list has it. Only regular spellings are
known here: what somebody spells otherwise is found by other words.
"""

from __future__ import annotations

import re

from translators.letters import is_syllable

FIRST = 0xAC00
INITIALS = "g kk n d tt r m b pp s ss _ j jj ch k t p h".replace("_", "").split(" ")
VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
FINALS = "_ k k k n n n t l k m l l l p l m p p t t ng t t k t p h".replace("_", "").split(" ")
VOICED = {1: "g", 7: "d", 8: "r", 17: "b", 19: "s", 20: "ss", 22: "j", 23: "ch"}
"""A final consonant before a syllable that begins with a vowel, by its place."""
NASAL = {"k": "ng", "t": "n", "p": "m"}
"""A final consonant before ㄴ or ㅁ."""
SILENT = INITIALS.index("")
SHORTEST, LONGEST = 2, 4
"""Syllables of a name: one alone means too many things, and more are mostly several words."""
VOICED_PART = r"(kk|tt|pp|ss|jj|ch|[gndrmbsjktph]|(?<=l)l)?(yae|yeo|wae|ae|ya|eo|ye|wa|oe|yo|wo|we|wi|yu|eu|ui|[aeoui])"
SPELT = tuple(
    re.compile(f"{VOICED_PART}{end}") for end in (r"((?:ng|[kntlmp])(?![aeiouwy]))?", r"(ng|[kntlmp](?![aeiouwy]))?")
)
"""A syllable. An ng before a vowel is spelled as n and g are: Pangyo is 판교, and Dalpaengi 달팽이."""
CODAS = {"": 0, "k": 1, "n": 4, "t": 19, "l": 8, "m": 16, "p": 17, "ng": 21}


def romanized(name: str) -> str:
    """A Korean name in Latin letters, "" for what is none."""
    if not (SHORTEST <= len(name) <= LONGEST and all(map(is_syllable, name))):
        return ""
    parts = [_parts(syllable) for syllable in name]
    spelled = "".join(_spelled(*each, after) for each, after in zip(parts, [*parts[1:], None], strict=True))
    return spelled.replace("lr", "ll").capitalize()


def in_hangul(name: str) -> tuple[str, ...]:
    """The names that are spelled so in Hangul, one or two; none for what is spelled otherwise."""
    return tuple(dict.fromkeys(filter(None, (_in_hangul(name.lower(), syllable) for syllable in SPELT))))


def _in_hangul(folded: str, syllable: re.Pattern[str]) -> str:
    at = 0
    syllables: list[str] = []
    while at < len(folded) and len(syllables) < LONGEST and (found := syllable.match(folded, at)):
        initial = "r" if found[1] == "l" else found[1] or ""
        place = (INITIALS.index(initial) * len(VOWELS) + VOWELS.index(found[2])) * len(FINALS) + CODAS[found[3] or ""]
        syllables.append(chr(FIRST + place))
        at = found.end()
    return "".join(syllables) if at == len(folded) and len(syllables) >= SHORTEST else ""


def sounds_like(name: str, other: str) -> bool:
    """Whether ``other`` is no other name but this one in Latin letters, with or without what kind of thing it is: 해솔도서관, Haesol library."""
    first = other.partition(" ")[0]
    lengths = range(SHORTEST, min(LONGEST, len(name)) + 1)
    return other.isascii() and any(romanized(name[:length]) == first for length in lengths)


def _parts(syllable: str) -> tuple[int, int, int]:
    rest, final = divmod(ord(syllable) - FIRST, len(FINALS))
    return (*divmod(rest, len(VOWELS)), final)


def _spelled(initial: int, vowel: int, final: int, after: tuple[int, int, int] | None) -> str:
    """One syllable; how its end is spelled hangs on what follows."""
    end = FINALS[final]
    if after and after[0] == SILENT:
        end = VOICED.get(final, end)
    elif after and INITIALS[after[0]] in {"n", "m"}:
        end = NASAL.get(end, end)
    elif after and INITIALS[after[0]] == "r" and end == "n":
        end = "l"
    return f"{INITIALS[initial]}{VOWELS[vowel]}{end}"
