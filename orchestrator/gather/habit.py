"""What asking one source has brought so far: whether the question as asked is enough there, and whether anything there is Korean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from translators.letters import has_hangul

if TYPE_CHECKING:
    from collections.abc import Iterable

UNKNOWN = 0.5  # the share before anything is known
MEMORY = 0.1  # the weight of the newest question
OFTEN = 0.25  # the share from which the broader questions are worth their place in the source's rate
ENOUGH = 50  # hits without a Korean word in them that tell a source without Korean from one that has little of it


@dataclass(slots=True)
class Habit:
    """The share of recent questions that had to be broadened, the newest counting most.

    ``bare``: hits without a Korean word that it has returned; ``korean``: whether it has returned one with.
    """

    share: float = UNKNOWN
    bare: int = 0
    korean: bool = False

    def note(self, *, broadened: bool) -> None:
        """One more question."""
        self.share += MEMORY * (broadened - self.share)

    @property
    def broadens(self) -> bool:
        """Whether the next question is likely enough to need it."""
        return self.share >= OFTEN

    def read(self, texts: Iterable[str]) -> None:
        """One more question has brought these; once one is Korean, no further one is looked at."""
        for text in () if self.korean else texts:
            self.korean = has_hangul(text)
            self.bare += not self.korean
            if self.korean:
                return

    @property
    def knows_korean(self) -> bool:
        """Whether a Korean word may find anything; whoever asks in Korean is asked for as they ask all the same."""
        return self.korean or self.bare < ENOUGH
