"""Slack's Real-time Search (``assistant.search.context``): an AND of clauses, each an OR of words, and modifiers.

Manual: https://docs.slack.dev/reference/methods/assistant.search.context
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import barring, window
from translators.generate import Dialect
from translators.query import Clause, Compare, Field, Identifier, Kind, Query, Sort, conjuncts
from translators.slack import ORDERS, SlackModifiers
from translators.slack.verdicts import KINDS, message_at
from translators.slack_rts.clauses import FittedClauses, fitted, written
from translators.slack_rts.verdicts import CONTENT, after, before, judge, unworded
from translators.split import split
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from translators.split import Judge
    from translators.translator import Json


class SlackRts(Dialect, SlackModifiers):
    """Queries for ``assistant.search.context``.

    The text holds the words, alternatives in parentheses (``deploy (k8s kubernetes)``). ``args`` holds ``modifiers``
    (one string), ``after`` and ``before`` (seconds since 1970), ``content_types``, ``sort`` and ``sort_dir``; or, for a
    message named by its address, ``channel``, ``ts`` and ``thread_ts`` and nothing else.
    """

    name = "slack_rts"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.WIDER,
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
        sorts=frozenset(Sort),
        meaning=True,
    )
    verdicts = judge
    # What two from: or two in: mean together is not documented, and a result is of one type.
    single = frozenset({Field.AUTHOR, Field.CONTAINER, Field.KIND})
    fetches = True

    def judge_of(self, query: Query, can: Capabilities) -> Judge:
        """What can be said of a leaf depends on the room that the others leave, and on there being words."""
        found = fitted(split(query.where, can, self.verdicts).pushed)
        left = split(query.where, can, _in_company(found)).pushed
        return _in_company(FittedClauses(fitted(left).clauses, found.barred))

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        conditions = [part for part in conjuncts(pushed) if isinstance(part, Compare)]
        args: dict[str, Json] = {}
        if modifiers := self.both.join(filter(None, map(self.condition, conditions))):
            args["modifiers"] = modifiers
        since, until = window(conditions)
        if since:
            args["after"] = after(since)
        if until:
            args["before"] = before(until)
        for leaf in conditions:
            if isinstance(leaf.value, Kind):
                args["content_types"] = [CONTENT[leaf.value]]
        return NativeQuery(self.name, written(fitted(pushed).clauses), {**args, **ORDERS.get(order, {})})

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", message_at(thing))

    def kind(self, kind: Kind) -> str:
        """A thread; other kinds are asked for by content type."""
        return KINDS[kind] if kind is Kind.THREAD else self.nothing


def _in_company(found: FittedClauses) -> Judge:
    return barring(judge if found.clauses else unworded, found.barred)


TRANSLATOR = SlackRts
