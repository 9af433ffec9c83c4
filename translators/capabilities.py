"""What a source can check by itself: the part of the query language that its search syntax covers, and how faithfully."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, assert_never

from translators.query import Clause, Compare, Field, Leaf, Op, Phrase, Prefix, Sort, Term, leaves
from translators.records import record
from translators.said import UNSAID, Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Fidelity(StrEnum):
    """How a source's check of a clause relates to what the clause means.

    ``EXACT``: the same things match. ``WIDER``: more may come back, so we check again. ``APPROXIMATE``: the source
    has its own idea (titles only, any word, semantic nearness): it is asked, its judgement stands, and the loss is
    named. ``NONE``: it is not asked; we check.
    """

    EXACT = "exact"
    WIDER = "wider"
    APPROXIMATE = "approximate"
    NONE = "none"

    def weakened(self, other: Fidelity) -> Fidelity:
        """The weaker of two; the members stand from strongest to weakest."""
        return self if PLACE[self] >= PLACE[other] else other


PLACE = {each: place for place, each in enumerate(Fidelity)}


@record
class Verdict:
    """How a language carries one particular leaf, and ``why`` no better, in words for people.

    ``negates`` is false where this very leaf cannot stand under a NOT, though others of its kind can.
    """

    fidelity: Fidelity = Fidelity.EXACT
    why: Said = UNSAID
    negates: bool = True


TIMES = frozenset({Field.TIME, Field.CREATED, Field.UPDATED})
ORDERED = TIMES | {Field.DUE}
"""Fields of which a value may be earlier or later than another."""
NO_FIELDS: Mapping[Field, Fidelity] = MappingProxyType({})


@record
class Capabilities:
    """One source's powers. The default is a source that can do nothing but be asked for everything.

    ``absent`` lists fields that nothing in the source has (a message is assigned to nobody), so that a comparison with
    one is false there; a field in neither may be there, and cannot be asked for. ``negates`` lists what may stand under a NOT; ``any_of`` says whether alternatives fit in one query, and
    ``any_of_text`` whether words may be among them, ``most_ors`` how often one query may say OR (None: as often as
    it takes); ``ranks`` whether what holds more of the words, and the rarer ones, comes first unless it is asked to sort
    otherwise; ``weighs`` whether it is told the lesser words of a question with what they weigh, so that none needs to stand
    in what is asked; ``any_word`` whether any one of the words is enough for it, whatever is asked; ``as_written`` whether an English word
    finds no other form of itself, so that alternatives say it in singular and plural; ``meaning`` whether it searches by meaning, so that it is given the question as a sentence beside its
    words, as ``args["question"]``; ``note`` explains an approximation to a person ("titles only").
    """

    term: Fidelity = Fidelity.NONE
    phrase: Fidelity = Fidelity.NONE
    prefix: Fidelity = Fidelity.NONE
    fields: Mapping[Field, Fidelity] = field(default_factory=lambda: NO_FIELDS)
    absent: frozenset[Field] = frozenset()
    any_of: bool = False
    any_of_text: bool = True
    most_ors: int | None = None
    negates: frozenset[type[Leaf] | Field] = frozenset()
    sorts: frozenset[Sort] = frozenset({Sort.RELEVANCE})
    ranks: bool = False
    weighs: bool = False
    any_word: bool = False
    as_written: bool = False
    meaning: bool = False
    note: Said = UNSAID

    def meet(self, other: Capabilities) -> Capabilities:
        """What both can do: a language spoken by a source that understands only part of it."""
        if other is self:
            return self
        return Capabilities(
            term=self.term.weakened(other.term),
            phrase=self.phrase.weakened(other.phrase),
            prefix=self.prefix.weakened(other.prefix),
            fields={name: own.weakened(other.fields.get(name, Fidelity.NONE)) for name, own in self.fields.items()},
            absent=self.absent | other.absent,
            any_of=self.any_of and other.any_of,
            any_of_text=self.any_of_text and other.any_of_text,
            most_ors=min((each for each in (self.most_ors, other.most_ors) if each is not None), default=None),
            negates=self.negates & other.negates,
            sorts=self.sorts & other.sorts,
            ranks=self.ranks and other.ranks,
            weighs=self.weighs and other.weighs,
            any_word=self.any_word or other.any_word,
            as_written=self.as_written or other.as_written,
            meaning=self.meaning and other.meaning,
            note=self.note or other.note,
        )

    def fidelity(self, leaf: Leaf) -> Fidelity:
        """How faithfully this source checks one leaf."""
        match leaf:
            case Term():
                return self.term
            case Phrase():
                return self.phrase
            case Prefix():
                return self.prefix
            case Compare(name, op):
                return self._comparison(name, op)
            case _:
                assert_never(leaf)

    def can_negate(self, leaf: Leaf) -> bool:
        """Whether ``NOT leaf`` may be pushed. Only an exact check may be negated: the complement of wider is narrower."""
        key = leaf.field if isinstance(leaf, Compare) else type(leaf)
        return key in self.negates and self.fidelity(leaf) is Fidelity.EXACT

    def can_ask_any(self, parts: Iterable[Clause]) -> bool:
        """Whether alternatives such as ``parts`` may be put to this source at all."""
        texts = any(not isinstance(leaf, Compare) for part in parts for leaf in leaves(part))
        return self.any_of and (self.any_of_text or not texts)

    def _comparison(self, name: Field, op: Op) -> Fidelity:
        sensible = (name in ORDERED) == (op is not Op.EQ)
        return self.fields.get(name, Fidelity.NONE) if sensible else Fidelity.NONE
