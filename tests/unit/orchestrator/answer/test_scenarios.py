"""Whole questions in both languages: the order of the results and the words of the answer."""

from __future__ import annotations

from typing import Any


def test_the_results_come_in_the_expected_order(scenario: Any) -> None:
    assert scenario.order == scenario.expected["order"]


def test_the_expected_sentences_are_quoted_and_cited(scenario: Any) -> None:
    quoted = [[scenario.order[each.number - 1], each.quote] for each in scenario.answer.citations]
    for expected in scenario.expected["quotes"]:
        assert expected in quoted
    assert 1 <= len(quoted) <= 3


def test_every_quote_stands_in_its_result(scenario: Any, is_quoted: Any) -> None:
    assert is_quoted(scenario.answer)


def test_the_confidence_and_the_conflicts_are_as_expected(scenario: Any) -> None:
    assert scenario.answer.confidence == scenario.expected["confidence"]
    assert len(scenario.answer.conflicts) == scenario.expected["conflicts"]
