"""What several people say in one document: each of them by name before the own words, so that nobody is quoted as another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from translators.query import Person


def spoken(who: Person | None, words: str) -> str:
    """What somebody said, as it stands in the text; of somebody who is not known, the words alone."""
    return f"{who.name}: {words}" if who and who.name and words else words


def voices(people: Iterable[Person | None]) -> tuple[str, ...]:
    """The fact ``voices``: before whose words a name stands, as :func:`spoken` writes it."""
    return tuple(dict.fromkeys(who.name for who in people if who and who.name))
