"""The common ground of search boxes: words that must all occur, "phrases", beginnings*, -without; filters beside them.

For sources that are declared in settings: what of it a source understands, its declaration says.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from translators.capabilities import TIMES, Capabilities, Fidelity, Verdict
from translators.emit import (
    BARE,
    RESERVED,
    as_typed,
    iso,
    judge_container_name,
    judge_text,
    literals,
    quoted,
    settle,
    spelled,
    utc,
)
from translators.match import HANGUL, WORD
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
from translators.records import record
from translators.said import Said
from translators.translator import NativeQuery, Translation
from translators.verdicts import EXACT, Verdicts

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


# ---- how a word is written for a source whose search box knows quotes, or does not

PHRASED = frozenset({Fidelity.EXACT, Fidelity.APPROXIMATE})
NOT_TOLD = Verdict(Fidelity.NONE, Said("the source is not told who is asking"))
NAMELESS = Verdict(
    Fidelity.NONE,
    Said("nothing can be found by a name without letters"),
)
BY_NAME = Verdict(Fidelity.APPROXIMATE, Said("asked by the name exactly as written"))
OPERATOR = Verdict(
    Fidelity.NONE,
    Said("it is an operator in many search boxes, and this one knows no quotes"),
)
NO_BEGINNING = Verdict(
    Fidelity.NONE,
    Said("only a single word has a beginning that can be asked for"),
)
APART = Verdict(
    Fidelity.WIDER,
    Said("its words are asked for one by one, as this search box knows no quotes"),
)


def quotes(can: Capabilities) -> bool:
    """Whether quotes mean to a source what they mean to people."""
    return can.phrase in PHRASED


@record
class Spelling(Verdicts):
    """``quotes``: the source understands them. ``beginnings``: it finds words by their beginning, exactly."""

    quotes: bool
    beginnings: bool

    def words(self, leaf: Term | Phrase) -> Verdict:
        found = judge_text(leaf)
        if self.quotes or found != EXACT:
            return found
        parts = _apart(leaf.text)
        return OPERATOR if not parts else APART if parts != [as_typed(leaf.text)] else EXACT

    def prefix(self, leaf: Prefix) -> Verdict:
        word = as_typed(leaf.text)
        return judge_text(leaf) if BARE.fullmatch(word) and not _reserved(word) else NO_BEGINNING

    def person(self, who: Person) -> Verdict:
        if who.me:
            return NOT_TOLD
        if who.native_id or who.email:
            return EXACT if as_typed(who.native_id or who.email or "") else NAMELESS
        return BY_NAME if WORD.search(as_typed(who.name)) else NAMELESS

    def container(self, where: Container) -> Verdict:
        if where.native_id:
            return EXACT
        return judge_container_name(where) if WORD.search(as_typed(where.name)) else NAMELESS

    def text(self, leaf: Term | Phrase | Prefix) -> str:
        """One leaf as it is sent.

        A Hangul word carries particles at its end: it is asked for by its beginning where that can be.
        """
        match leaf:
            case Prefix(text):
                return f"{as_typed(text)}*"
            case Term(text) if self.beginnings and HANGUL.match(as_typed(text)[-1:]) and BARE.fullmatch(as_typed(text)):
                return f"{as_typed(text)}*"
            case Term(text):
                return spelled(text) if self.quotes else " ".join(_apart(text))
            case Phrase(text):
                return quoted(text) if self.quotes else " ".join(_apart(text))


def _apart(text: str) -> list[str]:
    """Words that cannot be anything but words."""
    whole = as_typed(text)
    if BARE.fullmatch(whole) and not _reserved(whole):
        return [whole]
    return [word for word in WORD.findall(whole) if not _reserved(word)]


def _reserved(word: str) -> bool:
    return word.casefold() in RESERVED


TRANSLATOR = Words
