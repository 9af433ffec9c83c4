"""The language of `q` as a tree; what is not in it is an error, as it is at Google.

https://developers.google.com/workspace/drive/api/guides/ref-search-terms (see docs/reference/sandbox.md for each rule).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestrator.sandbox.index import composed
from orchestrator.sandbox.logic import END, All, Any, Junctions, Not, Tokens

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


def parse(text: str) -> Node:
    """Read a query; an empty one holds for everything. Raises `QueryError`."""
    return _Parser(Tokens(composed(text), _TOKEN, QueryError)).whole()


class _Parser(Junctions[Leaf]):
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._depth = 0

    def whole(self) -> Node:
        if self._tokens.here == END:
            return All(())
        node = self.alternatives()
        self._tokens.end()
        return node

    def takes_or(self) -> bool:
        return self._tokens.skip("word", "or")

    def takes_and(self) -> bool:
        return self._tokens.skip("word", "and")

    def unit(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise QueryError("(")
        node = self._unnested()
        self._depth -= 1
        return node

    def _unnested(self) -> Node:
        if self._tokens.skip("word", "not"):
            node = self.unit()
            if node == Condition("sharedWithMe", "=", value=True):  # there is no search for what is one's own
                raise QueryError("sharedWithMe")
            return Not(node)
        if self._tokens.skip("bracket", "("):
            node = self.alternatives()
            if not self._tokens.skip("bracket", ")"):
                raise QueryError("(")
            return node
        if self._tokens.here[0] == "value":
            return self._member()
        return self._condition()

    def _value(self) -> str:
        return re.sub(r"\\(.)", r"\1", self._tokens.take("value"), flags=re.DOTALL)

    def _member(self) -> Node:
        value = self._value()
        if self._tokens.take("word") != "in":
            raise QueryError(value)
        collection = self._tokens.take("word")
        if collection not in COLLECTIONS:
            raise QueryError(collection)
        return Member(value, collection)

    def _condition(self) -> Node:
        term = self._tokens.take("word")
        if term in FLAGS and self._tokens.here not in {("operator", "="), ("operator", "!=")}:
            return Condition(term, "=", value=True)
        operator = self._tokens.take("word", "operator")
        if operator not in TERMS.get(term, ()):
            raise QueryError(term)
        if term in FLAGS:
            return self._flag(term, operator)
        value = self._value()
        return Condition(term, operator, _moment(value) if term in TIMES else value)

    def _flag(self, term: str, operator: str) -> Node:
        value = self._tokens.take("word")
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
