"""The order that was shown is worked out anew from the numbers that were written down."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from orchestrator.learning import Impression, ImpressionItem, order_of
from orchestrator.learning.impressions import FACTORS, impression_row, read_row
from orchestrator.learning.judgments import GradedImpression
from orchestrator.learning.weighing import _Columns, formulas
from tests.unit.orchestrator.learning.office import CONFIG
from translators.query import QueryType


def shown(*sentences: float) -> Impression:
    """Results of falling score, and the odds of their sentences."""
    items = (
        ImpressionItem(f"item {at}", dict.fromkeys(FACTORS, 0.8 - 0.1 * at), sentence=odds)
        for at, odds in enumerate(sentences)
    )
    return Impression(datetime(2026, 11, 26, tzinfo=UTC), "minji", ("q",), QueryType.FACTUAL, tuple(items))


def test_what_sentences_have_moved_stands_where_it_was_shown() -> None:
    assert order_of(shown(0.0, 0.1, 0.9), CONFIG) == (2, 0, 1)
    assert order_of(read_row(impression_row(shown(0.0, 0.1, 0.9))), CONFIG) == (2, 0, 1)


def test_what_was_written_before_sentences_moved_anything_is_read() -> None:
    row = impression_row(shown(0.0, 0.0, 0.0))
    row["items"] = [item[:-1] for item in row["items"]]
    assert read_row(row) == shown(0.0, 0.0, 0.0)


def test_a_fit_reads_what_is_kept_of_a_score_beside_the_best_of_its_tier_as_the_order_does() -> None:
    """Of what lies outside the question the best is the best, and of what a weak reading halves only the half counts."""
    told = shown(0.0, 0.0, 0.1, 0.0)
    changed = ({"kept": 0.5}, {}, {"tier": 1.0}, {"tier": 1.0})
    told = replace(told, items=tuple(replace(item, **each) for item, each in zip(told.items, changed, strict=True)))
    scores = formulas(told, CONFIG)
    rows = _Columns([GradedImpression(told, (1.0, 0.0, 0.0, 0.0), "minji")], CONFIG)._rows_of_all
    assert list(rows[:, 1]) == pytest.approx([0.5 * scores[0] / scores[1], 1.0, 1.15, scores[3] / scores[2]])
    assert order_of(told, CONFIG) == (1, 0, 2, 3)
