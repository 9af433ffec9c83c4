"""A configured source at run time: its connector, and what is known of how it is doing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.gather.breaker import Breaker
from orchestrator.gather.habit import Habit
from orchestrator.gather.latency import Latency
from orchestrator.gather.preparing import Preparing
from translators.said import UNSAID, Said, joined

if TYPE_CHECKING:
    from connectors.contract import Connector
    from orchestrator.gather.gate import Gate

FREE = Said("{spare:.0%} of {limit} free", "{limit} 중 {spare:.0%} 남음")
QUIET = Said("wants quiet for {pause:.0f} s more", "소스의 요청으로 {pause:.0f}초 더 쉽니다")


@dataclass(frozen=True, slots=True)
class Source:
    """One source that can be asked. All that is known of it is shared by everybody who asks it.

    ``account``: by whose sign-in it is asked, where that is the asker's own: another one may see other things.
    """

    connector: Connector
    gate: Gate
    breaker: Breaker = field(default_factory=Breaker)
    latency: Latency = field(default_factory=Latency)
    habit: Habit = field(default_factory=Habit)
    account: str = ""
    preparing: Preparing = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "preparing", Preparing(self.connector))

    async def aclose(self) -> None:
        """Prepare no longer, and close the connector; safe to call twice."""
        await self.preparing.aclose()
        await self.connector.aclose()

    async def unwell(self) -> Said | str:
        """Why it is not to be asked for what can wait, such as its health; empty where it may be."""
        await self.breaker.hear()
        if self.preparing.failure is not None:
            return self.preparing.failure.message
        return self.breaker.describe() if self.breaker.rests else ""

    async def standing(self) -> Said:
        """What is left of its rate, and whether it is being left alone, in words."""
        await self.breaker.hear()
        pause = self.gate.remaining_pause()
        parts = [
            FREE.filled(spare=self.gate.spare, limit=self.gate.describe()),
            QUIET.filled(pause=pause) if pause else UNSAID,
            self.breaker.describe(),
            self.gate.trouble,
        ]
        return joined("; ", filter(None, parts))

    @property
    def name(self) -> str:
        """The configured name, unique in this installation."""
        return self.connector.name
