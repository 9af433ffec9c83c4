"""Words and names that are spelt like months and days: a modal verb, somebody called August, the SAT report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from translators.query import Term, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


@pytest.mark.parametrize(
    "text",
    [
        "May a rider take the goods lift alone?",
        "May contractors use the car park?",
        "Hi, may I bring a dog?",
        "What did May say about the template?",
        "Did August sign the lease?",
        "Where does Mon keep the label printer?",
        "Where is the SAT report of the pump?",
    ],
)
def test_a_verb_and_a_name_are_no_month_or_day(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is None


@pytest.mark.parametrize(
    "text",
    [
        "May invoices",
        "what happened in May",
        "invoices of May",
        "May 2025 revenue",
        "Mon standup notes",
        "what was agreed on Sat",
    ],
)
def test_and_months_and_days_still_are(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is not None


def test_whoever_is_called_like_a_month_is_looked_for(ask: Callable[[str], Query]) -> None:
    assert Term("August") in conjuncts(ask("Did August sign the lease?").where)
