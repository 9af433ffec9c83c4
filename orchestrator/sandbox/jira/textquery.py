"""What stands in the string after `~`: the remains of Lucene's grammar that Jira documents.

https://support.atlassian.com/jira-software-cloud/docs/search-syntax-for-text-fields/
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from orchestrator.sandbox.index import Matches, TextIndex, is_hangul, words
from orchestrator.sandbox.jira.bodies import JiraError, refused
from orchestrator.sandbox.logic import All, Any, Junctions, Not, Tree

MAX_DEPTH = 30

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<open>\()
      | (?P<close>\))
      | "(?P<phrase>(?:[^"\\]|\\.)*)"(?:~\d*)?
      | (?P<sign>[-+!])(?=\S)
      | (?P<operator>AND|OR|NOT|&&|\|\|)(?=[\s()]|$)
      | (?P<word>(?:[^\s()\[\]{}"\\:/^~!&|+-]|\\.)(?:[^\s()\[\]{}"\\:/^~!&|]|\\.)*)(?:[~^][\d.]*)?
    )""",
    re.VERBOSE | re.DOTALL,
)
_WILD = re.compile(r"(?<!\\)[*?]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """Words side by side as written between blanks; of a prefix, the last is only a beginning."""

    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in order."""

    text: str


Leaf = Word | Phrase
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(text: str, field: str) -> Node:
    """Read a text query. Raises `JiraError` for what Jira cannot parse."""
    if not text.strip():
        raise refused(f"The field '{field}' does not support searching for an empty string.")
    return _Parser(text, field).whole()


class _Parser(Junctions[Leaf]):
    def __init__(self, text: str, field: str) -> None:
        self._text = text
        self._field = field
        self._place = 0
        self._depth = 0

    def whole(self) -> Node:
        found = self.alternatives()
        if self._text[self._place :].strip():
            raise self._unparsable()
        return found

    def _unparsable(self) -> JiraError:
        return refused(f"Unable to parse the text '{self._text[:200]}' for field '{self._field}'.")

    def _peek(self) -> re.Match[str] | None:
        if not self._text[self._place :].strip():
            return None
        found = _TOKEN.match(self._text, self._place)
        if found is None:
            raise self._unparsable()
        return found

    def _takes(self, *operators: str) -> bool:
        found = self._peek()
        if found is None or found["operator"] not in operators:
            return False
        self._place = found.end()
        return True

    def takes_or(self) -> bool:
        return self._takes("OR", "||")

    def takes_and(self) -> bool:
        return self._takes("AND", "&&") or self._goes_on()  # side by side, too

    def _goes_on(self) -> bool:
        found = self._peek()
        return found is not None and not found["close"] and found["operator"] in (None, "NOT")

    def unit(self) -> Node:
        self._depth += 1
        found = self._peek()
        if found is None or self._depth > MAX_DEPTH:
            raise self._unparsable()
        self._place = found.end()
        node = self._unit(found)
        self._depth -= 1
        return node

    def _unit(self, found: re.Match[str]) -> Node:
        if found["open"]:
            inner = self.alternatives()
            closing = self._peek()
            if closing is None or not closing["close"]:
                raise self._unparsable()
            self._place = closing.end()
            return inner
        if found["operator"] == "NOT" or found["sign"] in ("-", "!"):
            return Not(self.unit())
        if found["sign"] == "+":
            return self.unit()
        if found["phrase"] is not None:
            return Phrase(_unescaped(found["phrase"]))
        if found["word"]:
            return self._word(found["word"])
        raise self._unparsable()

    def _word(self, written: str) -> Word:
        if written[0] in "*?":
            said = f"The text query '{self._text[:200]}' for field '{self._field}'"
            raise refused(f"{said} is not allowed to start with character '{written[0]}'")
        wild = _WILD.search(written)
        return Word(_unescaped(written[: wild.start()] if wild else written), prefix=wild is not None)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def found(node: Node, index: TextIndex) -> frozenset[int]:
    """The documents of one field that match; a text without any word matches none."""
    match node:
        case Word() | Phrase():
            return frozenset(matches(node, index))
        case Any(nodes=nodes):
            return frozenset().union(*(found(each, index) for each in nodes))
        case Not():
            return frozenset()
        case All(nodes=nodes):
            wanted = [found(each, index) for each in nodes if not isinstance(each, Not)]
            left_out = [found(each.node, index) for each in nodes if isinstance(each, Not)]
            return frozenset.intersection(*wanted).difference(*left_out) if wanted else frozenset()


def matches(node: Word | Phrase, index: TextIndex) -> Matches:
    """Documents with how often they match. Latin words match by their stem; Hangul words only as they stand."""
    if isinstance(node, Phrase):
        return index.find(node.text, _way(node.text))
    return index.find(node.text, "prefix" if node.prefix else _way(node.text))


def _way(text: str) -> Literal["exact", "stem"]:
    return "exact" if any(is_hangul(word) for word in words(text)) else "stem"


def terms(node: Node) -> Sequence[Word | Phrase]:
    """What counts for the order of results: everything wanted."""
    return [leaf for leaf, wanted in Tree[Leaf](node).leaves() if wanted]
