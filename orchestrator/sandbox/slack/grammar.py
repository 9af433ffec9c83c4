"""Slack's search grammar: what a query string asks for, by the rules of Slack's help page.

https://slack.com/help/articles/202528808 (see docs/reference/sandbox.md for the source of each rule).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from orchestrator.sandbox.tokens import composed, words

MODIFIERS = frozenset({"in", "from", "to", "with", "has", "hasmy", "is", "before", "after", "on", "during"})
NEGATABLE = frozenset({"in", "from", "has", "is"})
MIN_PREFIX = 3
"""Characters that must stand before a trailing asterisk."""

_PIECE = re.compile(r'"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)')


@dataclass(frozen=True, slots=True)
class Needle:
    """Something to look for in the text of messages."""

    text: str
    kind: Literal["word", "phrase", "prefix"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """`name:value`, or with a dash before it."""

    name: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SlackQuery:
    """Every needle wanted must match, none unwanted may, and every modifier must hold."""

    wanted: Sequence[Needle]
    unwanted: Sequence[Needle]
    modifiers: Sequence[Modifier]


def parse(text: str) -> SlackQuery:
    """Read a query. Total: there are no syntax errors in Slack, only text."""
    wanted: list[Needle] = []
    unwanted: list[Needle] = []
    modifiers: list[Modifier] = []
    for piece in _PIECE.finditer(composed(text)):
        if (phrase := piece["phrase"]) is not None:
            wanted.append(Needle(phrase, "phrase"))
            continue
        word = piece["word"]
        negated = word.startswith("-") and len(word) > 1
        bare = word[1:] if negated else word
        name, colon, value = bare.partition(":")
        if colon and name.casefold() in MODIFIERS:
            modifiers.append(Modifier(name.casefold(), value, negated))
        else:
            (unwanted if negated else wanted).append(_needle(bare))
    return SlackQuery(_with_words(wanted), _with_words(unwanted), tuple(modifiers))


def _needle(word: str) -> Needle:
    if word.endswith("*") and len(word.rstrip("*")) >= MIN_PREFIX:
        return Needle(word.rstrip("*"), "prefix")
    return Needle(word, "word")


def _with_words(needles: Sequence[Needle]) -> Sequence[Needle]:
    """Needles of punctuation alone ask for nothing, and saying a word twice asks for no more."""
    return tuple(dict.fromkeys(needle for needle in needles if words(needle.text)))
