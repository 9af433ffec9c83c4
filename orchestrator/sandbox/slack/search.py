"""Slack's search of messages and of the files shared in them, and the grammar of a query, by the rules of Slack's help page.

https://slack.com/help/articles/202528808 (see docs/reference/sandbox.md for the source of each rule).
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from orchestrator.sandbox.index import Matches, TextIndex, composed, words
from orchestrator.sandbox.slack.store import Channel, Message, Workspace, member_id

MODIFIERS = frozenset({"in", "from", "to", "with", "has", "hasmy", "is", "before", "after", "on", "during"})
NEGATABLE = frozenset({"in", "from", "has", "is"})
MIN_PREFIX = 3
"""Characters that must stand before a trailing asterisk."""

_PIECE = re.compile(r'"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)')


@dataclass(frozen=True, slots=True)
class Needle:
    """Something to look for in the text of messages."""

    text: str
    kind: Literal["word", "phrase", "prefix"]


@dataclass(frozen=True, slots=True)
class Modifier:
    """`name:value`, or with a dash before it."""

    name: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class SlackQuery:
    """Every needle wanted must match, none unwanted may, and every modifier must hold."""

    wanted: Sequence[Needle]
    unwanted: Sequence[Needle]
    modifiers: Sequence[Modifier]


def parse(text: str) -> SlackQuery:
    """Read a query. Total: there are no syntax errors in Slack, only text."""
    wanted: list[Needle] = []
    unwanted: list[Needle] = []
    modifiers: list[Modifier] = []
    for piece in _PIECE.finditer(composed(text)):
        if (phrase := piece["phrase"]) is not None:
            wanted.append(Needle(phrase, "phrase"))
            continue
        word = piece["word"]
        negated = word.startswith("-") and len(word) > 1
        bare = word[1:] if negated else word
        name, colon, value = bare.partition(":")
        if colon and name.casefold() in MODIFIERS:
            modifiers.append(Modifier(name.casefold(), value, negated))
        else:
            (unwanted if negated else wanted).append(_needle(bare))
    return SlackQuery(_with_words(wanted), _with_words(unwanted), tuple(modifiers))


def _needle(word: str) -> Needle:
    if word.endswith("*") and len(word.rstrip("*")) >= MIN_PREFIX:
        return Needle(word.rstrip("*"), "prefix")
    return Needle(word, "word")


def _with_words(needles: Sequence[Needle]) -> Sequence[Needle]:
    """Needles of punctuation alone ask for nothing, and saying a word twice asks for no more."""
    return tuple(dict.fromkeys(needle for needle in needles if words(needle.text)))


_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_LINK = re.compile(r"https?://")
_REFERENCE = re.compile(r"<([#@])([A-Z0-9]+)(?:\|[^>]*)?>", re.ASCII)
_EMOJI = re.compile(r":+([^:\s]+):")
_IMAGE = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic")
Test = Callable[[Message], bool]


def named_days(text: str, today: date) -> tuple[date, date] | None:
    """First and last day named by `2026-03-01`, `today`, `yesterday`, `march` or `2026`; nothing if it is none of these."""
    word = text.casefold()
    if word in ("today", "yesterday"):
        day = today - timedelta(days=word == "yesterday")
        return day, day
    if word in _MONTHS:
        return _month(_MONTHS.index(word) + 1, today)
    try:
        if _DAY.fullmatch(word):
            day = date.fromisoformat(word)
            return day, day
        if _YEAR.fullmatch(word):
            return date(int(word), 1, 1), date(int(word), 12, 31)
    except ValueError:  # a day or year that the calendar does not have
        return None
    return None


def _month(month: int, today: date) -> tuple[date, date]:
    """The latest such month that has begun."""
    year = today.year - (month > today.month)
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


@dataclass(frozen=True, slots=True)
class Reader:
    """Whose search it is: what they may see, who `me` is, and where and when their days begin."""

    user: str
    sees_private: bool
    now: datetime
    zone: ZoneInfo

    def may_see(self, channel: Channel) -> bool:
        """Public channels, and private ones they are in (a token of the owner is in all)."""
        return not channel.private or self.sees_private or self.user in channel.members


class MessageSearch:
    """Search over one workspace; the index is built once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._index = TextIndex((message.row.text,) for message in workspace.messages)

    def find(self, query: SlackQuery, reader: Reader) -> Sequence[tuple[Message, float]]:
        """The messages that match, with their score, in no particular order."""
        return self.find_clauses([(needle,) for needle in query.wanted], query.unwanted, query.modifiers, reader)

    def find_clauses(
        self,
        clauses: Sequence[Sequence[Needle]],
        unwanted: Sequence[Needle],
        modifiers: Sequence[Modifier],
        reader: Reader,
    ) -> Sequence[tuple[Message, float]]:
        """The same for messages in which every clause has at least one of its needles."""
        if not clauses and not modifiers:
            return []
        wanted = [joined(self._index, clause) for clause in clauses]
        never, passes = joined(self._index, unwanted), self.test(modifiers, reader)
        found = [
            message.number for message in self._candidates(wanted) if message.number not in never and passes(message)
        ]
        scores = self._index.score(wanted, found)
        return [(self._workspace.messages[number], score) for number, score in scores.items()]

    def test(self, modifiers: Sequence[Modifier], reader: Reader) -> Test:
        """Whether a message is one that the reader may see and for which every modifier holds."""
        tests = [self._test(modifier, reader) for modifier in modifiers]
        return lambda message: reader.may_see(message.channel) and all(test(message) for test in tests)

    def _candidates(self, wanted: Sequence[Matches]) -> Iterable[Message]:
        if not wanted:
            return self._workspace.messages
        rarest, *others = sorted(wanted, key=len)
        return (self._workspace.messages[n] for n in rarest if all(n in other for other in others))

    def _test(self, modifier: Modifier, reader: Reader) -> Test:
        if modifier.negated and modifier.name not in NEGATABLE:
            return _never
        test = self._positive_test(modifier, reader)
        return (lambda message: not test(message)) if modifier.negated else test

    def _positive_test(self, modifier: Modifier, reader: Reader) -> Test:
        match modifier.name:
            case "in":
                channel = self._channel(modifier.value)
                return lambda message: message.channel is channel
            case "from" | "with":
                return self._test_person(modifier, reader)
            case "has" | "is":
                return _has(modifier.value) if modifier.name == "has" else _is(modifier.value)
            case "before" | "after" | "on" | "during":
                return _dated(modifier, reader)
            case _:  # to: and hasmy: ask for what no corpus row says (direct messages, whose reaction it was)
                return _never

    def _test_person(self, modifier: Modifier, reader: Reader) -> Test:
        user = self._user(modifier.value, reader)
        if not user:
            return _never
        if modifier.name == "with":
            return lambda message: _took_part(message, user)
        return lambda message: message.user == user

    def _channel(self, value: str) -> Channel | None:
        if reference := _REFERENCE.fullmatch(value):
            return self._workspace.channels.get(reference[2]) if reference[1] == "#" else None
        return self._workspace.channel_named(value.removeprefix("#"))

    def _user(self, value: str, reader: Reader) -> str:
        """The id of the member a value names by handle, reference or `me`; empty for nobody."""
        if value.casefold() in ("me", "@me"):
            return reader.user
        if reference := _REFERENCE.fullmatch(value):
            return reference[2] if reference[1] == "@" else ""
        person = self._workspace.people.find(value)
        named = person is not None and person.handle.casefold() == value.removeprefix("@").casefold()
        return member_id(person) if person is not None and named else ""


