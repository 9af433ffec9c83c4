"""CQL as a tree: clauses of field, operator and values, joined by AND, OR and NOT, and an order; and Confluence's errors.

https://developer.atlassian.com/cloud/confluence/advanced-searching-using-cql/ (docs/reference/sandbox.md has each rule's source).
What stands after `~` has a syntax of its own, as far as CQL promises it of Lucene's query parser:
https://developer.atlassian.com/cloud/confluence/performing-text-searches-using-cql/
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from orchestrator.sandbox.index import words
from orchestrator.sandbox.logic import All, Any, Not

_SPECIAL = "+-&|!(){}[]^~:/"
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_UNIT = re.compile(r'\s*(?:"(?P<phrase>(?:[^"\\]|\\.)*)"|(?P<word>(?:[^\s"\\]|\\.)+))', re.DOTALL)
_ESCAPED_TEXT = re.compile(r"\\(.)", re.DOTALL)

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
        needle = _word(unit["word"]) if phrase is None else Needle(_ESCAPED_TEXT.sub(r"\1", phrase), "phrase")
        if words(needle.text):
            found.append(needle)
    if not found:
        raise CqlError("nothing to search for")
    return found


def _word(written: str) -> Needle:
    """A word; what Lucene would read as syntax is refused unless it is escaped."""
    bare = _ESCAPED_TEXT.sub("", written)
    if written in _OPERATORS or any(char in _SPECIAL for char in bare):
        raise CqlError(f"{written!r} is no plain word; escape it or put it in quotes")
    if "*" not in bare and "?" not in bare:
        return Needle(_ESCAPED_TEXT.sub(r"\1", written), "word")
    if written[0] in "*?":
        raise CqlError("a wildcard cannot be the first character")
    if bare.count("*") == 1 and written.endswith("*") and "?" not in bare:
        return Needle(_ESCAPED_TEXT.sub(r"\1", written[:-1]), "prefix")
    return Needle(_ESCAPED_TEXT.sub(r"\1", written), "wildcard")


_BAD_REQUEST = "com.atlassian.confluence.api.service.exceptions.BadRequestException: "
_CODES = {
    400: "INVALID_REQUEST_PARAMETER",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    429: "RATE_LIMITED",
}


class ConfluenceError(Exception):
    """A request refused, with what Confluence says."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    def body(self, *, newer: bool = False) -> Mapping[str, object]:
        """The body of the reply."""
        if newer:
            code = _CODES.get(self.status, "INTERNAL_SERVER_ERROR")
            return {"errors": [{"status": self.status, "code": code, "title": self.message, "detail": None}]}
        data = {"authorized": False, "valid": True, "errors": [], "successful": False}
        return {"statusCode": self.status, "data": data, "message": self.message}


class CqlError(ValueError):
    """What is wrong with a query."""


def unparsed(cql: str, error: CqlError) -> ConfluenceError:
    """Confluence repeats the query; the reason after it is the sandbox's own."""
    return ConfluenceError(400, f"{_BAD_REQUEST}Could not parse cql : {cql[:500]} ({error})")


MAX_DEPTH = 40
NEGATIVE = frozenset({"!=", "!~", "not in"})
_NEGATIVE_FIRST = "a negative expression cannot be the first clause"
_KEYWORDS = frozenset({"and", "or", "not", "in", "order", "by", "asc", "desc"})
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<sign>!=|!~|>=|<=|[=~><(),])|(?P<word>[\w.-]+))""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Call:
    """A function and what it is given."""

    name: str
    arguments: Sequence[str]


Value = str | Call


@dataclass(frozen=True, slots=True)
class Clause:
    """`field operator values`; the operator in lower case, the field as it is known."""

    field: str
    operator: str
    values: Sequence[Value]


Node = Clause | Not[Clause] | All[Clause] | Any[Clause]


@dataclass(frozen=True, slots=True)
class Query:
    """A condition, and the fields to order by, each with whether it descends."""

    condition: Node
    order: Sequence[tuple[str, bool]]


