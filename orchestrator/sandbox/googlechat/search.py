"""Evaluate a filter over the messages that an account sees."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from orchestrator.sandbox.googlechat.grammar import (
    MENTION,
    NAME,
    SENDER,
    SPACE,
    TYPE,
    Condition,
    Either,
    Field,
    Function,
    Text,
    parse,
)
from orchestrator.sandbox.googlechat.store import Message, Messages, people_of
from orchestrator.sandbox.index import Matches, TextIndex, words

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
        return self._texts.find_phrase(text.text) if text.quoted else self._texts.find(text.text, "beginning")

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
