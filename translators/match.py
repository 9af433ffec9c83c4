"""The meaning of a clause: does a document satisfy it? Three-valued, because a snippet cannot prove an absence.

``True`` and ``False`` are certain; ``None`` means the document at hand cannot tell (Kleene's strong logic of
indeterminacy). Results that cannot be checked are kept and marked, never dropped. A snippet is trusted to be cut
between words and to mark what it leaves out in the middle with an ellipsis.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, assert_never

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
    from collections.abc import Callable, Iterable

HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
# A Korean particle follows a Latin word without a blank ("API는"), so a word ends where Hangul begins or ends.
WORD = re.compile(rf"{HANGUL.pattern}+|[^\W{HANGUL.pattern[1:-1]}]+")
GAP = re.compile(r"\u2026|\.{3}")
CREATED_ONCE = frozenset({Kind.MESSAGE, Kind.THREAD, Kind.MAIL, Kind.EVENT})


KOREAN = 0.2  # share of Hangul among the letters from which a text is Korean


class Document(Protocol):
    """What can be checked; :class:`connectors.contract.Hit` is one. ``complete``: ``snippet`` is the whole text."""

    @property
    def id(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def snippet(self) -> str: ...
    @property
    def complete(self) -> bool: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def author(self) -> Person | None: ...
    @property
    def assignee(self) -> Person | None: ...
    @property
    def container(self) -> Container | None: ...
    @property
    def state(self) -> State | None: ...
    @property
    def created(self) -> datetime | None: ...
    @property
    def updated(self) -> datetime | None: ...


def is_korean(text: str) -> bool:
    """By its letters; names and terms in Latin letters do not make a Korean text English."""
    if text.isascii():
        return False
    letters = sum(map(str.isalpha, text))
    return bool(letters) and len(HANGUL.findall(text)) >= KOREAN * letters


def matches(clause: Clause, document: Document) -> bool | None:
    """Whether ``document`` satisfies ``clause``; ``None`` where it does not hold enough to tell."""
    match clause:
        case AllOf(parts):
            return _all(matches(part, document) for part in parts)
        case AnyOf(parts):
            return _any(matches(part, document) for part in parts)
        case Not(part):
            value = matches(part, document)
            return None if value is None else not value
        case Compare():
            return _compare(clause, document)
        case Term() | Phrase() | Prefix():
            found = _found(clause, document)
            return found if found or document.complete else None
        case _:
            assert_never(clause)


def _all(values: Iterable[bool | None]) -> bool | None:
    found = set(values)
    return False if False in found else None if None in found else True


def _any(values: Iterable[bool | None]) -> bool | None:
    found = set(values)
    return True if True in found else None if None in found else False


# ---- text


def fold(text: str) -> str:
    """Case and compatibility forms away, so that ``Ｋ８Ｓ`` and decomposed Hangul compare as people read them."""
    return unicodedata.normalize("NFKC", text).casefold()


def words(text: str) -> list[str]:
    """The folded words of a text: runs of letters, digits and underscores in one script."""
    return WORD.findall(fold(text))


@lru_cache(maxsize=512)
def _stretches(texts: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(words(text)) for text in texts)


def _texts(document: Document) -> tuple[str, ...]:
    """Texts in which words really stand side by side: none runs from title to body, or across a gap in a snippet."""
    body = (document.snippet,) if document.complete else GAP.split(document.snippet)
    return (document.title, *body)


def _found(leaf: Term | Phrase | Prefix, document: Document) -> bool:
    texts, wanted = _texts(document), _asked(leaf.text)
    if not wanted:  # nothing but symbols: compared letter by letter
        return any(fold(leaf.text).strip() in fold(text) for text in texts)
    *head, last = wanted
    fits, before = _fitting(last, leaf), tuple(head)
    return any(
        fits(word) and present[start : start + len(before)] == before
        for present in _stretches(texts)
        for start, word in enumerate(present[len(before) :])
    )


@lru_cache(maxsize=512)
def _asked(text: str) -> tuple[str, ...]:
    return tuple(words(text))


def _fitting(wanted: str, leaf: Term | Phrase | Prefix) -> Callable[[str], bool]:
    """Which words a last word means: Korean ones carry particles, so what begins with it; for terms also plurals."""
    if isinstance(leaf, Prefix) or HANGUL.match(wanted[-1]):
        return lambda present: present.startswith(wanted)
    return _numbers(wanted).__contains__ if isinstance(leaf, Term) else wanted.__eq__


@lru_cache(maxsize=512)
def _numbers(word: str) -> frozenset[str]:
    """A word in singular and plural, whichever of them it is itself."""
    return frozenset({word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es")})


# ---- fields


def _compare(clause: Compare, document: Document) -> bool | None:
    value = clause.value
    match value:
        case datetime():
            return _in_time(clause.field, clause.op, value, document)
        case Person():
            actual = document.assignee if clause.field is Field.ASSIGNEE else document.author
            return None if actual is None else same_person(value, actual)
        case Container():
            return None if document.container is None else same_container(value, document.container)
        case Kind():
            return _same_kind(value, document)
        case State():
            return None if document.state is None else document.state is value
        case Identifier():
            return _same_thing(value, document)
        case _:
            assert_never(value)


def _same_thing(wanted: Identifier, document: Document) -> bool | None:
    """By key or address. A thing may go by other keys and addresses than those at hand, so no difference is proof."""
    known = {_address(document.id), _address(document.url)} - {""}
    return True if _address(wanted.text) in known else None


def _address(text: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|[/#?]+$", "", text.casefold())


def _same_kind(wanted: Kind, document: Document) -> bool | None:
    """A message may belong to a thread without saying so; what does say so is a message still."""
    if document.kind is wanted or (wanted is Kind.MESSAGE and document.kind is Kind.THREAD):
        return True
    return None if wanted is Kind.THREAD and document.kind is Kind.MESSAGE else False


def happened(document: Document) -> datetime | None:
    """When a thing happened, as people mean it: a message or mail is created, a page or issue is last changed."""
    once = document.kind in CREATED_ONCE
    first, second = (document.created, document.updated) if once else (document.updated, document.created)
    return first or second


def _in_time(name: Field, op: Op, bound: datetime, document: Document) -> bool | None:
    created_once = name is Field.TIME and document.kind in CREATED_ONCE
    actual = document.created if created_once or name is Field.CREATED else document.updated
    if actual is None:
        return _changed_since(document.created, op, bound)
    match op:
        case Op.GE:
            return actual >= bound
        case Op.LT:
            return actual < bound
        case Op.EQ:
            return actual == bound
        case _:
            assert_never(op)


def _changed_since(created: datetime | None, op: Op, bound: datetime) -> bool | None:
    """All we know of a last change that was not told: it is not earlier than the creation."""
    return op is Op.GE if created is not None and created > bound else None


def same_person(wanted: Person, actual: Person) -> bool | None:
    """Ids and addresses decide; names agree whole or in part ("sarah", "민수" for 김민수); other scripts cannot tell."""
    if wanted.me:
        return True if actual.me else None
    for mine, theirs in ((wanted.native_id, actual.native_id), (wanted.email, actual.email)):
        if mine and theirs:
            return mine.casefold() == theirs.casefold()
    return _same_name(fold(wanted.name), fold(actual.name)) if wanted.name and actual.name else None


def _same_name(wanted: str, actual: str) -> bool | None:
    if wanted == actual or (_name_words(wanted) and _name_words(wanted) <= _name_words(actual)):
        return True
    if bool(HANGUL.search(wanted)) != bool(HANGUL.search(actual)):
        return None
    # A Korean given name without its (one-syllable) family name.
    return actual.endswith(wanted) if HANGUL.search(wanted) and len(wanted) > 1 else False


def _name_words(name: str) -> frozenset[str]:
    return frozenset(words(name.replace("_", " ")))


def same_container(wanted: Container, actual: Container) -> bool:
    """By id where both have one, else by name without ``#``, case or the difference of space, ``-`` and ``_``."""
    if wanted.native_id and actual.native_id:
        return wanted.native_id == actual.native_id
    # An id may be what people call it in full: "acme/app" is the repository "app".
    return _plain(wanted.name) in {_plain(actual.name), _plain(actual.native_id or actual.name)}


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", fold(name).lstrip("#"))
