"""A configured source at run time: its connector and the gate in front of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from connectors.contract import Connector
    from orchestrator.gather.gate import Gate


@dataclass(frozen=True, slots=True)
class Source:
    """One source that can be asked. The gate is shared by everybody who asks it."""

    connector: Connector
    gate: Gate

    @property
    def name(self) -> str:
        """The configured name, unique in this installation."""
        return self.connector.name
