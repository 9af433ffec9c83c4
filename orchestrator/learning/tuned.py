"""The numbers that were learnt here, as a layer of settings of their own: written whole, and taken back byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.files import put_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date
    from pathlib import Path

HEAD = """# Written by `fedsearch tune` on {day}, from {judgments} judgments of {people} people. `fedsearch tune --undo` takes it back.
# Your own settings stand above these.
"""


def write_tuned(path: Path, text: str) -> None:
    """Put the file in place; what stood there is kept beside it under a number. Raises ``OSError``."""
    if path.exists():
        path.replace(path.with_name(f"{path.name}.{max(_before(path), default=0) + 1}"))
    put_whole(path, text)


def undo_tuned(path: Path) -> bool:
    """Put back what stood there before; ``False`` where nothing was written. Raises ``OSError``."""
    if not path.exists():
        return False
    if before := max(_before(path), default=0):
        path.with_name(f"{path.name}.{before}").replace(path)
    else:
        path.unlink()
    return True


def _before(path: Path) -> Iterator[int]:
    """The numbers of what stood there."""
    for each in path.parent.glob(f"{path.name}.*"):
        number = each.name.removeprefix(f"{path.name}.")
        if number.isascii() and number.isdigit():
            yield int(number)


def tuned_text(numbers: Mapping[str, Any], day: date, judgments: int, people: int) -> str:
    """As TOML: tables of numbers, and nothing else."""
    head = HEAD.format(day=day.isoformat(), judgments=judgments, people=people)
    return head + "".join(_tables(numbers, ("ranking", "numbers")))


def _tables(table: Mapping[str, Any], place: Sequence[str]) -> Iterator[str]:
    plain = {name: value for name, value in table.items() if isinstance(value, float)}
    if plain:
        lines = "".join(f"{name} = {value}\n" for name, value in plain.items())
        yield f"\n[{'.'.join(place)}]\n{lines}"
    for name, value in table.items():
        if name not in plain:
            yield from _tables(value, (*place, name))
