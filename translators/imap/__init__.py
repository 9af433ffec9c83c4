"""IMAP's SEARCH command: keys are AND-ed by standing side by side, ``OR`` takes two, text is any part of the text.

Manual: https://www.rfc-editor.org/rfc/rfc3501#section-6.4.4 and https://www.rfc-editor.org/rfc/rfc9051#section-6.4.4
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import name_parts, plain, settle
from translators.imap.keys import any_key, day_before, day_since, shown
from translators.imap.verdicts import MAILBOXES, address, judge, message_id, telling, wanted
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
    conjuncts,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from translators.split import Judge
    from translators.translator import Json

ONE_PLACE = Said("a mailbox is opened before it is searched, so it cannot stand among alternatives")


class Imap:
    r"""Queries for ``SEARCH``. ``text`` is for people; ``args`` is what is sent.

    ``criteria`` lists the keys, all of which must hold (none: ``ALL``), each a list that begins with its name as in
    ``["TEXT", "배포"]``, ``["HEADER", "Message-ID", "<a@b.example>"]``, ``["SENTSINCE", "9-Jan-2025"]``, ``["OR", key, key]``,
    ``["NOT", key]``, ``["AND", key, …]`` (parentheses) and ``["FROM", {"me": true}]``. ``mailbox`` names the only one
    to be searched, by its name or its special use (``\Sent``). ``sort`` is ``newest`` or ``oldest``.
    """

    name: ClassVar[str] = "imap"
    can: ClassVar[Capabilities] = Capabilities(
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
        # What is wider can only be wanted: leaving out more than was said would lose mails.
        negates=frozenset({Field.ID}),
        sorts=frozenset(Sort),
        note=Said("found inside longer words and in headers too"),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as criteria for one SEARCH."""
        can = self.can.meet(can)
        settled = settle(query, can, _judge_of(query.where), single=frozenset({Field.CONTAINER}))
        criteria = _keys(settled.pushed)
        args: dict[str, Json] = {"criteria": criteria}
        for part in conjuncts(settled.pushed):
            if isinstance(part, Compare) and isinstance(part.value, Container):
                args["mailbox"] = _mailbox(part.value)
        if query.sort is not Sort.RELEVANCE and query.sort in can.sorts:
            args["sort"] = str(query.sort)
        return Translation(NativeQuery(self.name, shown(criteria), args), settled.residual, settled.losses)


def _judge_of(where: Clause) -> Judge:
    """The judge, who lets a mailbox be asked for only where it must hold."""
    places = {part for part in conjuncts(where) if isinstance(part, Compare) and part.field is Field.CONTAINER}

    def judged(leaf: Term | Phrase | Prefix | Compare) -> Verdict:
        if isinstance(leaf, Compare) and leaf.field is Field.CONTAINER and leaf not in places:
            return Verdict(Fidelity.NONE, ONE_PLACE)
        return judge(leaf)

    return judged


def _keys(clause: Clause) -> list[Json]:
    """Keys that must all hold; none where everything passes, as it does when one of several alternatives is empty."""
    match clause:
        case AllOf(parts):
            return [key for part in parts for key in _keys(part)]
        case AnyOf(parts):
            return any_key([_keys(part) for part in parts])
        case Not(part):
            return [["NOT", key] for key in _keys(part)]
        case Term() | Phrase() | Prefix():
            return [["TEXT", word] for word in wanted(clause)]
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _condition(leaf: Compare) -> list[Json]:
    match leaf.value:
        case Person() as who:
            return _sender(who)
        case Identifier(_, text):
            return [["HEADER", "Message-ID", message_id(text)]]
        case Kind.FILE:
            return [["HEADER", "Content-Type", "multipart/mixed"]]
        case datetime() as instant:
            # Of a mail without a Date header the server's own date is the only one, so either may be the one.
            on = day_since(instant) if leaf.op is Op.GE else day_before(instant)
            names = ("SENTSINCE", "SINCE") if leaf.op is Op.GE else ("SENTBEFORE", "BEFORE")
            return any_key([[[name, on]] for name in names])
        case Kind() | State() | Container():  # no condition: there is nothing but mail, and a mailbox is opened
            return []
        case _:
            assert_never(leaf.value)


def _sender(who: Person) -> list[Json]:
    if who.me:
        return [["FROM", {"me": True}]]
    known = address(who)
    return [["FROM", text] for text in ([known] if known else telling(name_parts(who.name)))]


def _mailbox(where: Container) -> str:
    name = plain(where.name)
    return where.native_id or MAILBOXES.get(name.casefold(), name)


TRANSLATOR = Imap
