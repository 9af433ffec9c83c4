"""Cues: weighted patterns that speak for a type of answer, of which a text is searched only for those it can hold.

Of a pattern it is read which letters its matches can begin with.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from translators.patterns import regex
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

UNREAD = regex(r"\(\?(?!:|P<|<?[=!])")
"""Groups that are not read here: flags, comments, conditions, backreferences."""
TOKEN = regex(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?::|P<\w+>|<?[=!]))?|\{[\d,]+\}|[^\\\[\](){}*+?|.^$]+(?![*+?{])|.",
    re.DOTALL,
)
BESIDE = frozenset({"(?=", "(?!", "(?<=", "(?<!", "^", "$", r"\b", r"\B", r"\A", r"\Z"})
"""What takes no letters."""
ENDS = frozenset({"|", ")"})
REPEATS = ("*", "+", "?", "{")
SPECIAL = "\\[({"
"""What longer tokens that are no plain text begin with."""
ANYTHING = frozenset({""})

Letters = tuple[set[str], set[str]]
"""What an expression can match whole, and what its other matches begin with; an empty text among the latter is anything."""


def branches(pattern: str, size: int) -> list[tuple[str, frozenset[str]]]:
    """The alternatives of ``pattern`` on its outermost level, each with up to ``size`` letters its matches begin with.

    Rather too many letters than too few: an empty text stands for anything, also for what is not understood. Case is
    not folded.
    """
    if UNREAD.search(pattern):
        return [(pattern, ANYTHING)]
    reader = _Reader(pattern, size)
    found = []
    while True:
        start = reader.at
        whole, begun = reader.alternative()
        found.append(("".join(reader.tokens[start : reader.at]), frozenset(whole | begun)))
        if reader.at == len(reader.tokens):
            return found
        reader.at += 1


class _Reader:
    """One pattern cut into tokens, read from left to right."""

    def __init__(self, pattern: str, size: int) -> None:
        self.tokens: list[str] = TOKEN.findall(pattern)
        self.size = size
        self.at = 0

    def alternative(self) -> Letters:
        """The letters of the alternative that begins here; afterwards ``at`` is its end."""
        size, whole, begun = self.size, {""}, set[str]()
        first = self.tokens[self.at] if self.at < len(self.tokens) else ""
        if 1 < len(first) >= size and first[0] not in SPECIAL:  # a plain word, as most are
            self._skip()
            return set(), {first[:size]}
        while whole and self.at < len(self.tokens) and self.tokens[self.at] not in ENDS:
            texts, heads = self._piece()
            begun |= {(before + head)[:size] for before in whole for head in heads}
            longer = {(before + text)[:size] for before in whole for text in texts}
            whole = {text for text in longer if len(text) < size}
            begun |= longer - whole
        self._skip()
        return whole, begun

    def _skip(self) -> None:
        """On to the end of the alternative: letters behind those that were read do not matter."""
        depth = 0
        for position in range(self.at, len(self.tokens)):
            piece = self.tokens[position]
            if piece[0] == "(":
                depth += 1
            elif piece in ENDS:
                if depth == 0:
                    self.at = position
                    return
                depth -= piece == ")"
        self.at = len(self.tokens)

    def _piece(self) -> Letters:
        """The letters of one thing, with what says how often it occurs."""
        token = self.tokens[self.at]
        self.at += 1
        letters = self._group() if token[0] == "(" else _single(token)
        if token in BESIDE:
            letters = {""}, set()
        if self.at < len(self.tokens) and self.tokens[self.at][0] in REPEATS:
            letters = _repeated(letters, self.tokens[self.at])
            self.at += 2 if self.tokens[self.at + 1 : self.at + 2] in (["?"], ["+"]) else 1
        return letters

    def _group(self) -> Letters:
        whole, begun = set[str](), set[str]()
        while True:
            texts, heads = self.alternative()
            whole |= texts
            begun |= heads
            self.at += 1
            if self.at > len(self.tokens) or self.tokens[self.at - 1] == ")":
                return whole, begun


def _single(token: str) -> Letters:
    if token[0] == "\\" and not token[1].isalnum():
        return {token[1]}, set()
    if token[0] == "[" and token[1] != "^" and not {"\\", "-"} & set(token):
        return set(token[1:-1]), set()
    return (set(), {""}) if token[0] in "\\[." else ({token}, set())


def _repeated(letters: Letters, times: str) -> Letters:
    whole, begun = letters
    if times == "?":
        return whole | {""}, begun
    if times == "*" or times.startswith(("{0", "{,")):
        return {""}, begun | (whole - {""})
    return set(), begun | whole


Alternatives = list[tuple[str, frozenset[str]]]
WORD_START = r"\b"


class Cues:
    """The cues of one language, as rows with ``type``, ``weight`` and ``pattern`` (over the lower-cased question).

    ``size`` is how many letters of a match are looked for before its pattern is tried. They are read from the
    patterns with the first question of the language, so that English ones do not wait for the Korean cues.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], size: int) -> None:
        self._speaks_for = [(QueryType(row["type"]), float(row["weight"])) for row in rows]
        self._texts = [str(row["pattern"]) for row in rows]
        self._size = size

    def found(self, text: str) -> Iterator[tuple[QueryType, float, str]]:
        """Type, weight and matched words of every cue in ``text``, in the order written."""
        opening, anywhere = self._patterns
        begin, inside = opening.that_may_begin(text), anywhere.that_may_be_in(text)
        for number in sorted(begin | inside):
            match = opening.by_number[number].match(text) if number in begin else None
            if match is None and number in inside:
                match = anywhere.by_number[number].search(text)
            if match:
                yield *self._speaks_for[number], match.group().strip()

    @cached_property
    def _patterns(self) -> tuple[_Patterns, _Patterns]:
        """What must open the question, and what may stand anywhere: Python tries an anchored alternative at every position."""
        opening, anywhere = _Patterns(self._size), _Patterns(self._size)
        for number, text in enumerate(self._texts):
            parts = branches(text, self._size)
            opening.add(number, [(part[1:], letters) for part, letters in parts if part.startswith("^")])
            anywhere.add(number, _words_first([part for part in parts if not part[0].startswith("^")]))
        return opening, anywhere


