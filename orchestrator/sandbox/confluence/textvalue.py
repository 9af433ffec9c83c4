"""What stands after `~`: words, phrases and wildcards in the syntax of Lucene's query parser, as far as CQL promises it.

https://developer.atlassian.com/cloud/confluence/performing-text-searches-using-cql/
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from orchestrator.sandbox.confluence.grammar import CqlError
from orchestrator.sandbox.index import words

_SPECIAL = "+-&|!(){}[]^~:/"
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_UNIT = re.compile(r'\s*(?:"(?P<phrase>(?:[^"\\]|\\.)*)"|(?P<word>(?:[^\s"\\]|\\.)+))', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

Kind = Literal["word", "phrase", "prefix", "wildcard"]


@dataclass(frozen=True, slots=True)
class Needle:
    """Something to look for; a wildcard keeps its `*` and `?`, a prefix has lost its last `*`."""

    text: str
    kind: Kind


def needles(value: str) -> Sequence[Needle]:
    """The units of a value, all of which must occur; raises `CqlError`."""
    found: list[Needle] = []
    place = 0
    while value[place:].strip():
        unit = _UNIT.match(value, place)
        if unit is None:
            raise CqlError(f"cannot read {value[place:][:40]!r}")
        place = unit.end()
        phrase = unit["phrase"]
        needle = _word(unit["word"]) if phrase is None else Needle(_ESCAPED.sub(r"\1", phrase), "phrase")
        if words(needle.text):
            found.append(needle)
    if not found:
        raise CqlError("nothing to search for")
    return found


def _word(written: str) -> Needle:
    """A word; what Lucene would read as syntax is refused unless it is escaped."""
    bare = _ESCAPED.sub("", written)
    if written in _OPERATORS or any(char in _SPECIAL for char in bare):
        raise CqlError(f"{written!r} is no plain word; escape it or put it in quotes")
    if "*" not in bare and "?" not in bare:
        return Needle(_ESCAPED.sub(r"\1", written), "word")
    if written[0] in "*?":
        raise CqlError("a wildcard cannot be the first character")
    if bare.count("*") == 1 and written.endswith("*") and "?" not in bare:
        return Needle(_ESCAPED.sub(r"\1", written[:-1]), "prefix")
    return Needle(_ESCAPED.sub(r"\1", written), "wildcard")
