"""One clause as each type of thing can be asked for it: the same words, other properties.

Properties: https://learn.microsoft.com/en-us/purview/ediscovery-keyword-queries-and-search-conditions (mail, sites),
https://learn.microsoft.com/en-us/graph/search-concept-chat-messages (Teams) and
https://learn.microsoft.com/en-us/graph/search-concept-files (files, list items, sites).
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import unquote

from translators.emit import as_typed, mail_address, name_parts, quoted, whole_day
from translators.generate import Generator
from translators.match import HANGUL
from translators.query import Clause, Container, Field, Kind, Op, Person, Phrase, Prefix, Term
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

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
SITE = re.compile(r"https://[a-z0-9.-]+\.sharepoint(?:-[a-z]+)?\.[a-z]+(?:/[^\s\"*?#]*)?", re.IGNORECASE)
SHORTEST_FULL_NAME = 3  # Hangul syllables; of fewer, most are a given name, which does not begin any word
FIRST_DAY = "1970-01-01"


def anchor(entity: str) -> str:
    """A restriction that holds for everything of a type: KQL has no query for all there is."""
    return f"{TIMES[Field.TIME][entity]}>={FIRST_DAY}"


def restriction(clause: Clause, entity: str) -> str | None:
    """``clause`` in KQL for one type: empty where everything of it passes or it cannot be asked, ``None`` where nothing
    of it can match. Alternatives stand in parentheses.
    """
    return Restrictions(entity).write(clause)


@record
class Restrictions(Generator[str | None]):
    """What is asked of one type of thing."""

    entity: str

    @property
    def nothing(self) -> str:
        return ""

    def every(self, parts: tuple[Clause, ...]) -> str | None:
        texts = [self.write(part) for part in parts]
        return None if None in texts else _all([text for text in texts if text])

    def either(self, parts: tuple[Clause, ...]) -> str | None:
        possible = [text for part in parts if (text := self.write(part)) is not None]
        return _any(possible) if possible else None

    def denied(self, part: Clause) -> str | None:
        text = self.write(part)
        return "" if text is None else f"NOT {text}" if text else None

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        return f"{as_typed(leaf.text)}*" if isinstance(leaf, Prefix) else _any(_said(leaf.text))

    def person(self, _field: Field, who: Person) -> str:
        """By address or by all words of the name, whichever the thing bears."""
        names = AUTHORS[self.entity]
        if who.me:
            return _any([f"{name}:{ME}" for name in names])
        words, known = name_words(who.name), mail_address(who)
        if not words and (self.entity in STORED or known != who.email):
            return ""  # files may bear the name alone, and what is an id here may be another address than the one borne
        asked: list[str] = []
        for name in names:
            asked += [f'{name}:"{known}"'] if known else []
            asked += [_all([_any([f"{name}:{each}" for each in _said(word)]) for word in words])] if words else []
        return _any(asked)

    def container(self, where: Container) -> str | None:
        return f"path:{_quoted(unquote(where.native_id or ''))}" if self.entity in STORED else None

    def kind(self, kind: Kind) -> str | None:
        return "" if kind in KINDS[self.entity] else None

    def instant(self, field: Field, op: Op, instant: datetime) -> str:
        """Days are those of UTC, says the grammar; those of the mailbox, say some who searched mail."""
        name = TIMES[field].get(self.entity)
        return "" if name is None else f"{name}{op}{whole_day(op, instant)}"


def _all(texts: list[str]) -> str:
    return f"({AND.join(texts)})" if len(texts) > 1 else "".join(texts)


def _any(texts: list[str]) -> str:
    """One of ``texts``; empty, as everything passes, where one of them is."""
    if not all(texts):
        return ""
    distinct = dict.fromkeys(texts)
    return next(iter(distinct)) if len(distinct) == 1 else f"({OR.join(distinct)})"


# ---- words


def _spelled(text: str) -> str:
    """A word bare where it can only be a word, else quoted."""
    word = as_typed(text)
    return word if is_plain_word(word) else _quoted(text)


def _said(text: str) -> list[str]:
    """A text, and what begins with it; after a phrase, the asterisk is for its last word.

    Whether Korean is indexed by the words between blanks, with their particles, or by their parts is not documented.
    """
    spelled = _spelled(text)
    return [spelled, f"{spelled}*"] if HANGUL.search(text) else [spelled]


def _quoted(text: str) -> str:
    """In quotes, where only an asterisk still means something: it becomes a blank, as marks between words are."""
    return quoted(text.replace("*", " "))


def spellable(address: str) -> bool:
    """Whether an address can stand in quotes as it is."""
    return _quoted(unquote(address)) == f'"{unquote(address)}"'


def is_plain_word(word: str) -> bool:
    """Letters, digits and underscores, and no operator."""
    return WORD.fullmatch(word) is not None and word.casefold() not in RESERVED


def name_words(name: str) -> list[str]:
    """The words that a name is asked by; none where one of them may be the middle of the word that it is written in."""
    words = name_parts(name)
    askable = all(len(word) >= SHORTEST_FULL_NAME for word in words if HANGUL.search(word))
    return words if askable and as_typed(name).casefold() != "me" else []
