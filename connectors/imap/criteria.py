"""The criteria of a native query as pieces of a SEARCH command: known keys only, every text as a string or literal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured, Rejected
from connectors.imap.protocol import ResponsePiece, spaced, string
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from translators.translator import Json

TEXTS = frozenset({"TEXT", "BODY", "SUBJECT", "FROM", "TO", "CC", "BCC"})
DAYS = frozenset({"SINCE", "BEFORE", "ON", "SENTSINCE", "SENTBEFORE", "SENTON"})
DAY = re.compile(r"\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d{4}")
FIELD = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
DEEPEST = 100
WHO = Said("whose mailbox this is cannot be told from its user name; set addresses to the account's own mail addresses")


def encoded_keys(criteria: Json, own: Sequence[str]) -> list[ResponsePiece]:
    """Pieces for a list of keys (see :class:`translators.imap.Imap`); ``own`` are the asker's addresses.

    Raises :class:`Rejected` for anything but known keys, and :class:`Misconfigured` where "me" is nobody.
    """
    return spaced([_key(key, own, 0) for key in _keys(criteria)] or [[b"ALL"]])


def texts(criteria: Json, *, name: str = "") -> Iterator[str]:
    """Every text that is looked for, from left to right; with ``name``, those of one kind of key."""
    for key in _keys(criteria):
        match key:
            case ["OR" | "NOT" | "AND", *inner]:
                yield from texts(inner, name=name)
            case [str(said), *_, str(text)] if not _is_day(key) and name in ("", said):
                yield text
            case _:
                pass


def widened(criteria: Json) -> list[Json]:
    """The criteria for a server that searches US-ASCII only: what it cannot be asked lets everything through."""
    return [kept for key in _keys(criteria) if (kept := _widened(key)) is not None]


def _widened(key: Json) -> Json:
    match key:
        case ["AND", *inner]:
            kept = widened(inner)
            return ["AND", *kept] if kept else None
        case ["OR" | "NOT" as name, *inner]:
            kept = [_widened(part) for part in inner]
            # Half of what is left out would be left out as well, so a NOT goes whole or not at all.
            same = kept == list(inner) if name == "NOT" else None not in kept
            return [name, *kept] if same else None
        case _:
            return key if all(text.isascii() for text in texts([key])) else None


def _keys(criteria: Json) -> list[Json]:
    if not isinstance(criteria, list | tuple):
        raise Rejected(Said("the criteria are not a list of search keys"), str(criteria))
    return [list(key) if isinstance(key, tuple) else key for key in criteria]


def _key(key: Json, own: Sequence[str], depth: int) -> list[ResponsePiece]:
    def all_of(keys: Json) -> list[ResponsePiece]:
        return spaced([_key(each, own, depth + 1) for each in _keys(keys)])

    if depth > DEEPEST:
        raise Rejected(Said("the criteria are nested too deep"))
    match key:
        case ["AND", first, *rest]:
            return [b"(", *all_of([first, *rest]), b")"]
        case ["OR", left, right]:
            return [b"OR ", *all_of([left, right])]
        case ["NOT", inner]:
            return [b"NOT ", *all_of([inner])]
        case ["FROM", {"me": True}]:
            return _from_own(own)
        case _:
            return _leaf(key)


def _leaf(key: Json) -> list[ResponsePiece]:
    match key:
        case ["HEADER", str(field), str(text)] if FIELD.fullmatch(field):
            return [f"HEADER {field} ".encode(), string(text)]
        case [str(name), str(text)] if name in TEXTS:
            return [f"{name} ".encode(), string(text)]
        case [str(name), str(on)] if _is_day(key):
            return [f"{name} {on}".encode()]
        case _:
            raise Rejected(
                Said("the criteria hold something that is no search key"),
                str(key),
            )


def _from_own(own: Sequence[str]) -> list[ResponsePiece]:
    if not own:
        raise Misconfigured(WHO)
    first, *others = [[b"FROM ", string(address)] for address in own]
    for other in others:
        first = spaced([[b"OR"], first, other])
    return list(first)


def _is_day(key: Json) -> bool:
    match key:
        case [str(name), str(on)]:
            return name in DAYS and DAY.fullmatch(on) is not None
        case _:
            return False
