"""What asking one source has brought so far: whether the question as asked is enough there, and whether anything there is Korean."""

from __future__ import annotations

from dataclasses import dataclass

UNKNOWN = 0.5  # the share before anything is known
MEMORY = 0.1  # the weight of the newest question
OFTEN = 0.25  # the share from which the broader questions are worth their place in the source's rate
ENOUGH = 50  # hits without a Korean word in them that tell a source without Korean from one that has little of it


@dataclass(slots=True)
class Habit:
    """The share of recent questions that had to be broadened, the newest counting most.

    ``seen``: hits that it has returned, as far as they count; ``korean``: those of them with a Korean word.
    """

    share: float = UNKNOWN
    seen: int = 0
    korean: int = 0

    def note(self, *, broadened: bool) -> None:
        """One more question."""
        self.share += MEMORY * (broadened - self.share)

    @property
    def broadens(self) -> bool:
        """Whether the next question is likely enough to need it."""
        return self.share >= OFTEN

    def read(self, *, hits: int, korean: int) -> None:
        """One more question has brought these."""
        self.seen += hits
        self.korean += korean

    @property
    def knows_korean(self) -> bool:
        """Whether a Korean word may find anything; whoever asks in Korean is asked for as they ask all the same."""
        return self.korean > 0 or self.seen < ENOUGH
