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

from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import Settled, settle
from translators.kql.entities import AND, ENTITIES, anchor, restriction
from translators.kql.ids import thing
from translators.kql.verdicts import judge
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Field,
    Identifier,
    Leaf,
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
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from translators.split import Judge
    from translators.translator import Json

# The shortest of the limits that the grammar's page gives, in characters; Graph names none of its own.
LONGEST = 2048
TOO_LONG = Said("a query may have {longest} characters, and the rest of this one takes them")


class Kql:
    """Queries for ``POST /search/query``; mail and Teams messages always come newest first."""

    name: ClassVar[str] = "kql"
    can: ClassVar[Capabilities] = Capabilities(
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
        ranks=True,
        negates=frozenset({Term, Phrase, Field.KIND}),
        # sortProperties is for files, lists and sites alone, and what Exchange finds cannot come oldest first.
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as words for all and restrictions for each type of thing."""
        can = self.can.meet(can)
        settled = _settled(query, can)
        found = settled.pushed
        if isinstance(found, Compare) and isinstance(found.value, Identifier):
            native = NativeQuery(self.name, "", {"fetch": thing(found.value.text)})
            return Translation(native, settled.residual, settled.losses)
        args = _entities(found)
        if query.sort is Sort.NEWEST and query.sort in can.sorts:
            args["sort"] = str(query.sort)
        return Translation(NativeQuery(self.name, _text(found), args), settled.residual, settled.losses)


def _settled(query: Query, can: Capabilities) -> Settled:
    settled = settle(query, can, judge, fetches=True)
    if _length(settled.pushed) <= LONGEST:
        return settled
    return settle(query, can, _sparing(query.where, can), fetches=True)


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


def _sparing(where: Clause, can: Capabilities) -> Judge:
    """A judge for whom only the first conditions, as many as fit, can be said at all."""
    spared: set[Leaf] = set()
    room = LONGEST
    for part in conjuncts(where):
        length = _length(split(part, can, judge).pushed) + len(AND)
        if length > room:
            spared.update(leaves(part))
        else:
            room -= length

    def judged(leaf: Leaf) -> Verdict:
        return Verdict(Fidelity.NONE, TOO_LONG.filled(longest=LONGEST)) if leaf in spared else judge(leaf)

    return judged


TRANSLATOR = Kql
