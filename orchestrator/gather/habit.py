"""What asking one source has brought so far: whether the question as asked is enough there, what a search costs, whether anything is Korean.

And how long it has taken of late (latency): what a deadline may expect of it, and when it is unusually slow.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectors.yields import Yields
from translators.letters import has_hangul

if TYPE_CHECKING:
    from collections.abc import Iterable

UNKNOWN = 0.5  # the share before anything is known
NEARLY_ALWAYS = 0.8  # the share of searches for one word that bring all there is, in a small source
MEMORY = 0.1  # the weight of the newest question
QUICKLY = 0.3  # the weight of the newest search
OFTEN = 0.25  # the share from which the broader questions are worth their place in the source's rate
MOSTLY = 0.65  # the share from which a source is said to be in one language
STRICT, IMPLYING, AROUND = (
    "all words",
    "all words and what prose implies",
    "what was said around a hit",
)  # ways that may be spared
ENOUGH = 50  # hits without a Korean word in them that tell a source without Korean from one that has little of it


@dataclass(slots=True)
class Habit:
    """The share of recent questions that had to be broadened, the newest counting most.

    ``bare``: hits without a Korean word that it has returned; ``korean``: whether it has returned one with. ``whole``: the
    share of recent searches for one word that brought all there is, all of them until one has not. ``cost``: turns that a search takes of what the source
    allows for searches, what is read for its hits included; ``question``: the same of a whole question, none before the first.
    ``hangul``: the share of Korean among the hits of recent questions. ``ways``: what :data:`STRICT`, :data:`IMPLYING` and :data:`AROUND` have brought.
    """

    share: float = UNKNOWN
    bare: int = 0
    korean: bool = False
    whole: float = 1.0
    cost: float = 1.0
    hangul: float = UNKNOWN
    question: float | None = None
    ways: Yields = field(default_factory=Yields)

    def note(self, *, broadened: bool) -> None:
        """One more question."""
        self.share += MEMORY * (broadened - self.share)

    @property
    def broadens(self) -> bool:
        """Whether the next question is likely enough to need it."""
        return self.share >= OFTEN

    def searched(self, *, whole: bool) -> None:
        """One more search for one word, and whether it brought all there is."""
        self.whole += QUICKLY * (whole - self.whole)

    @property
    def is_small(self) -> bool:
        """Whether a search for one word is likely to bring all there is, so that nothing narrower needs to be asked."""
        return self.whole >= NEARLY_ALWAYS

    def paid(self, turns: int) -> None:
        """One more search, and the turns that it took."""
        self.cost += QUICKLY * (max(1, turns) - self.cost)

    def answered(self, turns: int, *, further: bool) -> None:
        """One more question, and all the turns that it took; ``further``: more turns of the one before."""
        if self.question is None or further:
            self.question = turns if self.question is None else self.question + QUICKLY * turns
        else:
            self.question += QUICKLY * (turns - self.question)

    def read(self, texts: Iterable[str]) -> None:
        """One more question has brought these."""
        said = [has_hangul(text) for text in texts]
        if said:
            self.hangul += QUICKLY * (sum(said) / len(said) - self.hangul)
            self.korean |= any(said)
            self.bare += 0 if self.korean else len(said)

    def speaks(self, *, korean: bool) -> bool:
        """Whether most of what it has is in that language, as far as it has shown."""
        return (self.hangul if korean else 1.0 - self.hangul) >= MOSTLY

    @property
    def knows_korean(self) -> bool:
        """Whether a Korean word may find anything; whoever asks in Korean is asked for as they ask all the same."""
        return self.korean or self.bare < ENOUGH


FAIR_WAIT = 1.0  # seconds
REMEMBERED = 64  # requests
TELLING = 20  # how many it takes before a quantile means anything
LATELY = 32  # answers by which the next is judged: a crowd comes and goes within seconds
LONGER = 1.25  # times the longest of them, since the next may be longer than any


class Latency:
    """Seconds of the last requests that were answered."""

    def __init__(self) -> None:
        self._took: deque[float] = deque(maxlen=REMEMBERED)

    def add(self, seconds: float) -> None:
        """One more answer."""
        self._took.append(seconds)

    @property
    def usual(self) -> float:
        """The median; 0 where too little is known."""
        return self.quantile(0.5) or 0.0

    @property
    def fair(self) -> float:
        """Seconds after which a source that has not answered is not merely late; who gave it less cannot say that it failed."""
        return max(FAIR_WAIT, 2 * self.usual, self.longest)

    @property
    def longest(self) -> float:
        """The longest of them; 0 where nothing was answered yet."""
        return max(self._took, default=0.0)

    def quantile(self, share: float) -> float | None:
        """The time within which ``share`` of the requests were answered, ``None`` where too little is known."""
        if len(self._took) < TELLING:
            return None
        return sorted(self._took)[min(len(self._took) - 1, int(share * len(self._took)))]


class Reserve:
    """What is kept back of a question's time for what comes after asking: ``least`` seconds, or a quarter more than that took of late."""

    def __init__(self, least: float) -> None:
        self._least = least
        self._took: deque[float] = deque(maxlen=LATELY)

    def add(self, seconds: float) -> None:
        """One more answer has been made."""
        self._took.append(seconds)

    def of(self, budget: float) -> float:
        """Seconds, half of the ``budget`` at most, unless more is set."""
        return max(self._least, min(LONGER * max(self._took, default=0.0), budget / 2))
