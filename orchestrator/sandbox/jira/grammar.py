"""JQL as a tree, by the rules of https://support.atlassian.com/jira-software-cloud/docs/jql-keywords/ .

What Jira refuses is a `JiraError` with HTTP 400. History (`WAS`, `CHANGED`) is not emulated and refused as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from orchestrator.sandbox.jira.errors import JiraError, refused
from orchestrator.sandbox.jira.lexer import RESERVED, Token, tokens, unquoted
from orchestrator.sandbox.logic import All, Any, Not

MAX_DEPTH = 60
MAX_ORDER = 7

_COMPARES = frozenset({"=", "!=", "~", "!~", "<", ">", "<=", ">="})


@dataclass(frozen=True, slots=True)
class Value:
    """A value as written; `quoted` tells a string from a bare word or number."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    name: str
    arguments: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """`EMPTY` or `NULL`."""


Operand = Value | Call | Empty


@dataclass(frozen=True, slots=True)
class Clause:
    """`field operator operands`; only `in` and `not in` take several."""

    field: str
    operator: str
    operands: Sequence[Operand]


Node = Clause | Not[Clause] | All[Clause] | Any[Clause]


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query: `order` holds field names, each with whether it descends (nothing: the field's own way)."""

    where: Node | None
    order: Sequence[tuple[str, bool | None]] = ()


def parse(text: str) -> Query:
    """Read a query. Raises `JiraError`."""
    return _Parser(text).query()


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0
        self._depth = 0

    def query(self) -> Query:
        where = None if self._here.kind == "end" or self._here.says("order") else self._either()
        order = self._order() if self._takes("order") else ()
        if self._here.kind != "end":
            raise self._error("Expecting either 'OR' or 'AND'")
        return Query(where, order)

    # ---- tokens

    @property
    def _here(self) -> Token:
        return self._tokens[self._place]

    def _takes(self, *words: str) -> bool:
        found = self._here.says(*words)
        self._place += found
        return found

    def _next(self) -> Token:
        token = self._here
        self._place += token.kind != "end"
        return token

    def _needs(self, word: str) -> None:
        if not self._takes(word):
            raise self._error(f"Expecting '{word.upper()}'")

    def _error(self, wanted: str) -> JiraError:
        token = self._here
        if token.kind == "end":
            return refused(f"Error in the JQL Query: {wanted} before the end of the query.")
        return refused(
            f"Error in the JQL Query: {wanted} but got '{token.text[:100]}'. (line 1, character {token.place + 1})"
        )

    # ---- nodes

    def _either(self) -> Node:
        nodes = [self._both()]
        while self._takes("or", "||", "|"):
            nodes.append(self._both())
        return nodes[0] if len(nodes) == 1 else Any(tuple(nodes))

    def _both(self) -> Node:
        nodes = [self._one()]
        while self._takes("and", "&&", "&"):
            nodes.append(self._one())
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))

    def _one(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise refused("Error in the JQL Query: The query is nested too deeply.")
        try:
            if self._takes("not", "!"):
                return Not(self._one())
            if self._takes("("):
                inner = self._either()
                self._needs(")")
                return inner
            return self._clause()
        finally:
            self._depth -= 1

    def _clause(self) -> Clause:
        field = self._field()
        operator = self._operator()
        if operator in ("in", "not in"):
            return Clause(field, operator, self._list())
        return Clause(field, operator, (self._operand(),))

    def _field(self) -> str:
        token = self._next()
        if token.kind in ("string", "custom") or (token.kind == "word" and token.text.casefold() not in RESERVED):
            return (unquoted(token) if token.kind == "string" else token.text).casefold()
        self._place -= token.kind != "end"
        raise self._reserved() if token.kind == "word" else self._error("Expecting a field name")

    def _operator(self) -> str:
        token = self._here
        if token.kind == "mark" and token.text in _COMPARES:
            return self._next().text
        if self._takes("is"):
            return "is not" if self._takes("not") else "is"
        if self._takes("in"):
            return "in"
        if self._takes("not"):
            self._needs("in")
            return "not in"
        if self._here.says("was", "changed"):
            raise refused("Error in the JQL Query: The history of issues cannot be searched here.")
        raise self._error("Expecting operator")

    def _list(self) -> Sequence[Operand]:
        if not self._here.says("("):
            found = self._operand()  # a function that gives a list
            if isinstance(found, Call):
                return (found,)
            self._place -= 1
        self._needs("(")
        operands = [self._operand()]
        while self._takes(","):
            operands.append(self._operand())
        self._needs(")")
        return tuple(operands)

    def _operand(self) -> Operand:
        token = self._next()
        if token.kind == "string":
            return Value(unquoted(token), quoted=True)
        if token.says("empty", "null"):
            return Empty()
        if token.kind == "word" and self._takes("("):
            return Call(token.text.casefold(), self._arguments())
        if token.kind == "word" and token.text.casefold() not in RESERVED:
            return Value(token.text)
        self._place -= token.kind != "end"
        raise self._reserved() if token.kind == "word" else self._error("Expecting either a value, list or function")

    def _arguments(self) -> Sequence[str]:
        found: list[str] = []
        while not self._takes(")"):
            token = self._next()
            if token.kind not in ("string", "word"):
                self._place -= token.kind != "end"
                raise self._error("Expecting ')'")
            found.append(unquoted(token) if token.kind == "string" else token.text)
            if not self._here.says(")"):
                self._needs(",")
        return tuple(found)

    def _order(self) -> Sequence[tuple[str, bool | None]]:
        self._needs("by")
        found = [self._sorted()]
        while self._takes(","):
            found.append(self._sorted())
        if len(found) > MAX_ORDER:
            raise refused(f"Order by clause can contain a maximum of {MAX_ORDER} fields.")
        return tuple(found)

    def _sorted(self) -> tuple[str, bool | None]:
        field = self._field()
        if self._takes("desc"):
            return field, True
        return field, False if self._takes("asc") else None

    def _reserved(self) -> JiraError:
        token = self._here
        hint = "You must surround it in quotation marks to use it in a query."
        return refused(
            f"Error in the JQL Query: '{token.text}' is a reserved JQL word. {hint} (line 1, character {token.place + 1})"
        )
