"""Slack's search box (``search.messages``): words are AND-ed, modifiers narrow, and there is no OR and no escape.

Grammar: https://slack.com/help/articles/202528808-Search-in-Slack
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import DAY, as_typed, quoted, spelled, whole_day, window
from translators.generate import Dialect, TextGenerator
from translators.query import (
    BY_DATE,
    Clause,
    Container,
    Field,
    Identifier,
    Kind,
    Op,
    Person,
    Phrase,
    Prefix,
    Sort,
    Term,
    conjuncts,
)
from translators.slack.verdicts import CHANNEL_ID, KINDS, USER_ID, judge, message_at
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

# search.messages answers "no_query" to an empty query (https://docs.slack.dev/reference/methods/search.messages), and
# what it answers to exclusions alone is not documented; a day before Slack existed asks for everything.
EVERYTHING = "after:2000-01-01"
ORDERS = {
    Sort.NEWEST: {"sort": "timestamp", "sort_dir": "desc"},
    Sort.OLDEST: {"sort": "timestamp", "sort_dir": "asc"},
}


class SlackModifiers(TextGenerator):
    """What both of Slack's searches call people, channels and threads."""

    def person(self, _field: Field, who: Person) -> str:
        known = USER_ID.fullmatch(who.native_id or "")
        return "from:me" if who.me else f"from:<@{who.native_id}>" if known else f"from:{who.name.lower()}"

    def container(self, where: Container) -> str:
        known = CHANNEL_ID.fullmatch(where.native_id or "")
        return f"in:<#{where.native_id}>" if known else f"in:{as_typed(where.name).lower()}"

    def kind(self, kind: Kind) -> str:
        return KINDS.get(kind, self.nothing)


class Slack(Dialect, SlackModifiers):
    """Queries for ``search.messages``; ``args`` holds ``sort`` and ``sort_dir`` when an order is wanted.

    A message named by its address is read where it stands: ``args`` then holds ``channel``, ``ts`` and, of a reply,
    ``thread_ts``, and there is no text.
    """

    name = "slack"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields={
            Field.AUTHOR: Fidelity.EXACT,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            Field.ID: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        negates=frozenset({Term, Field.AUTHOR, Field.CONTAINER}),
        sorts=BY_DATE,
    )
    verdicts = judge
    single = frozenset({Field.AUTHOR, Field.CONTAINER})  # what two from: or two in: mean together is not documented
    fetches = True

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        pieces = [*filter(None, map(self.write, conjuncts(pushed))), *_days(pushed)]
        if all(piece.startswith(self.denial) for piece in pieces):
            pieces.append(EVERYTHING)
        return NativeQuery(self.name, self.both.join(pieces), ORDERS.get(order, {}))

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", message_at(thing))

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        """A colon would make a word a modifier, a dash an exclusion, an asterisk the beginning of one."""
        match leaf:
            case Term(text):
                return spelled(text)
            case Phrase(text):
                return quoted(text)
            case Prefix(text):
                return f"{as_typed(text)}*"


def _days(pushed: Clause) -> Iterator[str]:
    """``after:`` and ``before:`` leave out the day they name, in a zone unknown to us: so name one that loses nothing
    of the window in any zone.
    """
    since, until = window(conjuncts(pushed))
    if since:
        yield f"after:{whole_day(Op.GE, since) - DAY}"
    if until:
        yield f"before:{whole_day(Op.LT, until)}"


TRANSLATOR = Slack
