"""What both grammars hand on: a window and the characters that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True, slots=True)
class PeriodHit:
    """``future``: the window lies ahead, so it names none, but its words are no keywords either. ``yearless``: its year is our guess."""

    first: int
    last: int
    start: date | None
    end: date | None
    future: bool = False
    yearless: bool = False
