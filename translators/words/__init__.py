"""The common ground of search boxes: words that must all occur, "phrases", beginnings*, -without; filters beside them.

For sources that are declared in settings: what of it a source understands, its declaration says.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import literals, plain, settle, utc
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

    name: ClassVar[str] = "words"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields=dict.fromkeys((*sorted(ONE_VALUE), *sorted(TIMES)), Fidelity.EXACT),
        negates=frozenset({Term, Phrase, Prefix}),
        sorts=frozenset(Sort),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as text for a search box, and filters beside it."""
        can = self.can.meet(can)
        spelling = Spelling(quotes=quotes(can), beginnings=can.prefix is Fidelity.EXACT)
        settled = settle(query, can, spelling.judge, single=ONE_VALUE)
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
    args: dict[str, Json] = {}
    bounds: dict[str, datetime] = {}
    for leaf in leaves:
        if not isinstance(leaf, Compare):
            continue
        match leaf.value:
            case datetime() as instant:
                _tighten(bounds, leaf.field, leaf.op, utc(instant))
            case Person() as who:
                args[leaf.field.value] = plain(who.native_id or who.email or who.name)
            case Container() as where:
                args[leaf.field.value] = plain(where.native_id or where.name)
            case _:  # kinds, states and ids are never pushed
                raise AssertionError(leaf)
    return args | {name: bound.isoformat().replace("+00:00", "Z") for name, bound in bounds.items()}


def _tighten(bounds: dict[str, datetime], field: Field, op: Op, instant: datetime) -> None:
    """Of several bounds on one side the closest holds."""
    match op:
        case Op.GE:
            name = BEGINNINGS[field]
            bounds[name] = max(instant, bounds.get(name, instant))
        case Op.LT:
            name = ENDS[field]
            bounds[name] = min(instant, bounds.get(name, instant))
        case Op.EQ:
            raise AssertionError(field)
        case _:
            assert_never(op)


TRANSLATOR = Words
