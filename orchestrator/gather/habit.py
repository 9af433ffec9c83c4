"""How often the question as asked finds too little in one source: what sending broader ones in advance goes by."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN = 0.5  # the share before anything is known
MEMORY = 0.1  # the weight of the newest question
OFTEN = 0.25  # the share from which the broader questions are worth their place in the source's rate


@dataclass(slots=True)
class Habit:
    """The share of recent questions that had to be broadened, the newest counting most."""

    share: float = UNKNOWN

    def note(self, *, broadened: bool) -> None:
        """One more question."""
        self.share += MEMORY * (broadened - self.share)

    @property
    def broadens(self) -> bool:
        """Whether the next question is likely enough to need it."""
        return self.share >= OFTEN
