"""Freshness: the decay table, its check values, and dates that are missing or ahead."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from orchestrator.rank.factors import age_in_days, age_in_words, boost, decay, freshness
from translators.query import Kind, QueryType


@pytest.mark.parametrize(
    ("age", "half_life", "score"),
    [(7, 7, 0.50), (14, 7, 0.25), (30, 7, 0.0513), (14, 14, 0.50), (30, 30, 0.50), (0, 7, 1.0), (-3, 7, 1.0)],
)
def test_decay_gives_the_missions_check_values(age: float, half_life: float, score: float) -> None:
    assert decay(age, half_life) == pytest.approx(score, abs=5e-4)


@pytest.mark.parametrize(("weight", "final"), [(0.6, 0.92), (0.2, 0.84)], ids=["slack", "notion"])
def test_boost_gives_the_missions_check_values(weight: float, final: float) -> None:
    assert boost(0.8, decay(0, 7), weight) == pytest.approx(final)


def test_status_uses_half_lives_as_they_are(world: Any) -> None:
    world = world.ask(type=QueryType.STATUS)
    assert freshness([world.hit("slack", "a", age=7)], world.context) == [pytest.approx(0.5)]


def test_other_types_age_more_slowly(world: Any) -> None:
    hit = world.hit("notion", "a", age=90)
    (status,) = freshness([hit], world.ask(type=QueryType.STATUS).context)
    (factual,) = freshness([hit], world.ask(type=QueryType.FACTUAL).context)
    assert status == pytest.approx(1 / 8)
    assert factual > 0.8


def test_a_missing_date_is_neither_fresh_nor_stale(world: Any) -> None:
    hit = world.hit("slack", "a", age=None)
    assert freshness([hit], world.context) == [0.5]
    assert age_in_words(hit, world.context) == "no date"


def test_a_date_in_the_future_is_as_fresh_as_now(world: Any) -> None:
    hit = world.hit("slack", "a", age=-400)
    assert freshness([hit], world.context) == [1.0]
    assert age_in_words(hit, world.context) == "today"


def test_a_page_is_as_fresh_as_its_last_change_and_a_message_as_its_creation(world: Any) -> None:
    changed = world.now - timedelta(days=1)
    page = world.hit("notion", "a", age=100, updated=changed)
    message = world.hit("slack", "a", age=100, updated=changed)
    assert age_in_days(page, world.now) == 1
    assert age_in_days(message, world.now) == 100


def test_the_other_date_stands_in_for_a_missing_one(world: Any) -> None:
    message = world.hit("slack", "a", age=None, kind=Kind.MESSAGE, updated=world.now - timedelta(days=2))
    assert age_in_days(message, world.now) == 2


@pytest.mark.parametrize(
    ("age", "english", "korean"),
    [
        (0.2, "today", "오늘"),
        (1.2, "1 day old", "1일 전"),
        (20, "20 days old", "20일 전"),
        (45, "45 days old", "45일 전"),
        (70, "2 months old", "2개월 전"),
        (800, "2 years old", "2년 전"),
    ],
)
def test_ages_are_said_in_words(world: Any, age: float, english: str, korean: str) -> None:
    hit = world.hit("slack", "a", age=age)
    assert age_in_words(hit, world.context) == english
    assert age_in_words(hit, world.ask(language="ko").context) == korean


def test_days_are_counted_as_on_the_askers_calendar(world: Any) -> None:
    """Half an hour less than two days before is two days before, and last night is yesterday, whatever zone the source tells it in."""
    now = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
    said = [
        age_in_words(world.hit("slack", "a", created=datetime.fromisoformat(when)), replace(world.context, now=now))
        for when in ("2026-11-18T10:30:00+09:00", "2026-11-19T14:30:00+00:00", "2026-11-19T15:30:00+00:00")
    ]
    assert said == ["2 days old", "1 day old", "today"]
