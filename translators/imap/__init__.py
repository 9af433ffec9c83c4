"""IMAP's SEARCH command: keys are AND-ed by standing side by side, ``OR`` takes two, text is any part of the text.

Manual: https://www.rfc-editor.org/rfc/rfc3501#section-6.4.4 and https://www.rfc-editor.org/rfc/rfc9051#section-6.4.4
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import as_typed, barring, name_parts, utc
from translators.generate import Dialect, Generator
from translators.imap.verdicts import MAILBOXES, address, judge, message_id, telling, wanted
from translators.query import (
    BY_DATE,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from translators.split import Judge
    from translators.translator import Json

ONE_PLACE = Said("a mailbox is opened before it is searched, so it cannot stand among alternatives")


class Imap(Dialect, Generator[list["Json"]]):
    r"""Queries for ``SEARCH``. ``text`` is for people; ``args`` is what is sent.

    ``criteria`` lists the keys, all of which must hold (none: ``ALL``), each a list that begins with its name as in
    ``["TEXT", "배포"]``, ``["HEADER", "Message-ID", "<a@b.example>"]``, ``["SENTSINCE", "9-Jan-2025"]``, ``["OR", key, key]``,
    ``["NOT", key]``, ``["AND", key, …]`` (parentheses) and ``["FROM", {"me": true}]``. ``mailbox`` names the only one
    to be searched, by its name or its special use (``\Sent``). ``sort`` is ``newest`` or ``oldest``.
    """

    name = "imap"
    can = Capabilities(
        term=Fidelity.WIDER,
        phrase=Fidelity.WIDER,
        prefix=Fidelity.WIDER,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.WIDER,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        as_written=True,
        # What is wider can only be wanted: leaving out more than was said would lose mails.
        negates=frozenset({Field.ID}),
        sorts=BY_DATE,
        note=Said("found inside longer words and in headers too"),
    )
    verdicts = judge
    single = frozenset({Field.CONTAINER})

    @property
    def nothing(self) -> list[Json]:
        return []

    def judge_of(self, query: Query, _can: Capabilities) -> Judge:
        """A mailbox can be asked for only where it must hold."""
        must = conjuncts(query.where)
        places = (leaf for leaf in leaves(query.where) if isinstance(leaf, Compare) and leaf.field is Field.CONTAINER)
        return barring(self.verdicts, {leaf: ONE_PLACE for leaf in places if leaf not in must})

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        criteria = self.write(pushed)
        args: dict[str, Json] = {"criteria": criteria}
        for part in conjuncts(pushed):
            if isinstance(part, Compare) and isinstance(part.value, Container):
                args["mailbox"] = _mailbox(part.value)
        if order is not Sort.RELEVANCE:
            args["sort"] = str(order)
        return NativeQuery(self.name, shown(criteria), args)

    def every(self, parts: tuple[Clause, ...]) -> list[Json]:
        return [key for part in parts for key in self.write(part)]

    def either(self, parts: tuple[Clause, ...]) -> list[Json]:
        return any_key([self.write(part) for part in parts])

    def denied(self, part: Clause) -> list[Json]:
        return [["NOT", key] for key in self.write(part)]

    def words(self, leaf: Term | Phrase | Prefix) -> list[Json]:
        return [["TEXT", word] for word in wanted(leaf)]

    def person(self, _field: Field, who: Person) -> list[Json]:
        if who.me:
            return [["FROM", {"me": True}]]
        known = address(who)
        return [["FROM", text] for text in ([known] if known else telling(name_parts(who.name)))]

    def kind(self, kind: Kind) -> list[Json]:
        return [["HEADER", "Content-Type", "multipart/mixed"]] if kind is Kind.FILE else self.nothing

    def identifier(self, thing: Identifier) -> list[Json]:
        return [["HEADER", "Message-ID", message_id(thing.text)]]

    def instant(self, _field: Field, op: Op, instant: datetime) -> list[Json]:
        """Of a mail without a Date header the server's own date is the only one, so either may be the one."""
        on = day_since(instant) if op is Op.GE else day_before(instant)
        names = ("SENTSINCE", "SINCE") if op is Op.GE else ("SENTBEFORE", "BEFORE")
        return any_key([[[name, on]] for name in names])


def _mailbox(where: Container) -> str:
    name = as_typed(where.name)
    return where.native_id or MAILBOXES.get(name.casefold(), name)


# ---- SEARCH keys as data, as text for people, and the days that they name

# https://www.rfc-editor.org/rfc/rfc3501#section-9: date-month is English whatever the locale.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)
TEXTS = frozenset({"TEXT", "FROM"})


def any_key(alternatives: Sequence[Sequence[Json]]) -> list[Json]:
    """One key for alternatives, each a list of keys that must all hold; an empty one lets everything through.

    ``OR`` takes exactly two, so more are halved again and again, which keeps the nesting shallow.
    """
    if not all(alternatives) or not alternatives:
        return []
    if len(alternatives) == 1:
        return list(alternatives[0])
    half = (len(alternatives) + 1) // 2
    return [["OR", _one(any_key(alternatives[:half])), _one(any_key(alternatives[half:]))]]


def _one(keys: Sequence[Json]) -> Json:
    return keys[0] if len(keys) == 1 else ["AND", *keys]


def day_since(start: datetime) -> str:
    """The earliest day on which something at ``start`` or later can be dated.

    Servers compare the day as it is written, "disregarding time and timezone", and no zone is a day away from UTC.
    """
    return day((utc(start) - DAY).date())


def day_before(end: datetime) -> str:
    """The day after the last one on which something before ``end`` can be dated: BEFORE leaves out the day it names."""
    return day((utc(end) - INSTANT + DAY).date() + DAY)


def day(on: date) -> str:
    """A day as IMAP writes it."""
    return f"{on.day}-{MONTHS[on.month - 1]}-{on.year:04}"


def shown(keys: Iterable[Json]) -> str:
    """Keys as one would type them to a server."""
    return " ".join(map(_shown, keys)) or "ALL"


def _shown(key: Json) -> str:
    match key:
        case ["AND", *keys]:
            return f"({shown(keys)})"
        case ["OR" | "NOT" as name, *keys]:
            return f"{name} {shown(keys)}"
        case ["HEADER", name, str(text)]:
            return f"HEADER {name} {_quoted(text)}"
        case [name, str(text)]:
            return f"{name} {_quoted(text) if name in TEXTS else text}"
        case _:
            return "FROM me"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


TRANSLATOR = Imap
