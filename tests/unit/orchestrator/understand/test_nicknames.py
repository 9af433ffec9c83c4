"""Who is called so for short, and words that are somebody's name as well: nobody is found by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand import Directory, DirectoryPerson
from tests.rows import each_row
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

OFFICE = Directory(
    tuple(
        map(
            DirectoryPerson,
            ("Michael Stone", "Elizabeth Grant", "David Orr", "Bob Hale", "Charles Ray", "Theodora Lin", "Theo Marsh"),
        )
    )
)
NAMESAKES = Directory(
    tuple(map(DirectoryPerson, ("Will Hale", "Mark Cole", "Art Moss", "Sue Wynn", "Grace Oh", "Page Voss")))
)


@each_row(
    ("text", "author"),
    [
        ("what did Mike say about the budget", "Michael Stone"),
        ("what did mike write about the budget", "Michael Stone"),
        ("what did Liz send last week", "Elizabeth Grant"),
        ("notes by Mike Stone", "Michael Stone"),
        ("what did Robert say about the budget", "Bob Hale"),
        ("what did Theo say about the budget", "Theo Marsh"),
        ("찰리가 예산에 대해 뭐라고 했어", "Charles Ray"),
        ("데이브가 보낸 메일", "David Orr"),
    ],
)
def test_a_short_form_is_the_one_who_may_be_called_so(ask: Callable[..., Query], text: str, author: str) -> None:
    """Of several who may be, and beside one whose name is written so, it is nobody else."""
    found = ask(text, directory=OFFICE).author
    assert found is not None
    assert found.name == author


def test_of_two_who_may_be_called_so_it_is_neither(ask: Callable[..., Query]) -> None:
    both = Directory((DirectoryPerson("Michael Stone"), DirectoryPerson("Michael Reed")))
    author = ask("what did Mike say about the budget", directory=both).author
    assert author is not None
    assert author.name == "Mike"


@each_row(
    "text",
    [
        "When will the office in Busan move?",
        "Will the office move?",
        "latest art style guide",
        "can we mark invoices as paid",
        "did they sue us",
        "grace period for late payments",
        "Mark the date of the audit",
        "page limit of the brochure",
    ],
)
def test_a_word_is_nobody_where_somebody_is_called_so(ask: Callable[..., Query], text: str) -> None:
    """It was somebody in every question, and looked for."""
    query = ask(text, directory=NAMESAKES)
    assert query.author is None
    assert not [each for each in query.entities if each.kind is EntityKind.PERSON]
    assert "will" not in {word.lower() for word in query.keywords}


@each_row(
    ("text", "author"),
    [
        ("What did Will say about the budget", "Will Hale"),
        ("ask will about the budget", "Will Hale"),
        ("files from mark", "Mark Cole"),
        ("Mark's notes on the audit", "Mark Cole"),
        ("what did grace send last week", "Grace Oh"),
        ("email from sue about the audit", "Sue Wynn"),
    ],
)
def test_it_is_a_name_where_it_is_written_or_used_as_one(ask: Callable[..., Query], text: str, author: str) -> None:
    query = ask(text, directory=NAMESAKES)
    named = {each.name for each in query.entities if each.kind is EntityKind.PERSON} | {
        query.author and query.author.name
    }
    assert author in named


def test_a_short_form_is_searched_for_as_it_is_written_in_full_too(ask: Callable[..., Query]) -> None:
    """What is called Elizabeth's holds no Liz."""
    query = ask("budget discussion with Liz", directory=OFFICE)
    assert dict(query.variants)["Liz"] == ("Elizabeth",)
