"""Microsoft's Keyword Query Language as Microsoft Graph's search takes it: one text for each type of thing asked for.

Words mean the same everywhere, restrictions do not: a mail has ``from`` and ``received``, a file ``author`` and
``LastModifiedTime``. So a :class:`NativeQuery` carries what all share as ``text``, and as ``args["entities"]`` groups of
entity types (``types``), each with the restriction to be AND-ed to the text (``where``, possibly empty). A type in no
group is not asked at all; without ``entities``, every type is asked for ``text`` alone. In a restriction, ``{me}``
outside quotes stands for whoever is signed in. ``args["fetch"]`` names the parts of a single thing's address instead of
a query, ``args["sort"]`` is ``newest`` or absent.

Grammar: https://learn.microsoft.com/en-us/sharepoint/dev/general-development/keyword-query-language-kql-syntax-reference
and https://learn.microsoft.com/en-us/openspecs/sharepoint_protocols/ms-kql/. Operators are in capitals and always
written out: without one, a property named twice would mean either. There is no escape inside quotes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity
from translators.emit import barring, settle
from translators.generate import Dialect
from translators.kql.entities import AND, ENTITIES, anchor, restriction
from translators.kql.verdicts import judge, thing
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Field,
    Identifier,
    Not,
    Phrase,
    Query,
    Sort,
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.split import split
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.emit import Settled
    from translators.query import Leaf
    from translators.translator import Json

# The shortest of the limits that the grammar's page gives, in characters; Graph names none of its own.
LONGEST = 2048
TOO_LONG = Said("a query may have {longest} characters, and the rest of this one takes them").filled(longest=LONGEST)


class Kql(Dialect):
    """Queries for ``POST /search/query``; mail and Teams messages always come newest first."""

    name = "kql"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.WIDER,
            Field.CONTAINER: Fidelity.WIDER,
            Field.KIND: Fidelity.EXACT,
            Field.TIME: Fidelity.WIDER,
            Field.CREATED: Fidelity.WIDER,
            Field.UPDATED: Fidelity.WIDER,
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        as_written=True,
        ranks=True,
        negates=frozenset({Term, Phrase, Field.KIND}),
        # sortProperties is for files, lists and sites alone, and what Exchange finds cannot come oldest first.
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )
    verdicts = judge
    fetches = True

    def settled(self, query: Query, can: Capabilities) -> Settled:
        settled = super().settled(query, can)
        if _length(settled.pushed) <= LONGEST:
            return settled
        return settle(
            query,
            can,
            barring(judge, dict.fromkeys(_excess(query.where, can), TOO_LONG)),
            fetches=True,
        )

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        args = _entities(pushed)
        if order is Sort.NEWEST:
            args["sort"] = str(order)
        return NativeQuery(self.name, _text(pushed), args)

    def fetching(self, found: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"fetch": thing(found.text)})


# ---- what is written


def _text(pushed: Clause) -> str:
    """The conditions that hold nothing but words, which are said alike to all."""
    return AND.join(restriction(part, ENTITIES[0]) or "" for part in conjuncts(pushed) if not _is_structured(part))


def _entities(pushed: Clause) -> dict[str, Json]:
    """The rest, type by type; empty where nothing is to be said of any."""
    groups: dict[str, list[Json]] = {}
    for entity in ENTITIES:
        if (where := _where(pushed, entity)) is not None:
            groups.setdefault(where, []).append(entity)
    if groups == {"": [*ENTITIES]}:
        return {}
    return {"entities": [{"types": types, "where": where} for where, types in groups.items()]}


def _where(pushed: Clause, entity: str) -> str | None:
    """What is asked of one type beside the text; ``None`` where nothing of that type can be meant."""
    wanted: list[str] = []
    asked = False
    for part in conjuncts(pushed):
        if (said := restriction(part, entity)) is None:
            return None
        asked = asked or (bool(said) and _asks(part))
        wanted += [said] if said and _is_structured(part) else []
    # What is left out is left out of something: of exclusions alone the grammar makes no query, and of nothing none.
    return AND.join(wanted if asked else (anchor(entity), *wanted))


def _is_structured(part: Clause) -> bool:
    return any(isinstance(leaf, Compare) for leaf in leaves(part))


def _asks(clause: Clause) -> bool:
    """Whether a clause asks for something to be there, whichever of its alternatives holds."""
    match clause:
        case AllOf(parts):
            return any(map(_asks, parts))
        case AnyOf(parts):
            return all(map(_asks, parts))
        case _:
            return not isinstance(clause, Not)


# ---- what is too long


def _length(pushed: Clause) -> int:
    """Characters of the longest of the queries."""
    text = _text(pushed)
    return max(len(text) + len(AND) + len(_where(pushed, entity) or "") for entity in ENTITIES)


def _excess(where: Clause, can: Capabilities) -> Iterator[Leaf]:
    """The leaves for which there is no room after the conditions before them."""
    room = LONGEST
    for part in conjuncts(where):
        length = _length(split(part, can, judge).pushed) + len(AND)
        if length > room:
            yield from leaves(part)
        else:
            room -= length


TRANSLATOR = Kql
