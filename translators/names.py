"""Whether two names may be one person's, as people compare them: by parts, without case, width, accents and honorifics."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from translators.letters import HANGUL, WORD

# https://www.unicode.org/charts/PDF/U0300.pdf: the marks of Latin, Greek and Cyrillic letters. Those of other scripts
# make another letter of one (か, が) and stay.
MARKS = re.compile(r"[\u0300-\u036f]")
# Letters that Unicode takes for no other with a mark, though those who lack them on their keyboards do.
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"})
# How they are spelled out where they are not to be had: Mueller is Müller, who is also Muller.
SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
HONORIFICS = ("님", "씨")  # behind a name, without a blank
SHORTEST = 2  # syllables of a name that an honorific stands behind, or of a given name without its family name

Forms = frozenset[str]


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """``name`` without case, width and accents: ``ＪＯＳÉ`` and ``José`` are ``jose``."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    if plain.isascii():
        return plain
    marked = unicodedata.normalize("NFD", plain.translate(LETTERS))
    return unicodedata.normalize("NFC", MARKS.sub("", marked))


def same_name(wanted: str, actual: str) -> bool | None:
    """Whether all that is said of ``wanted`` is part of ``actual``: its words in any order, a Korean given name.

    ``None`` for names in different scripts, of which letters tell nothing.
    """
    if folded(wanted).strip() == folded(actual).strip():
        return True
    mine, theirs = parts(wanted), parts(actual)
    if mine and all(any(forms & each for each in theirs) for forms in mine):
        return True
    if bool(HANGUL.search(wanted)) != bool(HANGUL.search(actual)):
        return None
    return _is_korean_part(mine, theirs)


def is_named_by(wanted: str, address: str) -> bool:
    """Whether a mail address names somebody: ``jose`` and ``jose.garcia`` in ``jose.garcia@partner.example``."""
    mine, theirs = parts(wanted), parts(address.partition("@")[0])
    return bool(mine) and all(any(forms & each for each in theirs) for forms in mine)


@lru_cache(maxsize=4096)
def parts(name: str) -> tuple[Forms, ...]:
    """The words of a name (``sarah_kim`` has two), each in all forms in which it may be written."""
    text = unicodedata.normalize("NFKC", name).casefold().replace("_", " ")
    return tuple(_forms(word) for word in WORD.findall(unicodedata.normalize("NFC", text)))


def _forms(word: str) -> Forms:
    if word.isascii():
        return frozenset({word})
    forms = {folded(word), folded(word.translate(SPELLED_OUT))}
    honoured = HANGUL.match(word) and word.endswith(HONORIFICS) and len(word) > SHORTEST
    return frozenset(forms | {word[:-1]} if honoured else forms)


def _is_korean_part(wanted: tuple[Forms, ...], actual: tuple[Forms, ...]) -> bool:
    """민수 or 김 민수 of 김민수: a family name has one syllable, or two, and may stand apart."""
    whole = _joined(wanted) | _joined(wanted[::-1])
    there = _joined(actual) | _joined(actual[::-1]) | frozenset().union(*actual)
    return any(each.endswith(name) for name in whole for each in there if len(name) >= SHORTEST and HANGUL.match(name))


def _joined(words: tuple[Forms, ...]) -> Forms:
    """The words of a name written together, with an honorific behind the last and without."""
    *first, last = words or (frozenset({""}),)
    before = "".join(max(forms, key=len) for forms in first)
    return frozenset(before + form for form in last)
