"""A table of rows as one case: what is told of each row costs as much again as a small check, in every worker."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

SHOWN = 200  # characters of a row in a message


def rows_of(table: str) -> list[tuple[str, ...]]:
    """A table that is written as text, one row a line: its cells stand between bars, and what stands behind the last bar may be nothing."""
    return [
        tuple(cell.strip() for cell in line.split(" | ")) if " | " in line else (line.rstrip(" |"), "")
        for line in table.strip().splitlines()
    ]


def each_row(names: str | Sequence[str], rows: Iterable[Any], ids: Iterable[str] | None = None) -> Callable[..., Any]:
    """`pytest.mark.parametrize` as one case, for checks that change nothing which the next row sees.

    Every row is tried, whichever fails before it; an ``ExceptionGroup`` names all rows that failed.
    """
    asked = [each.strip() for each in names.split(",")] if isinstance(names, str) else list(names)
    told = list(rows)
    named = [*ids] if ids is not None else [None] * len(told)
    table = [_row(asked, row, name) for row, name in zip(told, named, strict=True)]
    assert table, "there is no row"

    def folded(test: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(test):

            async def every(**fixtures: Any) -> None:
                failed: list[Exception] = []
                for name, row in table:
                    try:
                        await test(**fixtures, **row)
                    except Exception as failure:  # noqa: BLE001 — raised below, together with the others
                        failed.append(_of_row(failure, name))
                _tell(failed, len(table))

        else:

            def every(**fixtures: Any) -> None:  # type: ignore[misc]
                failed: list[Exception] = []
                for name, row in table:
                    try:
                        test(**fixtures, **row)
                    except Exception as failure:  # noqa: BLE001 — raised below, together with the others
                        failed.append(_of_row(failure, name))
                _tell(failed, len(table))

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in asked]
        assert len(left) == len(signature.parameters) - len(asked), f"{test.__name__} does not take {asked}"
        functools.update_wrapper(every, test)
        every.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return every

    return folded


def _row(names: Sequence[str], row: Any, name: str | None) -> tuple[str, Mapping[str, Any]]:
    """What a row is called, and its values by name."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row has no marks of its own"
        name, values = name or row.id, row.values
    else:
        values = (row,) if len(names) == 1 else tuple(row)
    given = dict(zip(names, values, strict=True))
    return name or ", ".join(f"{each}={value!r}" for each, value in given.items())[:SHOWN], given


def _of_row(failure: Exception, name: str) -> Exception:
    failure.add_note(f"in the row {name}")
    return failure


def _tell(failed: Sequence[Exception], of: int) -> None:
    if failed:
        raise ExceptionGroup(f"{len(failed)} of {of} rows fail", failed)
