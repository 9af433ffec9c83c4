"""The local index: words and meaning decide the order, everything else is a condition that its database checks.

There is no syntax to break out of: conditions travel as values of a tree, and become parameters of a statement.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import plain, sentence, settle, utc
from translators.hybrid.verdicts import LONGEST, address, forms, judge_of, spelled_out
from translators.match import HANGUL, words
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from translators.translator import Json

    Condition = dict[str, Json]

FIELDS = (Field.ID, Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.KIND, Field.STATE, *sorted(TIMES))
EVERYTHING: Condition = {}


class Hybrid:
    """``text`` holds the words that are wanted; ``args`` the ``question`` as it was typed, a ``filter``, a ``sort``.

    ``lesser`` in ``args`` says of further words what they weigh, above 0 and below 1: they order too.

    A filter is a tree: ``{"all": […]}``, ``{"any": […]}``, ``{"not": …}`` of one of these::

        {"words": ["release", "배포*"]}   {"without": ["draft"]}   {"kind": ["page"]}   {"state": "open"}   {"id": "ENG-12"}
        {"author": {"name": "…", "id": "…", "email": "…"}}      {"author": {"me": true}}   {"assignee": …}
        {"container": {"name": "…", "id": "…"}}                 {"time": {"since": "2025-01-01T00:00:00Z"}}

    ``time`` (and ``created``, ``updated``) has ``since``, which is included, or ``until``, which is not. ``words`` all
    stand in the title or the text, folded; one with ``*`` is the beginning of one. ``without``: none of them does, in
    any form that :func:`translators.hybrid.verdicts.forms` knows.
    """

    name: ClassVar[str] = "hybrid"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields=dict.fromkeys(FIELDS, Fidelity.EXACT),
        any_of=True,
        ranks=True,
        weighs=True,
        negates=frozenset({Phrase, Prefix, *FIELDS}),
        sorts=frozenset(Sort),
        meaning=True,
        note=Said("found by its words or by what it means"),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as words, a question and a filter."""
        can = self.can.meet(can)
        exactly = can.phrase is Fidelity.EXACT and Phrase in can.negates
        asked = query.narrowed(spelled_out(query.where)) if exactly else query
        settled = settle(asked, can, judge_of(asked.where))
        wanted = list(dict.fromkeys(plain(leaf.text) for leaf in _wanted(settled.pushed)))
        args: dict[str, Json] = {}
        if question := sentence(query):
            args["question"] = question
        if wanted and query.lesser:
            args["lesser"] = {plain(word): weight for word, weight in query.lesser}
        if condition := _filter(settled.pushed):
            args["filter"] = condition
        if query.sort is not Sort.RELEVANCE and query.sort in can.sorts:
            args["sort"] = str(query.sort)
        return Translation(NativeQuery(self.name, " ".join(wanted), args), settled.residual, settled.losses)


def _wanted(clause: Clause) -> Iterator[Term | Phrase | Prefix]:
    """Texts that are not under a NOT."""
    match clause:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _wanted(part)
        case Term() | Phrase() | Prefix():
            yield clause
        case Not() | Compare():
            pass
        case _:
            assert_never(clause)


def _filter(clause: Clause) -> Condition:  # noqa: PLR0911 — one for each kind of clause
    match clause:
        case AllOf(parts):
            return _all_parts(parts)
        case AnyOf(parts):
            return _any(map(_filter, parts))
        case Not(Phrase()):
            return _all_parts([clause])
        case Not():
            return _none_of(clause)
        case Term():  # decides the order and excludes nothing
            return EVERYTHING
        case Phrase(text):
            return _words(text, begins=bool(HANGUL.match(plain(text)[-1:])))
        case Prefix(text):
            return _words(text, begins=True)
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _all(parts: Iterable[Condition]) -> Condition:
    kept: list[Json] = [part for part in parts if part]
    return EVERYTHING if not kept else {"all": kept} if len(kept) > 1 else _only(kept)


def _any(parts: Iterable[Condition]) -> Condition:
    """One alternative that lets everything through lets all of them through; no alternative at all lets nothing."""
    listed: list[Json] = list(parts)
    return EVERYTHING if not all(listed) else _only(listed) if len(listed) == 1 else {"any": listed}


def _only(parts: list[Json]) -> Condition:
    (part,) = parts
    assert isinstance(part, dict)
    return part


def _all_parts(parts: Iterable[Clause]) -> Condition:
    """All of them; single words that are not to occur, which were spelled out, as the words that they are forms of."""
    listed = list(parts)
    denied = dict.fromkeys(word for part in listed if (word := _denied(part)))
    whole = [word for word in denied if denied.keys() >= set(forms(word))]
    told = {form for word in whole for form in forms(word)}
    bases = [word for word in whole if not any(word in forms(other)[1:] for other in whole[: whole.index(word)])]
    left = [part for part in listed if _denied(part) not in told]
    conditions = [_none_of(part) if isinstance(part, Not) else _filter(part) for part in left]
    return _all([*conditions, {"without": list(bases)}] if bases else conditions)


def _none_of(clause: Not) -> Condition:
    return {"not": condition} if (condition := _filter(clause.part)) else EVERYTHING


def _denied(part: Clause) -> str:
    """The single word that a clause forbids; empty if it is another clause."""
    if isinstance(part, Not) and isinstance(part.part, Phrase):
        found = words(plain(part.part.text))
        return found[0] if len(found) == 1 else ""
    return ""


def _words(text: str, *, begins: bool) -> Condition:
    found = [word[:LONGEST] for word in words(plain(text))]
    return {"words": [*found[:-1], f"{found[-1]}*" if begins else found[-1]]}


def _condition(leaf: Compare) -> Condition:  # noqa: PLR0911 — one for each kind of value
    name = str(leaf.field)
    match leaf.value:
        case Person(me=True):
            return {name: {"me": True}}
        case Person() as who:
            return {name: _told(name=plain(who.name), id=who.native_id, email=who.email)}
        case Container() as where:
            return {name: _told(name=plain(where.name), id=where.native_id)}
        case Kind() as kind:
            return {name: [str(each) for each in ((kind, Kind.THREAD) if kind is Kind.MESSAGE else (kind,))]}
        case State() as state:
            return {name: str(state)}
        case Identifier(_, text):
            return {name: address(text)}
        case datetime() as instant:
            return {name: {"since" if leaf.op is Op.GE else "until": utc(instant).isoformat().replace("+00:00", "Z")}}
        case _:
            assert_never(leaf.value)


def _told(**said: str | None) -> Condition:
    return {key: plain(value) for key, value in said.items() if value and plain(value)}


TRANSLATOR = Hybrid
