"""Conditions of which one must hold, as far as a source knows them: who is assigned or who wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.query import AnyOf, Clause, Compare, all_of, any_of, conjuncts

if TYPE_CHECKING:
    from translators.capabilities import Capabilities


def known_alternatives(where: Clause, can: Capabilities) -> Clause:
    """``where`` with only those alternatives over different fields that the source knows.

    Nothing is lost where its things have no such field: a message is assigned to nobody, so its author decides. Those that it knows
    all stay: a source that cannot be asked for either of two is asked for more, and what it sends is checked here.
    """
    return all_of(_known(part, can) for part in conjuncts(where))


def _known(part: Clause, can: Capabilities) -> Clause:
    if not isinstance(part, AnyOf):
        return part
    compared = [each for each in part.parts if isinstance(each, Compare)]
    if len(compared) < len(part.parts) or len({each.field for each in compared}) < len(compared):
        return part
    known = [each for each in compared if each.field in can.fields]
    return any_of(known) if known else part
