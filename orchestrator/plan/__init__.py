"""From what was understood to what will be sent where: sources, names, variants, rungs. Pure."""

from orchestrator.plan.build import PlanLimits, make_plan
from orchestrator.plan.powers import excludable, orders, powers
from orchestrator.plan.profile import SourceProfile

__all__ = ["PlanLimits", "SourceProfile", "excludable", "make_plan", "orders", "powers"]
