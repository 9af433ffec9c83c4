"""From what was understood to what will be sent where: sources, names, variants, rungs. Pure."""

from orchestrator.plan.build import PlanLimits, make_plan
from orchestrator.plan.profile import SourceProfile

__all__ = ["PlanLimits", "SourceProfile", "make_plan"]
