"""The common ground of search boxes: words that must all occur, "phrases", beginnings*, -without; filters beside them.

For sources that are declared in settings: what of it a source understands, its declaration says.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import as_typed, iso, literals, settle, utc
from translators.query import (
    Compare,
    Container,
    Field,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
)
from translators.translator import NativeQuery, Translation
from translators.words.spelling import Spelling, quotes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from translators.query import Leaf
    from translators.translator import Json

ONE_VALUE = frozenset({Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER})
BEGINNINGS = {Field.TIME: "since", Field.CREATED: "created_since", Field.UPDATED: "updated_since"}
ENDS = {Field.TIME: "until", Field.CREATED: "created_until", Field.UPDATED: "updated_until"}


class Words:
    """``args`` holds ``author``, ``assignee``, ``container``, ``sort``, and instants in UTC, ISO 8601.

    ``since`` and ``until`` bound when a thing happened, ``created_…`` and ``updated_…`` what they say; beginnings are
    included, ends are not. Where phrases are checked by the source, anything that is not plainly a word stands in
    quotes. Where they are not (``phrase`` is wider or none), quotes mean nothing to it, so that words are all it gets.
    """

    name = "words"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields=dict.fromkeys((*sorted(ONE_VALUE), *sorted(TIMES)), Fidelity.EXACT),
        negates=frozenset({Term, Phrase, Prefix}),
        sorts=frozenset(Sort),
        meaning=True,
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as text for a search box, and filters beside it."""
        can = self.can.meet(can)
        spelling = Spelling(quotes=quotes(can), beginnings=can.prefix is Fidelity.EXACT)
        settled = settle(query, can, spelling, single=ONE_VALUE)
        pushed = tuple(literals(settled.pushed))
        texts = [
            f"-{spelling.text(leaf)}" if negated else spelling.text(leaf)
            for leaf, negated in pushed
            if not isinstance(leaf, Compare)
        ]
        args = _filters(leaf for leaf, _ in pushed)
        if query.sort is not Sort.RELEVANCE and query.sort in can.sorts:
            args["sort"] = query.sort.value
        return Translation(NativeQuery(self.name, " ".join(texts), args), settled.residual, settled.losses)


def _filters(leaves: Iterable[Leaf]) -> dict[str, Json]:
    """People and places by id where there is one; of several bounds on one side, the closest. Nothing else is pushed."""
    args: dict[str, Json] = {}
    bounds: dict[str, datetime] = {}
    for leaf in leaves:
        if not isinstance(leaf, Compare):
            continue
        value = leaf.value
        if isinstance(value, datetime):
            name = (BEGINNINGS if leaf.op is Op.GE else ENDS)[leaf.field]
            closer = max if leaf.op is Op.GE else min
            bounds[name] = closer(utc(value), bounds.get(name, utc(value)))
        elif isinstance(value, Person):
            args[leaf.field.value] = as_typed(value.native_id or value.email or value.name)
        elif isinstance(value, Container):
            args[leaf.field.value] = as_typed(value.native_id or value.name)
    return args | {name: iso(bound) for name, bound in bounds.items()}


TRANSLATOR = Words
