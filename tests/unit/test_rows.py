"""A table of rows as one case says of every row that fails which it is."""

from __future__ import annotations

import asyncio

import pytest

from tests.rows import each_row


def test_every_row_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[tuple[int, str]] = []

    @each_row(("number", "word"), [(1, "one"), pytest.param(2, "two", id="the second"), (3, "three")])
    @each_row("last", ["x", "y"], ids=["ex", "why"])
    def check(prefix: str, number: int, word: str, last: str) -> None:
        tried.append((number, last))
        assert prefix + word != "a two", last
        if number == 3 and last == "y":
            raise LookupError(word)

    with pytest.raises(ExceptionGroup, match="2 of 3 rows fail") as told:
        check(prefix="a ")
    assert len(tried) == 6
    second, third = told.value.exceptions
    assert second.__notes__ == ["in the row the second"]
    assert isinstance(second, ExceptionGroup)
    assert [each.__notes__ for each in second.exceptions] == [["in the row ex"], ["in the row why"]]
    assert third.__notes__ == ["in the row number=3, word='three'"]


def test_what_waits_is_awaited_for_each_row() -> None:
    seen: list[int] = []

    @each_row("number", [1, 2])
    async def check(number: int) -> None:
        await asyncio.sleep(0)
        seen.append(number)
        assert number == 1

    with pytest.raises(ExceptionGroup, match="1 of 2 rows fail"):
        asyncio.run(check())
    assert seen == [1, 2]


@each_row("number", [1, 2])
def test_fixtures_are_given_as_ever(number: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert number
    assert tmp_path_factory.getbasetemp().is_dir()


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(AssertionError, match="does not take"):
        each_row("missing", [1])(lambda number: None)
    with pytest.raises(AssertionError, match="there is no row"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="no marks"):
        each_row("number", [pytest.param(1, marks=pytest.mark.xfail)])
