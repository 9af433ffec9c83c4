"""The working state of one reading: the text, what has been claimed of it so far, and what was found.

And what is said of the parts of a question that cannot be taken at their word (doubts).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from translators.letters import has_hangul
from translators.patterns import regex
from translators.query import Category, IdKind, Sort
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

    from orchestrator.understand.directory import Directory
    from orchestrator.understand.lexicon import Lexicon
    from translators.query import Container, Doubt, Entity, Identifier, Kind, Only, Person, State, Window, WorkFlag

SourceCategories = Mapping[str, Category]
"""Names of the configured sources and what kind of place each is."""

BLANK = "\ufffc"
WORD = regex(
    r"#?\w[\w'’]*(?:(?:[-&+./@]|(?<=\d):(?=\d))\w[\w'’]*)*(?:[+#]{1,2}|(?<=\d)%[가-힣]*)?"  # e-mail, A/B, 2.0, grpc-lint, C++, user@host, 10:30
)
LESSER = 0.5
"""What a word weighs that is a condition too, or that no answer need hold."""
LATIN = regex(r"[A-Za-z]")


class Role(StrEnum):
    """Why a stretch of the question is no plain word."""

    FILTER = "filter"
    QUOTE = "quote"
    IDENTIFIER = "identifier"
    TIME = "time"
    SOURCE = "source"
    CONTAINER = "container"
    AUTHOR = "author"
    NEGATED = "negated"
    NOISE = "noise"


@dataclass(slots=True)
class Word:
    """One run of letters and digits as typed; ``bare`` is it without its possessive.

    ``keep`` overrides the word lists: a name is a keyword, noise is not.
    """

    start: int
    end: int
    text: str
    lower: str
    bare: str
    role: Role | None = None
    keep: bool | None = None
    hangul: bool = False

    @property
    def possessive(self) -> bool:
        """Whether it owns what follows: Dana's, James'."""
        return self.bare != self.text


@record
class UncertainReading:
    """How sure a condition read out of prose is (above 0, below 1), and the words that imply it."""

    strength: float
    words: str = ""


@record
class Placed:
    """A stretch ``[start, end)`` of the question that says in which kind of source to look, by the name ``word``."""

    start: int
    end: int
    word: str
    category: Category


@record
class AskedDay:
    """A day of which something is asked, or a week: where it stands in the question, and how that or its first day may be ``written``."""

    at: int
    written: tuple[str, ...]


@dataclass(slots=True)
class Draft:
    """A question being taken apart. ``open`` is the text with claimed stretches blanked, so offsets stay true."""

    text: str
    now: datetime
    lexicon: Lexicon
    directory: Directory
    known: SourceCategories | None = None
    open: str = ""
    words: list[Word] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    phrases: list[tuple[int, str]] = field(default_factory=list)
    entities: list[tuple[int, Entity]] = field(default_factory=list)
    ids: list[tuple[int, Identifier]] = field(default_factory=list)
    hints: list[tuple[int, Category]] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    bare_places: list[tuple[int, str]] = field(default_factory=list)
    only: Only | None = None
    negated: list[tuple[int, str]] = field(default_factory=list)
    excluded_authors: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    sort: Sort = Sort.RELEVANCE
    keywords: list[tuple[int, str]] = field(default_factory=list)
    author: Person | None = None
    container: Container | None = None
    assignee: Person | None = None
    worker: Person | None = None
    others: list[tuple[str, Person | Container]] = field(default_factory=list)
    """By the name of a field, what else was typed for it: any one of them is meant (``from:dana from:lee``)."""
    either: list[int] = field(default_factory=list)
    """Where OR was typed."""
    titled: dict[int, str] = field(default_factory=dict)
    """Of people of whom only the family name and a title are said, by where: both in one word, as many write it (맹부장)."""
    mine: bool = False
    filtered: bool = False
    typed: set[str] = field(default_factory=set)
    readings: dict[str, UncertainReading] = field(default_factory=dict)
    lesser: list[tuple[int, str, float]] = field(default_factory=list)
    verbs: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Korean verbs that are not made of nouns, by where they stand: forms that sentences have them in, as typed first."""
    window: Window | None = None
    as_of: date | None = None
    flag: WorkFlag | None = None
    due: Window | None = None
    spoken_of: Window | None = None
    """The days of the only time that is named, as ones to come."""
    future: bool = False
    coming: tuple[int, tuple[str, ...]] | None = None
    """Where a period that lies ahead stands, and what is written of it, as one would first."""
    day: AskedDay | None = None
    """The one day that is spoken of and that has not been."""
    searching: bool = False

    def __post_init__(self) -> None:
        self.open = self.open or self.text

    def claim(self, start: int, end: int, role: Role) -> None:
        """Blank ``[start, end)`` and give the words inside their role."""
        if start >= end:
            return
        self.open = self.open[:start] + BLANK * (end - start) + self.open[end:]
        for word in self.words_in(start, end):
            word.role = word.role or role

    def imply(self, condition: str, strength: float, words: str = "") -> None:
        """Say how sure the reading of a condition is, by the name of its field here; of an exclusion by ``-`` and its text.

        A condition that was typed (``typed``) is certain, and one of which nothing is said is as sure as its kind is by default.
        """
        self.readings[condition] = UncertainReading(strength, words)

    def weaken(self, start: int, end: int, weight: float = LESSER) -> None:
        """These words say something else than what is looked for: an answer need not hold them, and they weigh this."""
        for word in self.words_in(start, end):
            word.keep = False
            self.lessen(word.start, self.text[word.start : min(word.end, end)], weight)

    def lessen(self, at: int, text: str, weight: float = LESSER) -> None:
        """What stands ``at`` weighs this, and an answer need not hold it."""
        self.lesser.append((at, text, weight))

    def words_in(self, start: int, end: int) -> Iterator[Word]:
        """Words that overlap ``[start, end)``."""
        return (word for word in self.words if word.start < end and word.end > start)

    def split_words(self) -> None:
        """Cut what is still open into words; called once filters, quotes and identifiers are out of the way."""
        whole = [
            (at, at + len(found.text))
            for at, found in self.ids
            if found.kind is not IdKind.PULL_REQUEST or "/" in found.text or found.text.startswith("#")
        ]
        loose = self.open
        for start, end in whole:
            loose = loose[:start] + BLANK * (end - start) + loose[end:]
        words = [_word(match.group(), match.start()) for match in WORD.finditer(loose)]
        words += [_word(self.open[start:end], start, keep=True) for start, end in whole]
        self.words = sorted(words, key=lambda word: word.start)

    @property
    def title_case(self) -> bool:
        """Whether Most Words Begin With A Capital, so that capitals name nothing."""
        latin = [word for word in self.words if word.text[0].isascii() and word.text[0].isalpha()]
        return len(latin) > 2 and sum(word.text[0].isupper() for word in latin) * 3 > 2 * len(latin)  # noqa: PLR2004

    @property
    def hangul(self) -> bool:
        """Whether the open text holds Korean letters."""
        return not self.text.isascii() and has_hangul(self.open)

    @property
    def language(self) -> str:
        """By whose weights it is read: ``en`` or ``ko``."""
        return "ko" if self.hangul else "en"


