"""Who asks, and what they may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.access.keys import Scope
    from orchestrator.model import Principal


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who has been let in. ``scopes``: what their key, token or session allows."""

    principal: Principal
    scopes: frozenset[Scope]
