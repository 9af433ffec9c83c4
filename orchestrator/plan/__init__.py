"""From what was understood to what will be sent where: sources, names, variants, rungs. Pure."""

from orchestrator.plan.build import PlanLimits, make_plan
from orchestrator.plan.outside import OutsidePolicy, may_ask_outside
from orchestrator.plan.powers import excludable, orders, powers
from orchestrator.plan.profile import SourceProfile, called
from orchestrator.plan.vocabulary import Vocabulary

__all__ = [
    "OutsidePolicy",
    "PlanLimits",
    "SourceProfile",
    "Vocabulary",
    "called",
    "excludable",
    "make_plan",
    "may_ask_outside",
    "orders",
    "powers",
]
