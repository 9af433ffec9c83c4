"""The Keyword Query Language as a tree: https://learn.microsoft.com/en-us/openspecs/sharepoint_protocols/ms-kql/.

NOT binds closest, then AND, then OR, and expressions side by side least; those are AND-ed, but restrictions of one
property are OR-ed. Operators are in capitals, quotes know no escape, and no blank may stand around a property's operator.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.sandbox.index import composed, words
from orchestrator.sandbox.logic import All, Any, Junctions, Not, Tree

MAX_DEPTH = 40
MAX_LENGTH = 4096
"""Characters; what programs send may be longer than what a search box takes, but not endless."""

UNSPOKEN = frozenset({"NEAR", "ONEAR", "WORDS", "XRANK", "ALL", "ANY", "NONE"})
"""Operators of the language that the sandbox does not know."""

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<property>\w+)(?P<operator>:|<>|<=|>=|=|<|>)(?=[^\s)])
      | (?P<sign>[-+](?=[^\s]))
      | (?P<open>\() | (?P<close>\))
      | "(?P<phrase>[^"]*)(?P<end>"?)(?P<more>\*?)
      | (?P<word>[^\s()"]+)
    )""",
    re.VERBOSE,
)
_VALUE = re.compile(r'"(?P<phrase>[^"]*)"?(?P<more>\*?)|(?P<word>[^\s()"]+)')
_BOOLEAN = frozenset({"AND", "OR", "NOT"})


class KqlError(ValueError):
    """A query that is none; the message says why."""


@dataclass(frozen=True, slots=True)
class Text:
    """Words side by side, the last of which may be a beginning."""

    text: str
    begun: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    """A restriction of one property, its name in lower case."""

    name: str
    operator: str
    value: Text


Leaf = Text | Property
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(text: str) -> Node:
    """Read a query; raises `KqlError` for one that is empty, holds nothing but operators, or is cut short."""
    if len(text) > MAX_LENGTH:
        raise KqlError(f"a query may have {MAX_LENGTH} characters, this one has {len(text)}")
    parser = _Parser(composed(text))
    found = parser.sequence()
    if parser.token is not None:
        raise KqlError("a parenthesis closes what was never opened")
    return found


def positive_texts(node: Node) -> Sequence[Text]:
    """The words that are wanted in the text itself, from left to right."""
    return [leaf for leaf, wanted in Tree[Leaf](node).leaves() if wanted and isinstance(leaf, Text)]


class _Parser(Junctions[Leaf]):
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0
        self.token: re.Match[str] | None = None
        self._advance()

    def sequence(self) -> Node:
        """Expressions side by side, up to the end or a closing parenthesis."""
        found: list[Node] = []
        while self.token is not None and not self.token["close"]:
            found.append(self.alternatives())
        if not found:
            raise KqlError("there is nothing to search for")
        return _joined(found)

    def takes_or(self) -> bool:
        return self._takes("OR")

    def takes_and(self) -> bool:
        return self._takes("AND")

    def unit(self) -> Node:
        negated = False
        while self.token is not None and (self.token["word"] == "NOT" or self.token["sign"]):
            negated ^= self.token["sign"] != "+"
            self._advance()
        found = self._primary()
        return Not(found) if negated else found

    def _primary(self) -> Node:
        token = self.token
        if token is None or token["close"]:
            raise KqlError("an operator stands without what it is to join")
        self._advance()
        if token["open"]:
            return self._group()
        if token["property"]:
            return self._property(token["property"], token["operator"])
        if token["phrase"] is not None:
            if not token["end"]:
                raise KqlError("a quotation mark is left open")
            return _text(token["phrase"], begun=bool(token["more"]))
        return self._bare(token["word"])

    def _group(self) -> Node:
        if self._depth >= MAX_DEPTH:
            raise KqlError(f"parentheses are nested more than {MAX_DEPTH} deep")
        self._depth += 1
        found = self.sequence()
        self._depth -= 1
        if self.token is None:
            raise KqlError("a parenthesis is left open")
        self._advance()
        return found

    def _property(self, name: str, operator: str) -> Node:
        """The value stands right behind the operator: a word, a phrase, or several of them in parentheses."""
        lowered = name.casefold()
        if self.token is not None and self.token["open"] and self.token.start("open") == self._behind:
            self._advance()
            return _distributed(self._group(), lowered, operator)
        value = _VALUE.match(self._text, self._behind)
        assert value is not None, "the token was read for the sake of what follows it"
        self._place = value.end()
        self._advance()
        if value["phrase"] is not None:
            return Property(lowered, operator, _text(value["phrase"], begun=bool(value["more"])))
        return Property(lowered, operator, _text(value["word"].rstrip("*"), begun=value["word"].endswith("*")))

    def _bare(self, word: str) -> Node:
        if word in UNSPOKEN:
            raise KqlError(f"the sandbox does not know the operator {word}")
        if word in _BOOLEAN:
            raise KqlError(f"{word} stands without what it is to join")
        return _text(word.rstrip("*"), begun=word.endswith("*"))

    def _takes(self, operator: str) -> bool:
        if self.token is None or self.token["word"] != operator:
            return False
        self._advance()
        return True

    def _advance(self) -> None:
        self._behind = self._place
        self.token = _TOKEN.match(self._text, self._place)
        if self.token is not None:
            self._place = self.token.end()


def _joined(found: Sequence[Node]) -> Node:
    """Side by side: AND, but OR between restrictions of one property."""
    by_name: dict[str, list[Node]] = {}
    for place, node in enumerate(found):
        by_name.setdefault(node.name if isinstance(node, Property) else f"#{place}", []).append(node)
    parts: list[Node] = [nodes[0] if len(nodes) == 1 else Any(tuple(nodes)) for nodes in by_name.values()]
    return parts[0] if len(parts) == 1 else All(tuple(parts))


def _distributed(node: Node, name: str, operator: str) -> Node:
    """`title:(a OR b)` as `(title:a OR title:b)`."""
    match node:
        case Text():
            return Property(name, operator, node)
        case Not(node=inner):
            return Not(_distributed(inner, name, operator))
        case All(nodes=nodes):
            return All(tuple(_distributed(each, name, operator) for each in nodes))
        case Any(nodes=nodes):
            return Any(tuple(_distributed(each, name, operator) for each in nodes))
        case Property():
            raise KqlError("a property cannot stand in the value of another")


def _text(text: str, *, begun: bool) -> Text:
    """A text without a word matches nothing; an asterisk in its midst is punctuation."""
    return Text(text, begun and bool(words(text)))
