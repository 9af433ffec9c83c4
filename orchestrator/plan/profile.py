"""What planning knows of one configured source.

What a source can check by itself, in the words of the capability matrix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from connectors.contract import SourceDirectory
from translators.capabilities import Fidelity
from translators.query import (
    Field,
    Phrase,
    Prefix,
    Sort,
    Term,
)
from translators.records import record
from translators.said import UNSAID, Said

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
    "due": Field.DUE,
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


if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from translators.capabilities import Capabilities
    from translators.query import Category, Query
    from translators.translator import Translation, Translator

    Translate = Callable[[Query, "SourceProfile"], Translation]

NOBODY = SourceDirectory()


@record
class SourceProfile:
    """A configured source: its dialect, its powers, whom it knows.

    ``missing`` says what it needs before it can be asked (empty: it can be asked); ``priority`` is the operator's
    own weight for it, 1 being neutral. ``page``: hits that one request brings at no further cost, 0 where each costs its own. ``signed``: as whom it is asked. ``public``: what it is asked is read outside. ``host``: where it is, if that is
    an address of one's own. ``unread``: why nobody knows its names yet, for people; empty once they are known.
    """

    name: str
    title: str
    category: Category
    translator: Translator
    can: Capabilities
    directory: SourceDirectory = NOBODY
    missing: Said = UNSAID
    priority: float = 1.0
    page: int = 0
    public: bool = False
    host: str = ""
    unread: Said = UNSAID
    signed: Literal["none", "shared", "person"] = "shared"

    @property
    def names(self) -> frozenset[str]:
        """What it may be called in a ``source:`` filter: its own name, or its category for all of the kind."""
        return frozenset({self.name, self.category.value})


def called(names: Iterable[str], profiles: Iterable[SourceProfile]) -> frozenset[str]:
    """The sources that ``names`` mean: the one of that very name, else all of the category that is called so."""
    listed, wanted = tuple(profiles), frozenset(names)
    kinds = wanted - {each.name for each in listed}
    return frozenset(each.name for each in listed if each.name in wanted or each.category.value in kinds)
