"""Hits become results: valid, short, without repeats, in order."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from orchestrator.websearch.results import distinct, ordered, read_results

from .conftest import hit, result

if TYPE_CHECKING:
    from orchestrator.websearch import TierJudge

DAY = datetime(2026, 11, 20, tzinfo=UTC)


def test_what_is_no_result_is_left_out_and_said(judge: TierJudge) -> None:
    hits = [
        hit("https://react.dev/x", "React"),
        hit("javascript:alert(1)", "Bad"),
        hit("https://react.dev/y", " \u202e\x07 "),
        hit("not an address", "Bad"),
        hit("https://react.dev\\@evil.com/", "Bad"),
    ]
    results, left_out = read_results(hits, "react", judge)
    assert [(each.url, each.position) for each in results] == [("https://react.dev/x", 0)]
    assert [each.reason for each in left_out] == [
        "its address is not valid", "it has no title", "its address is not valid", "its address is not valid",
    ]  # fmt: skip


def test_nothing_gives_nothing(judge: TierJudge) -> None:
    assert read_results([], "react", judge) == ((), ())


def test_snippets_are_short_plain_and_whole_characters(judge: TierJudge) -> None:
    decomposed = unicodedata.normalize("NFD", "결제 서비스 장애 회고 " * 30)
    (only,), _ = read_results([hit("https://react.dev/x", "t", decomposed + "\x1b[2J\n끝")], "react", judge)
    assert len(only.snippet) <= 200
    assert only.snippet.startswith("결제 서비스 장애 회고 결제")
    assert only.snippet.endswith("…")
    (short,), _ = read_results([hit("https://react.dev/x", "t", "one\n\ttwo\u202e")], "react", judge)
    assert short.snippet == "one two"


@pytest.mark.parametrize(
    ("snippet", "facts", "score"),
    [
        ("Answered. 12 votes. See", {}, 64),
        ("1.2k upvotes", {}, 69),
        ("추천 99 조회 3", {}, 68),
        ("no votes at all", {}, 60),
        ("12 votes", {"votes": 0}, 60),
        ("", {"votes": 999_999_999}, 69),
    ],
)
def test_votes_come_of_facts_or_of_the_snippet(
    judge: TierJudge, snippet: str, facts: dict[str, int], score: int
) -> None:
    (only,), _ = read_results([hit("https://stackoverflow.com/q/1", "t", snippet, **facts)], "x y", judge)
    assert only.reliability == score


def test_of_two_with_one_address_the_first_stays() -> None:
    first, second = result(4, url="http://e.example/a/#x"), result(1, url="https://e.example/a?utm_source=y")
    other = result(2, url="https://e.example/b")
    assert distinct([first, other, second]) == (first, other)


def test_order_is_tier_then_reliability_then_recency_then_as_they_came() -> None:
    old, new = replace(result(1, 95, 3), published=DAY.replace(year=2020)), replace(result(1, 95, 4), published=DAY)
    wanted = [
        result(1, 99, 9),
        new,
        old,
        result(1, 95, 0),
        result(1, 95, 1),
        result(2, 89, 2),
        result(2, 70, 0),
        result(4, 49, 0),
    ]
    assert list(ordered(reversed(wanted))) == wanted
