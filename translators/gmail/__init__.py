"""Gmail's search box (``q`` of ``messages.list``): words are AND-ed, ``{a b}`` is OR, ``-`` excludes, parentheses group.

Grammar: https://support.google.com/mail/answer/7190 and https://developers.google.com/workspace/gmail/api/guides/filtering
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import name_parts, plain, quoted, settle, spelled, utc
from translators.gmail.verdicts import MAILBOXES, address, judge, message_id
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
    Query,
    Sort,
    State,
    Term,
)
from translators.translator import NativeQuery, Translation


class Gmail:
    """Queries for ``users.messages.list``; everything is in the text. Gmail always lists the newest first."""

    name: ClassVar[str] = "gmail"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        fields={
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.ID: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        negates=frozenset({Term, Phrase, Field.AUTHOR, Field.CONTAINER}),
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as text for Gmail's search box."""
        settled = settle(query, self.can.meet(can), judge)
        return Translation(NativeQuery(self.name, _text(settled.pushed)), settled.residual, settled.losses)


def _text(clause: Clause) -> str:
    """Native text; empty where everything passes, as it does when one of several alternatives is empty."""
    match clause:
        case AllOf(parts):
            return " ".join(filter(None, (_text(part) for part in parts)))
        case AnyOf(parts):
            texts = [_text(part) for part in parts]
            groups = [f"({text})" if isinstance(part, AllOf) else text for part, text in zip(parts, texts, strict=True)]
            return f"{{{' '.join(groups)}}}" if all(texts) else ""
        case Not(part):
            return f"-{_text(part)}"
        case Term(text) | Prefix(text):
            return spelled(text)
        case Phrase(text):
            return quoted(text)
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _condition(leaf: Compare) -> str:
    match leaf.value:
        case Person() as who:
            return f"from:{'me' if who.me else address(who) or _grouped(name_parts(who.name))}"
        case Container(name):
            mailbox = MAILBOXES.get(plain(name).casefold())
            return f"in:{mailbox}" if mailbox else f"label:{spelled(name)}"
        case Kind.FILE:
            return "has:attachment"
        case Identifier() as thing:
            return f"rfc822msgid:{message_id(thing)}"
        case Kind() | State():  # no condition: Gmail holds nothing but mail
            return ""
        case datetime() as instant:
            # Seconds since 1970 are free of time zones (a date would be midnight in California).
            seconds = utc(instant).timestamp()
            return f"after:{math.floor(seconds) - 1}" if leaf.op is Op.GE else f"before:{math.ceil(seconds) + 1}"
        case _:
            assert_never(leaf.value)


def _grouped(words: list[str]) -> str:
    texts = [spelled(word) for word in words]
    return texts[0] if len(texts) == 1 else f"({' '.join(texts)})"


TRANSLATOR = Gmail
