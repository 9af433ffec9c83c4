"""A configured source at run time: its connector, and what is known of how it is doing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from orchestrator.gather.breaker import Breaker
from orchestrator.gather.habit import Habit
from orchestrator.gather.latency import Latency

if TYPE_CHECKING:
    from connectors.contract import Connector
    from orchestrator.gather.gate import Gate


@dataclass(frozen=True, slots=True)
class Source:
    """One source that can be asked. All that is known of it is shared by everybody who asks it."""

    connector: Connector
    gate: Gate
    breaker: Breaker = field(default_factory=Breaker)
    latency: Latency = field(default_factory=Latency)
    habit: Habit = field(default_factory=Habit)

    @property
    def name(self) -> str:
        """The configured name, unique in this installation."""
        return self.connector.name
