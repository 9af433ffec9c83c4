"""JQL as words and marks, and as a tree, by the rules of https://support.atlassian.com/jira-software-cloud/docs/jql-keywords/ .

https://support.atlassian.com/jira-software-cloud/docs/jql-keywords/ lists what is reserved. The reserved words are those
of several query languages; most mean nothing in JQL, but must be quoted.

What Jira refuses is a `JiraError` with HTTP 400. History (`WAS`, `CHANGED`) is not emulated and refused as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from orchestrator.sandbox.jira.bodies import JiraError, refused
from orchestrator.sandbox.logic import All, Any, Junctions, Not

RESERVED = frozenset(
    "abort access add after alias alter and any as asc audit avg before begin between boolean break by byte catch cf "
    "char character check checkpoint collate collation column commit connect continue count create current date "
    "decimal declare decrement default defaults define delete delimiter desc difference distinct divide do double "
    "drop else empty encoding end equals escape exclusive exec execute exists explain false fetch field file first "
    "float for from function go goto grant greater group having identified if immediate in increment index initial "
    "inner inout input insert int integer intersect intersection into is isempty isnull join last left less like "
    "limit lock long max min minus mode modify modulo more multiply next noaudit not notin nowait null number object "
    "of on option or order outer output power previous prior privileges public raise raw remainder rename resource "
    "return returns revoke right row rowid rownum rows select session set share size sqrt start strict string "
    "subtract sum synonym table then to trans transaction trigger true uid union unique update user validate values "
    "view was when whenever where while with".split()
)

BARE = r"[^\s\"'\\=!<>~()\[\],&|@#+*/%^$;?{}\x00-\x1f]+"
"""Characters that a word outside of quotes may have."""

_TOKEN = re.compile(
    rf"""\s*(?:
        (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
      | (?P<mark>!=|!~|>=|<=|&&|\|\||[=~<>!&|(),])
      | (?P<custom>cf\s*\[\s*\d+\s*\])
      | (?P<word>{BARE})
    )""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", " ": " ", '"': '"', "'": "'", "\\": "\\"}


class Token(NamedTuple):
    """A `string`, `word`, `mark`, `custom` field or the `end`, and where it begins."""

    kind: str
    text: str
    place: int

    def says(self, *words: str) -> bool:
        """Whether it is one of these words or marks, whatever their case."""
        return self.kind in ("word", "mark") and self.text.casefold() in words


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a query and an end. Raises `JiraError`."""
    place = 0
    end = len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            raise _unreadable(text, start)
        kind = str(found.lastgroup)
        yield Token(kind, found[kind], found.start(kind))
        place = found.end()
    yield Token("end", "", end)


def _unreadable(text: str, place: int) -> JiraError:
    where = f"(line 1, character {place + 1})"
    if text[place] in "\"'":
        return refused(
            f"Error in the JQL Query: The quoted string '{text[place + 1 : place + 60]}' has not been completed. {where}"
        )
    hint = "If you want to include it in a query, surround it in quotation marks."
    return refused(f"Error in the JQL Query: The character '{text[place]}' is a reserved JQL character. {hint} {where}")


def unquoted(token: Token) -> str:
    """What a string means. Raises `JiraError` for an escape that JQL does not have."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        if code not in _ESCAPES:
            raise refused(
                rf"Error in the JQL Query: '\{code}' is an illegal JQL escape sequence. (line 1, character {token.place + 1})"
            )
        return _ESCAPES[code]

    return _ESCAPE.sub(character, token.text[1:-1])


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


class _Parser(Junctions[Clause]):
    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0
        self._depth = 0

    def query(self) -> Query:
        where = None if self._here.kind == "end" or self._here.says("order") else self.alternatives()
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

    def takes_or(self) -> bool:
        return self._takes("or", "||", "|")

    def takes_and(self) -> bool:
        return self._takes("and", "&&", "&")

    def unit(self) -> Node:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise refused("Error in the JQL Query: The query is nested too deeply.")
        try:
            if self._takes("not", "!"):
                return Not(self.unit())
            if self._takes("("):
                inner = self.alternatives()
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
