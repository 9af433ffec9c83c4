"""The Korean grammar of periods: a chain of elements from large to small, each narrowing the one before (작년 하반기, 지난 달 셋째 주 수요일)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orchestrator.understand.patterns import regex
from orchestrator.understand.time.calendar import Grain, Period
from orchestrator.understand.time.feasts import feast_at
from orchestrator.understand.time.korean_elements import BEGINS, ELEMENTS, JOINT
from orchestrator.understand.time.korean_values import NARROW, Values

if TYPE_CHECKING:
    import re

NOTED = regex(r"\s?\([월화수목금토일](?:요일)?\)")


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of elements read as one period; ``names`` says of which kinds."""

    period: Period
    first: int
    last: int
    names: tuple[str, ...]


class Korean(Values):
    """One reading of one text as of ``today``."""

    def chain(self, at: int) -> Chain | None:
        """The longest chain that begins at ``at``."""
        period: Period | None = None
        names: list[str] = []
        position = last = at
        while found := self._element(position, first=period is None):
            name, match = found
            try:
                narrowed = self._narrow(period, name, match)
            except (ValueError, OverflowError):
                break  # 2월 30일, 13분기: looks like a time and names none
            if narrowed is None:
                break
            period, last = narrowed, match.end()
            if period.grain is Grain.DAY and (note := NOTED.match(self.text, last)):
                period, last = replace(period, weak=False), note.end()
            names.append(name)
            joint = JOINT.match(self.text, last)
            position = joint.end() if joint else last
        return Chain(period, at, last, tuple(names)) if period else None

    def _element(self, position: int, *, first: bool) -> tuple[str, re.Match[str]] | None:
        if position >= len(self.text) or (first and not BEGINS.match(self.text, position)):
            return None
        if found := feast_at(self.text, position, korean=True):
            return "feast", found[1]
        for name, pattern in ELEMENTS:
            if (name != "part" or not first) and (match := pattern.match(self.text, position)):
                return name, match
        return None

    def _narrow(self, within: Period | None, name: str, match: re.Match[str]) -> Period | None:
        return NARROW[name](self, within, match)
