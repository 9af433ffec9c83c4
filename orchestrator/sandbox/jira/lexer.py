"""The words and marks of JQL: what may stand bare, what is reserved, and strings with their escapes.

https://support.atlassian.com/jira-software-cloud/docs/jql-keywords/ lists what is reserved. The reserved words are those
of several query languages; most mean nothing in JQL, but must be quoted.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from orchestrator.sandbox.jira.errors import JiraError, refused

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
