"""Gmail's search box (``q`` of ``messages.list``): words are AND-ed, ``{a b}`` is OR, ``-`` excludes, parentheses group.

Grammar: https://support.google.com/mail/answer/7190 and https://developers.google.com/workspace/gmail/api/guides/filtering
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import as_typed, mail_address, name_parts, spelled, utc
from translators.generate import Dialect, TextGenerator
from translators.gmail.verdicts import MAILBOXES, judge, message_id
from translators.query import Clause, Container, Field, Identifier, Kind, Op, Person, Phrase, Sort, Term
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from datetime import datetime


class Gmail(Dialect, TextGenerator):
    """Queries for ``users.messages.list``; everything is in the text. Gmail always lists the newest first."""

    name = "gmail"
    can = Capabilities(
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
        as_written=True,
        negates=frozenset({Term, Phrase, Field.AUTHOR, Field.CONTAINER}),
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )
    verdicts = judge
    either_of, brackets = " ", ("{", "}")

    def native(self, pushed: Clause, _order: Sort) -> NativeQuery:
        return NativeQuery(self.name, self.write(pushed))

    def person(self, _field: Field, who: Person) -> str:
        words = [spelled(word) for word in name_parts(who.name)]
        named = words[0] if len(words) == 1 else f"({' '.join(words)})"
        return f"from:{'me' if who.me else mail_address(who) or named}"

    def container(self, where: Container) -> str:
        mailbox = MAILBOXES.get(as_typed(where.name).casefold())
        return f"in:{mailbox}" if mailbox else f"label:{spelled(where.name)}"

    def kind(self, kind: Kind) -> str:
        return "has:attachment" if kind is Kind.FILE else self.nothing  # there is nothing but mail

    def identifier(self, thing: Identifier) -> str:
        return f"rfc822msgid:{message_id(thing)}"

    def instant(self, _field: Field, op: Op, instant: datetime) -> str:
        """Seconds since 1970 are free of time zones (a date would be midnight in California)."""
        seconds = utc(instant).timestamp()
        return f"after:{math.floor(seconds) - 1}" if op is Op.GE else f"before:{math.ceil(seconds) + 1}"


TRANSLATOR = Gmail
