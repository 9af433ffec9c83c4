"""Slack's Real-time Search (``assistant.search.context``): an AND of clauses, each an OR of words, and modifiers.

Manual: https://docs.slack.dev/reference/methods/assistant.search.context
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import literals, plain, settle
from translators.query import Compare, Container, Field, Identifier, Kind, Op, Person, Query, Sort
from translators.slack.verdicts import CHANNEL_ID, KINDS, USER_ID, message_at
from translators.slack_rts.clauses import FittedClauses, fitted, written
from translators.slack_rts.verdicts import CONTENT, after, before, judge, unworded
from translators.split import split
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from translators.emit import Settled
    from translators.query import Leaf
    from translators.translator import Json

# What two from: or two in: mean together is not documented, and a result is of one type.
SINGLE = frozenset({Field.AUTHOR, Field.CONTAINER, Field.KIND})


class SlackRts:
    """Queries for ``assistant.search.context``.

    The text holds the words, alternatives in parentheses (``deploy (k8s kubernetes)``). ``args`` holds ``modifiers``
    (one string), ``after`` and ``before`` (seconds since 1970), ``content_types``, ``sort`` and ``sort_dir``; or, for a
    message named by its address, ``channel``, ``ts`` and ``thread_ts`` and nothing else.
    """

    name: ClassVar[str] = "slack_rts"
    can: ClassVar[Capabilities] = Capabilities(
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

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as term clauses and modifiers."""
        can = self.can.meet(can)
        settled = _settled(query, can)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            one = NativeQuery(self.name, "", message_at(settled.pushed.value))
            return Translation(one, settled.residual, settled.losses)
        text = written(fitted(settled.pushed).clauses)
        args = _args([leaf for leaf, _ in literals(settled.pushed) if isinstance(leaf, Compare)])
        if query.sort is not Sort.RELEVANCE and query.sort in can.sorts:
            args |= {"sort": "timestamp", "sort_dir": "asc" if query.sort is Sort.OLDEST else "desc"}
        return Translation(NativeQuery(self.name, text, args), settled.residual, settled.losses)


def _settled(query: Query, can: Capabilities) -> Settled:
    """Split twice: what can be said of a leaf depends on the room that the others leave, and on there being words."""
    found = fitted(split(query.where, can, judge).pushed)
    left = split(query.where, can, partial(_in_company, found=found)).pushed
    found = FittedClauses(fitted(left).clauses, found.barred)
    return settle(query, can, partial(_in_company, found=found), single=SINGLE, fetches=True)


def _in_company(leaf: Leaf, found: FittedClauses) -> Verdict:
    if leaf in found.barred:
        return Verdict(Fidelity.NONE, found.barred[leaf])
    return judge(leaf) if found.clauses else unworded(leaf)


def _args(leaves: Iterable[Compare]) -> dict[str, Json]:
    """Of several bounds of a window the narrowest serves."""
    args: dict[str, Json] = {}
    conditions = list(leaves)
    times = [(leaf.op, leaf.value) for leaf in conditions if isinstance(leaf.value, datetime)]
    if modifiers := " ".join(_modifiers(conditions)):
        args["modifiers"] = modifiers
    if since := [after(instant) for op, instant in times if op is Op.GE]:
        args["after"] = max(since)
    if until := [before(instant) for op, instant in times if op is Op.LT]:
        args["before"] = min(until)
    for leaf in conditions:
        if isinstance(leaf.value, Kind):
            args["content_types"] = [CONTENT[leaf.value]]
    return args


def _modifiers(conditions: Iterable[Compare]) -> Iterator[str]:
    for leaf in conditions:
        match leaf.value:
            case Person(name, native_id, me=me):
                known = USER_ID.fullmatch(native_id or "")
                yield "from:me" if me else f"from:<@{native_id}>" if known else f"from:{name.lower()}"
            case Container(name, native_id):
                known = CHANNEL_ID.fullmatch(native_id or "")
                yield f"in:<#{native_id}>" if known else f"in:{plain(name).lower()}"
            case Kind.THREAD:
                yield KINDS[Kind.THREAD]
            case _:  # a time, or a kind that is asked for by content type
                pass


TRANSLATOR = SlackRts
