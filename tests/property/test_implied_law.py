"""A reading with less than certainty orders and never excludes: whatever a source can be asked, and whatever it returns."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Status
from orchestrator.plan import PlanLimits, SourceProfile, make_plan
from orchestrator.rank import RankContext, RankingConfig, rank
from tests.examples import nightly
from translators.emit import settle
from translators.match import matches
from translators.query import (
    CREDIBLE,
    Category,
    Clause,
    Compare,
    Container,
    Field,
    Implied,
    Kind,
    Not,
    Op,
    Person,
    Query,
    QueryType,
    State,
    Term,
    all_of,
    any_of,
    conjuncts,
    leaves,
)
from translators.split import trust
from translators.strategies import capabilities
from translators.translator import LossKind, NativeQuery, Translation

if TYPE_CHECKING:
    from orchestrator.model import Plan
    from translators.capabilities import Capabilities

CONFIG = RankingConfig.load(Path(__file__).parents[2] / "config" / "ranking.toml")
NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)
CONDITIONS: tuple[Clause, ...] = (
    Compare(Field.AUTHOR, Op.EQ, Person("Dana")),
    Compare(Field.CONTAINER, Op.EQ, Container("payments")),
    any_of((Compare(Field.ASSIGNEE, Op.EQ, Person("김민수")), Compare(Field.AUTHOR, Op.EQ, Person("김민수")))),
    Compare(Field.KIND, Op.EQ, Kind.ISSUE),
    Compare(Field.STATE, Op.EQ, State.OPEN),
    Compare(Field.TIME, Op.GE, NOW - timedelta(days=7)),
    Not(Term("archive")),
)
WORDS = ("refund", "정산")
many = nightly(200)


class Plain:
    """A dialect that writes a clause as its own text."""

    name: ClassVar[str] = "plain"

    def translate(self, query: Query, can: Capabilities) -> Translation:
        settled = settle(query, can, trust)
        return Translation(NativeQuery("plain", str(settled.pushed)), settled.residual, settled.losses)


@st.composite
def questions(draw: st.DrawFn) -> Query:
    """Words, and conditions of which some were typed and the others read with some strength."""
    conditions = draw(st.lists(st.sampled_from(CONDITIONS), unique=True, max_size=4))
    strengths = [draw(st.sampled_from([1.0, 0.95, 0.9, 0.7, 0.5, 0.3])) for _ in conditions]
    implied = [
        Implied(clause, strength, f"words of {clause}")
        for clause, strength in zip(conditions, strengths, strict=True)
        if strength < 1.0
    ]
    return Query(
        text=" ".join(WORDS),
        where=all_of((*map(Term, WORDS), *conditions)),
        type=draw(st.sampled_from([QueryType.STATUS, QueryType.FACTUAL])),
        keywords=WORDS,
        essential=WORDS,
        implied=tuple(implied),
        limit=100,
    )


@st.composite
def hits(draw: st.DrawFn) -> Hit:
    return Hit(
        source="x",
        id=draw(st.sampled_from("abcdefgh")),
        kind=draw(st.sampled_from([Kind.ISSUE, Kind.MESSAGE])),
        title=draw(st.sampled_from(["refund", "정산이 늦음", "refund 정산", "archive", ""])),
        snippet=draw(st.sampled_from(["refund of the archive", "정산은 금요일", "nothing of it"])),
        complete=draw(st.booleans()),
        author=draw(st.sampled_from([None, Person("Dana"), Person("김민수")])),
        container=draw(st.sampled_from([None, Container("payments"), Container("other")])),
        state=draw(st.sampled_from([None, *State])),
        created=draw(st.sampled_from([None, NOW, NOW - timedelta(days=90)])),
    )


def planned(query: Query, can: Capabilities) -> Plan:
    return make_plan(query, [SourceProfile("x", "X", Category.TRACKER, Plain(), can)], (), PlanLimits(variants=3))  # type: ignore[arg-type]


def returned(plan: Plan, found: list[list[Hit]]) -> Outcome:
    """The source returns what it likes to every request."""
    rungs = [(height, rung, each) for height, rung in enumerate(plan.steps[0].rungs) for each in rung.translations]
    lists = tuple(
        HitList(translation, tuple({hit.id: hit for hit in found[at % len(found)]}.values()), height, rung.dropped)
        for at, (height, rung, translation) in enumerate(rungs)
    )
    return Outcome("x", "X", Category.TRACKER, Status.OK, lists)


def ranked(query: Query, can: Capabilities, found: list[list[Hit]]) -> tuple[Outcome, list[Hit], list[Hit]]:
    plan = planned(query, can)
    outcome = returned(plan, found)
    ranking = rank([outcome], RankContext(query, NOW, plan, CONFIG))
    listed = [hit for result in ranking.results for hit in (result.hit, *result.also)]
    return outcome, listed, [each.hit for each in ranking.dropped]


@many
@given(questions(), capabilities())
def test_no_request_excludes_by_what_was_only_read(query: Query, can: Capabilities) -> None:
    """What is checked here and excludes was typed; what was read orders, or is said to have been asked natively."""
    typed = {leaf for part in conjuncts(query.where) if query.strength(part) == 1.0 for leaf in leaves(part)}
    for rung in planned(query, can).steps[0].rungs:
        for each in rung.translations:
            must = {leaf for part in conjuncts(each.residual or all_of(())) for leaf in leaves(part)}
            assert must <= typed
            ordered = {str(loss.what) for loss in each.losses if loss.kind is LossKind.ORDERED}
            assert {str(wish.clause) for wish in each.preferred} <= ordered | {str(loss.what) for loss in each.losses}


@many
@given(questions(), capabilities(), st.lists(st.lists(hits(), max_size=4), min_size=1, max_size=3))
def test_hits_that_break_only_what_was_read_are_listed(query: Query, can: Capabilities, found: list[list[Hit]]) -> None:
    """Dropped is only what fails something typed, or holds no word of a question whose words nobody was asked for."""
    outcome, listed, dropped = ranked(query, can, found)
    typed = [part for part in conjuncts(query.where) if query.strength(part) == 1.0 and not isinstance(part, Term)]
    ids = {hit.id for hit in listed}
    assert ids | {hit.id for hit in dropped} == {hit.id for each in outcome.lists for hit in each.hits}
    for hit in dropped:
        fails = any(matches(part, hit) is False for part in typed)
        wordless = not any(matches(Term(word), hit) for word in WORDS)
        assert fails or wordless
    fine = [
        hit
        for each in outcome.lists
        for hit in each.hits
        if all(matches(part, hit) is not False for part in typed) and any(matches(Term(word), hit) for word in WORDS)
    ]
    assert not fine or listed


@many
@given(st.sampled_from(CONDITIONS[:6]), st.sampled_from([0.3, 0.5, 0.6, 0.9]), capabilities())
def test_what_satisfies_a_reading_stands_before_its_equal_that_does_not(
    condition: Clause, strength: float, can: Capabilities
) -> None:
    """And the one behind says why."""
    query = Query(
        text="refund",
        where=all_of((Term("refund"), condition)),
        keywords=("refund",),
        essential=("refund",),
        implied=(Implied(condition, strength, "so"),),
    )
    good = Hit(
        source="x",
        id="a",
        kind=Kind.ISSUE,
        title="refund",
        snippet="refund",
        author=Person("김민수" if "김민수" in str(condition) else "Dana"),
        assignee=Person("김민수"),
        container=Container("payments"),
        state=State.OPEN,
        created=NOW,
        updated=NOW,
    )
    old = NOW - timedelta(days=8)
    bad = replace(
        good,
        id="b",
        kind=Kind.MESSAGE,
        author=Person("박서연" if "김민수" in str(condition) else "Lee"),
        assignee=Person("박서연"),
        container=Container("other"),
        state=State.DONE,
        created=old,
        updated=old,
    )
    plan = planned(query, can)
    last = plan.steps[0].rungs[-1]
    if not last.translations[-1].preferred:
        return  # this source was asked for it in every request, and is believed
    lists = (HitList(last.translations[-1], (bad, good), len(plan.steps[0].rungs) - 1, last.dropped),)
    outcome = Outcome("x", "X", Category.TRACKER, Status.OK, lists)
    results = rank([outcome], RankContext(query, NOW, plan, CONFIG)).results
    places = {result.hit.id: place for place, result in enumerate(results)}
    assert set(places) == {"a", "b"}
    if strength >= CREDIBLE:
        assert places["a"] < places["b"]
    why = next(result.why for result in results if result.hit.id == "b")
    assert any(reason.startswith(("outside what was asked", "not as it seems to be asked")) for reason in why)
