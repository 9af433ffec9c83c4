"""The language of a message search's `filter`, where what is not documented is an error, and the messages of an account that it lets through.

https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/search
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestrator.sandbox.googlechat.store import Message, Messages, people_of
from orchestrator.sandbox.index import Matches, Text, TextIndex, composed, words
from orchestrator.sandbox.logic import END, Tokens

LONGEST = 1000
MAX_DEPTH = 20

TIME, SENDER, SPACE, NAME, TYPE, MENTION = (
    "create_time", "sender.name", "space.name", "space.display_name", "space.space_type", "annotations.user_mentions.user.name",
)  # fmt: skip
OPERATORS = {TIME: {"<", ">="}, SENDER: {"="}, SPACE: {"="}, NAME: {":"}, TYPE: {"="}, MENTION: {":"}}
EITHER = frozenset({SENDER, SPACE, TYPE})
"""Fields that are asked once, or joined by OR."""
BOTH = frozenset({NAME, MENTION})
"""Fields that may be joined by AND, or by OR, but not by both."""
FUNCTIONS = frozenset({"has_link", "is_unread"})

_TOKEN = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"|(?P<sign>>=|[<=:()*])|(?P<word>[^\s"<>=:()*]+))')
_TYPES = frozenset({"DIRECT_MESSAGE", "GROUP_CHAT", "SPACE"})
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})", re.ASCII)


class FilterError(ValueError):
    """A filter that Google Chat does not understand."""


@dataclass(frozen=True, slots=True)
class Field:
    """`field operator value`; a time's value is an instant."""

    name: str
    operator: str
    value: str | datetime


@dataclass(frozen=True, slots=True)
class Function:
    """`has_link()`, `is_unread()`, or `attachment:*` under the name of attachment."""

    name: str


@dataclass(frozen=True, slots=True)
class Either:
    """Conditions on one field of which one must hold."""

    fields: Sequence[Field]


Condition = Text | Field | Function | Either


def parse(text: str) -> Sequence[Condition]:
    """The conditions of a filter. Raises `FilterError`."""
    if not text.strip() or len(text) > LONGEST:
        raise FilterError(text[:20])
    found = _Parser(Tokens(composed(text), _TOKEN, FilterError)).whole()
    _check(found)
    return found


def _check(conditions: Sequence[Condition]) -> None:
    """Raise `FilterError` where one field is asked in ways that cannot be joined."""
    names = [name for condition in conditions for name in _names(condition)]
    alternatives = {name for condition in conditions if isinstance(condition, Either) for name in _names(condition)}
    for name in {*names}:
        once = name in EITHER or name in alternatives or name.startswith(TIME)
        if once and names.count(name) > 1:
            raise FilterError(name)


def _names(condition: Condition) -> Sequence[str]:
    match condition:
        case Field(name=name, operator=operator):
            return [name + operator if name == TIME else name]  # an interval has two ends
        case Either(fields=fields):
            return [fields[0].name]
        case _:
            return []


class _Parser:
    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    def whole(self) -> Sequence[Condition]:
        found = self._alternatives(0)
        self._tokens.end()
        return found

    def _alternatives(self, depth: int) -> Sequence[Condition]:
        """Conditions joined by AND, or fields of one name joined by OR; the two do not stand side by side."""
        found = self._all(depth)
        if self._tokens.here != ("word", "OR"):
            return found
        either = [found]
        while self._tokens.skip("word", "OR"):
            either.append(self._all(depth))
        fields = [each for conditions in either for each in conditions if isinstance(each, Field)]
        names = {field.name for field in fields}
        if len(fields) != len(either) or any(len(each) != 1 for each in either) or not names <= EITHER | BOTH:
            raise FilterError("OR")
        if len(names) != 1:
            raise FilterError("OR")
        return [Either(tuple(fields))]

    def _all(self, depth: int) -> Sequence[Condition]:
        found = [*self._unit(depth)]
        while self._tokens.here not in {END, ("word", "OR"), ("sign", ")")}:
            self._tokens.skip("word", "AND")
            found += self._unit(depth)
        return found

    def _unit(self, depth: int) -> Sequence[Condition]:
        if depth > MAX_DEPTH:
            raise FilterError("(")
        if self._tokens.skip("sign", "("):
            inner = self._alternatives(depth + 1)
            if not self._tokens.skip("sign", ")"):
                raise FilterError("(")
            return inner
        return [self._condition()]

    def _condition(self) -> Condition:
        kind, text = self._tokens.here
        text = self._tokens.take("quoted", "word")
        if kind == "quoted":
            return Text(text, quoted=True)
        if text in FUNCTIONS and self._tokens.skip("sign", "("):
            if not self._tokens.skip("sign", ")"):
                raise FilterError(text)
            return Function(text)
        if self._tokens.here[0] == "sign" and self._tokens.here[1] not in "()":
            return self._field(text)
        if text in {"AND", "OR", "NOT"} or text.startswith("-"):
            raise FilterError(text)
        return Text(text)

    def _field(self, name: str) -> Condition:
        operator = self._tokens.take("sign")
        if (name, operator) == ("attachment", ":") and self._tokens.skip("sign", "*"):
            return Function("attachment")
        if operator not in OPERATORS.get(name, ()):
            raise FilterError(name)
        value = self._tokens.take("quoted", "word")
        prefixes = {SENDER: "users/", MENTION: "users/", SPACE: "spaces/"}
        if not value.startswith(prefixes.get(name, "")) or (name == TYPE and value not in _TYPES):
            raise FilterError(value)
        return Field(name, operator, _moment(value) if name == TIME else value)


