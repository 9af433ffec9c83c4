"""How the steps of a pattern grow with the text, at worst."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.security.attacks import attacks
from tests.security.counting import Counting, TooManySteps

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORT, LONG = 48, 96
"""Characters of the first look; only the texts whose steps grow faster than they do are looked at again."""
LENGTH = 200
"""Characters of the second look, against half of them."""
FAR = 1500
"""Characters of the third, beyond every bounded repetition."""
WINDOW = 400
"""Steps per character that such a repetition may take there; an unbounded one takes half of `FAR` or more."""
FIRST = 250_000
"""Steps of the first look; more of them need no comparison."""
AGAIN = 2
"""How many of the first look's worst texts get a second one."""
LINEAR = 2.6
"""Twice the text, at most so many times the steps; quadratic growth makes four of it, cubic growth eight."""
SQUARE = 5.5
PATIENCE = 5_000_000
"""Steps of one look."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The worst text found, and whether its cost is linear, quadratic, or worse than that."""

    verdict: str
    how: str = ""
    prefix: str = ""
    pump: str = ""
    end: str = ""
    steps: int = 0

    @property
    def told(self) -> str:
        return f"{self.verdict} ({self.how}, {self.steps} steps): {self.prefix!r} + {self.pump!r} * n + {self.end!r}"


ORDER = ("linear", "quadratic", "worse")


def text_of(attack: tuple[str, str, str], length: int) -> str:
    prefix, pump, end = attack
    return prefix + pump * max(length // len(pump), 2) + end


def worst(pattern: Counting, how: str, *, far: bool = False) -> Growth:
    """The worst growth over all attacks of one use of the pattern; ``far``: however long a bounded repetition is."""
    looks: list[tuple[int, tuple[str, str, str]]] = []
    for attack in _different(pattern):
        try:
            short = pattern.count(text_of(attack, SHORT), how, FIRST)
            long = pattern.count(text_of(attack, LONG), how, FIRST)
        except TooManySteps:
            return _grown(pattern, how, attack)
        if long > LINEAR * short:
            looks.append((long, attack))
    looks.sort(reverse=True)
    found = [Growth("linear"), *(_grown(pattern, how, attack) for _, attack in looks[:AGAIN])]
    most = max(found, key=lambda each: (ORDER.index(each.verdict), each.steps))
    if far and most.verdict == "quadratic" and _bounded(pattern, how, (most.prefix, most.pump, most.end)):
        return Growth("linear")
    return most


def _different(pattern: Counting) -> Iterable[tuple[str, str, str]]:
    """One of the attacks whose texts the pattern cannot tell from each other: the first of them."""
    found: dict[tuple[str, ...], tuple[str, str, str]] = {}
    for attack in attacks(pattern):
        prefix, pump, end = map(pattern.in_kinds, attack)
        found.setdefault(tuple(text_of((prefix, pump, end), each) for each in (SHORT, LONG, LENGTH)), attack)
    return found.values()


def _bounded(pattern: Counting, how: str, attack: tuple[str, str, str]) -> bool:
    try:
        pattern.count(text_of(attack, FAR), how, WINDOW * FAR)
    except TooManySteps:
        return False
    return True


def _grown(pattern: Counting, how: str, attack: tuple[str, str, str]) -> Growth:
    try:
        half = pattern.count(text_of(attack, LENGTH // 2), how, PATIENCE // 2)
        whole = pattern.count(text_of(attack, LENGTH), how, PATIENCE)
    except TooManySteps:
        return Growth("worse", how, *attack, PATIENCE)
    verdict = "linear" if whole <= LINEAR * half else "quadratic" if whole <= SQUARE * half else "worse"
    return Growth(verdict, how, *attack, whole)