def _word(text: str, start: int, *, keep: bool | None = None) -> Word:
    return Word(
        start, start + len(text), text, text.lower(), without_possessive(text), keep=keep, hangul=has_hangul(text)
    )


def without_possessive(text: str) -> str:
    """Dana of Dana's, James of James'."""
    if text.endswith(("'s", "’s")):
        return text[:-2]
    return text[:-1] if text.endswith(("s'", "s’")) else text


EMPTY = Said("there is no question; type a few words")
TOO_LONG = Said("only the first {read} of {given} characters were read; ask in fewer words")
INVISIBLE = Said("invisible control characters were left out")
WRONG_KEYBOARD = Said("this looks typed with the English keyboard on, so it was read as: {meant}")
NO_PARTNER = Said("a quotation mark has no partner, so what follows was read as plain words")
ANY_ISSUE = Said("sources are not asked for bugs apart from other issues, so issues of all sorts are listed")
NO_TIME = Said("no time was named, so this is about the last {days} days")
NO_SUCH_DAY = Said("{said} is no day of the calendar, so it was left out; check the date")

# ---- of filters

NO_FILTER = Said("{name}: is no filter, so it was read as plain words; {hint}")
MEANT = Said("did you mean {near}:?")
KNOWN = Said("known filters are {known}")
NO_DAY = Said("{name}:{value} is no day of the calendar; write it as {name}:2025-03-31")
NEVER = Said("nothing is after {start} and before {end}; both limits were left out, please check them")
NO_TYPE = Said("type:{value} is no type; known types are {known}")
NO_STATE = Said("is:{value} is no state; known states are {known}")
NO_SOURCE = Said("source:{value} is not configured; configured sources: {names}")
NONE = Said("none")
NOT_WITHOUT = Said(
    "-source:{value} is not supported, so {value} was searched too; name the sources wanted with source:"
)
