"""The order that was shown is worked out anew from the numbers that were written down."""

from datetime import UTC, datetime

from orchestrator.learning import Impression, ImpressionItem, order_of
from orchestrator.learning.impressions import FACTORS, impression_row, read_row
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
