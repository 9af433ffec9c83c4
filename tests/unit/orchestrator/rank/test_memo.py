"""What is worked out of a hit is worked out once for a question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from orchestrator.rank import COLUMNS, rank, read_ahead

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from orchestrator.rank import RankContext


class Counting:
    """A column that takes down what it was asked for."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __call__(self, hits: Sequence[Hit], _: RankContext) -> list[int]:
        self.read += [hit.id for hit in hits]
        return [len(hit.snippet) for hit in hits]


def test_a_hit_is_read_once_and_only_what_is_new_after_that(world: Any) -> None:
    lengths, context = Counting(), world.context
    hits = [world.hit("slack", name, "x" * size) for size, name in enumerate("abc")]
    assert context.column(lengths, hits[:2]) == [0, 1]
    assert context.column(lengths, [*reversed(hits), hits[0]]) == [2, 1, 0, 0]
    again = replace(context, plan=replace(context.plan, steps=()))  # the same question, with another plan
    assert again.column(lengths, hits) == [0, 1, 2]
    assert lengths.read == ["a", "b", "c"]


def test_a_hit_that_has_changed_is_another(world: Any) -> None:
    lengths, context = Counting(), world.context
    hit = world.hit("slack", "a", "short")
    assert context.column(lengths, [hit, replace(hit, snippet="much longer")]) == [5, 11]


def test_a_question_with_other_words_is_another(world: Any) -> None:
    context = world.context
    other = replace(context, query=replace(context.query, text="else"))
    texts = [each.once(lambda context: context.query.text) for each in (context, other)]
    assert texts == ["what", "else"]


def test_ranking_reads_no_hit_anew_of_which_all_was_read_ahead(world: Any) -> None:
    """But for shingles, which few texts need."""
    world = world.ask("billing migration", keywords=("billing", "migration"))
    found = [
        world.outcome(
            source,
            [
                world.hit(source, str(number), f"billing {number}", url=f"https://{source}.example/{number}")
                for number in range(40)
            ],
        )
        for source in ("slack", "notion")
    ]
    context = world.context
    read_ahead([hit for each in found for hit in each.hits], context)
    read = {column: len(known) for column, known in context.memo._columns.items()}
    assert set(read) == set(COLUMNS)
    rank(found, context)
    assert {column: len(context.memo._columns[column]) for column in read} == read
