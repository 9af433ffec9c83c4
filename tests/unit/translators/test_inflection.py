"""English words as dictionaries list them."""

from __future__ import annotations

from tests.rows import each_row
from translators.inflection import base_forms, other_number

LISTED = frozenset(
    "rate rat site sit fare far plane plan fine fin tube tub hope hop bus box hero policy run ship open note".split()
)


@each_row(
    ("word", "listed"),
    [
        ("rates", "rate"),
        ("rated", "rate"),
        ("rating", "rate"),
        ("rats", "rat"),
        ("sites", "site"),
        ("planes", "plane"),
        ("planning", "plan"),
        ("fares", "fare"),
        ("fines", "fine"),
        ("tubes", "tube"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("buses", "bus"),
        ("boxes", "box"),
        ("heroes", "hero"),
        ("policies", "policy"),
        ("running", "run"),
        ("shipped", "ship"),
        ("opening", "open"),
        ("notes", "note"),
    ],
)
def test_a_form_is_of_the_word_that_english_would_make_it_of(word: str, listed: str) -> None:
    assert next(form for form in base_forms(word) if form in LISTED) == listed


@each_row(
    ("word", "other"),
    [
        ("term", "terms"),
        ("terms", "term"),
        ("policy", "policies"),
        ("policies", "policy"),
        ("box", "boxes"),
        ("boxes", "box"),
        ("day", "days"),
        ("Invoice", "Invoices"),
        ("status", "statuses"),
        ("API", ""),
        ("k8s", ""),
        ("배포", ""),
        ("on", ""),
        ("", ""),
    ],
)
def test_a_word_has_another_number(word: str, other: str) -> None:
    assert other_number(word) == other
