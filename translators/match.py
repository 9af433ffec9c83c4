"""The meaning of a clause: does a document satisfy it? Three-valued, because a snippet cannot prove an absence.

``True`` and ``False`` are certain; ``None`` means the document at hand cannot tell (Kleene's strong logic of
indeterminacy). Results that cannot be checked are kept and marked, never dropped. A snippet is trusted to be cut
between words and to mark what it leaves out in the middle with an ellipsis.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar, assert_never

from translators.inflection import numbers
from translators.letters import HANGUL as HANGUL  # noqa: PLC0414 — for all who compare texts
from translators.letters import PARTICLES, plain_words, with_particles
from translators.letters import WORD as WORD  # noqa: PLC0414
from translators.names import is_named_by, same_name
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
    from collections.abc import Iterable, KeysView

DayT = TypeVar("DayT", date, datetime)
GAP = re.compile(r"\u2026|\.{3}")
CREATED_ONCE = frozenset({Kind.MESSAGE, Kind.THREAD, Kind.MAIL, Kind.EVENT})


ALL_HANGUL = re.compile(f"{HANGUL.pattern}+")
LONG, LONGEST = 3, 30  # syllables of a Korean word that is recognised across a blank
LAST = 2  # a blank and one syllable: what stands alone behind a blank may begin another word (커넥션 풀, 회의 실시)
KOREAN = 0.2  # share of Hangul among the letters from which a text is Korean


class Checkable(Protocol):
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
    @property
    def due(self) -> date | None: ...


def is_korean(text: str) -> bool:
    """By its letters; names and terms in Latin letters do not make a Korean text English."""
    if text.isascii():
        return False
    letters = sum(map(str.isalpha, text))
    return bool(letters) and len(HANGUL.findall(text)) >= KOREAN * letters


def matches(clause: Clause, document: Checkable) -> bool | None:
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
    if text.isascii():
        return plain_words(text)
    return WORD.findall(fold(text))


class _Stretch(NamedTuple):
    """Words that stand side by side; ``spaced``: each between blanks."""

    words: tuple[str, ...]
    spaced: str


@lru_cache(maxsize=512)
def _stretches(texts: tuple[str, ...]) -> tuple[_Stretch, ...]:
    return tuple(_Stretch(tuple(each), f" {' '.join(each)} ") for each in map(words, texts))


def _texts(document: Checkable) -> tuple[str, ...]:
    """Texts in which words really stand side by side: none runs from title to body, or across a gap in a snippet."""
    body = (document.snippet,) if document.complete else GAP.split(document.snippet)
    return (document.title, *body)


def _found(leaf: Term | Phrase | Prefix, document: Checkable) -> bool:
    return stands_in(leaf, _texts(document))


def stands_in(leaf: Term | Phrase | Prefix, texts: tuple[str, ...]) -> bool:
    """Whether one of the texts holds it."""
    sought = _sought(leaf.text, type(leaf))  # type: ignore[arg-type]  # classes have a hash
    if sought is None:  # compared letter by letter
        return any(fold(leaf.text).strip() in fold(text) for text in texts)
    stretches = _stretches(texts)
    for stretch in stretches:  # asked of every word for every sentence: a generator takes twice as long
        if sought.stands_in(stretch):
            return True
    return bool(sought.squeezed) and any(across_blanks(sought.squeezed, each.spaced) for each in stretches)


class _SoughtLeaf(NamedTuple):
    """The words of a leaf. ``begun``: how a text goes on that holds them, where the last may go on; ``forms``: what else the last may be.

    ``squeezed``: a Korean word that may be written with blanks in it.
    """

    head: tuple[str, ...]
    begun: str
    forms: KeysView[str]
    squeezed: str

    def stands_in(self, stretch: _Stretch) -> bool:
        """Most of what is looked for is one word, which needs no look at its neighbours."""
        if self.begun:
            return self.begun in stretch.spaced
        if not self.head:
            return not self.forms.isdisjoint(stretch.words)
        size = len(self.head)
        return any(
            word in self.forms and stretch.words[start : start + size] == self.head
            for start, word in enumerate(stretch.words[size:])
        )


@lru_cache(maxsize=512)
def _sought(text: str, kind: type[Term | Phrase | Prefix]) -> _SoughtLeaf | None:
    """``None`` for nothing but symbols."""
    wanted = words(text)
    if not wanted:
        return None
    *head, last = wanted
    begun = f" {' '.join(wanted)}" if takes_endings(last, kind) else ""
    return _SoughtLeaf(tuple(head), begun, forms_of(last, kind), squeezable(text) if kind is Term else "")


def takes_endings(wanted: str, kind: type[Term | Phrase | Prefix]) -> bool:
    """Whether what begins with it is meant: Korean words carry particles. One of one syllable begins too many others."""
    return kind is Prefix or (len(wanted) > 1 and HANGUL.match(wanted[-1]) is not None)


def forms_of(wanted: str, kind: type[Term | Phrase | Prefix]) -> KeysView[str]:
    """What a word that does not go on may be; for terms also plurals."""
    if HANGUL.match(wanted):
        return with_particles(wanted)
    return numbers(wanted) if kind is Term else {wanted: None}.keys()


# ---- Korean without regard to blanks


@lru_cache(maxsize=512)
def squeezable(text: str) -> str:
    """A Korean word or words of one, written together, if there is enough of it to be recognised so; else nothing."""
    squeezed = "".join(words(text))
    return squeezed if LONG <= len(squeezed) <= LONGEST and ALL_HANGUL.fullmatch(squeezed) else ""


def across_blanks(squeezed: str, spaced: str) -> bool:
    """Whether ``spaced``, words each between blanks, holds ``squeezed`` with other blanks than its own or none.

    It begins where a word does. It ends where one does, or before a particle; where its last part is a word of two
    syllables or more, that may go on like any Korean word. Linear: a place costs no more looks than the longest such word has syllables.
    """
    pattern = _blanks_between(squeezed)
    return any(_ends(found, spaced) for found in pattern.finditer(spaced))


@lru_cache(maxsize=512)
def _blanks_between(squeezed: str) -> re.Pattern[str]:
    return re.compile(f" {' ?'.join(squeezed)}")


def _ends(found: re.Match[str], spaced: str) -> bool:
    if len(found[0]) - found[0].rfind(" ") > LAST:
        return True
    rest = spaced[found.end() : spaced.index(" ", found.end())]
    return not rest or rest in PARTICLES


# ---- fields


def _compare(clause: Compare, document: Checkable) -> bool | None:
    value = clause.value
    match value:
        case date():
            return _on_the_calendar(clause.field, clause.op, value, document)
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


def _same_thing(wanted: Identifier, document: Checkable) -> bool | None:
    """By key or address. A thing may go by other keys and addresses than those at hand, so no difference is proof."""
    known = {bare_address(document.id), bare_address(document.url)} - {""}
    return True if bare_address(wanted.text) in known else None


def bare_address(text: str) -> str:
    """An id or address without case, scheme, ``www`` and what trails."""
    return re.sub(r"^https?://(?:www\.)?", "", text.casefold()).rstrip("/#?")


def _same_kind(wanted: Kind, document: Checkable) -> bool | None:
    """A message may belong to a thread without saying so; what does say so is a message still."""
    if document.kind is wanted or (wanted is Kind.MESSAGE and document.kind is Kind.THREAD):
        return True
    return None if wanted is Kind.THREAD and document.kind is Kind.MESSAGE else False


def happened(document: Checkable) -> datetime | None:
    """When a thing happened, as people mean it: a message or mail is created, a page or issue is last changed."""
    once = document.kind in CREATED_ONCE
    first, second = (document.created, document.updated) if once else (document.updated, document.created)
    return first or second


def days_between(one: datetime, other: datetime) -> float:
    """From one moment to the other, below 0 where that is earlier."""
    apart = other - one  # in whole numbers, as Python divides by a day, at a third of the cost
    return ((apart.days * 86_400 + apart.seconds) * 1_000_000 + apart.microseconds) / 86_400_000_000


def _in_time(name: Field, op: Op, bound: datetime, document: Checkable) -> bool | None:
    created_once = name is Field.TIME and document.kind in CREATED_ONCE
    actual = document.created if created_once or name is Field.CREATED else document.updated
    if actual is None:
        return _changed_since(document.created, op, bound)
    return _stands(actual, op, bound)


def _on_the_calendar(name: Field, op: Op, bound: date, document: Checkable) -> bool | None:
    if isinstance(bound, datetime):
        return _in_time(name, op, bound, document)
    return None if document.due is None else _stands(document.due, op, bound)


def _stands(actual: DayT, op: Op, bound: DayT) -> bool:
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
    """Ids and addresses decide, but for the id of a mention, which is one source's; names agree as :func:`translators.names.same_name` says, or with what stands before the @."""
    if wanted.me:
        return True if actual.me else None
    for mine, theirs in ((wanted.native_id, actual.native_id), (wanted.email, actual.email)):
        if mine and theirs and (not wanted.dialects or mine.casefold() == theirs.casefold()):
            return mine.casefold() == theirs.casefold()
    if wanted.name and actual.email and is_named_by(wanted.name, actual.email):
        return True
    return same_name(wanted.name, actual.name) if wanted.name and actual.name else None


def same_container(wanted: Container, actual: Container) -> bool:
    """By id where both have one, else by name without ``#``, case or the difference of space, ``-`` and ``_``."""
    if wanted.native_id and actual.native_id and (not wanted.dialects or wanted.native_id == actual.native_id):
        return wanted.native_id == actual.native_id
    # An id may be what people call it in full: "acme/app" is the repository "app".
    return _plain(wanted.name) in {_plain(actual.name), _plain(actual.native_id or actual.name)}


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "-", fold(name).lstrip("#"))
