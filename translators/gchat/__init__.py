"""Google Chat's message search (``filter`` of ``spaces.messages.search``): words and conditions, all of which must hold.

Grammar: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/search
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import ASKS_ONE, RESERVED, as_typed, barring, iso, quoted, settle, whole_second, window
from translators.gchat.verdicts import judge, message, sender, space
from translators.generate import Dialect, TextGenerator
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
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.emit import Settled
    from translators.translator import Json

WORD = re.compile(r"[A-Za-z0-9가-힣]+")
# A filter is required, and may not be longer.
EVERYTHING = 'create_time >= "2000-01-01T00:00:00Z"'
LONGEST = 1000
GROUPED = frozenset({Field.AUTHOR, Field.CONTAINER})  # the fields that take alternatives, each only among its own
ONE_KIND = Said("Google Chat takes alternatives only among senders, or among spaces")
TOO_LONG = Said("Google Chat takes no more than {longest} characters").filled(longest=LONGEST)


class GoogleChat(Dialect, TextGenerator):
    """Queries for ``spaces.messages.search``; ``args`` holds ``orderBy``, or ``name`` of the one message to get."""

    name = "gchat"
    can = Capabilities(
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
    verdicts = judge
    fetches = True
    both = " AND "

    def settled(self, query: Query, can: Capabilities) -> Settled:
        """What cannot stand where it does is taken out until the filter is one."""
        barred: dict[Leaf, Said] = {}
        while True:
            settled = settle(query, can, barring(self.verdicts, barred), fetches=True)
            if self.fetched(settled.pushed) or not (misplaced := self._misplaced(settled.pushed)):
                return settled
            barred |= misplaced

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        args: dict[str, Json] = {"orderBy": "create_time desc"} if order is Sort.NEWEST else {}
        return NativeQuery(self.name, self._text(pushed), args)

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"name": message(thing)})

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        word = as_typed(leaf.text)
        bare = isinstance(leaf, Term) and WORD.fullmatch(word) and word.casefold() not in RESERVED
        return word if bare else quoted(leaf.text)

    def person(self, _field: Field, who: Person) -> str:
        return f'sender.name = "{sender(who)}"'

    def container(self, where: Container) -> str:
        return f'space.name = "{space(where)}"'

    def kind(self, kind: Kind) -> str:
        return "attachment:*" if kind is Kind.FILE else self.nothing

    def _text(self, pushed: Clause) -> str:
        return self.both.join(filter(None, (self.write(pushed), *_interval(pushed)))) or EVERYTHING

    def _misplaced(self, pushed: Clause) -> dict[Leaf, Said]:
        """Leaves that the filter cannot hold: alternatives of different kinds, a field asked twice, what makes it too long."""
        seen: set[Field] = set()
        for part in conjuncts(pushed):
            fields = {leaf.field if isinstance(leaf, Compare) else None for leaf in leaves(part)}
            if isinstance(part, AnyOf) and not (_flat(part) and len(fields) == 1 and fields <= GROUPED):
                return dict.fromkeys(leaves(part), ONE_KIND)
            if seen & fields & GROUPED:
                return dict.fromkeys(leaves(part), ASKS_ONE)
            seen |= {field for field in fields if field is not None}
        if len(self._text(pushed)) > LONGEST:
            return {max(leaves(pushed), key=lambda leaf: len(str(leaf))): TOO_LONG}
        return {}


def _flat(clause: AnyOf) -> bool:
    return all(isinstance(part, Compare) for part in clause.parts)


def _interval(pushed: Clause) -> Iterator[str]:
    """Two bounds at most, by whole seconds, outwards."""
    since, until = window(conjuncts(pushed))
    if since:
        yield f'create_time >= "{iso(whole_second(Op.GE, since))}"'
    if until:
        yield f'create_time < "{iso(whole_second(Op.LT, until))}"'


TRANSLATOR = GoogleChat
