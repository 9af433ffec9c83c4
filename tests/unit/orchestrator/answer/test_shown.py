"""How many results are shown does not change what the answer says."""

from dataclasses import dataclass

import pytest

from orchestrator.answer.ordering import show


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
    results, quotes = show(tuple(enumerate("abcde", 1)), [Quoted(number) for number in quoted], limit)
    assert "".join(results) == shown
    assert [quote.number for quote in quotes] == numbers


def test_quotes_follow_results_that_have_moved():
    results, quotes = show(((3, "c"), (1, "a"), (2, "b")), [Quoted(1), Quoted(3)], 1)
    assert "".join(results) == "ca"
    assert [quote.number for quote in quotes] == [2, 1]