def _moment(text: str) -> datetime:
    if not _TIME.fullmatch(text):
        raise FilterError(text)
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise FilterError(text) from error


MOST_SPACES = 5
"""Spaces that a partial name stands for."""

_LINK = re.compile(r"https?://")


class MessageSearch:
    """Search over one account's messages; the index is built once."""

    def __init__(self, messages: Messages) -> None:
        self._account = messages.account
        self._messages = messages.messages
        self._spaces = list(messages.spaces.values())
        self._people = people_of(messages.messages)
        self._texts = TextIndex((message.text,) for message in self._messages)

    def find(self, text: str, *, by_relevance: bool) -> Sequence[Message]:
        """Messages that match, the latest first unless by relevance. Raises `FilterError`."""
        conditions = parse(text)
        sought = [self._matches(each) for each in conditions if isinstance(each, Text)]
        kept = [number for number in range(len(self._messages)) if all(number in matches for matches in sought)]
        for condition in conditions:
            test = self._test(condition)
            kept = [number for number in kept if test(self._messages[number])]
        if by_relevance:
            scores = self._texts.score(sought, kept)
            kept.sort(key=lambda number: -scores[number])
        return [self._messages[number] for number in kept]

    def _matches(self, text: Text) -> Matches:
        return self._texts.find_text(text)

    def _test(self, condition: Condition) -> Callable[[Message], bool]:
        match condition:
            case Either(fields=fields):
                tests = [self._test(each) for each in fields]
                return lambda message: any(test(message) for test in tests)
            case Function(name="attachment"):
                return lambda message: bool(message.files)
            case Function(name="has_link"):
                return lambda message: _LINK.search(message.text) is not None
            case Field():
                return self._field(condition)
            case _:  # words are done; a corpus does not say what is unread, so everything is read
                return lambda _: isinstance(condition, Text)

    def _field(self, field: Field) -> Callable[[Message], bool]:
        value = field.value
        if isinstance(value, datetime):
            return lambda message: message.created >= value if field.operator == ">=" else message.created < value
        match field.name:
            case name if name in (SENDER, MENTION):
                who = self._account if value == "users/me" else self._people.get(value.casefold())
                if name == MENTION:
                    return lambda message: who is not None and f"@{who.name}" in message.text
                return lambda message: who is not None and message.sender.id == who.id
            case name if name == SPACE:
                return lambda message: message.space.name == value
            case name if name == TYPE:
                return lambda message: message.space.type == value
            case _:
                return self._named(value)

    def _named(self, part: str) -> Callable[[Message], bool]:
        wanted = words(part)
        fitting = [space for space in self._spaces if set(wanted) <= set(words(space.title))][:MOST_SPACES]
        return lambda message: message.space in fitting


def needs_spaces(text: str) -> bool:
    """Whether a filter reads names or types of spaces, which takes a scope of its own. Raises `FilterError`."""
    fields = [field for each in parse(text) for field in (each.fields if isinstance(each, Either) else (each,))]
    return any(isinstance(field, Field) and field.name in (NAME, TYPE) for field in fields)
