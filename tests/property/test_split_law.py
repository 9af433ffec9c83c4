"""Law 1, widen and never narrow: what is pushed and what is left together mean what was asked, whatever the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.match import matches
from translators.query import EVERYTHING, AllOf, AnyOf, Clause, Compare, Leaf, Not, leaves
from translators.split import Split, split
from translators.strategies import Paper, capabilities, clauses, documents

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ALL_FIDELITIES = st.sampled_from(Fidelity)
many = nightly(250)


def judged(data: st.DataObject, where: Clause) -> dict[Leaf, Verdict]:
    """A judge with an opinion of its own on every leaf."""
    verdicts = st.builds(Verdict, ALL_FIDELITIES, st.just("why"), st.booleans())
    return {leaf: data.draw(verdicts, label=f"verdict on {leaf}") for leaf in dict.fromkeys(leaves(where))}


@many
@given(clauses(), capabilities(), documents())
def test_pushed_and_residual_together_mean_what_was_asked(where: Clause, can: Capabilities, document: Paper) -> None:
    """``matches(where) == matches(pushed) and matches(residual)``, in all three truth values."""
    cut = split(where, can)
    together = AllOf((cut.pushed, cut.residual or EVERYTHING))
    assert matches(together, document) is matches(where, document)


@many
@given(clauses(), capabilities(), documents())
def test_pushed_never_excludes_what_was_asked(where: Clause, can: Capabilities, document: Paper) -> None:
    if matches(where, document) is True:
        assert matches(split(where, can).pushed, document) is True
    if matches(where, document) is None:
        assert matches(split(where, can).pushed, document) is not False


@many
@given(clauses(), capabilities(), st.data())
def test_no_source_within_its_fidelity_changes_the_result(
    where: Clause, can: Capabilities, data: st.DataObject
) -> None:
    """The law for real sources: one that is exact where it says so, wider where it says so, and of its own mind on
    approximated leaves gives the asked-for result on each document about which it agrees with us on those.
    """
    verdicts = judged(data, where)
    cut = split(where, can, verdicts.__getitem__)
    truth = {leaf: data.draw(st.booleans(), label=f"truth of {leaf}") for leaf in verdicts}
    source = {
        leaf: data.draw(answers(leaf, truth[leaf], can, verdicts[leaf], cut), label="source") for leaf in verdicts
    }
    found = holds(cut.pushed, source) and holds(cut.residual or EVERYTHING, truth)
    assert found == holds(where, truth)


@many
@given(clauses(), capabilities(), st.data())
def test_only_what_the_source_can_do_is_pushed(where: Clause, can: Capabilities, data: st.DataObject) -> None:
    verdicts = judged(data, where)
    cut = split(where, can, verdicts.__getitem__)
    for node in nodes(cut.pushed):
        match node:
            case Not(part):
                assert not isinstance(part, AllOf | AnyOf | Not)
                assert can.can_negate(part)
                assert verdicts[part].negates
            case AnyOf(parts):
                assert can.any_of
                assert can.any_of_text or all(isinstance(leaf, Compare) for leaf in leaves(node))
                assert EVERYTHING not in parts
            case AllOf():
                pass
            case _:
                assert effective(node, can, verdicts[node]) is not Fidelity.NONE
    pushed = set(leaves(cut.pushed))
    approximate = {leaf for leaf in pushed if effective(leaf, can, verdicts[leaf]) is Fidelity.APPROXIMATE}
    assert set(cut.approximated) == approximate


@many
@given(clauses(), capabilities())
def test_split_is_deterministic(where: Clause, can: Capabilities) -> None:
    assert split(where, can) == split(where, can)


@many
@given(clauses())
def test_a_source_that_can_do_nothing_leaves_everything_to_us(where: Clause) -> None:
    cut = split(where, Capabilities())
    assert cut.pushed == EVERYTHING
    assert cut.approximated == ()


def effective(leaf: Leaf, can: Capabilities, verdict: Verdict) -> Fidelity:
    order = [Fidelity.EXACT, Fidelity.WIDER, Fidelity.APPROXIMATE, Fidelity.NONE]
    return order[max(order.index(can.fidelity(leaf)), order.index(verdict.fidelity))]


def answers(leaf: Leaf, true: bool, can: Capabilities, verdict: Verdict, cut: Split) -> st.SearchStrategy[bool]:
    """What a source within its promise may say about a leaf that is ``true``."""
    if effective(leaf, can, verdict) is Fidelity.WIDER:
        return st.sampled_from([True] if true else [True, False])
    if effective(leaf, can, verdict) is Fidelity.APPROXIMATE and leaf not in cut.approximated:
        return st.booleans()  # it was not asked
    return st.just(true)


def holds(clause: Clause, values: Mapping[Leaf, bool]) -> bool:
    match clause:
        case AllOf(parts):
            return all(holds(part, values) for part in parts)
        case AnyOf(parts):
            return any(holds(part, values) for part in parts)
        case Not(part):
            return not holds(part, values)
        case _:
            return values[clause]


def nodes(clause: Clause) -> Iterator[Clause]:
    yield clause
    if isinstance(clause, AllOf | AnyOf):
        for part in clause.parts:
            yield from nodes(part)
