"""The local index: words and meaning decide the order, everything else is a condition that its database checks.

There is no syntax to break out of: conditions travel as values of a tree, and become parameters of a statement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import as_typed, barring, iso, sentence
from translators.generate import Dialect, Generator
from translators.hybrid.verdicts import BESIDE_WORDS, LONGEST, address, beside_words, forms, judge, spelled_out
from translators.match import HANGUL, words
from translators.query import (
    BY_DATE,
    AllOf,
    AnyOf,
    Clause,
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
    QueryType,
    Sort,
    State,
    Term,
)
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from translators.split import Judge
    from translators.translator import Json

    Condition = dict[str, Json]

FIELDS = (Field.ID, Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.KIND, Field.STATE, *sorted(TIMES))
EVERYTHING: Condition = {}


class HybridFilters(Generator["Condition"]):
    """The tree of conditions. Words that are wanted decide the order and exclude nothing."""

    @property
    def nothing(self) -> Condition:
        return EVERYTHING

    def every(self, parts: tuple[Clause, ...]) -> Condition:
        """All of them; single words that are not to occur, which were spelled out, as the words that they are forms of."""
        denied = dict.fromkeys(word for part in parts if (word := _denied(part)))
        whole = [word for word in denied if denied.keys() >= set(forms(word))]
        told = {form for word in whole for form in forms(word)}
        bases = [word for word in whole if not any(word in forms(other)[1:] for other in whole[: whole.index(word)])]
        left = [part for part in parts if _denied(part) not in told]
        conditions = [self._none_of(part.part) if isinstance(part, Not) else self.write(part) for part in left]
        return _all([*conditions, {"without": list(bases)}] if bases else conditions)

    def either(self, parts: tuple[Clause, ...]) -> Condition:
        return _any(map(self.write, parts))

    def denied(self, part: Clause) -> Condition:
        return self.every((Not(part),)) if isinstance(part, Phrase) else self._none_of(part)

    def words(self, leaf: Term | Phrase | Prefix) -> Condition:
        if isinstance(leaf, Term):
            return self.nothing
        found = [word[:LONGEST] for word in words(as_typed(leaf.text))]
        begins = isinstance(leaf, Prefix) or HANGUL.match(as_typed(leaf.text)[-1:])
        return {"words": [*found[:-1], f"{found[-1]}*" if begins else found[-1]]}

    def person(self, field: Field, who: Person) -> Condition:
        named = {"me": True} if who.me else _told(name=as_typed(who.name), id=who.native_id, email=who.email)
        return {str(field): named}

    def container(self, where: Container) -> Condition:
        return {"container": _told(name=as_typed(where.name), id=where.native_id)}

    def kind(self, kind: Kind) -> Condition:
        return {"kind": [str(each) for each in ((kind, Kind.THREAD) if kind is Kind.MESSAGE else (kind,))]}

    def state(self, state: State) -> Condition:
        return {"state": str(state)}

    def identifier(self, thing: Identifier) -> Condition:
        return {"id": address(thing.text)}

    def instant(self, field: Field, op: Op, instant: datetime) -> Condition:
        return {str(field): {"since" if op is Op.GE else "until": iso(instant)}}

    def _none_of(self, part: Clause) -> Condition:
        return {"not": condition} if (condition := self.write(part)) else EVERYTHING


FILTERS = HybridFilters()


class Hybrid(Dialect):
    """``text`` holds the words that are wanted; ``args`` the ``question`` as it was typed, a ``filter``, a ``sort``.

    ``lesser`` in ``args`` says of further words what they weigh, above 0 and below 1: they order too. ``new`` says that how things
    stand now is asked for.

    A filter is a tree: ``{"all": […]}``, ``{"any": […]}``, ``{"not": …}`` of one of these::

        {"words": ["release", "배포*"]}   {"without": ["draft"]}   {"kind": ["page"]}   {"state": "open"}   {"id": "ENG-12"}
        {"author": {"name": "…", "id": "…", "email": "…"}}      {"author": {"me": true}}   {"assignee": …}
        {"container": {"name": "…", "id": "…"}}                 {"time": {"since": "2025-01-01T00:00:00Z"}}

    ``time`` (and ``created``, ``updated``) has ``since``, which is included, or ``until``, which is not. ``words`` all
    stand in the title or the text, folded; one with ``*`` is the beginning of one. ``without``: none of them does, in
    any form that :func:`translators.hybrid.verdicts.forms` knows.
    """

    name = "hybrid"
    can = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.EXACT,
        fields=dict.fromkeys(FIELDS, Fidelity.EXACT),
        any_of=True,
        ranks=True,
        weighs=True,
        negates=frozenset({Phrase, Prefix, *FIELDS}),
        sorts=BY_DATE,
        meaning=True,
        note=Said("found by its words or by what it means"),
    )
    verdicts = judge

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as words, a question and a filter."""
        can = self.can.meet(can)
        exactly = can.phrase is Fidelity.EXACT and Phrase in can.negates
        found = super().translate(query.narrowed(spelled_out(query.where)) if exactly else query, can)
        said: dict[str, Json] = {}
        if question := sentence(query):
            said["question"] = question
        if found.native.text and query.lesser:
            said["lesser"] = {as_typed(word): weight for word, weight in query.lesser}
        if query.type is QueryType.STATUS:
            said["new"] = True
        return replace(found, native=replace(found.native, args={**said, **found.native.args}))

    def judge_of(self, query: Query, _can: Capabilities) -> Judge:
        """No condition may stand as an alternative to a word: words decide an order, and exclude nothing."""
        return barring(self.verdicts, dict.fromkeys(beside_words(query.where), BESIDE_WORDS))

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        wanted = dict.fromkeys(as_typed(leaf.text) for leaf in _wanted(pushed))
        args: dict[str, Json] = {}
        if condition := FILTERS.write(pushed):
            args["filter"] = condition
        if order is not Sort.RELEVANCE:
            args["sort"] = str(order)
        return NativeQuery(self.name, " ".join(wanted), args)


def _wanted(clause: Clause) -> Iterator[Term | Phrase | Prefix]:
    """Texts that are not under a NOT."""
    match clause:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _wanted(part)
        case Term() | Phrase() | Prefix():
            yield clause
        case _:
            pass


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


def _denied(part: Clause) -> str:
    """The single word that a clause forbids; empty if it is another clause."""
    if isinstance(part, Not) and isinstance(part.part, Phrase):
        found = words(as_typed(part.part.text))
        return found[0] if len(found) == 1 else ""
    return ""


def _told(**said: str | None) -> Condition:
    return {key: as_typed(value) for key, value in said.items() if value and as_typed(value)}


TRANSLATOR = Hybrid
