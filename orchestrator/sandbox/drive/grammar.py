"""The language of `q` as a tree; what is not in it is an error, as it is at Google.

https://developers.google.com/workspace/drive/api/guides/ref-search-terms (see docs/reference/sandbox.md for each rule).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestrator.sandbox.index import composed
from orchestrator.sandbox.logic import All, Any, Junctions, Not

MAX_DEPTH = 40
"""Parentheses and negations nested deeper than this are refused."""

_EQUAL = frozenset({"=", "!="})
_ORDERED = frozenset({"<", "<=", "=", "!=", ">", ">="})
TERMS: Mapping[str, frozenset[str]] = {
    "name": frozenset({"contains", "=", "!="}),
    "fullText": frozenset({"contains"}),
    "mimeType": frozenset({"contains", "=", "!="}),
    "modifiedTime": _ORDERED,
    "viewedByMeTime": _ORDERED,
    "createdTime": _ORDERED,
    "trashed": _EQUAL,
    "starred": _EQUAL,
    "sharedWithMe": _EQUAL,
    "visibility": _EQUAL,
}
"""The terms of files, and the operators of each."""

FLAGS = frozenset({"trashed", "starred", "sharedWithMe"})
TIMES = frozenset({"modifiedTime", "viewedByMeTime", "createdTime"})
COLLECTIONS = frozenset({"parents", "owners", "writers", "readers"})

_TOKEN = re.compile(
    r"\s*(?:'(?P<value>(?:[^'\\]|\\.)*)'|(?P<word>[A-Za-z]\w*)|(?P<operator><=|>=|!=|=|<|>)|(?P<bracket>[()]))",
    re.DOTALL | re.ASCII,
)
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?)?", re.ASCII)


class QueryError(ValueError):
    """A query that Drive does not understand."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`term operator value`; a flag's value is a truth value, a time's an instant."""

    term: str
    operator: str
    value: str | bool | datetime


@dataclass(frozen=True, slots=True)
class Member:
    """`'value' in collection`."""

    value: str
    collection: str


Leaf = Condition | Member
Node = Leaf | Not[Leaf] | All[Leaf] | Any[Leaf]
Token = tuple[str, str]
_END: Token = ("end", "")


def parse(text: str) -> Node:
    """Read a query; an empty one holds for everything. Raises `QueryError`."""
    tokens = list(_tokens(composed(text)))
    return _Parser(tokens).whole() if tokens else All(())


def _tokens(text: str) -> Sequence[Token]:
    found: list[Token] = []
    place = 0
    while text[place:].strip():
        token = _TOKEN.match(text, place)
        if token is None or token.lastgroup is None:
            raise QueryError(text[place : place + 20])
        value = token[token.lastgroup]
        found.append((token.lastgroup, re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)))
        place = token.end()
    return found


class _Parser(Junctions[Leaf]):
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Node:
        node = self.alternatives()
        if self._peek() != _END:
            raise QueryError(self._peek()[1])
        return node

    def _peek(self) -> Token:
        return self._tokens[self._place] if self._place < len(self._tokens) else _END

    def _take(self, kind: str) -> str:
        found, text = self._peek()
        if found != kind:
            raise QueryError(text)
        self._place += 1
        return text

    def _skip(self, token: Token) -> bool:
        there = self._peek() == token
        self._place += there
        return there

    def takes_or(self) -> bool:
        return self._skip(("word", "or"))

    def takes_and(self) -> bool:
        return self._skip(("word", "and"))

    def unit(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise QueryError("(")
        node = self._unnested()
        self._depth -= 1
        return node

    def _unnested(self) -> Node:
        if self._skip(("word", "not")):
            node = self.unit()
            if node == Condition("sharedWithMe", "=", value=True):  # there is no search for what is one's own
                raise QueryError("sharedWithMe")
            return Not(node)
        if self._skip(("bracket", "(")):
            node = self.alternatives()
            if not self._skip(("bracket", ")")):
                raise QueryError("(")
            return node
        if self._peek()[0] == "value":
            return self._member()
        return self._condition()

    def _member(self) -> Node:
        value = self._take("value")
        if self._take("word") != "in":
            raise QueryError(value)
        collection = self._take("word")
        if collection not in COLLECTIONS:
            raise QueryError(collection)
        return Member(value, collection)

    def _condition(self) -> Node:
        term = self._take("word")
        if term in FLAGS and self._peek() not in {("operator", "="), ("operator", "!=")}:
            return Condition(term, "=", value=True)
        kind, operator = self._peek()
        if operator not in TERMS.get(term, ()) or kind not in ("word", "operator"):
            raise QueryError(term)
        self._place += 1
        if term in FLAGS:
            return self._flag(term, operator)
        value = self._take("value")
        return Condition(term, operator, _moment(value) if term in TIMES else value)

    def _flag(self, term: str, operator: str) -> Node:
        value = self._take("word")
        if value not in ("true", "false") or (term == "sharedWithMe" and (operator, value) != ("=", "true")):
            raise QueryError(value)
        return Condition(term, "=", value=(value == "true") is (operator == "="))


def _moment(text: str) -> datetime:
    if not _TIME.fullmatch(text):
        raise QueryError(text)
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise QueryError(text) from error
