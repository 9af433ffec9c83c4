"""One clause as each type of thing can be asked for it: the same words, other properties.

Properties: https://learn.microsoft.com/en-us/purview/ediscovery-keyword-queries-and-search-conditions (mail, sites),
https://learn.microsoft.com/en-us/graph/search-concept-chat-messages (Teams) and
https://learn.microsoft.com/en-us/graph/search-concept-files (files, list items, sites).
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from types import MappingProxyType
from typing import TYPE_CHECKING, assert_never
from urllib.parse import unquote

from translators.emit import name_parts, plain, quoted, utc
from translators.match import HANGUL
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    State,
    Term,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

AND, OR = " AND ", " OR "
ENTITIES = ("message", "chatMessage", "driveItem", "listItem", "site")
STORED = frozenset({"driveItem", "listItem", "site"})  # in SharePoint and OneDrive, with the properties of files
KINDS: Mapping[str, frozenset[Kind]] = MappingProxyType(
    {
        "message": frozenset({Kind.MAIL}),
        "chatMessage": frozenset({Kind.MESSAGE, Kind.THREAD}),
        "driveItem": frozenset({Kind.FILE, Kind.PAGE}),  # the pages of a site are files in one of its libraries
        "listItem": frozenset({Kind.PAGE}),
        "site": frozenset({Kind.PAGE}),
    }
)
# Somebody may have made a file (CreatedBy) that names somebody else as its author, and be its author to us.
AUTHORS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"message": ("from",), "chatMessage": ("from",), **dict.fromkeys(sorted(STORED), ("author", "CreatedBy"))}
)
CREATED: Mapping[str, str] = MappingProxyType(
    {"message": "received", "chatMessage": "sent", **dict.fromkeys(sorted(STORED), "Created")}
)
UPDATED: Mapping[str, str] = MappingProxyType(dict.fromkeys(sorted(STORED), "LastModifiedTime"))
TIMES: Mapping[Field, Mapping[str, str]] = MappingProxyType(
    {Field.CREATED: CREATED, Field.UPDATED: UPDATED, Field.TIME: {**CREATED, **UPDATED}}
)
ME = "{me}"

# ALL, ANY and NONE are operators of the protocol's description alone; whatever the case, no word of a question is one.
RESERVED = frozenset({"and", "or", "not", "near", "onear", "words", "xrank", "all", "any", "none"})
WORD = re.compile(r"\w+")
ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+")
SITE = re.compile(r"https://[a-z0-9.-]+\.sharepoint(?:-[a-z]+)?\.[a-z]+(?:/[^\s\"*?#]*)?", re.IGNORECASE)
SHORTEST_FULL_NAME = 3  # Hangul syllables; of fewer, most are a given name, which does not begin any word
# Days are those of UTC, says the grammar; those of the mailbox, say some who searched mail: the last and first on earth.
WESTERNMOST, EASTERNMOST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
FIRST_DAY = "1970-01-01"


def anchor(entity: str) -> str:
    """A restriction that holds for everything of a type: KQL has no query for all there is."""
    return f"{TIMES[Field.TIME][entity]}>={FIRST_DAY}"


def restriction(clause: Clause, entity: str) -> str | None:
    """``clause`` in KQL for one type: empty where everything of it passes or it cannot be asked, ``None`` where nothing
    of it can match. Alternatives stand in parentheses.
    """
    match clause:
        case AllOf(parts):
            texts = [restriction(part, entity) for part in parts]
            said = [text for text in texts if text]
            return None if None in texts else f"({AND.join(said)})" if len(said) > 1 else "".join(said)
        case AnyOf(parts):
            possible = [text for part in parts if (text := restriction(part, entity)) is not None]
            return _any(possible) if possible else None
        case Not(part):
            text = restriction(part, entity)
            return "" if text is None else f"NOT {text}" if text else None
        case Term(text) | Phrase(text):
            return _any([_spelled(text), _begun(text)] if HANGUL.search(text) else [_spelled(text)])
        case Prefix(text):
            return f"{plain(text)}*"
        case Compare():
            return _condition(clause, entity)
        case _:
            assert_never(clause)


def _any(texts: list[str]) -> str:
    """One of ``texts``; empty, as everything passes, where one of them is."""
    if not all(texts):
        return ""
    distinct = dict.fromkeys(texts)
    return next(iter(distinct)) if len(distinct) == 1 else f"({OR.join(distinct)})"


# ---- words


def _spelled(text: str) -> str:
    """A word bare where it can only be a word, else quoted."""
    word = plain(text)
    return word if is_plain_word(word) else _quoted(text)


def _begun(text: str) -> str:
    """What begins with ``text``; after a phrase, the asterisk is for its last word.

    Whether Korean is indexed by the words between blanks, with their particles, or by their parts is not documented:
    beside this, the text itself is asked for.
    """
    return f"{_spelled(text)}*"


def _quoted(text: str) -> str:
    """In quotes, where only an asterisk still means something: it becomes a blank, as marks between words are."""
    return quoted(text.replace("*", " "))


def spellable(address: str) -> bool:
    """Whether an address can stand in quotes as it is."""
    return _quoted(unquote(address)) == f'"{unquote(address)}"'


def is_plain_word(word: str) -> bool:
    """Letters, digits and underscores, and no operator."""
    return WORD.fullmatch(word) is not None and word.casefold() not in RESERVED


# ---- fields


def _condition(leaf: Compare, entity: str) -> str | None:
    match leaf.value:
        case Person() as who:
            return _author(who, entity)
        case Container(_, native_id):
            return f"path:{_quoted(unquote(native_id or ''))}" if entity in STORED else None
        case Kind() as kind:
            return "" if kind in KINDS[entity] else None
        case datetime() as instant:
            return _when(leaf.field, leaf.op, instant, entity)
        case State() | Identifier():  # neither is ever pushed into a query
            return ""
        case _:
            assert_never(leaf.value)


def _author(who: Person, entity: str) -> str:
    """By address or by all words of the name, whichever the thing bears."""
    if who.me:
        return _any([f"{name}:{ME}" for name in AUTHORS[entity]])
    words, known = name_words(who.name), address(who)
    if not words and (entity in STORED or known != who.email):
        return ""  # files may bear the name alone, and what is an id here may be another address than the one borne
    asked: list[str] = []
    for name in AUTHORS[entity]:
        asked += [f'{name}:"{known}"'] if known else []
        asked += [_all(_named(name, word) for word in words)] if words else []
    return _any(asked)


def _all(texts: Iterable[str]) -> str:
    listed = list(texts)
    return listed[0] if len(listed) == 1 else f"({AND.join(listed)})"


def _named(name: str, word: str) -> str:
    said = [_spelled(word), _begun(word)] if HANGUL.search(word) else [_spelled(word)]
    return _any([f"{name}:{each}" for each in said])


def _when(field: Field, op: Op, instant: datetime, entity: str) -> str:
    """Whole days that lose nothing of the window, wherever and however exactly its days are counted."""
    name = TIMES[field].get(entity)
    if name is None:
        return ""
    if op is Op.GE:
        return f"{name}>={utc(instant).astimezone(WESTERNMOST).date()}"
    return f"{name}<{(utc(instant) - INSTANT).astimezone(EASTERNMOST).date() + DAY}"


def address(who: Person) -> str:
    """The person's address or principal name, or nothing where none is known that could be sent as it stands."""
    return next((text for text in (who.email, who.native_id) if text and ADDRESS.fullmatch(text)), "")


def name_words(name: str) -> list[str]:
    """The words that a name is asked by; none where one of them may be the middle of the word that it is written in."""
    words = name_parts(name)
    askable = all(len(word) >= SHORTEST_FULL_NAME for word in words if HANGUL.search(word))
    return words if askable and plain(name).casefold() != "me" else []
