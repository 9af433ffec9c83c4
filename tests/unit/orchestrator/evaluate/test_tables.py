"""Figures by type and by source agree with sums made by hand."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from pathlib import Path

import pytest

from connectors.contract import Hit
from orchestrator.evaluate import Figure, JudgedQuestion, Recorded, ablation, homes_of, losses, tabulate, tidied
from orchestrator.evaluate.tables import by_source, slowest
from orchestrator.model import HitList, Outcome, Plan, Problem, Status, Step
from orchestrator.rank import STAGES, RankingConfig
from translators.query import Category, Kind, Query, QueryType, all_of
from translators.translator import NativeQuery, Translation

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
CONFIG = RankingConfig.load(Path(__file__).parents[4] / "config" / "ranking.toml")
HOMES = {"c1": "slack", "c2": "slack", "w1": "notion"}


def outcome(source: str, category: Category, *ids: str, status: Status = Status.OK) -> Outcome:
    """One list of hits whose text is their id."""
    hits = tuple(Hit(source, name, Kind.PAGE, snippet=f"배포 일정 {name}", created=NOW) for name in ids)
    lists = (HitList(Translation(NativeQuery("test", "배포")), hits),) if hits else ()
    problem = None if status is Status.OK else Problem("x", "y", None)
    return Outcome(source, source, category, status, lists, 0.1, 1, problem=problem)


def recorded(
    name: str,
    grades: dict[str, float],
    *outcomes: Outcome,
    type_: str = "",
    took: float = 0.1,
    homes: dict[str, str] = HOMES,
) -> Recorded:
    """A question whose things have the same names in the corpus and at their source."""
    query = Query("배포 일정", all_of([]), QueryType.STATUS, keywords=("배포", "일정"))
    steps = (Step("slack", "Slack", Category.CHAT, ()), Step("notion", "Notion", Category.WIKI, ()))
    origins = {each.source: {hit.id: hit.id for hit in each.hits} for each in outcomes}
    judged = {each: homes[each] for each in grades if each in homes}
    return Recorded(
        JudgedQuestion(name, query.text, grades, type_), NOW, Plan(query, steps), outcomes, origins, judged, took
    )


def test_a_source_is_judged_by_its_own_things_and_its_own_part_of_the_ranking() -> None:
    each = recorded("1", {"c1": 1.0, "w1": 2.0, "gone": 1.0})
    places = [("notion", "x"), ("slack", "c2"), ("notion", "w1"), ("slack", "c1")]
    rows = dict(by_source(each, places))
    assert set(rows) == {"slack", "notion"}
    assert rows["slack"].mrr_10 == 0.5  # second of slack's, though fourth of all
    assert rows["slack"].ndcg_10 == pytest.approx(1 / math.log2(3))
    assert rows["notion"].ndcg_10 == pytest.approx(1 / math.log2(3))
    assert rows["slack"].recall_100 == rows["notion"].recall_100 == 1.0


def test_a_source_that_holds_nothing_relevant_has_no_row() -> None:
    assert dict(by_source(recorded("1", {"c1": 0.0, "w1": 1.0}), [])).keys() == {"notion"}


def test_tables_count_each_question_where_it_belongs() -> None:
    chat = outcome("slack", Category.CHAT, "c1")
    wiki = outcome("notion", Category.WIKI, status=Status.TIMED_OUT)
    found = recorded("1", {"c1": 1.0}, chat, wiki, type_="person", took=0.2)
    missed = recorded("2", {"w1": 1.0}, chat, wiki, took=0.4)
    tables = tabulate([found, missed], CONFIG)
    assert (tables.whole.questions, tables.whole.mrr_10.value) == (2, 0.5)
    assert [(line.name, line.mrr_10.value) for line in tables.types] == [("person", 1.0), ("status", 0.0)]
    assert [(line.name, line.recall_100.value) for line in tables.sources] == [("notion", 0.0), ("slack", 1.0)]
    assert sum(line.questions for line in tables.halves) == 2
    assert tables.best.ndcg_10.value == 0.5
    assert (tables.mean.value, tables.slow.value) == (pytest.approx(0.3), 0.4)
    assert tables.troubles == {"notion: timed out": 2}
    assert tables.losses == ()


def test_no_questions_have_no_figures() -> None:
    tables = tabulate([], CONFIG)
    assert (tables.whole.questions, tables.whole.ndcg_10, tables.slow) == (0, Figure(0, 0, 0), Figure(0, 0, 0))
    assert tables.types == tables.sources == ()


def test_each_variant_is_compared_with_what_is_shipped() -> None:
    told: list[str] = []
    lists = outcome("slack", Category.CHAT, "c2", "c1"), outcome("notion", Category.WIKI, "w1")
    table = losses([recorded("1", {"w1": 1.0}, *lists)], CONFIG, told.append)
    assert [each.line.name for each in table] == told == [name for name, _, _ in ablation(CONFIG)]
    assert (table[0].line.name, table[0].low, table[0].high) == ("as shipped", 0.0, 0.0)
    assert all(each.low <= each.high for each in table)
    whole = tabulate([recorded("1", {"w1": 1.0}, *lists)], CONFIG).whole
    assert table[0].line.ndcg_10 == whole.ndcg_10


def test_every_variant_differs_from_what_is_shipped() -> None:
    first, *others = ablation(CONFIG)
    assert first[1:] == (CONFIG, STAGES)
    assert all((numbers, stages) != (CONFIG, STAGES) for _, numbers, stages in others)


def test_the_slowest_of_twenty_is_the_nineteenth() -> None:
    assert slowest([float(n) for n in range(20, 0, -1)]) == 19.0
    assert slowest([7.0]) == 7.0


def test_ids_are_known_by_their_source_and_with_blanks_tidied() -> None:
    origins = {"slack": {"a  b": "c1"}, "notion": {"n": "w1"}}
    assert tidied(origins) == {"slack": {"a  b": "c1", "a b": "c1"}, "notion": {"n": "w1"}}
    assert homes_of(origins) == {"c1": "slack", "w1": "notion"}
