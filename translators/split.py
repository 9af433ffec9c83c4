"""Cut a clause into what the source checks and what we check, never losing a match in between (law 1).

For every document: ``matches(where) == matches(pushed) and matches(residual)``, and ``pushed`` never excludes what
``where`` allows. Approximate leaves are pushed and reported, and not checked again unless they stand among
alternatives that are; so a result can differ from ``where`` only on documents about which the source's idea of an
approximated leaf differs from ours.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import assert_never

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.query import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Leaf,
    Not,
    Phrase,
    Prefix,
    Term,
    all_of,
    any_of,
)
from translators.records import record

Judge = Callable[[Leaf], Verdict]
Parts = tuple[Clause, Clause, tuple[Leaf, ...]]


@record
class Split:
    """``pushed`` goes into the native query; ``residual`` is checked on what returns (``None``: nothing is left)."""

    pushed: Clause
    residual: Clause | None
    approximated: tuple[Leaf, ...] = ()


def trust(leaf: Leaf) -> Verdict:
    """The judge who leaves it at the capabilities."""
    del leaf
    return Verdict()


def split(where: Clause, can: Capabilities, judge: Judge = trust) -> Split:
    """Divide ``where`` between a source with the powers ``can`` and ourselves.

    ``judge`` may think less of one leaf than ``can`` does of its kind (a name that the language cannot spell); it
    never makes more of it.

    >>> from translators.capabilities import Capabilities, Fidelity
    >>> from translators.query import Compare, Field, Op, Person, Term, all_of
    >>> by_kim = Compare(Field.AUTHOR, Op.EQ, Person("Kim"))
    >>> cut = split(all_of([Term("okta"), by_kim]), Capabilities(term=Fidelity.EXACT))
    >>> cut.pushed == Term("okta"), cut.residual == by_kim
    (True, True)
    """
    pushed, residual, approximated = _Division(can, judge).of(where)
    return Split(pushed, None if residual == EVERYTHING else residual, tuple(dict.fromkeys(approximated)))


@record
class _Division:
    can: Capabilities
    judge: Judge

    def of(self, clause: Clause) -> Parts:
        match clause:
            case AllOf(parts):
                return self._all(parts)
            case AnyOf(parts):
                return self._any(clause, parts)
            case Not(part):
                return self._not(clause, part)
            case Term() | Phrase() | Prefix() | Compare():
                return self._leaf(clause)
            case _:
                assert_never(clause)

    def _leaf(self, leaf: Leaf) -> Parts:
        fidelity = self.can.fidelity(leaf).weakened(self.judge(leaf).fidelity)
        match fidelity:
            case Fidelity.EXACT:
                return leaf, EVERYTHING, ()
            case Fidelity.APPROXIMATE:
                return leaf, EVERYTHING, (leaf,)
            case Fidelity.WIDER:
                return leaf, leaf, ()
            case Fidelity.NONE:
                return EVERYTHING, leaf, ()
            case _:
                assert_never(fidelity)

    def _all(self, parts: tuple[Clause, ...]) -> Parts:
        done = [self.of(part) for part in parts]
        return all_of(p for p, _, _ in done), all_of(r for _, r, _ in done), _joined(done)

    def _any(self, whole: Clause, parts: tuple[Clause, ...]) -> Parts:
        """Alternatives go out only together, and only if none of them would let everything through."""
        if len(parts) == 1:
            return self.of(parts[0])
        done = [self.of(part) for part in parts]
        if not parts or not self.can.can_ask_any(parts) or any(pushed == EVERYTHING for pushed, _, _ in done):
            return EVERYTHING, whole, ()
        exact = all(residual == EVERYTHING for _, residual, _ in done)
        return any_of(p for p, _, _ in done), EVERYTHING if exact else whole, _joined(done)

    def _not(self, whole: Clause, part: Clause) -> Parts:
        """De Morgan first, so that a dialect only ever meets NOT on a leaf."""
        match part:
            case Not(inner):
                return self.of(inner)
            case AnyOf(parts):
                return self._all(tuple(Not(each) for each in parts))
            case AllOf(parts):
                return self._any(whole, tuple(Not(each) for each in parts))
            case Term() | Phrase() | Prefix() | Compare():
                return (whole, EVERYTHING, ()) if self._may_negate(part) else (EVERYTHING, whole, ())
            case _:
                assert_never(part)

    def _may_negate(self, leaf: Leaf) -> bool:
        verdict = self.judge(leaf)
        return self.can.can_negate(leaf) and verdict.fidelity is Fidelity.EXACT and verdict.negates


def _joined(done: list[Parts]) -> tuple[Leaf, ...]:
    return tuple(chain.from_iterable(approximated for _, _, approximated in done))
