"""A question under way: who asks what, what they can ask, and what has been worked out of the hits so far."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from orchestrator.alias_learning import TellingHits
from orchestrator.rank import RankMemo
from orchestrator.signals import NOTHING
from orchestrator.thinking import GatheredHits
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.model import Ask, Outcome, Plan
    from orchestrator.reaching import AskerReach
    from orchestrator.signals import Heard


@record
class OpenQuestion:
    """``memo``: kept from the first ranking of its hits to the last. ``telling``: what may teach a name."""

    ask: Ask
    reach: AskerReach
    memo: RankMemo = field(default_factory=RankMemo, repr=False)
    telling: TellingHits = field(default_factory=TellingHits, repr=False)

    def gathered(self, plan: Plan, outcomes: Iterable[Outcome], heard: Heard = NOTHING) -> GatheredHits:
        """What is to be ranked, with the names of people as far as they are known."""
        return GatheredHits(self.reach.with_names(outcomes), plan, self.ask.now, heard, self.memo)
