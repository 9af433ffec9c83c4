"""Conditions of which one must hold, as far as they can hold in a source: who is assigned or who wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.query import AnyOf, Clause, Compare, all_of, any_of, conjuncts

if TYPE_CHECKING:
    from translators.capabilities import Capabilities


def known_alternatives(where: Clause, can: Capabilities) -> Clause:
    """``where`` without those alternatives that are false of everything in the source.

    A message is assigned to nobody, so its author decides. All others stay: a source that cannot be asked for either of two is
    asked for more, and what it sends is checked here.
    """
    return all_of(_known(part, can) for part in conjuncts(where))


def _known(part: Clause, can: Capabilities) -> Clause:
    if not isinstance(part, AnyOf):
        return part
    known = [each for each in part.parts if not (isinstance(each, Compare) and each.field in can.absent)]
    return any_of(known) if known else part
