"""Google Chat's message search (``filter`` of ``spaces.messages.search``): words and conditions, all of which must hold.

Grammar: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/search
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import ASKS_ONE, RESERVED, plain, quoted, settle, utc
from translators.gchat.verdicts import judge, message, sender, space
from translators.query import (
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Leaf,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from translators.emit import Settled
    from translators.translator import Json

WORD = re.compile(r"[A-Za-z0-9가-힣]+")
# A filter is required, and may not be longer.
EVERYTHING = 'create_time >= "2000-01-01T00:00:00Z"'
LONGEST = 1000
GROUPED = frozenset({Field.AUTHOR, Field.CONTAINER})  # the fields that take alternatives, each only among its own
ONE_KIND = Said("Google Chat takes alternatives only among senders, or among spaces")
TOO_LONG = Said("Google Chat takes no more than {longest} characters")
ONE_SECOND = timedelta(seconds=1)


class GoogleChat:
    """Queries for ``spaces.messages.search``; ``args`` holds ``orderBy``, or ``name`` of the one message to get."""

    name: ClassVar[str] = "gchat"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.EXACT,
            Field.CREATED: Fidelity.EXACT,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        any_of_text=False,
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as a filter. What cannot stand in it, where it does, is taken out until the filter is one."""
        can = self.can.meet(can)
        refused: dict[Leaf, Said] = {}
        settled = settle(query, can, partial(judge, refused=refused), fetches=True)
        while misplaced := _misplaced(settled):
            refused |= misplaced
            settled = settle(query, can, partial(judge, refused=refused), fetches=True)
        if fetched := _fetched(settled.pushed):
            return Translation(NativeQuery(self.name, "", {"name": fetched}), settled.residual, settled.losses)
        args: dict[str, Json] = {}
        if query.sort is Sort.NEWEST and query.sort in can.sorts:
            args["orderBy"] = "create_time desc"
        return Translation(NativeQuery(self.name, _text(settled.pushed), args), settled.residual, settled.losses)


def _misplaced(settled: Settled) -> dict[Leaf, Said]:
    """Leaves that the filter cannot hold: alternatives of different kinds, a field asked twice, what makes it too long."""
    if _fetched(settled.pushed):
        return {}
    seen: set[Field] = set()
    for part in conjuncts(settled.pushed):
        fields = {leaf.field if isinstance(leaf, Compare) else None for leaf in leaves(part)}
        if isinstance(part, AnyOf) and not (_flat(part) and len(fields) == 1 and fields <= GROUPED):
            return dict.fromkeys(leaves(part), ONE_KIND)
        if seen & fields & GROUPED:
            return dict.fromkeys(leaves(part), ASKS_ONE)
        seen |= {field for field in fields if field is not None}
    if len(_text(settled.pushed)) > LONGEST:
        return {max(leaves(settled.pushed), key=lambda leaf: len(str(leaf))): TOO_LONG.filled(longest=LONGEST)}
    return {}


def _flat(clause: AnyOf) -> bool:
    return all(isinstance(part, Compare) for part in clause.parts)


def _text(pushed: Clause) -> str:
    parts = [text for part in conjuncts(pushed) if not _is_time(part) and (text := _part(part))]
    return " AND ".join([*parts, *_interval(conjuncts(pushed))]) or EVERYTHING


def _part(part: Clause) -> str:
    if isinstance(part, AnyOf):
        return f"({' OR '.join(_part(each) for each in part.parts)})"
    (leaf,) = leaves(part)
    match leaf:
        case Term(text):
            word = plain(text)
            return word if WORD.fullmatch(word) and word.casefold() not in RESERVED else quoted(word)
        case Phrase(text) | Prefix(text):
            return quoted(text)
        case Compare():
            return _condition(leaf)
        case _:
            assert_never(leaf)


def _condition(leaf: Compare) -> str:
    match leaf.value:
        case Person() as who:
            return f'sender.name = "{sender(who)}"'
        case Container() as where:
            return f'space.name = "{space(where)}"'
        case Kind.FILE:
            return "attachment:*"
        case Kind() | State() | Identifier() | datetime():  # no condition of its own
            return ""
        case _:
            assert_never(leaf.value)


def _is_time(part: Clause) -> bool:
    return isinstance(part, Compare) and isinstance(part.value, datetime)


def _interval(parts: Iterable[Clause]) -> Iterator[str]:
    """Two bounds at most, of several the narrowest; by whole seconds, outwards."""
    times = [
        (part.op, utc(part.value)) for part in parts if isinstance(part, Compare) and isinstance(part.value, datetime)
    ]
    since = [start.replace(microsecond=0) for op, start in times if op is Op.GE]
    until = [end.replace(microsecond=0) + ONE_SECOND * (end.microsecond > 0) for op, end in times if op is Op.LT]
    yield from (f'create_time >= "{_instant(start)}"' for start in sorted(since)[-1:])
    yield from (f'create_time < "{_instant(end)}"' for end in sorted(until)[:1])


def _instant(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _fetched(pushed: Clause) -> str:
    thing = pushed.value if isinstance(pushed, Compare) else None
    return message(thing) if isinstance(thing, Identifier) else ""


TRANSLATOR = GoogleChat