def parse(text: str) -> Query:
    """Read a query; raises `CqlError`."""
    parser = _Parser(text)
    condition = parser.any_of()
    order = parser.order()
    parser.end()
    return Query(condition, order)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0

    def any_of(self) -> Node:
        """Alternatives; AND binds closer than OR."""
        nodes = [self._all_of(first=True)]
        while self._takes("or"):
            nodes.append(self._all_of(first=False))
        return nodes[0] if len(nodes) == 1 else Any(nodes)

    def order(self) -> Sequence[tuple[str, bool]]:
        """`ORDER BY field [asc|desc], …`, if it is there."""
        if not self._takes("order"):
            return ()
        self._must("by")
        fields = [self._ordered()]
        while self._takes(","):
            fields.append(self._ordered())
        return fields

    def end(self) -> None:
        """Nothing is left."""
        if self._text[self._place :].strip():
            raise CqlError(f"unexpected {self._text[self._place :].strip()[:40]!r}")

    def _ordered(self) -> tuple[str, bool]:
        field = self._word("a field to order by")
        if self._takes("desc"):
            return field, True
        self._takes("asc")
        return field, False

    def _all_of(self, *, first: bool) -> Node:
        nodes = [self._one(first=first)]
        while self._takes("and"):
            nodes.append(self._one(first=False))
        return nodes[0] if len(nodes) == 1 else All(nodes)

    def _one(self, *, first: bool) -> Node:
        """One clause or a group in parentheses; the first of a query or of a group must not be negative."""
        if self._takes("not"):
            if first:
                raise CqlError(_NEGATIVE_FIRST)
            return Not(self._deeper(lambda: self._one(first=False)))
        if self._takes("("):
            node = self._deeper(self.any_of)
            self._must(")")
            return node
        clause = self._clause()
        if first and clause.operator in NEGATIVE:
            raise CqlError(_NEGATIVE_FIRST)
        return clause

    def _deeper(self, read: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise CqlError("nested too deeply")
        node = read()
        self._depth -= 1
        return node

    def _clause(self) -> Clause:
        field = self._word("a field")
        if self._takes("not"):
            self._must("in")
            return Clause(field, "not in", self._list())
        if self._takes("in"):
            return Clause(field, "in", self._list())
        sign = self._next()
        if sign is None or not sign["sign"] or sign["sign"] in "(),":
            raise CqlError(f"an operator is missing after {field!r}")
        return Clause(field, sign["sign"], [self._value()])

    def _list(self) -> Sequence[Value]:
        self._must("(")
        values = [self._value()]
        while self._takes(","):
            values.append(self._value())
        self._must(")")
        return values

    def _value(self) -> Value:
        token = self._next()
        if token is None or token["sign"]:
            raise CqlError("a value is missing")
        if token["string"]:
            return _ESCAPED.sub(r"\1", token["string"][1:-1])
        word = token["word"]
        if word.casefold() in _KEYWORDS:
            raise CqlError(f"{word!r} is a reserved word and needs quotes")
        return Call(word.casefold(), self._arguments()) if self._takes("(") else word

    def _arguments(self) -> Sequence[str]:
        found: list[str] = []
        while not self._takes(")"):
            if found:
                self._must(",")
            value = self._value()
            if isinstance(value, Call):
                raise CqlError("a function cannot be given a function")
            found.append(value)
        return found

    def _word(self, what: str) -> str:
        token = self._next()
        if token is None or not token["word"] or token["word"].casefold() in _KEYWORDS:
            raise CqlError(f"{what} is missing")
        return token["word"].casefold()

    def _must(self, wanted: str) -> None:
        if not self._takes(wanted):
            raise CqlError(f"{wanted!r} is missing")

    def _takes(self, wanted: str) -> bool:
        """Whether the next token is this keyword or sign; if so it is taken."""
        token = self._peek()
        if token is None or (token["word"] or token["sign"] or "").casefold() != wanted:
            return False
        self._place = token.end()
        return True

    def _next(self) -> re.Match[str] | None:
        token = self._peek()
        if token is not None:
            self._place = token.end()
        return token

    def _peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self._place)
