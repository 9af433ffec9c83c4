"""The preview of recency: the numbers that are required, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from connectors.local.numbers import DocumentDecay, default_numbers
from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.surfaces.cli.recency import AGES, index_document, recency_view, source_document

if TYPE_CHECKING:
    from collections.abc import Callable

DECAYS = RankingConfig.load(config_dir() / "ranking.toml").recency.sources
TABLE = default_numbers().recency
MIXED = TABLE.told({}, "mix")  # as a question how things stand is ordered, and every one where a site says so


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
    shown = render(recency_view({"local": MIXED}, DECAYS, 0.8), 120)
    rows = [line.split()[0] for line in shown.splitlines() if not line.startswith(" ")]
    assert rows == ["local:", "source", *MIXED.things, "chat:", "other"]
    assert shown.count("0.92") == 1, "the same numbers are shown once"
    assert "chat: message, thread; mail: mail;" in shown
    assert "0.92" not in render(recency_view({"local": MIXED}, DECAYS, None))


def test_what_the_index_does_by_itself_is_told_for_people(render: Callable[..., Any]) -> None:
    shown = render(recency_view({"local": TABLE}, DECAYS, 0.8), 120)
    assert "0.92" in shown, "the other sources mix"
    assert index_document("local", TABLE, 0.8)["form"] == "boost"
    assert index_document("local", TABLE, 0.8)["new"] == "mix"


def test_a_table_that_settings_change_stands_beside_the_others(render: Callable[..., Any]) -> None:
    told = TABLE.told(
        {"chat": DocumentDecay(weight=0.1, half_life=3), "공지": DocumentDecay(weight=0.9, half_life=2)}, "boost"
    )
    shown = render(recency_view({"local": told}, DECAYS, 0.8), 120)
    rows = [line.split()[0] for line in shown.splitlines() if not line.startswith(" ")]
    assert rows == ["local:", "source", *TABLE.things, "공지", "chat:", "other", "source", *DECAYS]
    document = index_document("local", told, 0.8)
    assert document["form"] == "boost"
    assert [each["name"] for each in document["collections"]] == ["공지"]
    assert {each["name"]: each["kinds"] for each in document["things"]}["chat"] == ["message", "thread"]
    assert document["things"][0]["ages"][0]["score"] == pytest.approx(0.8 * 1.1 / 1.9)


@pytest.mark.parametrize(("name", "score"), [("chat", 0.92), ("wiki", 0.84)])
def test_relevance_of_today_in_the_index(name: str, score: float) -> None:
    things = {each["name"]: each for each in index_document("local", MIXED, 0.8)["things"]}
    assert things[name]["ages"][0]["score"] == pytest.approx(score, abs=1e-12)
