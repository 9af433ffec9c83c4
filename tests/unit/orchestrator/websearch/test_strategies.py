"""Each strategy at each of its thresholds, one below and one above."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from orchestrator.websearch.strategies import (
    comprehensive,
    keyword_for,
    merged,
    next_tiers,
    official_first,
    widened_text,
)

from .conftest import result

if TYPE_CHECKING:
    from orchestrator.websearch import WebResult
    from orchestrator.websearch.config import WebTiers


def pool(*counts: int) -> list[WebResult]:
    """So many of tier 1, 2, 3, 4; the worst first."""
    return [result(tier, position=n) for tier, count in reversed(list(enumerate(counts, 1))) for n in range(count)]


def shape(results: tuple[WebResult, ...]) -> tuple[int, ...]:
    """How many of tier 1, 2, 3, 4."""
    counts = Counter(each.tier for each in results)
    return tuple(counts[tier] for tier in (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ((3, 9, 9, 9), (3, 0, 0, 0)),  # three official ones are enough
        ((9, 9, 9, 9), (9, 0, 0, 0)),
        ((2, 3, 9, 9), (2, 3, 0, 0)),  # fewer than three: tier 2 is added, which makes five
        ((2, 2, 9, 9), (2, 2, 9, 9)),  # four are fewer than five: the rest is added
        ((0, 5, 9, 9), (0, 5, 0, 0)),
        ((0, 4, 1, 1), (0, 4, 1, 1)),
        ((0, 0, 0, 3), (0, 0, 0, 3)),
        ((3, 0, 9, 9), (3, 0, 0, 0)),  # three of tier 1 are fewer than five, but enough
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_official_first(tiers: WebTiers, there: tuple[int, ...], chosen: tuple[int, ...]) -> None:
    results = official_first(pool(*there), tiers.strategies.official)
    assert shape(results) == chosen
    assert [each.tier for each in results] == sorted(each.tier for each in results)


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ((5, 5, 5, 5), (3, 3, 2, 2)),  # at most ten: the third goes to the higher tiers
        ((9, 9, 9, 0), (3, 3, 3, 0)),
        ((9, 0, 0, 0), (3, 0, 0, 0)),
        ((1, 9, 9, 9), (1, 3, 3, 3)),
        ((2, 2, 2, 2), (2, 2, 2, 2)),
        ((3, 3, 3, 1), (3, 3, 3, 1)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_comprehensive(tiers: WebTiers, there: tuple[int, ...], chosen: tuple[int, ...]) -> None:
    assert shape(comprehensive(pool(*there), tiers.strategies.comprehensive)) == chosen


def test_comprehensive_takes_the_best_of_each_tier(tiers: WebTiers) -> None:
    results = [result(1, 90 + n, n) for n in range(5)]
    chosen = comprehensive(results, tiers.strategies.comprehensive)
    assert [each.reliability for each in chosen] == [94, 93, 92]


def test_merging_keeps_what_was_shown() -> None:
    shown, again, new = result(1, url="https://a.example/"), result(2, url="http://a.example"), result(3)
    assert merged([shown], [again, new]) == (shown, new)


def test_tiers_widen_one_at_a_time() -> None:
    assert next_tiers((1, 2)) == (1, 2, 3)
    assert next_tiers((1, 2, 3)) == (1, 2, 3, 4)
    assert next_tiers((1, 2, 3, 4)) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("feedback", "language", "keyword"),
    [
        ("more please", "en", "example"),
        ("", "ko", "예제"),
        ("I want to see some code", "en", "example"),
        ("예제가 더 필요해요", "ko", "예제"),
        ("I am a beginner", "en", "tutorial"),
        ("입문자용으로", "ko", "튜토리얼"),
        ("에러가 나요", "ko", "오류 해결"),
        ("how does it compare?", "en", "comparison"),
        ("최신 것으로", "en", "latest"),
        ("renewal", "en", "example"),  # "new" is inside it, and not said
    ],
)
def test_feedback_becomes_a_keyword(tiers: WebTiers, feedback: str, language: str, keyword: str) -> None:
    assert keyword_for(feedback, tiers.strategies.progressive.feedback, language) == keyword


def test_a_keyword_is_added_once() -> None:
    assert widened_text("react hooks", "example") == "react hooks example"
    assert widened_text("react Example", "example") == "react Example"
