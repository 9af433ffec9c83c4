"""The letters a match of a regular expression can begin with, so that a text without them need not be searched."""

from __future__ import annotations

import re

from translators.patterns import regex

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
