"""The preview of recency: the mission's numbers, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.surfaces.cli.recency import AGES, recency_view, source_document

if TYPE_CHECKING:
    from collections.abc import Callable

DECAYS = RankingConfig.load(config_dir() / "ranking.toml").recency.sources


def test_the_ages_are_the_missions() -> None:
    assert AGES == (0, 1, 7, 14, 30, 60, 90)


@pytest.mark.parametrize(
    ("name", "days", "left"),
    [
        ("chat", 7, 0.5),
        ("chat", 14, 0.25),
        ("mail", 14, 0.5),
        ("tracker", 14, 0.5),
        ("wiki", 30, 0.5),
        ("chat", 0, 1.0),
    ],
)
def test_what_is_left_of_recency(name: str, days: int, left: float) -> None:
    ages = {each["days"]: each["recency"] for each in source_document(name, DECAYS[name], None)["ages"]}
    assert ages[days] == pytest.approx(left, abs=1e-12)


def test_chat_after_a_month() -> None:
    ages = {each["days"]: each["recency"] for each in source_document("chat", DECAYS["chat"], None)["ages"]}
    assert 0.05 <= ages[30] <= 0.06


@pytest.mark.parametrize(("name", "score"), [("chat", 0.92), ("wiki", 0.84)])
def test_relevance_of_today(name: str, score: float) -> None:
    document = source_document(name, DECAYS[name], 0.8)
    assert document["ages"][0]["score"] == pytest.approx(score, abs=1e-12)
    assert source_document(name, DECAYS[name], None)["ages"][0]["score"] is None


def test_for_people(render: Callable[..., Any]) -> None:
    shown = render(recency_view(DECAYS, 0.8))
    assert [line.split()[0] for line in shown.splitlines() if not line.startswith(" ")] == ["source", *DECAYS]
    assert "0.92" in shown
    assert "0.92" not in render(recency_view({"wiki": DECAYS["wiki"]}, None))
