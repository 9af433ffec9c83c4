"""Gmail's search box grammar as a tree. Total: Gmail knows no syntax errors.

https://support.google.com/mail/answer/7190 (see docs/reference/sandbox.md for the source of each rule).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from orchestrator.sandbox.index import composed, words
from orchestrator.sandbox.logic import All, Any, Not

OPERATORS = frozenset(
    {
        "from", "to", "cc", "bcc", "subject", "label", "category", "has", "list", "filename", "in", "is", "after", "before",
        "older", "newer", "older_than", "newer_than", "deliveredto", "rfc822msgid", "size", "larger", "smaller",
    }
)  # fmt: skip
MAX_DEPTH = 40
"""Brackets nested deeper than this are read as punctuation."""

_TOKEN = re.compile(
    r'\s*(?:(?P<open>-?[({])|(?P<close>[)}])|(?P<dash>-?)"(?P<phrase>[^"]*)"?'
    r'|(?P<operator>-?\w+:)(?=[^\s)}])|(?P<word>[^\s(){}"]+))',
)
_RUN = re.compile(r'[^\s(){}"]+')


@dataclass(frozen=True, slots=True)
class Text:
    """Words side by side; a phrase when quoted."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """`operator:value`, or `operator:(…)`."""

    name: str
    value: "Node"


Leaf = Text | Field
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]


def parse(text: str) -> All[Leaf]:
    """Read a query."""
    return All(_Parser(composed(text)).units(closer=None))


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0

    def units(self, closer: str | None) -> Sequence[Node]:
        """Units up to the closing bracket; `OR` joins its two neighbours, closer than a space does."""
        found: list[Node] = []
        joining = False
        while (token := self._next()) is not None:
            if token["close"]:
                if token["close"] == closer:
                    break
                continue
            if token["word"] in ("OR", "AND"):
                joining = token["word"] == "OR" and bool(found)
                continue
            unit = self._unit(token)
            if unit is None:
                continue
            if joining:
                found.append(_either(found.pop(), unit))
            else:
                found.append(unit)
            joining = False
        return tuple(dict.fromkeys(found))

    def _next(self) -> re.Match[str] | None:
        token = _TOKEN.match(self._text, self._place)
        if token is None or token.end() == self._place:
            return None
        self._place = token.end()
        return token

    def _unit(self, token: re.Match[str]) -> Node | None:
        if token["open"]:
            return self._group(token["open"])
        if token["operator"]:
            return self._field(token["operator"])
        if token["phrase"] is not None:
            return _negated(_text(token["phrase"], quoted=True), token["dash"])
        word = token["word"]
        dash = "-" if word.startswith("-") and len(word) > 1 else ""
        return _negated(_text(word.removeprefix("-")), dash)

    def _group(self, opener: str) -> Node | None:
        if self._depth >= MAX_DEPTH:
            return None
        self._depth += 1
        bracket = opener[-1]
        nodes = self.units(")" if bracket == "(" else "}")
        self._depth -= 1
        group: Node = All(nodes) if bracket == "(" else Any(nodes)
        return _negated(group, opener[:-1]) if nodes else None

    def _field(self, operator: str) -> Node | None:
        dash = "-" if operator.startswith("-") else ""
        written = operator.removeprefix("-")
        name = written[:-1].casefold()
        plain = self._run()
        if name not in OPERATORS:  # what is no operator is looked for as text, value and all
            return _negated(_text(written + plain), dash)
        value = Text(plain) if plain else self._bracketed()
        return _negated(Field(name, value), dash) if value is not None else None

    def _run(self) -> str:
        """What stands right here up to a space, bracket or quote: a second colon belongs to the value."""
        run = _RUN.match(self._text, self._place)
        if run is None:
            return ""
        self._place = run.end()
        return run[0]

    def _bracketed(self) -> Node | None:
        token = self._next()
        if token is not None and token["open"]:
            return self._group(token["open"])
        return Text(token["phrase"], quoted=True) if token is not None and token["phrase"] is not None else None


def _text(text: str, *, quoted: bool = False) -> Text | None:
    return Text(text.removeprefix("+"), quoted) if words(text) else None


def _negated(node: Node | None, dash: str) -> Node | None:
    return Not(node) if dash and node is not None else node


def _either(left: Node, right: Node) -> Node:
    return replace(left, nodes=(*left.nodes, right)) if isinstance(left, Any) else Any((left, right))
