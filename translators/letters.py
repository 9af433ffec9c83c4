"""What is a word, in texts in which Korean particles follow words without a blank."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import KeysView, Sequence

# What marks a noun's part in a sentence, the longer first: hardly a noun ends so, which cannot be said of the other particles.
CASE_PARTICLES = tuple("에서 으로 부터 까지 을 를 이 가 은 는 의 에 로 과 와 도".split())
PARTICLES = frozenset(CASE_PARTICLES) | frozenset(
    ["에게", "에게서", "에게는", "한테", "한테서", "께", "께서", "로서", "으로서", "로써", "으로써", "랑", "이랑", "하고", "만", "마저", "조차", "밖에", "이나", "나", "이든", "든", "이라도", "라도", "이라", "라", "이란", "란", "보다", "처럼", "만큼", "같이", "마다", "씩", "이야", "야", "아", "여", "이며", "며", "에서는", "에는", "에도", "으로는", "로는", "엔", "에선", "으론", "론", "이고", "요", "쯤", "뿐", "대로", "라는", "이라는", "라고", "이라고", "에서의", "에의", "으로의", "로의"]
)  # fmt: skip
HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
# A Korean particle follows a Latin word without a blank ("API는"), so a word ends where Hangul begins or ends.
WORD = re.compile(rf"{HANGUL.pattern}+|[^\W{HANGUL.pattern[1:-1]}]+")
# In ASCII no expression is needed. Byte to byte: small letters, digits and underscores, a blank for all else.
PLAIN = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or chr(code) == "_" else ord(" ") for code in range(128)
).ljust(256)
SYLLABLE = re.compile("[가-힣]")


PAST_SYLLABLES = "".join(map(chr, range(ord("갔"), ord("힣"), 28))).translate(dict.fromkeys(map(ord, "있겠")))
"""Syllables that end in ㅆ as verbs of the past do (했, 지켰), for a class of a regular expression: not 있 (is), nor 겠 (will)."""

FUTURE_SYLLABLES = "".join(map(chr, range(ord("갈"), ord("힣"), 28))).translate(dict.fromkeys(map(ord, "일월물울말")))
"""Syllables that end in ㄹ as verbs before a noun do that is to come (제출할 서류), without those that often end nouns."""


def plain_words(text: str) -> list[str]:
    """The words of a text in ASCII, in small letters. As bytes they take a third of the instructions."""
    return text.encode().translate(PLAIN).decode().split()


def has_hangul(text: str) -> bool:
    """Whether there is a Korean syllable in it."""
    return not text.isascii() and SYLLABLE.search(text) is not None


def is_syllable(letter: str) -> bool:
    """Whether a letter is a Korean syllable; nothing is none."""
    return "가" <= letter <= "힣"


def unaccented(name: str) -> str:
    """Tomás is Tomas in lists and in what is typed."""
    return (
        name
        if name.isascii()
        else "".join(char for char in unicodedata.normalize("NFD", name) if not unicodedata.combining(char))
    )


def holds_any(text: str, pieces: Sequence[str]) -> bool:
    """Whether one of the pieces is in it. A plain loop in what is run most: ``any`` over a generator takes three times as long."""
    for piece in pieces:  # noqa: SIM110
        if piece in text:
            return True
    return False


@lru_cache(maxsize=512)
def with_particles(word: str) -> KeysView[str]:
    """A Korean word by itself and before each particle: one of a syllable is looked for so, as a ship (배) is in no battery (배터리)."""
    return dict.fromkeys((word, *(word + each for each in PARTICLES))).keys()
