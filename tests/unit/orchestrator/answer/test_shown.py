"""How many results are shown does not change what the answer says."""

from dataclasses import dataclass

import pytest

from orchestrator.answer.shown import show


@dataclass(frozen=True)
class Quoted:
    """All that numbering needs of a quote."""

    number: int


@pytest.mark.parametrize(
    ("limit", "quoted", "shown", "numbers"),
    [
        (10, (2, 1), "abcde", [2, 1]),
        (2, (1, 5, 4), "abde", [1, 4, 3]),
        (0, (3,), "c", [1]),
        (1, (), "a", []),
    ],
)
def test_quoted_results_are_shown_and_numbers_follow(limit, quoted, shown, numbers):
    results, quotes = show(tuple("abcde"), [Quoted(number) for number in quoted], limit)
    assert "".join(results) == shown
    assert [quote.number for quote in quotes] == numbers
