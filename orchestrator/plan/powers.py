"""What a source can check by itself, in the words of the capability matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Fidelity
from translators.query import Field, Phrase, Prefix, Sort, Term

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.capabilities import Capabilities

TEXTS = {"words": Term, "phrases": Phrase, "beginnings of words": Prefix}
FIELDS = {
    "key or address": Field.ID,
    "author": Field.AUTHOR,
    "assignee": Field.ASSIGNEE,
    "place": Field.CONTAINER,
    "kind": Field.KIND,
    "state": Field.STATE,
    "when it happened": Field.TIME,
    "created": Field.CREATED,
    "changed": Field.UPDATED,
}


def powers(can: Capabilities) -> Mapping[str, Fidelity]:
    """How faithfully each kind of condition is checked by the source; alternatives are exact or none."""
    texts = dict(zip(TEXTS, (can.term, can.phrase, can.prefix), strict=True))
    fields = {name: can.fields.get(field, Fidelity.NONE) for name, field in FIELDS.items()}
    any_of_words = Fidelity.EXACT if can.any_of and can.any_of_text else Fidelity.NONE
    any_of_fields = Fidelity.EXACT if can.any_of and can.fields else Fidelity.NONE
    return {**texts, "any of several words": any_of_words, "any of several conditions": any_of_fields, **fields}


def excludable(can: Capabilities) -> tuple[str, ...]:
    """What the source leaves out when told to; of anything else we check that it is not there."""
    named = {**TEXTS, **FIELDS}
    return tuple(name for name, what in named.items() if what in can.negates)


def orders(can: Capabilities) -> tuple[str, ...]:
    """The orders in which the source can put its results."""
    return tuple(str(sort) for sort in Sort if sort in can.sorts)
