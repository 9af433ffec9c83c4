"""The trained part of the type: a linear model over words and pieces of words, read from a small table of weights.

It weighs what no cue names. The table is made by ``python -m tests.train_types`` from the questions in ``tests/data/queries``.

Weights of the signs that tell projects from other capitals, made by ``python -m tests.train_projects``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


class Odds:
    """Weights of signs, by language of the question (``en``, ``ko``); more than zero says project."""

    def __init__(self, packed: bytes) -> None:
        """Raises ``ValueError``, ``KeyError``, ``TypeError`` or ``AttributeError`` for what is no file of weights."""
        tables = json.loads(packed)
        self._tables: Mapping[str, Mapping[str, float]] = {
            name: {str(sign): float(weight) for sign, weight in tables[name].items()} for name in ("en", "ko")
        }

    def of(self, signs: Iterable[str], language: str) -> float:
        """The log odds that a word with these signs names a project."""
        table = self._tables[language]
        return sum(table.get(sign, 0.0) for sign in signs)


NOTHING_KNOWN = Odds(
    b'{"en": {"always": 1, "customer": -2, "place": -2}, "ko": {"always": 1, "customer": -2, "place": -2}}'
)
"""Where there is no table: a capital is a name unless it is that of a customer or a place."""


TYPES = tuple(QueryType)
LANES = len(TYPES)
ZERO = 128
"""The byte that stands for a weight of nothing."""
CACHED = 4096
"""How many words keep their weights, so that *what* and 언제 are cut into pieces once."""
STRONG = 5.0
"""A cue of this weight or more is a clear one."""
UNIT = 6.0
"""The strength of an ordinary clear cue, so that strengths are about one."""
MARKS = frozenset("?!0")
WHOLE = 2
"""How often a word counts beside each of its pieces."""
LONGEST = 24
"""Letters of a word that are cut into pieces."""


def pieces(word: str) -> list[str]:
    """Features of one word: itself, and its letters in runs; Korean in syllables and in the letters syllables are made of."""
    whole = [f"w:{word}"] * WHOLE
    if word in MARKS or word.startswith("⟨"):
        return whole
    bounded = f"<{word[:LONGEST]}>"
    if word.isascii():
        return [*whole, *_runs("c", bounded, (3, 4, 5))]
    syllables = [piece for piece in _runs("c", bounded, (1, 2, 3)) if piece not in {"c:<", "c:>"}]
    return [*whole, *syllables, *_runs("j", "".join(map(_letters, bounded)), (3, 4, 5))]


def joints(words: Sequence[str]) -> list[str]:
    """Features of words beside each other, and of how the question begins and ends."""
    bounded = ["^", *words, "$"]
    found = [f"b:{one} {other}" for one, other in pairwise(bounded)]
    found += [f"s:{one} {other}" for one, other in zip(bounded, bounded[2:], strict=False)]
    found += [f"t:{one} {two} {three}" for one, two, three in zip(bounded, bounded[1:], bounded[2:], strict=False)]
    if plain := [word for word in words if word not in MARKS]:
        last = plain[-1]
        found += [f"first:{words[0]}", f"end:{last}", f"n:{min(len(words), 8)}"]
        found += [f"e:{last[-size:]}" for size in (1, 2, 3, 4) if len(last) >= size]
    return found


def _runs(name: str, text: str, sizes: Sequence[int]) -> list[str]:
    return [f"{name}:{text[at : at + size]}" for size in sizes for at in range(len(text) - size + 1)]


def _letters(syllable: str) -> str:
    """The letters of a Hangul syllable (Unicode, 3.12: conjoining jamo behaviour)."""
    place = ord(syllable) - 0xAC00
    if not 0 <= place < 11172:  # noqa: PLR2004  (how many syllables there are)
        return syllable
    final = chr(0x11A7 + place % 28) if place % 28 else ""
    return chr(0x1100 + place // 588) + chr(0x1161 + place // 28 % 21) + final


class Weights:
    """The weights of one language: a row of bytes a bucket, and how the result is mixed with the rules."""

    def __init__(self, table: bytes, scale: float, blend: Mapping[str, Sequence[float]]) -> None:
        self._table, self._scale = table, scale
        self._buckets = len(table) // LANES
        self._bias = blend["trained_bias"]
        (self._rule,), (self._clear,), (self._learned,) = blend["rule"], blend["clear"], blend["trained"]
        self._base, self._silent = blend["bias"], blend["silent"]
        self._word = lru_cache(CACHED)(self._of_word)

    def learned(self, words: Sequence[str], flags: Sequence[str]) -> list[float]:
        """What the words and pieces say for each type, in the order of ``TYPES``."""
        parts = [self._word(word) for word in dict.fromkeys(words)]
        rest = self._rows([*joints(words), *flags])
        count = sum(part[-1] for part in parts) + len(rest)
        sums = [sum(lane) for lane in zip(*(part[:LANES] for part in parts), *rest, strict=True)] or [0] * LANES
        scale = self._scale / max(count, 1) ** 0.5
        return [(total - ZERO * count) * scale + bias for total, bias in zip(sums, self._bias, strict=True)]

    def mixed(self, strengths: Sequence[float], clearest: Sequence[float], learned: Sequence[float]) -> list[float]:
        """Log odds of each type from what the rules found (total strength and heaviest cue of each) and what was learned."""
        silent = not any(strengths)
        return [
            self._rule * strength / UNIT
            + self._clear * (clear >= STRONG)
            + self._learned * said
            + base
            + quiet * silent
            for strength, clear, said, base, quiet in zip(
                strengths, clearest, learned, self._base, self._silent, strict=True
            )
        ]

    def telling(self, words: Sequence[str], lane: int) -> str | None:
        """The word whose pieces speak most for a type, if any does."""
        best = max(
            ((self._word(word)[lane] - ZERO * self._word(word)[-1], word) for word in words if word not in MARKS),
            default=(0, ""),
        )
        return best[1] if best[0] > 0 else None

    def _of_word(self, word: str) -> tuple[int, ...]:
        """Sums over the pieces of a word by type, and how many pieces there are."""
        rows = self._rows(pieces(word))
        return (*map(sum, zip(*rows, strict=True)), len(rows))

    def _rows(self, features: Sequence[str]) -> list[bytes]:
        table, buckets = self._table, self._buckets
        places = [crc32(feature.encode("utf-8", "replace")) % buckets * LANES for feature in features]
        return [table[at : at + LANES] for at in places]


class Trained:
    """Weights by language (``en``, ``ko``)."""

    def __init__(self, packed: bytes) -> None:
        """Raises ``ValueError`` for what is no file of weights."""
        head, _, body = packed.partition(b"\n")
        self._languages: dict[str, Weights] = {}
        for name, kept in json.loads(head).items():
            size = int(kept["buckets"]) * LANES
            table, body = body[:size], body[size:]
            if len(table) < size or not size:
                raise ValueError("the table of weights is cut short")
            self._languages[name] = Weights(table, float(kept["scale"]), kept["blend"])

    def of(self, language: str) -> Weights:
        """The weights for the language of a question."""
        return self._languages[language]
