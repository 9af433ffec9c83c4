"""The query language of the plain search: words that all occur, "phrases", beginnings*, and -whatever must not."""

import re
from dataclasses import dataclass

from orchestrator.sandbox.tokens import words

PART = re.compile(r'(-?)(?:"([^"]*)"|([^\s"]+))(?=\s|$)')
WORD = re.compile(r"\w[\w.-]*\*?")


class BadQuery(ValueError):
    """A query that is not in the language; the message quotes the place."""


@dataclass(frozen=True, slots=True)
class Part:
    """A word, the beginning of one, or a phrase; wanted or not."""

    text: str
    phrase: bool = False
    beginning: bool = False
    wanted: bool = True


def parse(text: str) -> list[Part]:
    """The parts of a query. Raises :class:`BadQuery`."""
    parts: list[Part] = []
    at = 0
    while rest := text[at:].lstrip():
        at = len(text) - len(rest)
        found = PART.match(text, at)
        if found is None:
            raise BadQuery(f"q: cannot read {rest[:40]!r}; is a quote missing?")
        parts.append(_part(found[2], found[3], wanted=not found[1]))
        at = found.end()
    return parts


def _part(phrase: str | None, bare: str | None, *, wanted: bool) -> Part:
    if phrase is not None:
        if not words(phrase):
            raise BadQuery(f'q: "{phrase[:40]}" holds no word')
        return Part(phrase, phrase=True, wanted=wanted)
    if bare is None or not WORD.fullmatch(bare):
        raise BadQuery(f"q: {(bare or '')[:40]!r} is no word; put it in quotes")
    return Part(bare.removesuffix("*"), beginning=bare.endswith("*"), wanted=wanted)
