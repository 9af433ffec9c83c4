"""IMAP on the wire, without a socket: commands become bytes and literals, lines become responses.

Grammar: https://www.rfc-editor.org/rfc/rfc3501#section-9 and https://www.rfc-editor.org/rfc/rfc9051#section-9.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from connectors.errors import BadReply
from connectors.text import quote
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_QUOTED = 1000  # characters; servers take shorter lines than literals
DEEPEST = 50  # levels of parentheses in a reply; a mail's envelope has four
PLAIN = re.compile(r"[ -~]*")
LITERAL = re.compile(rb"\{(\d{1,12})\+?\}\Z")
STATUS = re.compile(
    rb"(\S+) (OK|NO|BAD|BYE|PREAUTH)(?: \[([^\] ]+)(?: ([^\]]*))?\])?(?: (.*))?", re.IGNORECASE | re.DOTALL
)
# An atom may end in a section, blanks and parentheses included: BODY[HEADER.FIELDS (FROM TO)]<0>.
TOKEN = re.compile(rb'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"\[]*(?:\[[^\]]*\])?[^\s()"\[]*))', re.DOTALL)
NUMBERS = re.compile(rb"\* (SEARCH|SORT)([ \d]*)", re.IGNORECASE)
ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


@record
class Literal:
    """Bytes that travel counted, so that nothing in them can be syntax."""

    data: bytes = field(repr=False)


ResponsePiece = bytes | Literal
ResponseValue = bytes | None | list["ResponseValue"]


@record
class StatusResponse:
    """OK, NO, BAD, BYE or PREAUTH, in answer to ``tag`` or by the server's own will (``*``)."""

    tag: str
    state: str
    code: str = ""
    argument: str = ""
    text: str = ""


@record
class DataResponse:
    """An untagged response: its name in capitals, the number before it if there is one, and what follows.

    Strings and atoms are bytes alike; ``NIL`` is ``None``.
    """

    name: str
    number: int | None
    values: Sequence[ResponseValue]


@record
class Continuation:
    """The server waits for the rest of the command."""


Response = StatusResponse | DataResponse | Continuation


# ---- what is sent


def string(text: str) -> ResponsePiece:
    """A text as quoted string where that is plain and short, else as literal. NUL, which IMAP cannot say, is dropped."""
    if PLAIN.fullmatch(text) and len(text) <= LONGEST_QUOTED:
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'.encode("ascii")
    return Literal(text.replace("\0", "").encode("utf-8", "replace"))


def spaced(groups: Iterable[Sequence[ResponsePiece]]) -> list[ResponsePiece]:
    """Groups of pieces one after the other, blanks between them."""
    pieces: list[ResponsePiece] = []
    for group in groups:
        pieces += [b" ", *group] if pieces else group
    return pieces


def uid_set(uids: Iterable[int]) -> bytes:
    """A set of UIDs as a command takes it."""
    return ",".join(map(str, sorted(uids))).encode("ascii")


# ---- what comes


def response(parts: Sequence[ResponsePiece]) -> Response:
    """One response from its line, cut where literals stand in it. Raises :class:`BadReply` for what is none."""
    head = parts[0]
    assert isinstance(head, bytes)
    if head.startswith(b"+"):
        return Continuation()
    if (status := STATUS.fullmatch(head)) is not None:
        tag, state, code, argument, text = (_text(group or b"") for group in status.groups())
        return StatusResponse(tag, state.upper(), code.upper(), argument, text)
    if (numbers := NUMBERS.fullmatch(head)) is not None:  # there may be a million of them
        return DataResponse(_text(numbers[1]).upper(), None, numbers[2].split())
    if not head.startswith(b"* "):
        raise unreadable(head)
    values = _values([head[2:], *parts[1:]])
    number = int(values[0]) if isinstance(values[0], bytes) and re.fullmatch(rb"\d{1,12}", values[0]) else None
    name = values[0] if number is None else values[1] if len(values) > 1 else None
    if not isinstance(name, bytes):
        raise unreadable(head)
    return DataResponse(_text(name).upper(), number, values[1 if number is None else 2 :])


def _values(parts: Sequence[ResponsePiece]) -> list[ResponseValue]:
    """The tokens of a response, lists nested."""
    open_lists: list[list[ResponseValue]] = [[]]
    for part in parts:
        if isinstance(part, Literal):
            open_lists[-1].append(part.data)
            continue
        end = LITERAL.search(part)
        text, at = part[: end.start()] if end else part, 0
        while at < len(text.rstrip()):
            at = _token(text, at, open_lists)
    if len(open_lists) != 1 or not open_lists[0]:
        raise unreadable(parts[0])
    return open_lists[0]


def _token(text: bytes, at: int, open_lists: list[list[ResponseValue]]) -> int:
    """Read one token into the innermost open list; where the next begins."""
    found = TOKEN.match(text, at)
    if found is None or found.end() == at:
        raise unreadable(text)
    bracket, quoted, atom = found.groups()
    if bracket == b"(":
        inner: list[ResponseValue] = []
        open_lists[-1].append(inner)
        open_lists.append(inner)
    elif bracket == b")":
        open_lists.pop()
    elif quoted is not None:
        open_lists[-1].append(ESCAPED.sub(rb"\1", quoted))
    else:
        open_lists[-1].append(None if atom.upper() == b"NIL" else atom)
    if not 0 < len(open_lists) <= DEEPEST:
        raise unreadable(text)
    return found.end()


def unreadable(line: ResponsePiece) -> BadReply:
    """The error for what is no IMAP; a web server is told from the rest."""
    start = line[:80] if isinstance(line, bytes) else b""
    if re.match(rb"\s*(?:HTTP/|<)", start):
        return BadReply(Said("a web server answered where a mail server was due; are host and port those of IMAP?"))
    return BadReply(Said("the reply is not IMAP: {said}").filled(said=quote(_text(start))))


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
