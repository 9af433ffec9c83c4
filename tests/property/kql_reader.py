"""KQL, read by a reader that is written from its grammar alone."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

OPERATORS = {"AND", "OR", "NOT", "NEAR", "ONEAR", "WORDS", "XRANK", "ALL", "ANY", "NONE"}
TOKEN = re.compile(r'\s*(?:(\w+)(:|>=|<)(\{me\}|"[^"]*"\*?|[\w*-]+)|([()])|("[^"]*"\*?)|([^\s()"]+))')
Tree = tuple[Any, ...]


def read(text: str) -> Tree:
    """The tree of a query; an assertion fails where the text is not in the part of the grammar that is to be used."""
    tokens = tokenised(text)
    tree = sequence(tokens)
    assert not tokens, f"{tokens} closes what was never opened in {text!r}"
    return tree


def tokenised(text: str) -> list[Any]:
    tokens: list[Any] = []
    place = 0
    while place < len(text):
        found = TOKEN.match(text, place)
        assert found, f"nothing to read at {place} in {text!r}"
        place = found.end()
        assert text[place : place + 1] in {"", " ", ")"} or found[4] == "(", f"something sticks to a token in {text!r}"
        name, operator, value, bracket, quoted, bare = found.groups()
        if name:
            tokens.append((name, operator, value))
        elif bracket or bare in {"AND", "OR", "NOT"}:
            tokens.append(bracket or bare)
        elif quoted:
            assert "*" not in quoted[:-1], f"an asterisk stands inside quotes in {text!r}"
            tokens.append(("text", *spelled(quoted)))
        else:
            assert re.fullmatch(r"\w+\*?", bare), f"{bare!r} stands bare in {text!r}"
            assert bare.rstrip("*").upper() not in OPERATORS, f"an operator stands for a word in {text!r}"
            tokens.append(("text", *spelled(bare)))
    return tokens


def sequence(tokens: list[Any]) -> Tree:
    """Operands with operators written out between them, never two different ones without parentheses."""
    parts = [operand(tokens)]
    joins = set()
    while tokens and tokens[0] in ("AND", "OR"):
        joins.add(tokens.pop(0))
        parts.append(operand(tokens))
    assert len(joins) < 2, "AND and OR stand side by side"
    return (joins.pop(), *parts) if joins else parts[0]


def operand(tokens: list[Any]) -> Tree:
    assert tokens, "an operator without what it joins"
    token = tokens.pop(0)
    if token == "NOT":
        return "NOT", operand(tokens)
    if token == "(":
        tree = sequence(tokens)
        assert tokens
        assert tokens.pop(0) == ")", "a parenthesis is left open"
        return tree
    assert isinstance(token, tuple), f"{token} where something to search for was due"
    return token


def spelled(text: str) -> tuple[tuple[str, ...], bool]:
    """The words of a value, and whether the last is only a beginning."""
    return words_of(text), text.endswith("*")


def words_of(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"\w+", unicodedata.normalize("NFC", text)))
