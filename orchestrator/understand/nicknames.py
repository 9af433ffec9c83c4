"""What people are called for short: Mike is Michael, Liz Elizabeth. Read from ``config/language/nicknames.txt`` when somebody is first looked for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.packaged import config_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "nicknames.txt"


def called_too(given: str) -> tuple[str, ...]:
    """The short forms of a given name in full, and the full ones of a short one, in small letters; none of what is no such name."""
    return _forms().get(given.casefold(), ())


@lru_cache(maxsize=1)
def _forms() -> Mapping[str, tuple[str, ...]]:
    forms: dict[str, list[str]] = {}
    text = (config_dir() / "language" / FILE).read_text("utf-8").casefold()
    for line in text.splitlines():
        if line and not line.startswith("#"):
            full, _, shorter = line.partition(" = ")
            for short in shorter.split():
                forms.setdefault(full, []).append(short)
                forms.setdefault(short, []).append(full)
    return {name: tuple(dict.fromkeys(others)) for name, others in forms.items()}