def _words_first(parts: Alternatives) -> Alternatives:
    r"""Alternatives that begin a word together under one ``\b``, before the others."""
    words = [(part.removeprefix(WORD_START), letters) for part, letters in parts if part.startswith(WORD_START)]
    others = [(part, letters) for part, letters in parts if not part.startswith(WORD_START)]
    joined = "|".join(part for part, _ in words)
    return [*([(rf"{WORD_START}(?:{joined})", _letters(words))] if words else []), *others]


def _letters(parts: Alternatives) -> frozenset[str]:
    return frozenset[str]().union(*(letters for _, letters in parts))


class _Patterns:
    """Numbered patterns, and which of them have matches that begin with letters of a text."""

    def __init__(self, size: int) -> None:
        self.by_number: dict[int, re.Pattern[str]] = {}
        self._size = size
        self._by_letters: dict[str, set[int]] = {}
        self._by_fewer: dict[str, set[int]] = {}

    def add(self, number: int, alternatives: Alternatives) -> None:
        """Enter the pattern of these alternatives; without any, there is none."""
        if alternatives:
            self.by_number[number] = regex("|".join(part for part, _ in alternatives))
        for letters in _letters(alternatives):
            table = self._by_letters if len(letters) == self._size else self._by_fewer
            table.setdefault(letters, set()).add(number)

    def that_may_begin(self, text: str) -> set[int]:
        """Numbers of the patterns that can match at the beginning of ``text``."""
        fewer = (self._by_fewer.get(text[:size], ()) for size in range(self._size))
        return set(self._by_letters.get(text[: self._size], ())).union(*fewer)

    def that_may_be_in(self, text: str) -> set[int]:
        """Numbers of the patterns that can match anywhere in ``text``."""
        size = self._size
        known = self._by_letters.keys() & {text[at : at + size] for at in range(len(text))}
        numbers = set[int]().union(*(self._by_letters[letters] for letters in known))
        for letters, some in self._by_fewer.items():
            if letters in text:
                numbers |= some
        return numbers