def joined(index: TextIndex, needles: Sequence[Needle]) -> Matches:
    """The documents that hold at least one of the needles, each with how often."""
    found: dict[int, int] = {}
    for needle in needles:
        for document, count in _matches(index, needle).items():
            found[document] = found.get(document, 0) + count
    return found


def _matches(index: TextIndex, needle: Needle) -> Matches:
    match needle.kind:
        case "phrase":
            return index.find_phrase(needle.text)
        case "prefix":
            return index.find(needle.text, "prefix")
        case "word":
            return index.find(needle.text, "stem")


def _never(_: Message) -> bool:
    return False


def _took_part(message: Message, user: str) -> bool:
    root = message.root or message
    return message.threaded and any(member.user == user for member in (root, *root.replies))


def _has(value: str) -> Test:
    tests: Mapping[str, Test] = {
        "link": lambda message: bool(message.row.listed("links") or _LINK.search(message.row.text)),
        "file": lambda message: bool(message.row.listed("files")),
        "image": lambda message: any(name.casefold().endswith(_IMAGE) for name in message.row.listed("files")),
        "pin": lambda message: message.row.flagged("pinned"),
        "reaction": lambda message: bool(message.row.listed("reactions")),
    }
    if emoji := _EMOJI.fullmatch(value):
        return lambda message: emoji[1] in message.row.listed("reactions")
    return tests.get(value.casefold(), _never)


def _is(value: str) -> Test:
    tests: Mapping[str, Test] = {
        "thread": lambda message: message.threaded,
        "saved": lambda message: message.row.flagged("saved"),
    }
    return tests.get(value.casefold(), _never)


def _dated(modifier: Modifier, reader: Reader) -> Test:
    """`after` and `before` leave out the day they name; days are those of the reader's zone."""
    named = named_days(modifier.value, reader.now.astimezone(reader.zone).date())
    if named is None:
        return _never
    first, following = _midnight(named[0], reader.zone), _midnight(_next(named[1]), reader.zone)
    match modifier.name:
        case "before":
            return lambda message: message.micros < first
        case "after":
            return lambda message: message.micros >= following
        case _:
            return lambda message: first <= message.micros < following


def _next(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def _midnight(day: date, zone: ZoneInfo) -> int:
    """Microseconds since 1970 at which a day begins in a zone."""
    # The first and last days of the calendar have no midnight in every zone; naming them bounds nothing anyway.
    day = min(max(day, date(1900, 1, 1)), date(9000, 1, 1))
    return int(datetime.combine(day, time(), zone).timestamp()) * 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class SharedFile:
    """One file and the message it came with."""

    message: Message
    place: int
    name: str

    @property
    def id(self) -> str:
        """Slack's id."""
        return f"F{self.message.number}N{self.place}"


class FileSearch:
    """Search over the names of files; whoever may see the message may see the file."""

    def __init__(self, workspace: Workspace, messages: MessageSearch) -> None:
        self._messages = messages
        self._files = [
            SharedFile(message, place, name)
            for message in workspace.messages
            for place, name in enumerate(message.row.listed("files"))
        ]
        self._index = TextIndex((file.name,) for file in self._files)

    def find_clauses(
        self,
        clauses: Sequence[Sequence[Needle]],
        unwanted: Sequence[Needle],
        modifiers: Sequence[Modifier],
        reader: Reader,
    ) -> Sequence[tuple[SharedFile, float]]:
        """The files of which every clause has a word in the name, with their score, in no particular order."""
        wanted = [joined(self._index, clause) for clause in clauses]
        never = joined(self._index, unwanted)
        passes = self._messages.test(modifiers, reader)
        found = [
            number
            for number, file in enumerate(self._files)
            if number not in never and all(number in each for each in wanted) and passes(file.message)
        ]
        scores = self._index.score(wanted, found)
        return [(self._files[number], score) for number, score in scores.items()]
