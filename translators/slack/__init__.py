"""Slack's search box (``search.messages``): words are AND-ed, modifiers narrow, and there is no OR and no escape.

Grammar: https://slack.com/help/articles/202528808-Search-in-Slack
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity
from translators.emit import literals, plain, quoted, settle, spelled, utc
from translators.query import (
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
)
from translators.slack.verdicts import CHANNEL_ID, KINDS, USER_ID, judge, message_at
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from translators.translator import Json

# search.messages answers "no_query" to an empty query (https://docs.slack.dev/reference/methods/search.messages), and
# what it answers to exclusions alone is not documented; a day before Slack existed asks for everything.
EVERYTHING = "after:2000-01-01"
# The zone in which Slack reads a day is the token owner's, which we do not know: the last and the first on earth.
WESTERNMOST, EASTERNMOST = timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))
DAY, INSTANT = timedelta(days=1), timedelta(microseconds=1)


class Slack:
    """Queries for ``search.messages``; ``args`` holds ``sort`` and ``sort_dir`` when an order is wanted.

    A message named by its address is read where it stands: ``args`` then holds ``channel``, ``ts`` and, of a reply,
    ``thread_ts``, and there is no text.
    """

    name: ClassVar[str] = "slack"
    can: ClassVar[Capabilities] = Capabilities(
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
        sorts=frozenset(Sort),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as text for Slack's search box."""
        can = self.can.meet(can)
        # What two from: or two in: mean together is not documented, so only one of each is sent.
        settled = settle(query, can, judge, single=frozenset({Field.AUTHOR, Field.CONTAINER}), fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            one = NativeQuery(self.name, "", message_at(settled.pushed.value))
            return Translation(one, settled.residual, settled.losses)
        pushed = tuple(literals(settled.pushed))
        words = [f"-{_text(leaf)}" if negated else _text(leaf) for leaf, negated in pushed if not _is_time(leaf)]
        pieces = [*words, *_days(leaf for leaf, _ in pushed)]
        if all(piece.startswith("-") for piece in pieces):
            pieces.append(EVERYTHING)
        return Translation(
            NativeQuery(self.name, " ".join(pieces), _order(query, can)), settled.residual, settled.losses
        )


def _text(leaf: Leaf) -> str:
    match leaf:
        case Term(text):
            return spelled(text)  # a colon would make it a modifier, a dash an exclusion, an asterisk a prefix
        case Phrase(text):
            return quoted(text)
        case Prefix(text):
            return f"{plain(text)}*"
        case Compare(_, _, Person(name, native_id, me=me)):
            known = USER_ID.fullmatch(native_id or "")
            return "from:me" if me else f"from:<@{native_id}>" if known else f"from:{name.lower()}"
        case Compare(_, _, Container(name, native_id)):
            known = CHANNEL_ID.fullmatch(native_id or "")
            return f"in:<#{native_id}>" if known else f"in:{plain(name).lower()}"
        case Compare(_, _, value):
            return KINDS[Kind(str(value))]
        case _:
            assert_never(leaf)


def _is_time(leaf: Leaf) -> bool:
    return isinstance(leaf, Compare) and isinstance(leaf.value, datetime)


def _days(leaves: Iterable[Leaf]) -> Iterator[str]:
    """``after:`` and ``before:`` leave out the day they name, in a zone unknown to us: so name one that loses nothing
    of the window in any zone. Of several bounds the narrowest serves.
    """
    times = [
        (leaf.op, utc(leaf.value)) for leaf in leaves if isinstance(leaf, Compare) and isinstance(leaf.value, datetime)
    ]
    since = [start.astimezone(WESTERNMOST).date() - DAY for op, start in times if op is Op.GE]
    until = [(end - INSTANT).astimezone(EASTERNMOST).date() + DAY for op, end in times if op is Op.LT]
    yield from (f"after:{day}" for day in sorted(since)[-1:])
    yield from (f"before:{day}" for day in sorted(until)[:1])


def _order(query: Query, can: Capabilities) -> dict[str, Json]:
    if query.sort is Sort.RELEVANCE or query.sort not in can.sorts:
        return {}
    return {"sort": "timestamp", "sort_dir": "asc" if query.sort is Sort.OLDEST else "desc"}


TRANSLATOR = Slack
