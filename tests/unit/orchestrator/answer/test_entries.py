"""A line of a log was said on the day that it begins with."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from orchestrator.answer.rows import entered

WRITTEN = datetime(2026, 11, 26, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("8월 3일: 어른용 14벌 부족", date(2026, 8, 3)),
        ("3 August: 14 short", date(2026, 8, 3)),
        ("2026-08-03 | 14", date(2026, 8, 3)),
        ("[8/3] 14벌 부족", date(2026, 8, 3)),
        ("(8/3): 14벌 부족", date(2026, 8, 3)),
        ("Aug 3 – 14 short", date(2026, 8, 3)),
        ("12월 24일: 개막", WRITTEN.date()),  # planned
        ("3 August is the day of the count", WRITTEN.date()),
        ("14 short", WRITTEN.date()),
    ],
)
def test_an_entry_is_as_old_as_the_day_it_begins_with(text: str, day: date) -> None:
    said = entered(text, WRITTEN)
    assert said is not None
    assert said.date() == day


def test_what_nobody_knows_the_day_of_stays_so() -> None:
    assert entered("3 August: 14 short", None) is None
