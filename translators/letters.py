"""What is a word, in texts in which Korean particles follow Latin words without a blank."""

from __future__ import annotations

import re

HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
# A Korean particle follows a Latin word without a blank ("API는"), so a word ends where Hangul begins or ends.
WORD = re.compile(rf"{HANGUL.pattern}+|[^\W{HANGUL.pattern[1:-1]}]+")
SYLLABLE = re.compile("[가-힣]")


def has_hangul(text: str) -> bool:
    """Whether there is a Korean syllable in it."""
    return not text.isascii() and SYLLABLE.search(text) is not None


def is_syllable(letter: str) -> bool:
    """Whether a letter is a Korean syllable; nothing is none."""
    return "가" <= letter <= "힣"
