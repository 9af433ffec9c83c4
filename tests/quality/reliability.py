"""A reliability diagram (calibration): of the answers given with each confidence, how many were right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.model import Confidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.quality.companies import Grade
    from tests.quality.figures import Measured

LEVELS = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW, Confidence.NONE)
WIDTH = 40  # characters of a whole bar
ALL = "all together"


@dataclass(frozen=True, slots=True)
class Reliability:
    """Answers of one confidence: so many right, so many wrong. What nobody can answer is right at no confidence."""

    level: str
    right: int = 0
    wrong: int = 0

    def __add__(self, other: Reliability) -> Reliability:
        return Reliability(self.level, self.right + other.right, self.wrong + other.wrong)

    @property
    def of(self) -> int:
        """How many answers there are."""
        return self.right + self.wrong

    def bar(self) -> str:
        """The share that was right, as long as it is large."""
        filled = round(WIDTH * self.right / self.of) if self.of else 0
        return "█" * filled + "·" * (WIDTH - filled)


def reliability(rows: Sequence[Grade]) -> tuple[Reliability, ...]:
    """By confidence, the highest first."""
    of = {level: [row.right for row in rows if row.confidence is level] for level in LEVELS}
    return tuple(Reliability(str(level), sum(each), len(each) - sum(each)) for level, each in of.items())


def by_part(measured: Iterable[Measured]) -> dict[str, tuple[Reliability, ...]]:
    """Of each part that tells it, and of all together."""
    told = {each.part: each.reliability for each in measured if each.reliability}
    whole = tuple(
        sum((each for rows in told.values() for each in rows if each.level == level), Reliability(str(level)))
        for level in LEVELS
    )
    return {**told, ALL: whole} if told else {}


def table(told: Mapping[str, Sequence[Reliability]]) -> Iterator[str]:
    """Right and wrong by confidence, in Markdown."""
    yield f"| part | {' | '.join(f'{level}: right | wrong' for level in LEVELS)} |"
    yield f"|---{'|---' * 2 * len(LEVELS)}|"
    for part, rows in told.items():
        yield f"| {part} | {' | '.join(f'{each.right} | {each.wrong}' for each in rows)} |"


def plot(rows: Iterable[Reliability]) -> Iterator[str]:
    """A bar for each confidence: of a confidence that can be trusted the first is full, and each is longer than the next."""
    for each in rows:
        share = f"{each.right / each.of:4.0%}" if each.of else "   –"
        yield f"{each.level:6} {each.bar()} {share}  {each.right} of {each.of}"
